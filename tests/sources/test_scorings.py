from collections.abc import Callable

import pytest

import tbframe as tb

Player = Callable[..., str]
ReadText = Callable[..., tb.Archive]

ALL_CODES = ("1", "=", "0", "+", "-", "F", "H", "U", "Z")


def award(code: str, points: float, round_: object = "", *numbers: object) -> str:
    """Lay out a record 299: code in column 5, points in 14-17, round in 20-22, players from 24."""
    line = f"299 {code:1}        {points!s:>4}  {round_!s:>3} "
    return line + " ".join(f"{number!s:>4}" for number in numbers)


@pytest.fixture
def worth(player: Player, read_text: ReadText) -> Callable[..., dict[str, float]]:
    """Return a function that reads records and gives the points of each code."""

    def points(*records: str) -> dict[str, float]:
        blocks = [f"   2 w {c}" if c in "1=0+-" else f"0000 - {c}" for c in ALL_CODES]
        mirror = [f"   1 b {c}" if c in "1=0+-" else "0000 - Z" for c in "0=1-+FHUZ"]
        archive = read_text(*records, player(1, "A", *blocks), player(2, "B", *mirror))
        assert archive.findings.is_empty(), archive.findings["message"].to_list()
        rows = archive.results.filter(player=1)
        return dict(rows.select("result", "points").iter_rows())

    return points


USUAL = {"1": 1, "=": 0.5, "0": 0, "+": 1, "-": 0, "F": 1, "H": 0.5, "U": 1, "Z": 0}
FOOTBALL = {"1": 3, "=": 1, "0": 0, "+": 3, "-": 0, "F": 3, "H": 1, "U": 3, "Z": 0}


@pytest.mark.parametrize(
    "record",
    [
        "162  W 3.0    D 1.0",  # groups of nine columns
        "162  W  3.0    D  1.0    L  0.0",  # of ten
        "162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0    X 1.0",
        "XXS PAB=3 D=1 W=3",
    ],
)
def test_football(record: str, worth: Callable[..., dict[str, float]]) -> None:
    assert worth(record) == FOOTBALL


def test_records_162(worth: Callable[..., dict[str, float]]) -> None:
    assert worth("162  W 3.0    D 1.0    P 1.0") == FOOTBALL | {"U": 1}
    assert worth("162  P 1.0    W 3.0    D 1.0") == FOOTBALL | {"U": 1}
    # Absence is a forfeit loss as well.
    assert worth("162  A 0.5") == USUAL | {"Z": 0.5, "-": 0.5}
    assert worth("162  W 3.0    D 2.0    L 1.0") == FOOTBALL | {"=": 2, "H": 2, "0": 1}


def test_records_bb(worth: Callable[..., dict[str, float]]) -> None:
    assert worth("BBW  3.0", "BBD  1.0") == FOOTBALL
    assert worth("BBU  0.5", "BBW  3.0", "BBD  1.0") == FOOTBALL | {"U": 0.5}
    assert worth("BBL  0.5", "BBZ  0.2", "BBF  0.1") == USUAL | {"0": 0.5, "Z": 0.2, "-": 0.1}


def test_records_xxs(worth: Callable[..., dict[str, float]]) -> None:
    # A code that is not given has its usual value: the pairing bye stays 1.
    assert worth("XXS W=3", "XXS D=1") == FOOTBALL | {"U": 1}
    assert worth("XXS WW=1 WD=.5 WL=0 BW=1 BD=0.5 BL=0", "XXS FL=0 FW=1") == USUAL
    assert worth("XXS PAB=.5") == USUAL | {"U": 0.5}
    # The later element overrides the earlier one.
    given = {"1": 3, "=": 2, "0": 1, "+": 3, "-": 0, "F": 0, "H": 0, "U": 3, "Z": 0}
    assert worth("XXS W=3 D=2 WL=1 BL=1", "XXS PAB=3", "XXS FPB=0 HPB=0 ZPB=0") == given
    given |= {"F": 3, "H": 2}
    assert worth("XXS PAB=3", "XXS FPB=0 HPB=0 ZPB=0", "XXS W=3 D=2 WL=1 BL=1") == given


def test_records_299_for_all(worth: Callable[..., dict[str, float]]) -> None:
    assert worth(award("+", 0.5)) == USUAL | {"+": 0.5}
    assert worth(award("P", 0.0)) == USUAL | {"U": 0.0}
    # Match points alone, and two numbers in the columns of the regulations' example.
    assert worth("299 H   0.0") == USUAL | {"H": 0.0}
    assert worth("299 +    2.0      2.5") == USUAL | {"+": 2.5}


def test_text_of_the_scoring(player: Player, read_text: ReadText) -> None:
    def text(record: str) -> str | None:
        return read_text(record, player(1, "A")).tournaments["scoring"][0]

    assert text("XXS W=3 D=1") == "W=3 D=1 L=0 U=1"
    assert text("162  W 3.0    D 1.0    P 3.0") == "W=3 D=1 L=0"
    assert text("XXS W=1 D=0.5 L=0 FL=0 ZPB=0 PAB=1") is None


def test_scoring_by_colour(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        "XXS BW=1.5",
        player(1, "A", "   2 w 1", "   2 b 1", points="2.5"),
        player(2, "B", "   1 b 0", "   1 w 0", points="0.0"),
    )
    assert archive.results["points"].to_list() == [1.0, 1.5, 0.0, 0.0]
    assert archive.tournaments["scoring"].to_list() == [None]
    assert archive.findings.select("line", "code").rows() == [(1, "scoring-by-colour")]


@pytest.mark.parametrize(
    ("record", "points"),
    [
        (award("W", 2.0, 1, 1), [2.0, 1.0, 0.0, 0.0]),
        (award("W", 2.0, 1), [2.0, 1.0, 0.0, 0.0]),
        (award("W", 2.0, "", 1), [2.0, 2.0, 0.0, 0.0]),
        (award("L", -0.5, 2, 1, 2), [1.0, 1.0, 0.0, -0.5]),
        # No code: a penalty on top of the points.
        (award("", -0.5, 2, 1), [1.0, 0.5, 0.0, 0.0]),
    ],
)
def test_records_299_for_some(
    record: str, points: list[float], player: Player, read_text: ReadText
) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1", "   2 b 1"), player(2, "B", "   1 b 0", "   1 w 0"), record
    )
    assert archive.results["points"].to_list() == points
    assert archive.findings.is_empty()


def test_records_299_that_concern_nothing(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1"), player(2, "B", "   1 b 0"), award("D", 2.0, 1, 1)
    )
    assert archive.results["points"].to_list() == [1.0, 0.0]
    assert archive.findings.select("line", "severity", "code").rows() == [
        (3, "warning", "idle-record")
    ]


def test_records_299_of_a_team_file_are_kept(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        "092 Team Swiss", player(1, "A", "   2 w 1"), player(2, "B", "   1 b 0"),
        award("W", 2.0, 1, 1),
    )  # fmt: skip
    assert archive.results["points"].to_list() == [1.0, 0.0]
    assert archive.tournaments["records"].to_list() == [award("W", 2.0, 1, 1)]


@pytest.mark.parametrize(
    "record",
    ["162  W x.0", "162  Q 1.0", "162  W 1.0    nonsense", "XXS W=", "XXS Q=1", "BBW", "BBW x",
     "299 W", "299 W          x.x", "299 Q          1.0", "299            1.0"],
)  # fmt: skip
def test_what_cannot_be_read(record: str, player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A", "0000 - U"), record)
    assert archive.results["points"].to_list() == [1.0]
    assert archive.findings.select("line", "severity", "code").rows() == [
        (2, "error", "unreadable-scoring")
    ]
