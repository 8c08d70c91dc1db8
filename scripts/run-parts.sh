#!/usr/bin/env bash
# run-parts.sh 'TARGET [VARIABLE=VALUE ...]' ...: runs make targets one after the other, all of them, even after a failure.
# Prints the failed tests, each tool's closing line and the time per target last. Fails if any of them failed.

source "$(dirname "$0")/common.sh"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
for target in "$@"; do
  begin=$SECONDS
  # shellcheck disable=SC2086 # A target and its variables.
  make $target </dev/null 2>&1 | tee --append "$log" || status=1
  printf 'Part: make %s took %d s\n' "$target" "$((SECONDS - begin))" >>"$log"
done

printf '\n'
grep --extended-regexp '^✘ Test .* recorded an issue|^(FAILED|ERROR) ' "$log" | cut --characters=-300 || true
grep --extended-regexp \
  '^(Lint|Part|Soak|Fuzzing|Threads|Time|Retries|Retried|Failed): |Test run with [0-9]+ tests?|^=+ .* in [0-9.]+s|^Fuzzing found' \
  "$log" || true
exit "$status"
