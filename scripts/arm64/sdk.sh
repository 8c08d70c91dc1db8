#!/usr/bin/env bash
# Creates the Swift SDK for arm64 from the sysroot and Debian's package of Swift for arm64.

source "$(dirname "$0")/common.sh"

bundle=$sdks/swiftlet-arm64.artifactbundle
package=$(printf '%s\n' "$toolchain"/swift-arm64/swiftlang_*_arm64.deb)
compiler=$(dpkg-query --root "$toolchain" --show --showformat '${Version}' swiftlang)
library=$(dpkg-deb --field "$package" Version)
# The driver looks for swiftrt.o in the sysroot.
ln -sfn "../../../sdks/${bundle##*/}/arm64/lib/swift_static" "$sysroot/usr/lib/swift_static"
! is_made "$bundle" "$library" || exit 0
say "Creating $bundle"
# A rebuild of the package, such as 6.2.3-1+b1, may exist for one architecture only.
[[ ${compiler%-*} == "${library%-*}" ]] ||
  die 69 "Debian has Swift $compiler for amd64 but $library for arm64. Delete $toolchain and try again in a few days."

rm -rf "$bundle" "$bundle.key"
mkdir -p "$bundle/arm64"
dpkg-deb --fsys-tarfile "$package" |
  tar --extract --directory "$bundle/arm64" --strip-components=4 --exclude='*/host' --exclude='*/embedded' \
    ./usr/libexec/swift/lib/swift ./usr/libexec/swift/lib/swift_static ./usr/libexec/swift/lib/clang
ln -s ../../../sysroot "$bundle/arm64/sysroot"
# Foundation and FoundationEssentials share a specialization of Data.init(count:). lld takes it from the first library, and all of
# Foundation with it: 40 MB. With an empty library, code that really uses Foundation fails to link.
printf '!<arch>\n' >"$bundle/arm64/lib/swift_static/linux/libFoundation.a"

cat >"$bundle/info.json" <<END
{
  "schemaVersion": "1.0",
  "artifacts": {
    "swiftlet-arm64": {
      "type": "swiftSDK",
      "version": "$library",
      "variants": [{ "path": "arm64" }]
    }
  }
}
END
cat >"$bundle/arm64/swift-sdk.json" <<END
{
  "schemaVersion": "4.0",
  "targetTriples": {
    "aarch64-unknown-linux-gnu": {
      "sdkRootPath": "sysroot",
      "swiftResourcesPath": "lib/swift",
      "swiftStaticResourcesPath": "lib/swift_static",
      "toolsetPaths": ["toolset.json"]
    }
  }
}
END
cat >"$bundle/arm64/toolset.json" <<END
{
  "schemaVersion": "1.0",
  "swiftCompiler": { "extraCLIOptions": ["-use-ld=lld"] }
}
END
printf '%s\n' "$library" >"$bundle.key"
