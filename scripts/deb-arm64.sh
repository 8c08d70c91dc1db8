#!/usr/bin/env bash
# Cross-builds the Debian packages for arm64 on an amd64 machine, ./swiftlet_VERSION_arm64.deb and
# ./swiftlet-control_VERSION_arm64.deb, for Debian 13. Needs root, and 7 GB in .build-arm64, where everything is kept for the next run.

source "$(dirname "$0")/arm64/common.sh"

[[ $(dpkg --print-architecture) == amd64 ]] ||
  die 69 "This is not an amd64 machine. On arm64, \`make deb\` builds the packages without cross-compiling."

scripts/arm64/toolchain.sh
scripts/arm64/sysroot.sh
scripts/arm64/sdk.sh
scripts/arm64/build.sh

libraries=$sysroot/usr/lib/aarch64-linux-gnu
# dpkg-shlibdeps looks for the libraries by their full paths.
database=$(mktemp --directory)
trap 'rm -rf "$database"' EXIT
cp --recursive "$sysroot/var/lib/dpkg/." "$database"
sed --in-place "s|^|$sysroot|" "$database"/info/*.list
scratch=$work/build
SCRATCH=$scratch SWIFTLET=$scratch/swiftlet SWIFTLET_CONTROL=$scratch/swiftlet-control \
  EMULATOR="qemu-aarch64-static -L $sysroot" DEB_HOST_ARCH=arm64 DPKG_ADMINDIR=$database LIBRARIES=$libraries scripts/deb.sh
