#!/usr/bin/env bash
# Checks format, imports, structure and scripts.

source "$(dirname "$0")/common.sh"
require_swift

failed=0
swift format lint --strict --recursive --parallel Package.swift Examples Plugins Sources Tests || failed=1

# Foundation would make the speaker's binary five times as large; only the command swiftlet-control may use it.
# FoundationEssentials comes with the argument parser, and is kept out of the code that runs all the time.
import='^[[:space:]]*(@[[:alnum:]_()]+[[:space:]]+)*((public|package|internal|fileprivate|private)[[:space:]]+)?import[[:space:]]+([a-z]+[[:space:]]+)?'
if grep --recursive --line-number --extended-regexp "${import}Foundation([^E]|\$)" Sources |
  grep --invert-match '^Sources/Control/'
then
  say "Only Sources/Control may import Foundation. Remove the imports listed above."
  failed=1
fi
if grep --recursive --line-number --extended-regexp "${import}FoundationEssentials" \
  Sources/Network Sources/Songcast Sources/UPnP Sources/ControlPoint Sources/DeviceStack Sources/Playback
then
  say "Network, Songcast, UPnP, ControlPoint, DeviceStack and Playback must not import FoundationEssentials. Remove the imports listed above."
  failed=1
fi

# Decisions and parsers run and are tested without system libraries.
if grep --recursive --line-number --extended-regexp "${import}[A-Z]" Sources/Playback/Model Sources/Playback/Formats |
  grep --invert-match --extended-regexp 'import (Glibc|Logging|DequeModule|Synchronization)$'
then
  say "Playback's Model and Formats may import only Glibc and Swift packages. Remove the imports listed above."
  failed=1
fi

# Swift 6.3 loses members of such tuples: Tests/upstream/task_tuple.swift.
if grep --recursive --line-number --extended-regexp '(TaskGroup\(of: |Task<)\(' Examples Plugins Sources Tests \
  --include='*.swift' --exclude-dir=upstream
then
  say "A task must not return a tuple. Return a struct."
  failed=1
fi

scripts/check-structure.py || failed=1

if command -v shellcheck >/dev/null; then
  shellcheck --external-sources --source-path SCRIPTDIR scripts/*.sh scripts/*/*.sh .ci/run || failed=1
else
  say "shellcheck is not installed: the scripts were not checked."
fi

((failed == 0)) || die 1 "Lint: failed"
say "Lint: clean"
