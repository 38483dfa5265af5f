/* How different two colours look: CIEDE2000 (Sharma, Wu and Dalal 2005), from sRGB bytes by way of
 * CIELAB under D65. About 1 is the least difference that is noticed side by side. */
#ifndef WEFT_TESTS_DELTA_E_H
#define WEFT_TESTS_DELTA_E_H

#include <math.h>
#include <stdint.h>

typedef struct lab {
  double l, a, b;
} lab;

static inline double lab_curve(double t) {
  const double d = 6.0 / 29;
  return t > d * d * d ? cbrt(t) : t / (3 * d * d) + 4.0 / 29;
}

static inline double linear_of(uint8_t byte) {
  double v = byte / 255.0;
  return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static inline lab lab_of(const uint8_t rgb[3]) {
  double r = linear_of(rgb[0]), g = linear_of(rgb[1]), b = linear_of(rgb[2]);
  double x = lab_curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.9504559);
  double y = lab_curve(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  double z = lab_curve((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.0890578);
  return (lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

#define DELTA_E_DEGREES (3.14159265358979323846 / 180)

static inline double hue_of(double a, double b) {
  if (a == 0 && b == 0) return 0;
  double h = atan2(b, a) / DELTA_E_DEGREES;
  return h < 0 ? h + 360 : h;
}

/* The way from one hue to the other, the short way round; 0 when either is grey. */
static inline double hue_step(double h1, double h2, double product) {
  if (product == 0) return 0;
  double step = h2 - h1;
  return step > 180 ? step - 360 : step < -180 ? step + 360 : step;
}

static inline double hue_mean(double h1, double h2, double product) {
  if (product == 0) return h1 + h2;
  if (fabs(h1 - h2) <= 180) return (h1 + h2) / 2;
  return h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2;
}

static inline double seventh(double c) { return sqrt(pow(c, 7) / (pow(c, 7) + 6103515625.0)); }

static inline double delta_e_2000(lab p, lab q) {
  const double k = DELTA_E_DEGREES;
  double g = 0.5 * (1 - seventh((hypot(p.a, p.b) + hypot(q.a, q.b)) / 2));
  double a1 = (1 + g) * p.a, a2 = (1 + g) * q.a;
  double c1 = hypot(a1, p.b), c2 = hypot(a2, q.b), c = (c1 + c2) / 2;
  double h1 = hue_of(a1, p.b), h2 = hue_of(a2, q.b), h = hue_mean(h1, h2, c1 * c2);
  double dl = q.l - p.l, dc = c2 - c1;
  double dh = 2 * sqrt(c1 * c2) * sin(hue_step(h1, h2, c1 * c2) / 2 * k);
  double t = 1 - 0.17 * cos((h - 30) * k) + 0.24 * cos(2 * h * k) + 0.32 * cos((3 * h + 6) * k) -
             0.20 * cos((4 * h - 63) * k);
  double middle = (p.l + q.l) / 2 - 50;
  double sl = 1 + 0.015 * middle * middle / sqrt(20 + middle * middle);
  double sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
  double turn = (h - 275) / 25;
  double rt = -sin(60 * exp(-turn * turn) * k) * 2 * seventh(c);
  double l = dl / sl, s = dc / sc, w = dh / sh;
  return sqrt(l * l + s * s + w * w + rt * s * w);
}

#endif
