#!/usr/bin/env bash
# build.sh [PROGRAM]: builds .build-release/swiftlet and .build-release/swiftlet-control, or the given program: release
# configuration, static Swift libraries, stripped.
#
# Environment, for another architecture: SCRATCH (.build-release), BUILD_OPTIONS for `swift build`, and TOOLS, the prefix of
# binutils' names.

source "$(dirname "$0")/common.sh"
require_swift
programs=("$@")
((${#programs[@]})) || programs=(swiftlet swiftlet-control)

# A separate scratch path, because static and dynamic builds would overwrite each other.
scratch=${SCRATCH:-.build-release}
read -r -a options <<<"${BUILD_OPTIONS-}"
for program in "${programs[@]}"; do
  # Swift's static libraries export all symbols, for plugins. Without them swiftlet is 1.8 MB smaller, also in memory.
  # Debug builds, and with them nearly all tests, check exclusive access at run time. The release build omits these checks:
  # they are about 6 % of the instructions of an action, and find no error that the tests do not find.
  swift build --configuration release --product "$program" --static-swift-stdlib --disable-local-rpath \
    -Xlinker --no-export-dynamic -Xswiftc -enforce-exclusivity=unchecked --scratch-path "$scratch" \
    "${options[@]}" >&2 </dev/null
  # A single call links all of Foundation, and no `import` shows a call from a library.
  if "${TOOLS-}nm" "$scratch/release/$program" | grep --fixed-strings " \$s10Foundation" >/dev/null; then
    die 70 "Foundation is linked into $program. The linker's map shows what calls it (-Xlinker -Map=FILE)."
  fi
  "${TOOLS-}strip" -o "$scratch/$program.new" "$scratch/release/$program"
  # Replace the program atomically, so that a running one keeps its file.
  mv "$scratch/$program.new" "$scratch/$program"
  say "Built $scratch/$program, $(stat --format %s "$scratch/$program" | numfmt --to=si)B"
done
