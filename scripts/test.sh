#!/usr/bin/env bash
# Runs all tests: Swift's, then the built binary against other people's clients.

source "$(dirname "$0")/common.sh"
require_swift
scripts/packages.sh test
scripts/venv.sh

failed=()
swift build --build-tests </dev/null
# One after the other: tests that listen to a sound card in real time do not share a small machine with others.
swift test --skip-build --no-parallel --skip OnASoundCard </dev/null || failed+=("Swift tests")
# These record what a sound server plays in real time. A machine that is busy with other things makes the server itself
# drop sound, so those that failed have a second try; what fails twice is ours.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
sound() { swift test --skip-build --no-parallel --filter "$1" </dev/null; }
sound OnASoundCard 2>&1 | tee "$log" || {
  say "The sound card tests that failed are tried once more."
  # All of them, if the first try ended before it could say which.
  names=
  if grep --quiet 'Test run with' "$log"; then
    names=$(sed --quiet --regexp-extended 's/\x1b\[[0-9;]*m//g; s/^✘ Test (\w+)\(.* failed after .*/\1/p' "$log" |
      paste --serial --delimiters='|')
  fi
  sound "${names:-OnASoundCard}"
} || failed+=("sound card tests")
# So do these, of which many play in time and besiege the program meanwhile: those that failed, once more.
interop=(.venv/bin/python -m pytest Tests/interop)
"${interop[@]}" </dev/null || {
  say "The interop tests that failed are tried once more."
  "${interop[@]}" --last-failed </dev/null
} || failed+=("interop tests")
((${#failed[@]} == 0)) || die 1 "Failed: ${failed[*]}"
