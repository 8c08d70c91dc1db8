#!/usr/bin/env bash
# soak.sh [MINUTES]: runs many clients against one renderer for 30 or MINUTES minutes, and looks for leaks.
#
# SWIFTLET=.build-release/swiftlet tests that program instead of the debug build.

source "$(dirname "$0")/common.sh"
minutes=${1-30}
[[ $minutes =~ ^[0-9]+([.][0-9]+)?$ ]] || die 64 "usage: soak.sh [MINUTES]"
scripts/packages.sh test
require_swift
scripts/venv.sh
[[ -n ${SWIFTLET-} ]] || swift build --product swiftlet >&2 </dev/null
swift build --product media-server >&2 </dev/null
exec .venv/bin/python Tests/interop/support/soak.py "$minutes" </dev/null
