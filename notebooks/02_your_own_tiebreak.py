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
# # A tie-break of your own
#
# Every tie-break of the package is a function of a few lines, made of three verbs: `own` puts a
# player's value on each of his rounds, `opponent` the opponent's value, and `total` brings rounds
# back to players. Yours are made in the same way. They then stand in ranking orders, explanations
# and the catalogue, and are as fast, on all tournaments at once.

# %%
from math import comb

import numpy as np
import polars as pl

import tbframe as tb

pl.Config(tbl_rows=20, tbl_hide_dataframe_shape=True, fmt_str_lengths=60)

archive = tb.read("../data/trf")
archive

# %% [markdown]
# ## The square of the own score
#
# Sonneborn's proposal of 1886 adds the square of a player's own score to the sum that bears his
# name today. `t` is a batch of tournaments. `t.score` has one value for each player, `t.points`
# one for each round and player.


# %%
@tb.tiebreak("SBX", name="Sonneborn-Berger plus own square", source="Sonneborn 1886")
def sbx(t):
    return t.total(t.opponent(t.adjusted_score) * t.points) + t.score**2


london = archive.select("candidates_london_2013")
london.standings("PTS SBX SB").select("rank", "name", "PTS", "SBX", "SB")

# %% [markdown]
# Among players level on points the square is the same for all, so that where every game was played
# the two sums order them alike. On its own the new one is a ranking. Who stands below a
# player with fewer points?

# %%
by_sbx = archive.standings("SBX PTS", edition="2024-08")
higher = by_sbx.with_columns(least=pl.col("PTS").cum_min().shift().over("tournament"))
higher.filter(pl.col("PTS") > pl.col("least")).select("tournament", "rank", "name", "SBX", "PTS")

# %% [markdown]
# An explanation is there without further ado: the rounds that the value was summed from, and what
# comes on top.

# %%
print(archive.explain("tec2023_swiss5", 11, "SBX", edition="2024-08"))

# %% [markdown]
# Nobody said that these are points squared. The formula was tried on a small sample, with
# points counted in units of different sizes, and that told. A formula that adds points to their
# squares is refused:

# %%
try:

    @tb.tiebreak("MIXED", name="Mixed", source="a mistake")
    def mixed(t):
        return t.total(t.opponent(t.adjusted_score) * t.points) + t.score

except tb.CodeError as error:
    print(error)

# %% [markdown]
# ## Opponents near the middle count most
#
# Buchholz Cut-1 leaves out one opponent and counts the others alike. Instead of a cut, weigh the
# opponents' scores, sorted, by binomial coefficients: those in the middle most, the lowest and
# the highest least. The formula is plain NumPy over all players of all tournaments; as an average
# it is a `tb.Ratio`, a quotient of whole numbers, which is compared exactly.


# %%
@tb.tiebreak("BINOMIAL", name="Binomially weighted Buchholz", source="this notebook")
def binomial(t):
    scores = np.sort(t.opponent_score, axis=0)
    last = len(scores) - 1
    weights = np.array([comb(last, place) for place in range(last + 1)])[:, None]
    return tb.Ratio((weights * scores).sum(axis=0), np.full(t.players, 2**last))


swiss = archive.select("tec2023_swiss5")
table = swiss.standings("PTS BINOMIAL BH BH/C1", edition="2024-08")
table.select("rank", "name", "PTS", "BINOMIAL", "BH", "BH/C1", "decided_by").head(8)

# %% [markdown]
# ## Against equals and betters
#
# Points against opponents who ended level or higher. `own` and `opponent` put two values
# side by side on every round; where they compare, `total` counts the points.


# %%
@tb.tiebreak("PEQ", name="Points against equal or better opponents", source="a local rule")
def points_against_equals(t):
    strong = t.opponent(t.score) >= t.own(t.score)
    return t.total(t.points, where=t.games & strong)


archive.select("avro_1938").standings("PTS PEQ SB").select("rank", "name", "PTS", "PEQ", "SB")

# %% [markdown]
# ## What difference do they make?
#
# Each of them behind the points, on all seven events under one text: who wins, and how many
# players share the place of another?

# %%
ranked = pl.concat(
    archive.standings(["PTS", code], edition="2024-08").select(
        "tournament", "name", "rank", second=pl.lit(code)
    )
    for code in ("BH", "SB", "SBX", "BINOMIAL", "PEQ")
)
winners = (
    ranked.filter(rank=1)
    .group_by("second", "tournament", maintain_order=True)
    .agg(first=pl.col("name").str.split(",").list.first().str.join(" and "))
    .pivot("second", index="tournament", values="first")
)
winners

# %%
still_tied = ranked.group_by("second", maintain_order=True).agg(
    tied=pl.len() - pl.struct("tournament", "rank").n_unique()
)
still_tied

# %% [markdown]
# **Finding.** In the four round robins Buchholz leaves every tie open, and so does any other weighing
# of the opponents' scores: who met everybody met all points but his own. Sonneborn-Berger and its
# kin open nearly all of them, and would have made Kramnik, not Carlsen, challenger of 2013.
# Points against equals and betters stay level there: for the two at the top only their own
# games count, and they drew both.
#
# `tb.catalogue()` has your three now, with their sources; `tb.forget` takes one out again.

# %%
tb.catalogue().filter(family="own").select("code", "name", "source", "unit")
