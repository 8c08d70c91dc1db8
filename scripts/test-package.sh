#!/usr/bin/env bash
# test-package.sh [RELEASE ...]: tests the Debian packages as a user would install them: in a Debian root of its own, booted with
# systemd, with another machine on its network. Runs on Debian 12 and 13, unless releases are given. Those of Debian 13 are built in
# a root of their own. Needs root.

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

releases=("$@")
((${#releases[@]})) || releases=(bookworm trixie)
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
# shellcheck source=/dev/null
own=$(source /etc/os-release && printf '%s' "${VERSION_CODENAME-}")
for release in "${releases[@]}"; do
  tested=("${packages[@]}")
  # The programs link TagLib, whose package has another name in each release.
  if [[ $release == trixie && $own != trixie ]]; then
    make deb-debian13
    tested=(swiftlet_*+deb13_*.deb swiftlet-control_*+deb13_*.deb)
  fi
  say "Creating a root of Debian $release"
  # Downloads the dependencies now, since the root has no internet access. Recommended packages are left out.
  mmdebstrap --quiet --variant=minbase --include=avahi-daemon,dbus,systemd-sysv --skip=cleanup/apt,cleanup/tmp \
    --dpkgopt=force-unsafe-io --customize-hook="copy-in ${tested[*]} /root" \
    --customize-hook="chroot \"\$1\" sh -c 'apt-get --quiet --quiet --yes --download-only --no-install-recommends install /root/*.deb'" \
    "$release" "$work/$release" >&2 </dev/null
  say "Testing the packages on Debian $release"
  SWIFTLET_ROOT=$work/$release .venv/bin/python -m pytest Tests/package/test_package.py </dev/null
  rm -rf "${work:?}/$release"
done
