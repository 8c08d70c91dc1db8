#!/usr/bin/env bash
# in-debian.sh RELEASE COMMAND [ARGUMENT ...]: runs a command in a clone of this checkout on another release of Debian.
#
# Needs root. The release's root folder is kept in .build-RELEASE, so that a second run is fast. It has this machine's
# network, Swift toolchain (which needs libncurses6), and settings of git and pip.

source "$(dirname "$0")/common.sh"
(($# >= 2)) || die 64 "usage: in-debian.sh RELEASE COMMAND [ARGUMENT ...]"
(($(id -u) == 0)) || die 77 "A root folder can only be made and entered by root: sudo scripts/in-debian.sh $*"
require_swift
scripts/packages.sh debian-root

release=$1
shift
root=$PWD/.build-$release/root
if [[ ! -e $root/etc/debian_version ]]; then
  say "Creating a root folder of Debian $release"
  rm -rf "$root"
  mkdir -p "$root"
  mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io --include=ca-certificates,git,libncurses6,make "$release" "$root" \
    >&2 </dev/null
fi

toolchain=$(dirname "$(dirname "$(readlink --canonicalize "$(command -v swift)")")")
# Folders that must be in the root folder under the same names: the toolchain, and local mirrors of packages.
shared=("$toolchain")
while read -r folder; do
  [[ ! -d $folder ]] || shared+=("${folder%/}")
done < <(git config --get-regexp '^url\..*\.insteadof$' | sed 's/^url\.\(file:\/\/\)\?\(.*\)\.insteadof .*/\2/' | sort --unique)
for file in /etc/gitconfig /etc/pip.conf /etc/resolv.conf; do
  [[ ! -e $file ]] || cp --dereference "$file" "$root$file"
done

clone=$root/swiftlet
[[ -e $clone ]] || git clone --quiet . "$clone"
git -C "$clone" fetch --quiet "$PWD" HEAD
git -C "$clone" checkout --quiet --detach FETCH_HEAD

# shellcheck disable=SC2016 # expanded by the inner shell
exec unshare --mount --pid --fork bash -euc '
  root=$1 count=$2
  shift 2
  for folder in "${@:1:count}"; do
    mkdir -p "$root$folder"
    mount --bind "$folder" "$root$folder"
  done
  path=$1/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  shift "$count"
  mount --types proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  mount --types tmpfs tmpfs "$root/run"
  mount --types tmpfs tmpfs "$root/tmp"
  exec env --ignore-environment HOME=/root PATH="$path" LC_ALL=C.UTF-8 CI="${CI-}" TERM="${TERM-dumb}" \
    chroot "$root" sh -c "cd /swiftlet && exec \"\$@\"" sh "$@"' \
  bash "$root" "${#shared[@]}" "${shared[@]}" "$@"
