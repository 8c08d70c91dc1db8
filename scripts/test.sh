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
# drop sound, so they have a second try; what fails twice is ours.
sound=(swift test --skip-build --no-parallel --filter OnASoundCard)
"${sound[@]}" </dev/null || {
  say "The sound card tests are tried once more."
  "${sound[@]}" </dev/null
} || failed+=("sound card tests")
# So do these, of which many play in time and besiege the program meanwhile: those that failed, once more.
interop=(.venv/bin/python -m pytest Tests/interop)
"${interop[@]}" </dev/null || {
  say "The interop tests that failed are tried once more."
  "${interop[@]}" --last-failed </dev/null
} || failed+=("interop tests")
((${#failed[@]} == 0)) || die 1 "Failed: ${failed[*]}"
