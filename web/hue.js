/**
 * The hue of a picture for the tint of the page, in degrees of OKLCH; null for a grey picture. Only the hue is taken:
 * lightness stays the stylesheet's, so that text keeps its contrast.
 */
export function pictureHue(image) {
  if (!image) return null;
  const side = 24;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  try {
    context.drawImage(image, 0, 0, side, side);
    return hueOf(context.getImageData(0, 0, side, side).data);
  } catch {
    return null;
  }
}

/** The hue of pixels: red, green, blue and alpha from 0 to 255. */
export function hueOf(data) {
  let [a, b] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const [, pixelA, pixelB] = lab(data[at], data[at + 1], data[at + 2]);
    // Strong colours count more than their area.
    const weight = Math.hypot(pixelA, pixelB);
    a += pixelA * weight;
    b += pixelB * weight;
  }
  if (Math.hypot(a, b) / (data.length / 4) < 0.0004) return null;
  return Math.round((Math.atan2(b, a) * 180 / Math.PI + 360) % 360);
}

/** OKLab of an sRGB pixel (Björn Ottosson, "A perceptual color space for image processing"). */
function lab(...pixel) {
  const [r, g, b] = pixel.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
