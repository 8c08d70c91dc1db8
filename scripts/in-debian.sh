#!/usr/bin/env bash
# in-debian.sh RELEASE COMMAND [ARGUMENT ...]: runs a command in a clone of this checkout on another release of Debian.
#
# Needs root. The release's root folder is kept in .build-RELEASE, so that a second run is fast. It has this machine's
# network, certificate authorities, Swift toolchain (which needs libncurses6), and settings of git and pip.

source "$(dirname "$0")/common.sh"
source scripts/enter-root.sh
(($# >= 2)) || die 64 "usage: in-debian.sh RELEASE COMMAND [ARGUMENT ...]"
(($(id -u) == 0)) || die 77 "A root folder can only be made and entered by root: sudo scripts/in-debian.sh $*"
require_swift
scripts/packages.sh debian-root

release=$1
shift
root=$PWD/.build-$release/root
if [[ ! -e $root/etc/debian_version ]]; then
  say "Creating a root folder of Debian $release"
  rm -rf --one-file-system "$root"
  mkdir -p "$root"
  mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io --include=ca-certificates,git,libncurses6,make \
    "$release" "$root" >&2 </dev/null
fi

toolchain=$(dirname "$(dirname "$(readlink --canonicalize "$(command -v swift)")")")
clone=$root/swiftlet
[[ -e $clone ]] || git clone --quiet . "$clone"
git -C "$clone" fetch --quiet "$PWD" HEAD
git -C "$clone" checkout --quiet --detach FETCH_HEAD

enter_root "$root" "$toolchain" -- env --chdir=/swiftlet CI="${CI-}" TERM="${TERM-dumb}" \
  PATH="$toolchain/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "$@"
