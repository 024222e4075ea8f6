# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # From a folder of tournament files to standings
#
# Seven events, from the AVRO tournament of 1938 to worked examples of 2024: read them all, rank
# every one under the rules of its own date, take one value apart, and see what a new edition
# of the rules would have changed.

# %%
import polars as pl

import tbframe as tb

pl.Config(tbl_rows=20, tbl_hide_dataframe_shape=True)

archive = tb.read("../data/trf")
archive

# %% [markdown]
# ## What was read
#
# An archive is five tidy frames. Two of them say what went wrong: `findings` (what had to be
# adjusted or assumed, with file and line) and `quarantine` (what could not be trusted and was
# set aside). Look at them first.

# %%
archive.findings

# %%
archive.quarantine

# %%
archive.tournaments.select("tournament", "start", "rounds", "pairing", "criteria")

# %% [markdown]
# `results` is the heart: one row for each tournament, round and player.

# %%
archive.results.head(4)

# %% [markdown]
# ## Standings
#
# The regulations of the Candidates Tournament of 2013 ranked by points, direct encounter,
# number of wins, Sonneborn-Berger; its file says so, and without an order of ours that is used.

# %%
london = archive.select("candidates_london_2013")
standings = london.standings()
standings

# %% [markdown]
# Carlsen and Kramnik had 8.5 points each and had drawn both their games: direct encounter did
# not split them (0), five wins against four did. Svidler and Aronian were split by their games.
# These are the official places:

# %%
official = pl.read_csv("../data/standings/candidates_london_2013.csv")
official.select("place", "name").rows() == standings.select("rank", "name").rows()

# %% [markdown]
# ## One value, taken apart
#
# The worked example of a Swiss event has every kind of unplayed round. Maria won her fourth
# round by forfeit. What does that round bring to her Buchholz, cut by one?

# %%
print(archive.explain("tec2023_swiss5", 11, "BH/C1", edition="2024-08"))

# %% [markdown]
# It was no game, so a dummy opponent with her own score stands in. The text of 2026
# caps the dummy at the score of the opponent who did not come:

# %%
print(archive.explain("tec2023_swiss5", 11, "BH/C1", edition="2026-03"))

# %% [markdown]
# ## The same event under three editions
#
# An explanation is a frame as well, and so is everything else. Here is what became of the
# example's final order: first under the text in force on its date, then under its successors.

# %%
swiss = archive.select("tec2023_swiss5")
order = "PTS DE BH/C1 BH SB"
editions = ["2012", "2024-08", "2026-03"]

ranks = pl.concat(
    swiss.standings(order, edition=edition).with_columns(edition=pl.lit(edition))
    for edition in editions
)
places = ranks.pivot("edition", index=["player", "name", "PTS"], values="rank")
places.filter(pl.min_horizontal(editions) != pl.max_horizontal(editions))

# %% [markdown]
# Six of the sixteen players change places, each within a group level on points. Irina and
# Maria swap with the text of 2024 and swap back with that of 2026, because of the cap seen
# above.

# %%
values = ranks.filter(pl.col("name").is_in(["Irina", "Maria"]))
values.select("edition", "rank", "name", "PTS", "BH/C1", "decided_by")

# %% [markdown]
# ## Tie-breaks as a plain frame
#
# `tiebreaks` computes without ranking: two keys and a column for each code, ready to be joined.
# Who did better in London than his rating promised?

# %%
seeds = london.players.select(
    "tournament", "player", "rating", seed=pl.col("rating").rank("min", descending=True)
)
(
    london.tiebreaks("PTS SB")
    .join(seeds, on=["tournament", "player"])
    .join(standings.select("player", "rank", "name"), on="player")
    .select("name", "rating", "PTS", "SB", "seed", "rank", gain=pl.col("seed") - pl.col("rank"))
    .sort("gain", descending=True)
)

# %% [markdown]
# ## What an order of criteria is worth
#
# Points decide most places. But the first place? The same games of the three historic events,
# ranked in three orders:

# %%
orders = {
    "direct encounter first": "PTS DE WIN SB",
    "wins first": "PTS WIN DE SB",
    "Sonneborn-Berger first": "PTS SB DE WIN",
}
historic = archive.select("avro_1938", "candidates_zurich_1953", "candidates_london_2013")
winners = pl.concat(
    historic.standings(codes)
    .filter(pl.col("rank") == 1)
    .select("tournament", "name", order=pl.lit(name))
    for name, codes in orders.items()
).pivot("order", index="tournament", values="name")
winners

# %% [markdown]
# **Finding.** Smyslov won Zurich under any order. The two others were decided by their
# regulations as much as on the board: with wins before direct encounter Fine, not Keres,
# wins AVRO 1938, and with Sonneborn-Berger before wins Kramnik, not Carlsen, wins London and
# plays for the world championship of 2013.
