#!/usr/bin/env bash
# Builds the example device, a package of its own, as .build/debug/Lamp.
#
# It uses this package's build folder, so that nothing is compiled twice: 3 s instead of 3 min. `swift build` does not
# notice that the last build was that of another package, so its plan is removed in between.

source "$(dirname "$0")/common.sh"
require_swift

forget_plan() { rm -f .build/debug.yaml .build/debug/description.json; }

forget_plan
trap forget_plan EXIT
rm -f .build/debug/Lamp
# Use the same versions of the dependencies.
[[ -f Package.resolved ]] && cp Package.resolved Examples/Lamp/Package.resolved
swift build --package-path Examples/Lamp --scratch-path .build >&2 </dev/null
[[ -x .build/debug/Lamp ]] || die 70 "The build succeeded but did not create .build/debug/Lamp."
