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
# # A federation's database: recalculate, compare, audit
#
# The database in `data/federation/` has tournaments in tables of its own. A small mapping file
# says which column is which. This notebook recalculates all of it into Parquet, changes the text of
# the regulations, and asks which prizes that would have changed; then it audits published results.

# %%
import tempfile
from pathlib import Path

import polars as pl

import tbframe as tb

pl.Config(tbl_rows=20, tbl_hide_dataframe_shape=True, fmt_str_lengths=60)
work = Path(tempfile.mkdtemp())

# %% [markdown]
# ## The source

# %%
print(Path("../data/federation/federation.toml").read_text())

# %% [markdown]
# ## Recalculate
#
# Part by part, into a folder that can be resumed after a power cut. Nothing is lost: every row that
# comes in is in a tournament that comes out, or in the quarantine with its reason.

# %%
done = tb.recalc("../data/federation/federation.toml", work / "now", "PTS DE BH/C1 BH SB")
print(done)
done.manifest["totals"]["rows"]

# %%
done.standings.filter(rank=1).collect().head(8)

# %% [markdown]
# Which text was applied to which tournament is in the dataset, and so are the findings.

# %%
done.tournaments.group_by("edition").agg(
    tournaments=pl.len(), first=pl.col("start").min(), last=pl.col("start").max()
).sort("edition").collect()

# %%
done.findings.group_by("severity", "code").len("findings").sort("severity", "code").collect()

# %% [markdown]
# ## The same under another text
#
# The ledger keeps tournaments sorted and checked, so that a second run costs a fraction of the
# first. What would the text of 2012 have given?

# %%
ledger = tb.write_ledger("../data/federation/federation.toml", work / "ledger")
before = tb.recalc(ledger, work / "under-2012", "PTS DE BH/C1 BH SB", edition="2012")
change = tb.diff(work / "under-2012", work / "now")
change

# %%
change.summary(by="year")

# %% [markdown]
# ## Audit
#
# Files of tournament software carry ranks, points and tie-breaks of their own. Recomputed, they
# should come out the same; where not, the likely reason is named.

# %%
archive = tb.read("../data/trf")
audit = archive.audit()
audit

# %%
published = pl.read_csv("../data/standings/candidates_london_2013.csv")
official = published.select(
    "player", "points", tournament=pl.lit("candidates_london_2013"), rank="place"
)
archive.select("candidates_london_2013").audit(order="PTS DE WIN SB", official=official)

# %%
moved = change.tournaments.filter(pl.col("players_moved") > 0).height
print(
    f"{moved} of {change.tournaments.height} tournaments have other ranks under the text of 2012."
)

# %% [markdown]
# **Finding.** One call recalculates a database, one names the tournaments whose ranks depend on the
# text, and one says whether published tables can be trusted. London 2013 comes out as
# published, place by place. The folders can be archived: the manifest has the versions, the order,
# the texts and the checksums that a reader needs to get the same bytes again.
