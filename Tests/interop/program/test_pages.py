"""Everything that the documentation names exists: files, make targets, options, keys, variables, tests, messages."""

import re
import subprocess

import pytest

from processes import PATIENCE, ROOT, SWIFTLET, SWIFTLET_CONTROL

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("service-xml/*.md")])
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")}
TARGETS = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
#: The subcommands of the program; empty for none.
SUBCOMMANDS = [
    "", "status", "outputs", "config", "config check", "config show", "config example", "config manual table", "buttons",
    "page", "page unlock", "announce", "presence", "pair", "sources", "sources add", "sources add airplay", "sources event",
]  # fmt: skip


def swiftlet(*arguments, program=SWIFTLET, **environment):
    return subprocess.run(
        [program, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE,
        check=False, env={"PATH": "/usr/bin:/bin", "HOME": "/dev/null", **environment},
    )  # fmt: skip


def options_of(program, subcommands):
    """The options of each subcommand."""
    helps = {name: swiftlet(*name.split(), "--help", program=program).stdout for name in subcommands}
    return {name: set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.M)) for name, text in helps.items()}


@pytest.fixture(scope="session")
def options():
    return options_of(SWIFTLET, SUBCOMMANDS)


@pytest.fixture(scope="session")
def control_options():
    listed = swiftlet("--help", program=SWIFTLET_CONTROL).stdout.partition("SUBCOMMANDS:")[2]
    options = options_of(SWIFTLET_CONTROL, re.findall(r"^  (\w+) ", listed, re.MULTILINE))
    # `check` is the only command with subcommands.
    for known in options_of(SWIFTLET_CONTROL, ["check run", "check list"]).values():
        options["check"] |= known
    return options


@pytest.fixture(scope="session")
def keys():
    """The configuration keys and their tables."""
    names = re.findall(r"^#([a-z_.]+) = ", swiftlet("config", "example").stdout, re.MULTILINE)
    return {*names, *(name.split(".")[0] for name in names)}


@pytest.fixture(scope="session")
def tests():
    """The names of all tests and their suites."""
    swift = "\n".join(path.read_text() for path in ROOT.glob("Tests/*Tests/**/*.swift"))
    python = "\n".join(path.read_text() for path in ROOT.glob("Tests/interop/**/*.py"))
    return set(re.findall(r"func (\w+)|(?:struct|class) (\w+Tests)\b", swift)) | set(
        (name, "") for name in re.findall(r"def (test_\w+)", python)
    )


def blocks(text, language=""):
    """The fenced code blocks of a language, also those inside lists."""
    for indent, name, body in re.findall(r"^( *)```(\w*)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL):
        if name == language:
            yield "".join(line.removeprefix(indent) for line in body.splitlines(keepends=True))


def spans(text):
    """The text in single backticks."""
    prose = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return [" ".join(span.split()) for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", prose)]


def commands(text):
    """Shell commands: the lines of code blocks, and inline code."""
    lines = [line.strip() for block in blocks(text) for line in block.replace("\\\n", " ").splitlines()]
    return [re.sub(r"^\$ |^(exec|sudo) |\s+#.*", "", line) for line in lines] + [
        span.removeprefix("sudo ") for span in spans(text)
    ]


def anchors(page):
    """The anchors that GitHub creates for the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.fixture(params=PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def page(request):
    return request.param


def test_links_resolve(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def test_named_files_exist(page):
    for span in spans(page.read_text()):
        if re.fullmatch(r"[\w.-]+(/[\w.*-]*)+", span) and span.split("/")[0] in FOLDERS:
            assert list(ROOT.glob(span.rstrip("/"))), span


def test_make_targets_exist(page):
    for command in commands(page.read_text()):
        match = re.match(r"make ([a-z0-9-]+)", command)
        assert not match or match[1] in TARGETS, command


def test_commands_and_options_exist(page, options, control_options):
    all_options = options | control_options
    for command in commands(page.read_text()):
        if command.startswith("--"):
            assert any(command.split()[0] in known for known in all_options.values()), command
        if match := re.match(r"swiftlet-control (\w+)(.*)", command):
            assert set(re.findall(r"(?<=\s)--[a-z-]+", match[2])) <= control_options[match[1]], command
        match = re.match(r"(?:\S*/)?swiftlet((?: [a-z]+)*)((?: .*)?)$", command)
        if not match:
            continue
        subcommand, rest = match[1].strip(), match[2]
        assert subcommand in options, command
        # Ignore a second program after a pipe.
        named = re.findall(r"(?<=\s)--[a-z-]+", rest.split("|")[0])
        assert set(named) <= options[subcommand], command


def test_configuration_keys_exist(page, keys, tmp_path):
    text = page.read_text()
    for span in spans(text):
        match = re.match(r"([a-z_.]+) = \S", span)
        assert not match or match[1] in keys, span
    for number, block in enumerate(blocks(text, "toml")):
        path = tmp_path / f"{number}.toml"
        path.write_text(block)
        complaints = swiftlet("config", "check", "--config", str(path)).stderr.splitlines()
        # Example hooks and password files do not exist on this machine.
        missing = ("is not an executable file", "cannot be read: No such file")
        assert [line for line in complaints if not any(words in line for words in missing)] == [], block


def test_environment_variables_exist(page):
    text = page.read_text()
    named = set(re.findall(r"\bSWIFTLET_[A-Z_]+[A-Z]\b", "\n".join([*spans(text), *commands(text)])))
    complaints = swiftlet("config", "check", "--config", "/dev/null", **dict.fromkeys(named, "")).stderr
    assert complaints == ""


def test_named_tests_exist(page, tests):
    known = {name for pair in tests for name in pair}
    text = page.read_text()
    for span in spans(text):
        if re.fullmatch(r"test_\w+|\w+Tests", span):
            assert span in known, span
    # Rows with a requirement, its code, and its tests.
    for row in re.findall(r"^\|(?:[^|]+\|){2}([^|]+)\|$", text, re.MULTILINE):
        if page.name == "controllers.md":
            for name in re.findall(r"`(?:\w+\.)?([a-z]\w+)(?<!py)`", row):
                assert name in known, name


def test_log_messages_exist(page):
    sources = "\n".join(path.read_text() for path in ROOT.glob("Sources/**/*.swift"))
    for table in re.findall(r"^\| message \|.*\n\|.*\n((?:\|.*\n)+)", page.read_text(), re.MULTILINE):
        for row in table.splitlines():
            # Dots stand for variable text.
            for fragment in re.split(r"“?…”?| / ", row.split("|")[1]):
                assert fragment.strip() in sources, row
