# shellcheck shell=bash
# Sourced by the other scripts: strict mode, the repository as working directory, and messages.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "$*" >&2; }

# die STATUS SENTENCE: exits with a status of sysexits.h.
die() {
  local status=$1
  shift
  say "$*"
  exit "$status"
}

# The version of the program.
version() { sed -n 's/.*static let number = "\(.*\)"/\1/p' Sources/Renderer/System/Version.swift; }

# The time of the last change in seconds since 1970, for reproducible builds.
source_date() {
  # git fails in an archive, and in another user's clone.
  printf '%s\n' "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat --format=%Y CHANGELOG.md)}"
}

# The oldest version of Swift that the sources build with.
readonly oldest_swift=6.2

# is_new_enough VERSION: succeeds if the sources build with this version of Swift.
is_new_enough() { [[ $(printf '%s\n' "$oldest_swift" "$1" | sort --version-sort | head -n 1) == "$oldest_swift" ]]; }

# The version of Swift on PATH; nothing if there is none.
swift_version() {
  ! command -v swift >/dev/null || swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1
}

# The address of swift.org's archive for this machine; nothing if there is none.
swift_archive() {
  local system version suffix
  version=$(<.swift-version)
  # shellcheck source=/dev/null
  system=$(source /etc/os-release && printf '%s%s' "$ID" "${VERSION_ID-}")
  case $system in
    # The archive for Debian 12 also runs on Debian 13.
    debian12 | debian13) system=debian12 ;;
    ubuntu22.04 | ubuntu24.04) ;;
    *) return ;;
  esac
  case $(uname -m) in
    x86_64) suffix= ;;
    aarch64) suffix=-aarch64 ;;
    *) return ;;
  esac
  printf 'https://download.swift.org/swift-%s-release/%s/swift-%s-RELEASE/swift-%s-RELEASE-%s.tar.gz\n' \
    "$version" "${system//./}$suffix" "$version" "$version" "$system$suffix"
}

require_swift() {
  local found archive
  found=$(swift_version)
  ! is_new_enough "$found" || return 0
  say "Swift $oldest_swift or newer is needed, and ${found:-none} is on PATH."
  archive=$(swift_archive)
  [[ -n $archive ]] || die 69 "https://www.swift.org/install/linux lists the systems that Swift is available for."
  die 69 "This installs Swift in /opt/swift:
  sudo mkdir -p /opt/swift
  curl --fail $archive | sudo tar --extract --gzip --strip-components=1 --directory /opt/swift
  export PATH=/opt/swift/usr/bin:\$PATH"
}
