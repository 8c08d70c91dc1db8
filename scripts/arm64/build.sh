#!/usr/bin/env bash
# build.sh [PROGRAM]: cross-builds the programs for arm64 in the root with the compiler.

source "$(dirname "$0")/common.sh"

inside=/source/${work##*/}
libraries=$inside/sysroot/usr
# Only with these options does SwiftPM use the sysroot's .pc files instead of the root's.
options=(
  --swift-sdks-path "$inside/${sdks##*/}" --swift-sdk swiftlet-arm64
  --pkg-config-path "$libraries/lib/aarch64-linux-gnu/pkgconfig" --pkg-config-path "$libraries/share/pkgconfig"
)
in_toolchain env PKG_CONFIG_SYSROOT_DIR="$inside/sysroot" SCRATCH="$inside/build" BUILD_OPTIONS="${options[*]}" \
  TOOLS=aarch64-linux-gnu- scripts/build.sh "$@"
