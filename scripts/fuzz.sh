#!/usr/bin/env bash
# fuzz.sh [SECONDS [TARGET ...]]: fuzzes each target for 60 or SECONDS seconds, under the address sanitizer.
#
# Findings are in .build-fuzz/findings; `.build-fuzz/release/fuzz TARGET FILE` reproduces one. Every run starts with the
# inputs in Tests/Fuzz/Corpus, and collects new ones in .build-fuzz/corpus.

source "$(dirname "$0")/common.sh"
seconds=${1-60}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || die 64 "usage: fuzz.sh [SECONDS [TARGET ...]]"
scripts/packages.sh build
require_swift

scratch=.build-fuzz
options=(
  --configuration release --product fuzz --scratch-path "$scratch" --sanitize address
  -Xswiftc -enable-testing -Xswiftc -use-ld=lld
)
runtime=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath" *: *"\(.*\)".*/\1/p')
if compgen -G "$runtime/clang/lib/linux/libclang_rt.fuzzer-$(uname -m).a" >/dev/null; then
  options+=(-Xswiftc -sanitize=fuzzer)
else
  say "The toolchain has no libFuzzer; using Debian's."
  scripts/packages.sh fuzz
  runtime=$(find /usr/lib/llvm-* -name "libclang_rt.fuzzer_no_main-$(uname -m).a" | sort --version-sort | tail -n 1)
  [[ -n $runtime ]] || die 69 "Debian's packages have no libclang_rt.fuzzer_no_main-$(uname -m).a either."
  coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table
  options+=(-Xswiftc "-sanitize-coverage=$coverage" -Xlinker "$runtime" -Xlinker -lstdc++)
fi
SWIFTLET_FUZZ=1 swift build "${options[@]}" >&2 </dev/null

fuzz=$scratch/release/fuzz
findings=$scratch/findings
targets=("${@:2}")
((${#targets[@]})) || mapfile -t targets < <("$fuzz")
# Swift's backtraces take minutes, and the sanitizer prints its own.
export SWIFT_BACKTRACE=enable=no
mkdir -p "$findings"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

failed=()
for target in "${targets[@]}"; do
  corpus=Tests/Fuzz/Corpus/$target
  [[ -d $corpus ]] || die 64 "Unknown target $target. Targets: $("$fuzz" | tr '\n' ' ')"
  mkdir -p "$scratch/corpus/$target"
  # The TOML library leaks memory.
  [[ $target == configuration ]] && leaks=0 || leaks=1
  # Inputs of this size must be fast and need little memory.
  if ASAN_OPTIONS=detect_leaks=$leaks "$fuzz" "$target" -max_total_time="$seconds" -max_len=8192 \
    -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=64 -artifact_prefix="$findings/$target-" \
    "$scratch/corpus/$target" "$corpus" >"$log" 2>&1 </dev/null
  then
    # The last line with figures: #RUNS DONE cov: EDGES …
    sed -n 's/^#\([0-9]*\)[[:space:]]*DONE *cov: \([0-9]*\).*/'"$target"': \1 inputs, \2 edges covered/p' "$log"
  else
    failed+=("$target")
    cat "$log"
  fi
done
((${#failed[@]} == 0)) || die 1 "Fuzzing found something in: ${failed[*]}; see $findings"
say "Fuzzing: nothing found in ${#targets[@]} targets"
