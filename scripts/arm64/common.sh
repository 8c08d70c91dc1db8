# shellcheck shell=bash
# Sourced by the scripts that cross-build for arm64: the folders, and the Debian root with the compiler.
# shellcheck source-path=SCRIPTDIR/../..
# shellcheck disable=SC2034 # The folders are for the scripts.

source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
source scripts/enter-root.sh

(($(id -u) == 0)) || die 77 "Only root can create Debian roots and enter them. Use sudo."

work=$PWD/.build-arm64
# Debian unstable for this machine: Swift, and what SwiftPM needs.
toolchain=$work/toolchain
# Debian 13 for arm64, unpacked: headers and libraries.
sysroot=$work/sysroot
# Swift SDKs for SwiftPM.
sdks=$work/sdks
# Debian 13 for arm64, installed, to run the packages in.
runtime=$work/runtime

# create_root FOLDER KEY OPTION... SUITE: creates a Debian root, unless it exists and was created with the same key.
create_root() {
  local folder=$1 key=$2 options=("${@:3:$#-3}") suite=${*: -1}
  ! is_made "$folder" "$key" || return 0
  say "Creating $folder"
  mkdir -p "$work"
  # The key is written last, so that an interrupted run is repeated.
  # An interrupted run may have left the system's folders mounted in it.
  awk -v folder="$folder/" 'index($2, folder) == 1 { print $2 }' /proc/mounts | sort --reverse | xargs --no-run-if-empty umount
  rm -rf --one-file-system "$folder" "$folder.key"
  # Recommended packages are left out. A mirror may be some days old; signatures are still verified.
  mmdebstrap --quiet --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Check-Valid-Until "false"' \
    --dpkgopt=force-unsafe-io "${options[@]}" "$suite" "$folder" >&2 </dev/null ||
    die 69 "The Debian root $folder could not be created. The messages above show whether a package or the mirror is missing."
  printf '%s\n' "$key" >"$folder.key"
}

# is_made FOLDER KEY: succeeds if the folder was completed with this key.
is_made() { [[ -e $1.key && $(<"$1.key") == "$2" ]]; }

# in_toolchain COMMAND...: runs a command in the root with the compiler, with this folder as /source.
in_toolchain() {
  enter_root "$toolchain" "$PWD=/source" -- env --chdir=/source "$@" </dev/null
}
