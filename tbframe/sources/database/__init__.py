"""SQL databases as sources: SQLite by its file, PostgreSQL by its address."""

from tbframe.sources.database.database import Database, read_database
from tbframe.sources.database.mapping import is_mapping

__all__ = ["Database", "is_mapping", "read_database"]
