// Colours that stand for values, linear sRGB 0..1. Both maps are paths through OKLab (Ottosson 2020,
// "A perceptual color space for image processing"), whose lightness is close to what the eye sees:
// equal steps of a value are equal steps of lightness, also in grey and to the colour-blind.
vec3 linear_of_oklab(float lightness, float chroma, float hue) {
  float a = chroma * cos(hue), b = chroma * sin(hue);
  float l = lightness + 0.3963377774 * a + 0.2158037573 * b;
  float m = lightness - 0.1055613458 * a - 0.0638541728 * b;
  float s = lightness - 0.0894841775 * a - 1.2914855480 * b;
  l = l * l * l;
  m = m * m * m;
  s = s * s * s;
  vec3 rgb = vec3(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                  -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                  -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
  return clamp(rgb, 0.0, 1.0);
}

// 0..1 from dark violet over blue and green to yellow, as viridis has it (Smith and van der Walt 2015):
// hue runs with lightness, chroma stays inside of sRGB.
vec3 sequential(float t) {
  float chroma = 0.12 + t * (0.204 * t - 0.144);
  return linear_of_oklab(0.36 + 0.56 * t, chroma, radians(300.0 - 195.0 * t));
}

// -1..1 from blue over near white to red (after Moreland 2009, "Diverging color maps for scientific
// visualization"): both sides get darker alike.
vec3 diverging(float u) {
  float s = abs(u);
  return linear_of_oklab(0.94 - 0.44 * s, 0.16 * s, radians(u < 0.0 ? 255.0 : 27.0));
}

vec3 linear_of_rgb(uint rgb) {
  vec3 s = vec3(float(rgb >> 16u & 255u), float(rgb >> 8u & 255u), float(rgb & 255u)) / 255.0;
  return mix(s / 12.92, pow((s + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), s));
}
