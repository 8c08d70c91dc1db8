"""Completes command lines in real shells, with the installed completion scripts."""

import os
import pty
import re
import select
import subprocess
import time

from processes import PATIENCE

#: Where the scripts are below the prefix.
SCRIPTS = {
    "bash": "bash-completion/completions/{}",
    "zsh": "zsh/site-functions/_{}",
    "fish": "fish/vendor_completions.d/{}.fish",
}

_BASH = """
    source "$1"
    PATH=$2:$PATH
    COMP_LINE=$4 COMP_POINT=${#4} COMP_TYPE=9 COMP_KEY=9
    read -ra COMP_WORDS <<<"$4"
    [[ $4 != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    function=$(complete -p "$3" | sed -n 's/.* -F \\([^ ]*\\).*/\\1/p')
    "$function" "$3" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\\n' "${COMPREPLY[@]}"
"""


def script(root, shell, program):
    return root / "usr/local/share" / SCRIPTS[shell].format(program)


def _run(command):
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert done.stderr == "", done.stderr
    return [line.strip() for line in done.stdout.splitlines()]


def in_bash(root, program, line, before=()):
    """The candidates for a line. `before` is a command prefix, such as one that enters a network namespace."""
    path = root / "usr/local/bin"
    return _run([*before, "bash", "-c", _BASH, "bash", script(root, "bash", program), path, program, line])


def in_fish(root, program, line, before=()):
    """The line as fish completes it when Tab is pressed once, on a terminal."""
    setup = (
        f"set PATH {root}/usr/local/bin $PATH; source {script(root, 'fish', program)}; "
        "bind \\cx 'echo; echo \"<\"(commandline)\">\"'; echo ready-(math 1 + 1)\n"
    )
    return _on_terminal([*before, "fish", "--no-config", "--interactive"], setup, line)


def in_zsh(root, program, line, before=()):
    """The line as zsh completes it when Tab is pressed once, on a terminal."""
    functions = script(root, "zsh", program).parent
    setup = (
        f"PATH={root}/usr/local/bin:$PATH; fpath=({functions} $fpath); autoload -U compinit; compinit -u -D; "
        "finish() { zle -I; print -r -- \"<${BUFFER}>\" }; zle -N finish; bindkey '^X' finish; setopt no_beep; "
        "print ready-$((1 + 1))\n"
    )
    return _on_terminal([*before, "zsh", "-f", "-i"], setup, line)


def _on_terminal(command, setup, line):
    """Types a line and Tab. The setup binds Control-X to printing the line in angle brackets."""
    controller, terminal = pty.openpty()
    shell = subprocess.Popen(
        # fish demands a controlling terminal.
        ["setsid", "--ctty", *command], stdin=terminal, stdout=terminal, stderr=terminal,
        env={**os.environ, "TERM": "dumb"},
    )  # fmt: skip
    os.close(terminal)
    try:
        os.write(controller, setup.encode())
        _read_until(controller, "ready-2")
        os.write(controller, f"{line}\t\x18".encode())
        return _read_until(controller, r"<(swiftlet[^\r\n]*)>")
    finally:
        shell.kill()
        shell.wait()
        os.close(controller)


def _read_until(descriptor, pattern):
    text, end = "", time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if select.select([descriptor], [], [], 0.2)[0]:
            text += os.read(descriptor, 65536).decode(errors="replace")
            if match := re.search(pattern, text):
                return match[match.re.groups]
    raise AssertionError(f"no {pattern} in {text!r}")
