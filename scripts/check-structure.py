#!/usr/bin/env python3
"""Checks the structure of the sources: no dependency cycles between the folders of a target, and no file over 400 lines.

A folder depends on another if one of its files mentions a type that the other declares. Only the names are compared: types
declared in several folders of a target are ignored, and so are members and functions.
"""

import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINES = 400

COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|#?"""(?:\\.|.)*?"""#?|#"[^\n]*?"#|"(?:\\.|[^"\\\n])*"', re.DOTALL)
DECLARATION = re.compile(
    r"^(?:(?:@\w+(?:\([^)]*\))?|public|package|internal|open|final|indirect)\s+)*"
    r"(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)",
    re.MULTILINE,
)


def targets():
    """The folders of the targets: those of Sources and Plugins, and those of Sources/Playback."""
    for parent in ("Sources", "Plugins", "Sources/Playback"):
        for folder in sorted((ROOT / parent).iterdir()):
            if folder.is_dir() and folder != ROOT / "Sources/Playback":
                yield folder


def folders(target):
    """The code of a target's files by folder, without comments and text."""
    files = collections.defaultdict(dict)
    for path in sorted(target.rglob("*.swift")):
        code = COMMENT_OR_STRING.sub(" ", path.read_text(encoding="utf-8"))
        files[path.parent.relative_to(target).as_posix()][path] = code
    return files


def dependencies(files):
    """The folders that each folder depends on, each with an example: file and type."""
    declared = collections.defaultdict(set)
    for folder, codes in files.items():
        for code in codes.values():
            for name in DECLARATION.findall(code):
                declared[name].add(folder)
    owner = {name: min(owners) for name, owners in declared.items() if len(owners) == 1}
    graph = {folder: {} for folder in files}
    for folder, codes in files.items():
        for path, code in codes.items():
            for word in sorted(set(re.findall(r"\b[A-Z]\w*", code))):
                other = owner.get(word)
                if other is not None and other != folder:
                    graph[folder].setdefault(other, (path, word))
    return graph


def cycles(graph):
    """Groups of folders that depend on each other, directly or through others (Tarjan's algorithm)."""
    index, low, stack, groups = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            position = stack.index(node)
            group = stack[position:]
            del stack[position:]
            if len(group) > 1:
                groups.append(sorted(group))

    for node in graph:
        if node not in index:
            visit(node)
    return groups


def cycle_problems():
    for target in targets():
        graph = dependencies(folders(target))
        for group in cycles(graph):
            yield f"{target.relative_to(ROOT)}: the folders {', '.join(group)} form a cycle:"
            for folder in group:
                for other, (path, name) in sorted(graph[folder].items()):
                    if other in group:
                        yield f"  {folder} → {other}: {path.relative_to(ROOT)} uses {name}"


def length_problems():
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "*.swift", "*.py", "*.sh"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.exists():
            lines = len(path.read_text(encoding="utf-8").splitlines())
            if lines > LINES:
                yield f"{name} has {lines} lines; at most {LINES} are allowed."


def main():
    problems = [*cycle_problems(), *length_problems()]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
