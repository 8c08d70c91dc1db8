#!/usr/bin/env bash
# packages.sh GROUP: installs the missing Debian packages of a group.
# packages.sh --list libraries: prints the libraries that the programs link, separated by spaces.

source "$(dirname "$0")/common.sh"

libraries=(
  libasound2-dev libavahi-client-dev libcrypt-dev libglib2.0-dev libgstreamer-plugins-base1.0-dev libgstreamer1.0-dev
  libmosquitto-dev libqrencode-dev libsqlite3-dev libsystemd-dev libtag1-dev libxml2-dev zlib1g-dev
)
# SwiftPM needs libcurl, whose package name differs between releases; curl depends on it.
build=(binutils curl g++ git pkg-config "${libraries[@]}")
run=(
  ca-certificates glib-networking
  gstreamer1.0-alsa gstreamer1.0-libav gstreamer1.0-plugins-bad gstreamer1.0-plugins-base gstreamer1.0-plugins-good
  gstreamer1.0-plugins-ugly
)
test=(
  alsa-utils avahi-daemon avahi-utils chromium dbus ffmpeg fish flac gerbera gir1.2-gupnp-1.6 gir1.2-gupnp-av-1.0 gir1.2-umockdev-1.0 gmediarender gstreamer1.0-tools
  gupnp-tools iproute2 lame libasound2-plugins libdbus-1-dev libmosquitto1 man-db mandoc minidlna mosquitto
  mosquitto-clients nodejs openssl playerctl procps pulseaudio pulseaudio-module-raop pulseaudio-utils python3
  python3-dbus python3-gi python3-venv rygel shairport-sync shellcheck snapclient snapserver systemd umockdev
  webkit2gtk-driver xvfb zbar-tools zsh
)
# Needed only if the toolchain has no libFuzzer.
fuzz=(libclang-rt-dev)

# For building a Debian package, and for the root that it is tested in.
deb=(dpkg-dev lintian)
test_package=(iproute2 mmdebstrap procps python3 python3-venv systemd-container)
# For a root folder of another release.
debian_root=(mmdebstrap)

# For cross-building the packages: Debian roots, tools for arm64 programs, and an emulator, since the programs write parts of
# their manual pages and completions.
deb_arm64=(arch-test binutils-aarch64-linux-gnu debian-archive-keyring dpkg-dev git mmdebstrap qemu-user-static)
test_arm64=(flac iproute2 python3 python3-venv)

# Renderers to compare with, and their dependencies.
bench=(chromium dbus flac gmediarender gstreamer1.0-tools iproute2 python3 python3-venv rygel rygel-playbin wrk)
# All renderers and media servers of Debian, for the conformance matrix.
matrix=(
  dbus ffmpeg gerbera gmediarender iproute2 kodi minidlna pulseaudio python3 python3-pytest rygel rygel-playbin xauth xvfb
)

is_installed() {
  [[ " $(dpkg-query --show --showformat '${db:Status-Status} ' "$1" 2>/dev/null)" == *' installed '* ]]
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  die 69 "This system is not based on Debian, so this script cannot install packages. Install what your" \
    "distribution calls: ${build[*]} ${run[*]} ${test[*]}; then build with scripts/build.sh."
fi

# lacks_swift: succeeds if Swift is missing, and this machine's package lists have a version that is new enough.
lacks_swift() {
  ! is_new_enough "$(swift_version)" &&
    is_new_enough "$(apt-cache policy swiftlang 2>/dev/null | sed -n 's/^ *Candidate: *\([0-9][0-9.]*\).*/\1/p')"
}
swift=(swiftlang swiftlang-dev)
! lacks_swift || build+=("${swift[@]}")

# PipeWire's GStreamer element depends on the sound server, so it is installed only if PipeWire is.
! is_installed pipewire || run+=(gstreamer1.0-pipewire)

case ${1-} in
  --list)
    printf '%s\n' "${libraries[*]}"
    exit
    ;;
  build) wanted=("${build[@]}") ;;
  run) wanted=("${build[@]}" "${run[@]}") ;;
  test) wanted=("${build[@]}" "${run[@]}" "${test[@]}") ;;
  bench) wanted=("${build[@]}" "${run[@]}" "${bench[@]}") ;;
  matrix) wanted=("${build[@]}" "${run[@]}" "${matrix[@]}") ;;
  fuzz) wanted=("${build[@]}" "${fuzz[@]}") ;;
  deb) wanted=("${build[@]}" "${run[@]}" "${deb[@]}") ;;
  debian-root) wanted=("${debian_root[@]}") ;;
  test-package) wanted=("${build[@]}" "${run[@]}" "${deb[@]}" "${test_package[@]}") ;;
  deb-arm64) wanted=("${deb_arm64[@]}") ;;
  test-arm64) wanted=("${deb_arm64[@]}" "${test_arm64[@]}") ;;
  *) die 64 "usage: packages.sh build|run|test|bench|matrix|fuzz|deb|debian-root|test-package|deb-arm64|test-arm64" ;;
esac

missing=()
for package in "${wanted[@]}"; do
  is_installed "$package" || missing+=("$package")
done
((${#missing[@]})) || exit 0

root=()
if (($(id -u) != 0)); then
  root=(sudo)
  # sudo needs a terminal for the password.
  [[ -t 0 ]] || root+=(--non-interactive)
  if ! command -v sudo >/dev/null || ! "${root[@]}" true; then
    die 77 "Packages are missing and this user may not install them. As root: apt-get install ${missing[*]}"
  fi
fi

say "Installing packages: ${missing[*]}"
apt() {
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --quiet --option DPkg::Lock::Timeout=300 "$@" \
    >&2 </dev/null
}
apt update || say "The package lists could not be updated; using the existing ones."
# Check again: before the update, the package lists may have been empty.
if [[ "${wanted[*]}" == "${build[*]}"* && ${missing[*]} != *swiftlang* ]] && lacks_swift; then missing+=("${swift[@]}"); fi
# Never removes installed packages, such as another sound server.
apt install --yes --no-install-recommends --no-remove "${missing[@]}" ||
  die 69 "The packages could not be installed: ${missing[*]}"
