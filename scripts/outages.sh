#!/usr/bin/env bash
# Cuts servers and networks off for minutes, holds the delay of live streams for ten minutes, and plays for a minute over a line
# that loses packets. Takes about 40 minutes; `make test` has the short cases. Run it as root: it creates network namespaces.

source "$(dirname "$0")/common.sh"
scripts/packages.sh test
require_swift
scripts/venv.sh
swift build --product swiftlet >&2 </dev/null
swift build --product media-server >&2 </dev/null
python=(.venv/bin/python -m pytest)
"${python[@]}" -m long Tests/interop </dev/null
SWIFTLET_BAD_LINE=60 "${python[@]}" Tests/interop/network/test_bad_line.py </dev/null
