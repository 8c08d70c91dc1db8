#!/usr/bin/env bash
# threads.sh [FILTER]: runs Swift's tests, or those whose names match, under the thread sanitizer.
#
# Its reports are in .build-tsan/reports.

source "$(dirname "$0")/common.sh"
scripts/packages.sh test
require_swift

scratch=.build-tsan
swift build --build-tests --sanitize thread --scratch-path "$scratch" </dev/null
locks=$PWD/$scratch/locks.so
clang -O1 -shared -fPIC -o "$locks" Tests/ThreadSanitizer/locks.c
reports=$PWD/$scratch/reports
rm -rf "$reports"
mkdir "$reports"
# Tests in real time are skipped: everything is ten times as slow. The sanitizer needs fixed addresses, which a random
# memory layout may occupy.
TSAN_OPTIONS="report_thread_leaks=0 log_path=$reports/report" setarch --addr-no-randomize \
  env LD_PRELOAD="$locks" "$scratch/debug/swiftletPackageTests.xctest" --testing-library swift-testing --no-parallel \
  --filter "${1-.}" --skip OnASoundCard </dev/null ||
  die 1 "Threads: a test failed, or there are reports in $scratch/reports"
say "Threads: nothing found"
