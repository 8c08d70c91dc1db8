#!/usr/bin/env bash
# Creates the Debian root with the compiler: Debian unstable is the only suite that packages Swift. Keeps the package with Swift's
# library for arm64 in it, because compiler and library must be of the same version.

source "$(dirname "$0")/common.sh"

libraries=$(scripts/packages.sh --list libraries)
# Clang uses the libraries of the newest GCC, so their development package is needed, too.
# shellcheck disable=SC2016 # Expanded by mmdebstrap.
create_root "$toolchain" "$libraries" --variant=apt --architectures=amd64,arm64 \
  --include="swiftlang swiftlang-dev binutils-aarch64-linux-gnu g++ ca-certificates git pkgconf" \
  --include="$libraries" \
  --customize-hook='chroot "$1" sh -c "mkdir /swift-arm64 && cd /swift-arm64 && apt-get --quiet --quiet --option APT::Sandbox::User=root download swiftlang:arm64"' \
  sid
