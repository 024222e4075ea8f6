"""Plots of what the laboratory finds, and tables for papers (extra ``plots``).

Each function takes a frame, sums it up, and returns an Altair chart: it shows itself in a
notebook, and ``chart.save("plot.png")`` or ``"plot.svg"`` writes it without a browser.
"""

from tbframe.research.plots.comparisons import forest, metric_lines, violins
from tbframe.research.plots.fits import calibration_plot
from tbframe.research.plots.maps import agreement_heatmap, ranking_map
from tbframe.research.plots.paper import comparison_table
from tbframe.research.plots.paths import bump_chart, depth_histogram, rank_path

__all__ = [
    "agreement_heatmap",
    "bump_chart",
    "calibration_plot",
    "comparison_table",
    "depth_histogram",
    "forest",
    "metric_lines",
    "rank_path",
    "ranking_map",
    "violins",
]
