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
# # Three historic events, three kinds of files
#
# A historian has what others left: AVRO 1938 as a PGN file, the Candidates of 1953 as a crosstable
# saved from a web page, the Candidates of 2013 as a tournament report. They go into one long table,
# with every doubt on record. Then: which rule made a column that nobody explains, and where
# would another rule have changed a title?

# %%
import polars as pl

import tbframe as tb

pl.Config(tbl_rows=20, tbl_hide_dataframe_shape=True, fmt_str_lengths=90, tbl_width_chars=120)

archive = tb.read(["../data/history", "../data/trf/candidates_london_2013.trf"])
archive

# %% [markdown]
# ## What was assumed
#
# Every file says what it was taken for, and what is in doubt about it. The PGN has no moves, so
# that a decided game could have been a forfeit; the crosstable's own totals are left out, because
# they follow from its games.

# %%
archive.findings.select(pl.col("file").str.split("/").list.last(), "severity", "message")

# %% [markdown]
# ## Are all games there?
#
# Players and rounds say how many games are due. Before any tie-break, look for missing ones.

# %%
tb.completeness(archive).select("tournament", "system", "players", "rounds", "expected", "missing")

# %% [markdown]
# ## Standings
#
# By the order of London 2013: points, direct encounter, number of wins, Sonneborn-Berger.

# %%
order = "PTS DE WIN SB"
archive.standings(order).filter(pl.col("rank") <= 3).select(
    "tournament", "rank", "name", "PTS", "DE", "WIN", "SB", "decided_by"
)

# %% [markdown]
# ## Which rule made this column?
#
# In the published table of 1953 the tied players have a figure behind their points, without a name.
# `identify` tries every tie-break with its modifiers under every text.

# %%
published = pl.read_csv("../data/standings/candidates_zurich_1953.csv")
zurich = archive.select("candidates_zurich_1953")
column = (
    published.drop_nulls("SB")
    .join(zurich.players.select("player", "name"), on="name", suffix="_here")
    .select(tournament=pl.lit("candidates_zurich_1953"), player="player_here", TB1="SB")
)
found = tb.identify(zurich, column)
found

# %% [markdown]
# ## Where would another rule have changed a title?
#
# The same points, seven rules behind them: who comes first?

# %%
rules = ["DE WIN SB", "WIN DE SB", "SB", "WIN", "BH", "KS", "BPG"]
first = pl.concat(
    archive.standings(f"PTS {rule}")
    .filter(rank=1)
    .group_by("tournament", maintain_order=True)
    .agg(first=pl.col("name").str.split(",").list.first().str.join(" and "))
    .with_columns(rule=pl.lit(rule))
    for rule in rules
).pivot("tournament", index="rule", values="first")
first

# %% [markdown]
# ## And another text?
#
# Everybody played all games. Under every text of the regulations, from 2009 to 2026, how many
# players have another place by the same order?

# %%
texts = ["2009", "2012", "2022d", "2023", "2024-04", "2024-08", "2026-03"]
places = pl.concat(
    archive.standings(order, edition=text).select("tournament", "player", "rank", text=pl.lit(text))
    for text in texts
)
changed = (
    places.group_by("tournament", "player")
    .agg(different=pl.col("rank").n_unique() > 1)
    .group_by("tournament", maintain_order=True)
    .agg(pl.col("different").sum())
    .sort("tournament")
)
changed

# %%
titles = first.select(pl.exclude("rule").n_unique()).row(0, named=True)
for tournament, number in titles.items():
    print(f"{tournament}: {number} different answers to the question who was first")

# %% [markdown]
# **Finding.** The text of the regulations made no difference to these three titles, the choice of the
# tie-break did to two of them. In 1938 Keres is first by the games between the two, and Fine by the
# number of wins. In 2013 Carlsen became challenger by the number of wins; Sonneborn-Berger would
# have sent Kramnik. In 1953 nobody asked: Smyslov was two points ahead. The unnamed column of 1953
# is the Sonneborn-Berger sum.
