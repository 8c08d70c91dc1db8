#!/usr/bin/env bash
# Builds the Debian package of this machine's architecture, ./swiftlet_VERSION_ARCHITECTURE.deb. Reproducible: the same
# program gives the same bytes.

source "$(dirname "$0")/common.sh"

SOURCE_DATE_EPOCH=$(source_date)
export SOURCE_DATE_EPOCH
umask 022

work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
root=$work/root
doc=$root/usr/share/doc/swiftlet
architecture=$(dpkg --print-architecture)
# The revision stays 1: packaging/ changes with the version.
version=$(version)-1
# The maintainer, from the variables of Debian's tools.
maintainer=${DEBEMAIL:+${DEBFULLNAME:-$DEBEMAIL} <$DEBEMAIL>}
maintainer=${maintainer:-$(git log -1 --format='%an <%ae>' 2>/dev/null || true)}
[[ -n $maintainer ]] || die 64 "Set the maintainer of the package in DEBFULLNAME and DEBEMAIL."

DESTDIR=$root PREFIX=/usr UNITDIR=/lib/systemd/system ZSHDIR=/usr/share/zsh/vendor-completions \
  scripts/install.sh install 2>/dev/null
gzip --best --no-name "$root"/usr/share/man/man*/*

install -D --mode=644 packaging/debian/copyright "$doc/copyright"
cat NOTICE .build-release/checkouts/*/NOTICE.txt >"$doc/NOTICE"
gzip --best --no-name --stdout CHANGELOG.md >"$doc/changelog.gz"
gzip --best --no-name --stdout >"$doc/changelog.Debian.gz" <<END
swiftlet ($version) unstable; urgency=medium

  * Built from the sources of $(date --utc --date="@$SOURCE_DATE_EPOCH" +%Y-%m-%d); see changelog.gz.

 -- $maintainer  $(date --utc --date="@$SOURCE_DATE_EPOCH" --rfc-email)
END
mkdir -p "$root/usr/share/lintian/overrides"
cp packaging/debian/lintian-overrides "$root/usr/share/lintian/overrides/swiftlet"

# Dependencies of the program. control.in lists GStreamer's plugins, which are loaded at run time.
mkdir "$work/debian"
printf 'Source: swiftlet\n\nPackage: swiftlet\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "$root/usr/bin/swiftlet" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
[[ -n $depends ]] || die 1 "dpkg-shlibdeps found no dependencies."

mkdir "$root/DEBIAN"
control=$(<packaging/debian/control.in)
control=${control/@VERSION@/"$version"}
control=${control/@ARCHITECTURE@/"$architecture"}
control=${control/@MAINTAINER@/"$maintainer"}
control=${control/@SIZE@/"$(du --summarize --apparent-size --block-size=1024 --exclude=DEBIAN "$root" | cut --fields=1)"}
printf '%s\n' "${control/@DEPENDS@/"$depends"}" >"$root/DEBIAN/control"
install --mode=644 packaging/debian/conffiles "$root/DEBIAN"
install --mode=755 packaging/debian/{postinst,prerm,postrm} "$root/DEBIAN"
(cd "$root" && find . -path ./DEBIAN -prune -o -path ./etc -prune -o -type f -printf '%P\0' | sort --zero-terminated |
  xargs --null md5sum >DEBIAN/md5sums)

# Fixed permissions for folders, whatever the umask was.
find "$root" -type d -exec chmod 755 {} +
package=swiftlet_${version}_$architecture.deb
dpkg-deb --build --root-owner-group "$root" "$package" >&2
say "Built ./$package, $(stat --format %s "$package" | numfmt --to=si)B. Install it: sudo apt install ./$package"
