#!/usr/bin/env bash
# Creates the arm64 sysroot: headers and libraries of Debian 13, unpacked but not installed, and dpkg's database of them.

source "$(dirname "$0")/common.sh"

# record FOLDER PACKAGE: adds a package file to dpkg's database in the folder, as if it were installed.
record() {
  local folder=$1 package=$2 name control=$1/control
  name=$(dpkg-deb --field "$package" Package)
  [[ $(dpkg-deb --field "$package" Multi-Arch) != same ]] || name+=:arm64
  {
    dpkg-deb --field "$package"
    printf 'Status: install ok installed\n\n'
  } >>"$folder/status"
  dpkg-deb --fsys-tarfile "$package" | tar --list | sed --quiet 's|^\.\(/.*[^/]\)$|\1|p' >"$folder/info/$name.list"
  rm -rf "$control"
  dpkg-deb --control "$package" "$control"
  for file in shlibs symbols; do
    [[ ! -e $control/$file ]] || cp "$control/$file" "$folder/info/$name.$file"
  done
  rm -rf "$control"
}

libraries=$(scripts/packages.sh --list libraries)
! is_made "$sysroot" "$libraries" || exit 0
rm -rf "$sysroot.packages.key"
create_root "$sysroot.packages" "$libraries" --variant=extract --architectures=arm64 --skip=download/empty,cleanup/apt \
  --include="base-files libc6-dev libgcc-14-dev libstdc++-14-dev $libraries" trixie

# For dpkg-shlibdeps.
database=$sysroot.packages/var/lib/dpkg
printf 'amd64\narm64\n' >"$database/arch"
printf '1\n' >"$database/info/format"
for package in "$sysroot.packages"/var/cache/apt/archives/*.deb; do
  record "$database" "$package"
  rm "$package"
done
rm -rf "$sysroot" "$sysroot.key"
mv "$sysroot.packages" "$sysroot"
mv "$sysroot.packages.key" "$sysroot.key"
