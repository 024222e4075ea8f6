-- A small federation's database, for SQLite and PostgreSQL.
CREATE TABLE events (
    event_code varchar(20) PRIMARY KEY,
    title text NOT NULL,
    begins date,
    ends date,
    country varchar(3),
    planned_rounds integer,
    point_system text,          -- as tbframe writes it; empty: the usual one
    pairing_system text         -- SWISS or ROUND ROBIN
);
CREATE TABLE entries (
    event_code varchar(20) NOT NULL REFERENCES events,
    start_no integer NOT NULL,
    full_name text NOT NULL,
    elo integer,
    country varchar(3),
    PRIMARY KEY (event_code, start_no)
);
CREATE TABLE pairings (
    event_code varchar(20) NOT NULL REFERENCES events,
    round_no integer NOT NULL,
    white_no integer NOT NULL,
    black_no integer NOT NULL,
    outcome varchar(4) NOT NULL  -- W, D, B; WF, BF: by forfeit
);
CREATE TABLE byes (
    event_code varchar(20) NOT NULL REFERENCES events,
    round_no integer NOT NULL,
    start_no integer NOT NULL,
    kind varchar(3) NOT NULL     -- PAB, HPB, ZPB
);
