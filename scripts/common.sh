# shellcheck shell=bash
# Sourced by the scripts beside it: strict mode, the repository as working directory, and how they speak.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "$*" >&2; }

# die STATUS SENTENCE, with the statuses of sysexits.h.
die() {
  local status=$1
  shift
  say "$*"
  exit "$status"
}

require_swift() {
  local needed=6.3 found
  command -v swift >/dev/null ||
    die 69 "Swift is missing: install Swift $needed or newer from https://www.swift.org/install/linux and put it on PATH."
  found=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
  [[ $(printf '%s\n' "$needed" "$found" | sort --version-sort | head -n 1) == "$needed" ]] ||
    die 69 "Swift ${found:-of unknown version} is on PATH; $needed or newer is needed, see https://www.swift.org/install/linux."
}
