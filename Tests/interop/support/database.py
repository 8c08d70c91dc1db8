"""Reads and changes the state database of a renderer."""

import contextlib
import shutil
import sqlite3
import tempfile

NAME = "state.db"


def _rows(folder, query, *values):
    """The rows of a query; none while there is no database or a commit is under way.

    Reads a copy of the files, because a running renderer locks its database. The copy is what a kill would leave.
    """
    with tempfile.TemporaryDirectory() as copy:
        for suffix in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(folder / (NAME + suffix), copy)
        with contextlib.closing(sqlite3.connect(f"{copy}/{NAME}")) as database:
            with contextlib.suppress(sqlite3.DatabaseError):
                return database.execute(query, values).fetchall()
    return []


def settings(folder, section):
    """The settings of a section by name."""
    return dict(_rows(folder, "SELECT name, value FROM setting WHERE section = ?", section))


def values(folder, section, name):
    """The values of a setting that occurs more than once, in order."""
    query = "SELECT value FROM setting WHERE section = ? AND name = ? ORDER BY position"
    return [value for (value,) in _rows(folder, query, section, name)]


def addresses(folder):
    """The URIs of the playlist's tracks, in order."""
    return [uri for (uri,) in _rows(folder, "SELECT uri FROM track ORDER BY rank")]


def replace(folder, section, values):
    """Replaces the settings of a section. The renderer must have created the database, and must not run."""
    with contextlib.closing(sqlite3.connect(folder / NAME)) as database, database:
        database.execute("DELETE FROM setting WHERE section = ?", (section,))
        rows = [(section, position, *pair) for position, pair in enumerate(values.items())]
        database.executemany("INSERT INTO setting VALUES (?, ?, ?, ?)", rows)
