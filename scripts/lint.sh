#!/usr/bin/env bash
# Checks format, imports and scripts.

source "$(dirname "$0")/common.sh"
require_swift

failed=0
swift format lint --strict --recursive --parallel Package.swift Examples Plugins Sources Tests || failed=1

# Foundation would make the binary five times as large. FoundationEssentials comes with the argument parser, and is kept out
# of the code that runs all the time.
import='^[[:space:]]*(@[[:alnum:]_()]+[[:space:]]+)*((public|package|internal|fileprivate|private)[[:space:]]+)?import[[:space:]]+([a-z]+[[:space:]]+)?'
if grep --recursive --line-number --extended-regexp "${import}Foundation([^E]|\$)" Sources; then
  say "Sources do not import Foundation."
  failed=1
fi
if grep --recursive --line-number --extended-regexp "${import}FoundationEssentials" \
  Sources/UPnP Sources/DeviceStack Sources/Playback
then
  say "UPnP, DeviceStack and Playback do not import FoundationEssentials."
  failed=1
fi

# Decisions and parsers run and are tested without system libraries.
if grep --recursive --line-number --extended-regexp "${import}[A-Z]" Sources/Playback/Model Sources/Playback/Formats |
  grep --invert-match --extended-regexp 'import (Glibc|Logging|DequeModule|Synchronization)$'
then
  say "Playback's Model and Formats import Glibc and Swift packages only."
  failed=1
fi

# Prints folder cycles and long files, but does not fail yet: a few are still being removed.
scripts/check-structure.py || say "Structure: see above."

if command -v shellcheck >/dev/null; then
  shellcheck --external-sources --source-path SCRIPTDIR scripts/*.sh .ci/run || failed=1
else
  say "shellcheck is not installed: the scripts were not checked."
fi

((failed == 0)) || die 1 "Lint: failed"
say "Lint: clean"
