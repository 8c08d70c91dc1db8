#!/usr/bin/env bash
# Converts packaging/icons/swiftlet.svg into the sizes and formats of DLNA, as Swift source, so that the program needs no
# other files, and into the page's icon. Run it by hand after changing the drawing.

source "$(dirname "$0")/common.sh"
[[ -x $(command -v gst-launch-1.0) ]] || die 69 "gst-launch-1.0 is missing: apt-get install gstreamer1.0-tools."
[[ -x $(command -v pngquant) ]] || die 69 "pngquant is missing: apt-get install pngquant."

drawing=packaging/icons/swiftlet.svg
target=Sources/Renderer/Devices/IconData.swift

# constant NAME FORMAT SIDE ENCODER...: the drawing as an image file, in base64.
constant() {
  local name=$1 caps="video/x-raw,format=$2,width=$3,height=$3"
  shift 3
  printf '  static let %s: StaticString = """\n' "$name"
  gst-launch-1.0 --quiet filesrc location="$drawing" ! rsvgdec ! videoconvert ! videoscale method=lanczos ! "$caps" \
    ! "$@" ! fdsink | base64 --wrap 116 | sed 's/^/    /'
  printf '    """\n'
}

{
  printf '/// The images of the device, in base64: made by scripts/icons.sh from %s.\n' "$drawing"
  printf 'enum IconData {\n'
  for side in 48 120; do
    constant "png$side" RGB "$side" pngenc compression-level=9 snapshot=true
    # JPEG uses the full range. No chroma subsampling.
    constant "jpeg$side" Y444,colorimetry=1:4:0:0 "$side" jpegenc quality=90 snapshot=true
  done
  printf '}\n'
} >"$target"
say "Wrote $target, $(stat --format %s "$target") bytes"

# The page's icon for home screens that do not support SVG.
page=web/icons/icon-192.png
gst-launch-1.0 --quiet filesrc location="$drawing" ! rsvgdec ! videoconvert ! videoscale method=lanczos \
  ! video/x-raw,format=RGB,width=192,height=192 ! pngenc compression-level=9 snapshot=true ! filesink location="$page"
# A palette of 256 colors is enough, and saves a good third.
pngquant --force --speed 1 --strip --nofs --output "$page" 256 "$page"
say "Wrote $page, $(stat --format %s "$page") bytes"
