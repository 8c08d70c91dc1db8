#!/usr/bin/env bash
# Tests the Debian packages as a user would install them: in a Debian root of its own, booted with systemd, with another machine
# on its network. Needs root, and the package lists of the machine.

source "$(dirname "$0")/common.sh"

(($(id -u) == 0)) || die 77 "Only root can create and boot the Debian root: sudo make test-package"
scripts/venv.sh
if [[ -n ${SWIFTLET_DEB-} ]]; then
  packages=("$SWIFTLET_DEB" "$SWIFTLET_CONTROL_DEB")
else
  scripts/build.sh
  scripts/deb.sh
  suffix=$(version)-1_$(dpkg --print-architecture).deb
  packages=("swiftlet_$suffix" "swiftlet-control_$suffix")
fi

say "Lintian"
lintian --fail-on error --info "${packages[@]}"

root=$(mktemp --directory)
trap 'rm -rf "$root"' EXIT
say "Creating a Debian root"
# Downloads the dependencies now, since the root has no internet access. Recommended packages are left out.
mmdebstrap --quiet --variant=minbase --include=systemd-sysv,dbus --skip=cleanup/apt,cleanup/tmp \
  --dpkgopt=force-unsafe-io --customize-hook="copy-in ${packages[*]} /root" \
  --customize-hook="chroot \"\$1\" sh -c 'apt-get --quiet --quiet --yes --download-only --no-install-recommends install /root/*.deb'" \
  bookworm "$root/debian" >&2 </dev/null
SWIFTLET_ROOT=$root/debian .venv/bin/python -m pytest Tests/package </dev/null
