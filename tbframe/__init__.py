"""Tournament tie-breaks for whole archives at once, under the rules of each tournament's date."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tbframe.editions import EDITIONS, Edition, editions
from tbframe.errors import (
    CodeError,
    ContractError,
    EditionError,
    FindingWarning,
    SourceError,
    TbframeError,
)

if TYPE_CHECKING:
    from tbframe.archive import Archive
    from tbframe.checks import completeness
    from tbframe.comparison import Audit, Difference, Identification, audit, diff, identify
    from tbframe.intake import from_boards, from_games, from_results
    from tbframe.ledger import Approximate, Batch, Ratio
    from tbframe.recalculation import Recalculation, recalc, write_ledger
    from tbframe.research import Comparison, Resolution, compare, resolution
    from tbframe.research.perturbation import Perturbation, perturb
    from tbframe.research.simulation import simulate
    from tbframe.sources import (
        pgn_headers,
        read,
        read_crosstable,
        read_pgn,
        write_crosstable,
        write_frames,
        write_trf,
    )
    from tbframe.tiebreaks import catalogue, forget, presets, tiebreak

__version__ = "0.1.0"

__all__ = [
    "EDITIONS",
    "Approximate",
    "Archive",
    "Audit",
    "Batch",
    "CodeError",
    "Comparison",
    "ContractError",
    "Difference",
    "Edition",
    "EditionError",
    "FindingWarning",
    "Identification",
    "Perturbation",
    "Ratio",
    "Recalculation",
    "Resolution",
    "SourceError",
    "TbframeError",
    "__version__",
    "audit",
    "catalogue",
    "compare",
    "completeness",
    "diff",
    "editions",
    "forget",
    "from_boards",
    "from_games",
    "from_results",
    "identify",
    "perturb",
    "pgn_headers",
    "presets",
    "read",
    "read_crosstable",
    "read_pgn",
    "recalc",
    "resolution",
    "simulate",
    "tiebreak",
    "write_crosstable",
    "write_frames",
    "write_ledger",
    "write_trf",
]

#: The names that need Polars and where they are defined: loaded when first asked for,
#: because loading Polars takes longer than `tbframe --help` may.
_LOADED_WHEN_ASKED_FOR: Final = {
    "Approximate": "tbframe.ledger",
    "Archive": "tbframe.archive",
    "Audit": "tbframe.comparison",
    "Batch": "tbframe.ledger",
    "Comparison": "tbframe.research",
    "Difference": "tbframe.comparison",
    "Identification": "tbframe.comparison",
    "Perturbation": "tbframe.research.perturbation",
    "Ratio": "tbframe.ledger",
    "Recalculation": "tbframe.recalculation",
    "Resolution": "tbframe.research",
    "audit": "tbframe.comparison",
    "catalogue": "tbframe.tiebreaks",
    "compare": "tbframe.research",
    "completeness": "tbframe.checks",
    "diff": "tbframe.comparison",
    "forget": "tbframe.tiebreaks",
    "from_boards": "tbframe.intake",
    "from_games": "tbframe.intake",
    "from_results": "tbframe.intake",
    "identify": "tbframe.comparison",
    "perturb": "tbframe.research.perturbation",
    "pgn_headers": "tbframe.sources",
    "presets": "tbframe.tiebreaks",
    "read": "tbframe.sources",
    "read_crosstable": "tbframe.sources",
    "read_pgn": "tbframe.sources",
    "recalc": "tbframe.recalculation",
    "simulate": "tbframe.research.simulation",
    "resolution": "tbframe.research",
    "tiebreak": "tbframe.tiebreaks",
    "write_crosstable": "tbframe.sources",
    "write_frames": "tbframe.sources",
    "write_ledger": "tbframe.recalculation",
    "write_trf": "tbframe.sources",
}

#: Gives frames their ``.tb``.
_NAMESPACE: Final = "tbframe.namespace"

if not TYPE_CHECKING:  # or every misspelt name would pass the type checker

    def __getattr__(name: str) -> object:
        """Load a public name (PEP 562)."""
        if name not in _LOADED_WHEN_ASKED_FOR:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import_module(_NAMESPACE)
        value = getattr(import_module(_LOADED_WHEN_ASKED_FOR[name]), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        """Name what is public, loaded or not."""
        return sorted(__all__)

    if "polars" in sys.modules:  # then there may be frames, and nothing is saved by waiting
        import_module(_NAMESPACE)
