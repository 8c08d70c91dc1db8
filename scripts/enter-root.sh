# shellcheck shell=bash
# Sourced by the scripts that run commands in a Debian root.

# package_mirrors: prints the local folders from which git's configuration takes the Swift packages.
package_mirrors() {
  local folder
  git config --get-regexp --name-only '^url\..*\.insteadof$' | sed 's/^url\.\(file:\/\/\)\?\(.*\)\.insteadof$/\2/' |
    sort --unique | while read -r folder; do [[ ! -d $folder ]] || printf '%s\n' "${folder%/}"; done
}

# enter_root ROOT [FOLDER[=NAME] ...] -- COMMAND [ARGUMENT ...]: runs a command in the root, as root. The folders, and the mirrors
# of the Swift packages, are there under their own or another name. The root has this machine's network, its
# certificate authorities, and its settings of git and pip. Processes that the command leaves behind are killed.
enter_root() {
  local root=$1 file folders=()
  shift
  while [[ $1 != -- ]]; do
    folders+=("$1")
    shift
  done
  shift
  mapfile -t -O "${#folders[@]}" folders < <(package_mirrors)
  cat /etc/gitconfig ~/.gitconfig >"$root/etc/gitconfig" 2>/dev/null || true
  for file in /etc/hosts /etc/pip.conf /etc/resolv.conf /etc/ssl/certs/ca-certificates.crt; do
    [[ ! -e $file || ! -d $root${file%/*} ]] || cp --dereference "$file" "$root$file"
  done
  # shellcheck disable=SC2016 # Expanded by the inner shell.
  unshare --mount --pid --fork --kill-child bash -euc '
    root=$1 count=$2
    shift 2
    # A mount point, because ip(8) changes how the mount at / propagates.
    mount --bind "$root" "$root"
    for folder in "${@:1:count}"; do
      mkdir -p "$root${folder#*=}"
      mount --bind "${folder%%=*}" "$root${folder#*=}"
    done
    mount --types proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    mount --types tmpfs tmpfs "$root/run"
    mount --types tmpfs tmpfs "$root/tmp"
    # Not chroot: nsenter goes to the root of the mount namespace.
    mkdir -p "$root/.outside"
    cd "$root"
    pivot_root . .outside
    umount --lazy /.outside 2>/dev/null || true # The root may have no umount.
    exec env --ignore-environment HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      LC_ALL=C.UTF-8 "${@:count+1}"
  ' bash "$root" "${#folders[@]}" "${folders[@]}" "$@"
}
