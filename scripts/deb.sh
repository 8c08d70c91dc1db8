#!/usr/bin/env bash
# deb.sh [PACKAGE ...]: builds the Debian packages, ./swiftlet_VERSION_ARCHITECTURE.deb and
# ./swiftlet-control_VERSION_ARCHITECTURE.deb. Reproducible: the same programs give the same bytes.
#
# Environment: REVISION of the packages (1). For another architecture than this machine's: DEB_HOST_ARCH, DPKG_ADMINDIR with
# the packages of the libraries, LIBRARIES, the folder of these libraries, SCRATCH of scripts/build.sh, and the programs and
# EMULATOR of scripts/install.sh.

source "$(dirname "$0")/common.sh"

SOURCE_DATE_EPOCH=$(source_date)
export SOURCE_DATE_EPOCH
umask 022

work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
architecture=${DEB_HOST_ARCH:-$(dpkg --print-architecture)}
# The revision stays 1: packaging/ changes with the version.
version=$(version)-${REVISION:-1}
# The maintainer, from the variables of Debian's tools or the author of the last commit.
maintainer=${DEBEMAIL:+${DEBFULLNAME:-$DEBEMAIL} <$DEBEMAIL>}
maintainer=${maintainer:-$(git log -1 --format='%an <%ae>' 2>/dev/null || true)}
[[ -n $maintainer ]] || die 64 "Set the maintainer of the package in DEBFULLNAME and DEBEMAIL."

# documents NAME ROOT: the files that Debian demands of every package.
documents() {
  local doc=$2/usr/share/doc/$1
  install -D --mode=644 packaging/debian/copyright "$doc/copyright"
  cat NOTICE "${SCRATCH:-.build-release}"/checkouts/*/NOTICE.txt >"$doc/NOTICE"
  gzip --best --no-name --stdout CHANGELOG.md >"$doc/changelog.gz"
  gzip --best --no-name --stdout >"$doc/changelog.Debian.gz" <<END
$1 ($version) unstable; urgency=medium

  * Built from the sources of $(date --utc --date="@$SOURCE_DATE_EPOCH" +%Y-%m-%d); see changelog.gz.

 -- $maintainer  $(date --utc --date="@$SOURCE_DATE_EPOCH" --rfc-email)
END
  mkdir -p "$2/usr/share/lintian/overrides"
  cp packaging/debian/lintian-overrides "$2/usr/share/lintian/overrides/$1"
}

# depends NAME ROOT: the packages of the libraries that the program links. control.in adds those loaded at run time.
depends() {
  local found
  mkdir -p "$work/$1-depends/debian"
  printf 'Source: swiftlet\n\nPackage: %s\nArchitecture: any\n' "$1" >"$work/$1-depends/debian/control"
  found=$(cd "$work/$1-depends" && dpkg-shlibdeps -O ${LIBRARIES:+"-l$LIBRARIES"} "$2/usr/bin/$1" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
  [[ -n $found ]] || die 1 "dpkg-shlibdeps found no dependencies."
  printf '%s\n' "$found"
}

# build NAME: builds the package of a program.
build() {
  local name=$1 root=$work/$1 files=packaging/debian/$1 control depends script file
  DESTDIR=$root PREFIX=/usr UNITDIR=/lib/systemd/system ZSHDIR=/usr/share/zsh/vendor-completions \
    DBUSDIR=/usr/share/dbus-1/system.d \
    scripts/install.sh install "$name" 2>/dev/null
  gzip --best --no-name "$root"/usr/share/man/man*/*
  documents "$name" "$root"

  depends=$(depends "$name" "$root")
  mkdir "$root/DEBIAN"
  control=$(<"$files/control.in")
  control=${control/@VERSION@/"$version"}
  control=${control/@ARCHITECTURE@/"$architecture"}
  control=${control/@MAINTAINER@/"$maintainer"}
  control=${control/@SIZE@/"$(du --summarize --apparent-size --block-size=1024 --exclude=DEBIAN "$root" | cut --fields=1)"}
  printf '%s\n' "${control/@DEPENDS@/"$depends"}" >"$root/DEBIAN/control"
  [[ ! -e $files/conffiles ]] || install --mode=644 "$files/conffiles" "$root/DEBIAN"
  for script in postinst prerm postrm; do
    [[ ! -e $files/$script ]] || install --mode=755 "$files/$script" "$root/DEBIAN"
  done
  (cd "$root" && find . -path ./DEBIAN -prune -o -path ./etc -prune -o -type f -printf '%P\0' | sort --zero-terminated |
    xargs --null md5sum >DEBIAN/md5sums)

  # Fixed permissions for folders, whatever the umask was.
  find "$root" -type d -exec chmod 755 {} +
  file=${name}_${version}_$architecture.deb
  dpkg-deb --build --root-owner-group "$root" "$file" >&2
  say "Built ./$file, $(stat --format %s "$file" | numfmt --to=si)B. Install it: sudo apt install ./$file"
}

packages=("$@")
((${#packages[@]})) || packages=(swiftlet swiftlet-control)
for package in "${packages[@]}"; do build "$package"; done
