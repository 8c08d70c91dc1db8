#!/usr/bin/env bash
# Runs the arm64 packages under qemu's user emulation, in a Debian 13 root on a network of its own: installation, playback,
# restart, removal. Needs root, and 1 GB in .build-arm64.

source "$(dirname "$0")/arm64/common.sh"

suffix=$(version)-1_arm64.deb
packages=("swiftlet_$suffix" "swiftlet-control_$suffix")
for package in "${packages[@]}"; do
  [[ -e $package ]] || die 69 "There is no $package: run \`make deb-arm64\` first."
done
scripts/venv.sh

# The kernel runs arm64 programs through qemu once they are registered, which Debian's package does only under systemd.
formats=/proc/sys/fs/binfmt_misc
[[ -e $formats/register ]] || mount --types binfmt_misc binfmt_misc "$formats" ||
  die 69 "The kernel cannot run programs of another architecture: it has no binfmt_misc."
if [[ ! -e $formats/qemu-aarch64 ]]; then
  trap 'echo -1 >"$formats/qemu-aarch64"' EXIT
  cat /usr/lib/binfmt.d/qemu-aarch64.conf >"$formats/register"
fi

depends=$(for package in "${packages[@]}"; do dpkg-deb --field "$package" Depends; done)
# The root has the dependencies, but not the packages. Creating it takes most of the time of a first run.
# shellcheck disable=SC2016 # Expanded by mmdebstrap.
create_root "$runtime" "$depends" --variant=minbase --architectures=arm64 --customize-hook="copy-in ${packages[*]} /root" \
  --customize-hook='chroot "$1" sh -c "apt-get --quiet --quiet --yes install /root/*.deb && rm /root/*.deb"' \
  --customize-hook='chroot "$1" apt-get --quiet --quiet --yes purge swiftlet swiftlet-control' trixie

say "Testing ${packages[*]} under emulation"
# Changes to the root are kept in memory only. The timeout is long, because emulation is slower than a Raspberry Pi.
# shellcheck disable=SC2016 # Expanded by the inner shell.
PATIENCE=300 unshare --mount --pid --fork --kill-child --mount-proc bash -euc '
  runtime=$1
  shift
  mkdir -p /run/netns
  mount --types tmpfs tmpfs /run/netns
  mount --types tmpfs tmpfs /mnt
  mkdir /mnt/changes /mnt/work /mnt/root
  mount --types overlay --options "lowerdir=$runtime,upperdir=/mnt/changes,workdir=/mnt/work" overlay /mnt/root
  mount --types proc proc /mnt/root/proc
  mount --rbind /dev /mnt/root/dev
  cp "$@" /mnt/root/root
  SWIFTLET_ROOT=/mnt/root exec .venv/bin/python -m pytest Tests/package/test_emulated.py
' bash "$runtime" "${packages[@]}" </dev/null
