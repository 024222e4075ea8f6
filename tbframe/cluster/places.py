"""Places that all machines of a cluster reach: a shared folder, or an object store by its URI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pyarrow import fs

from tbframe.errors import SourceError

__all__ = ["Place"]


@dataclass(frozen=True)
class Place:
    """A folder of a shared file system or of an object store.

    Attributes
    ----------
    uri
        An absolute path, or ``s3://bucket/folder``, ``gs://...``, ``abfss://...``,
        ``hdfs://...``, ``file:///...``: what PyArrow's file systems know. Credentials come
        from the environment, as each store's own tools take them.
    """

    uri: str

    @cached_property
    def _at(self) -> tuple[Any, str]:
        try:
            system, root = fs.FileSystem.from_uri(self.uri)
        except (OSError, ValueError) as error:
            raise SourceError(f"{self.uri}: no place that can be reached ({error})") from error
        return system, root.rstrip("/")

    def __getstate__(self) -> dict[str, str]:
        """Travel to other machines without the open connection."""
        return {"uri": self.uri}

    def read(self, name: str) -> bytes | None:
        """Return what is in a file; ``None`` where there is none."""
        system, root = self._at
        path = f"{root}/{name}"
        if system.get_file_info(path).type != fs.FileType.File:
            return None
        with system.open_input_file(path) as file:
            data: bytes = file.read()
        return data

    def write(self, files: Mapping[str, bytes]) -> None:
        """Write files in the order given; on an object store each is there whole or not at all."""
        system, root = self._at
        for name, data in files.items():
            path = f"{root}/{name}"
            if isinstance(system, fs.LocalFileSystem):
                system.create_dir(path.rpartition("/")[0], recursive=True)
            with system.open_output_stream(path) as file:
                file.write(data)

    def names(self, folder: str) -> list[str]:
        """List what is in a folder; nothing, where there is none."""
        system, root = self._at
        selector = fs.FileSelector(f"{root}/{folder}", allow_not_found=True)
        return [info.base_name for info in system.get_file_info(selector)]

    def remove(self, folder: str) -> None:
        """Remove a folder with all that is in it, if it is there."""
        system, root = self._at
        path = f"{root}/{folder}"
        if system.get_file_info(path).type == fs.FileType.Directory:
            system.delete_dir(path)

    def overlaps(self, other: Place) -> bool:
        """Whether one of two places is the other, or is in it."""
        one, two = (f"{place._at[0].type_name}:{place._at[1]}/" for place in (self, other))
        return one.startswith(two) or two.startswith(one)
