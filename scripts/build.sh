#!/usr/bin/env bash
# Builds .build-release/swiftlet: release, with Swift's own libraries inside, without symbols.

source "$(dirname "$0")/common.sh"
require_swift

# A scratch path of its own: static and dynamic builds would undo each other's work.
scratch=.build-release
# Swift's static libraries ask for a table of all symbols, for plugins; without any it is 1.8 MB less, also in memory.
swift build --configuration release --product swiftlet --static-swift-stdlib --disable-local-rpath \
  -Xlinker --no-export-dynamic --scratch-path "$scratch" >&2 </dev/null
# One call is enough to bring it in, and where a library imports it no `import` shows that.
if nm "$scratch/release/swiftlet" | grep --fixed-strings " \$s10Foundation" >/dev/null; then
  die 70 "Foundation is in the program: something calls it, which the linker's map tells (-Xlinker -Map=FILE)."
fi
strip -o "$scratch/swiftlet.new" "$scratch/release/swiftlet"
# In one step, so that a running one keeps its own file.
mv "$scratch/swiftlet.new" "$scratch/swiftlet"
say "Built $scratch/swiftlet, $(stat --format %s "$scratch/swiftlet" | numfmt --to=si)B"
