#!/usr/bin/env bash
# Tries the Debian package as somebody would who wants music: in a Debian root of its own, booted with systemd, with a
# neighbour on its network. Needs root, and the package lists of the machine.

source "$(dirname "$0")/common.sh"

(($(id -u) == 0)) || die 77 "A root of its own can only be made and booted by root: sudo make test-package"
scripts/venv.sh
if [[ -n ${SWIFTLET_DEB-} ]]; then
  package=$SWIFTLET_DEB
else
  scripts/build.sh
  scripts/deb.sh
  package=swiftlet_$(version)-1_$(dpkg --print-architecture).deb
fi

say "Lintian"
lintian --fail-on error --info "$package"

root=$(mktemp --directory)
trap 'rm -rf "$root"' EXIT
say "Making a Debian root"
# What the package needs is fetched now, since the root has no way out later. What it only recommends is left out.
mmdebstrap --quiet --variant=minbase --include=systemd-sysv,dbus --skip=cleanup/apt,cleanup/tmp \
  --dpkgopt=force-unsafe-io --customize-hook="copy-in $package /root" \
  --customize-hook="chroot \"\$1\" apt-get --quiet --quiet --yes --download-only --no-install-recommends install '/root/${package##*/}'" \
  bookworm "$root/debian" >&2 </dev/null
SWIFTLET_ROOT=$root/debian .venv/bin/python -m pytest Tests/package </dev/null
