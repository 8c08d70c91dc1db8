#!/usr/bin/env bash
# Runs all tests: Swift's, then the built binary against other people's clients.

source "$(dirname "$0")/common.sh"
require_swift
scripts/packages.sh test
scripts/venv.sh

swift build --build-tests </dev/null
failed=()
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# swift_tests NAME SKIPPED PATTERN: one after the other, since tests that listen in real time do not share a small machine
# with others. A machine that stands still for a moment, or a sound server that drops sound on it, fails tests that have
# nothing to do with it: those that failed have a second try, and what fails twice is ours.
swift_tests() {
  local name=$1 names
  run() { swift test --skip-build --no-parallel --skip "$1" --filter "$2" </dev/null; }
  run "$2" "$3" 2>&1 | tee "$log" && return
  # All of them, if the first try ended before it could say which.
  names=
  if grep --quiet 'Test run with' "$log"; then
    names=$(sed --quiet --regexp-extended 's/\x1b\[[0-9;]*m//g; s/^✘ Test (\w+)\(.* failed after .*/\1/p' "$log" |
      paste --serial --delimiters='|')
  fi
  say "The $name that failed are tried once more: ${names:-all of them}"
  run "$2" "$3${names:+.*[/.]($names)\\(}" || failed+=("$name: ${names:-they crashed}")
}

swift_tests 'Swift tests' OnASoundCard .
swift_tests 'sound card tests' '^$' OnASoundCard
# Many of these play in time as well, and besiege the program meanwhile.
interop=(.venv/bin/python -m pytest Tests/interop)
"${interop[@]}" </dev/null || {
  say "The interop tests that failed are tried once more."
  "${interop[@]}" --last-failed </dev/null
} || failed+=("interop tests")
((${#failed[@]} == 0)) || die 1 "$(printf 'Failed: %s\n' "${failed[@]}")"
