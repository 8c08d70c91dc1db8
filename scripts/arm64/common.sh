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

# create_root FOLDER OPTION... SUITE: creates a Debian root, unless it exists.
create_root() {
  local folder=$1 options=("${@:2:$#-2}") suite=${*: -1}
  [[ ! -d $folder ]] || return 0
  mkdir -p "$work"
  # Complete or not there, so that an interrupted run is repeated.
  rm -rf "$folder.new"
  # Recommended packages are left out. A mirror may be some days old; signatures are verified all the same.
  mmdebstrap --quiet --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Check-Valid-Until "false"' \
    --dpkgopt=force-unsafe-io "${options[@]}" "$suite" "$folder.new" >&2 </dev/null ||
    die 69 "The Debian root $folder could not be created. The messages above show whether a package or the mirror is missing."
  mv "$folder.new" "$folder"
}

# in_toolchain COMMAND...: runs a command in the root with the compiler, with this folder as /source.
in_toolchain() {
  enter_root "$toolchain" "$PWD=/source" -- env --chdir=/source "$@" </dev/null
}
