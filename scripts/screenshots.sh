#!/usr/bin/env bash
# Makes the pictures of the page in docs/page: a speaker plays generated tones with generated covers from MiniDLNA, on a network
# of its own. Run it as root after changing the page.

source "$(dirname "$0")/common.sh"
scripts/packages.sh test
require_swift
scripts/venv.sh
swift build --product swiftlet >&2 </dev/null
.venv/bin/python scripts/screenshots.py docs/page </dev/null
say "Wrote docs/page, $(du --bytes --summarize docs/page | cut --fields=1) bytes"
