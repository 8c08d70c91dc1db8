# shellcheck shell=bash
# Sourced by the other scripts: strict mode, the repository as working directory, and messages.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "$*" >&2; }

# die STATUS SENTENCE: exits with a status of sysexits.h.
die() {
  local status=$1
  shift
  say "$*"
  exit "$status"
}

# The version of the program.
version() { sed -n 's/.*static let number = "\(.*\)"/\1/p' Sources/Renderer/System/Version.swift; }

# The time of the last change in seconds since 1970, for reproducible builds.
source_date() {
  # git fails in an archive, and in another user's clone.
  printf '%s\n' "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat --format=%Y CHANGELOG.md)}"
}

require_swift() {
  local needed=6.3 found
  command -v swift >/dev/null ||
    die 69 "Swift is missing: install Swift $needed or newer from https://www.swift.org/install/linux and put it on PATH."
  found=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
  [[ $(printf '%s\n' "$needed" "$found" | sort --version-sort | head -n 1) == "$needed" ]] ||
    die 69 "Swift ${found:-of unknown version} is on PATH; $needed or newer is needed, see https://www.swift.org/install/linux."
}
