#!/usr/bin/env bash
# Builds everything, tests included, with the oldest supported Swift: Debian unstable's, in a root of its own. Needs root.

source "$(dirname "$0")/arm64/common.sh"

scripts/packages.sh deb-arm64
scripts/arm64/toolchain.sh
in_toolchain swift --version >&2
# Debian's package lacks this library, which the linker wants although no test uses it.
printf '!<arch>\n' >"$toolchain/usr/lib/x86_64-linux-gnu/lib_Testing_Foundation.a"
in_toolchain swift build --build-tests --scratch-path "${work##*/}/oldest"
