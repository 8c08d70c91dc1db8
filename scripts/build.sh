#!/usr/bin/env bash
# Builds .build-release/swiftlet: release configuration, static Swift libraries, stripped.

source "$(dirname "$0")/common.sh"
require_swift

# A scratch path of its own: static and dynamic builds would overwrite each other.
scratch=.build-release
# Swift's static libraries export all symbols, for plugins. Without them the program is 1.8 MB smaller, also in memory.
swift build --configuration release --product swiftlet --static-swift-stdlib --disable-local-rpath \
  -Xlinker --no-export-dynamic --scratch-path "$scratch" >&2 </dev/null
# A single call links all of Foundation, and no `import` shows a call from a library.
if nm "$scratch/release/swiftlet" | grep --fixed-strings " \$s10Foundation" >/dev/null; then
  die 70 "Foundation is linked. The linker's map shows what calls it (-Xlinker -Map=FILE)."
fi
strip -o "$scratch/swiftlet.new" "$scratch/release/swiftlet"
# Atomically, so that a running program keeps its file.
mv "$scratch/swiftlet.new" "$scratch/swiftlet"
say "Built $scratch/swiftlet, $(stat --format %s "$scratch/swiftlet" | numfmt --to=si)B"
