#!/usr/bin/env bash
# Checks Swiftlet and other renderers with swiftlet-control, and writes docs/conformance-matrix.md. Run it as root: it
# creates network namespaces.

source "$(dirname "$0")/common.sh"
scripts/packages.sh matrix
require_swift
swift build --product swiftlet >&2 </dev/null
swift build --product swiftlet-control >&2 </dev/null
exec env SWIFTLET="${SWIFTLET:-.build/debug/swiftlet}" python3 scripts/matrix.py "$@"
