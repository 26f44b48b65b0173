/** Draws the surface of a body once, as a map: colours, and slopes for relief. */

export const SURFACE_VERTEX = `
in vec2 corner;
out vec2 place;
void main() {
  place = corner * 0.5 + 0.5;
  gl_Position = vec4(corner, 0.0, 1.0);
}
`

/** Noise as in "Simplex noise demystified", on a lattice hashed without sines. */
const NOISE = `
float hash(vec3 p) {
  p = fract(p * vec3(0.1031, 0.1030, 0.0973) + seed);
  p += dot(p, p.yxz + 33.33);
  return fract((p.x + p.y) * p.z);
}
float noise(vec3 p) {
  vec3 cell = floor(p);
  vec3 f = p - cell;
  f = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  vec2 o = vec2(0.0, 1.0);
  return mix(
    mix(mix(hash(cell), hash(cell + o.yxx), f.x),
        mix(hash(cell + o.xyx), hash(cell + o.yyx), f.x), f.y),
    mix(mix(hash(cell + o.xxy), hash(cell + o.yxy), f.x),
        mix(hash(cell + o.xyy), hash(cell + o.yyy), f.x), f.y), f.z);
}
float fractal(vec3 p, int octaves) {
  float sum = 0.0;
  float size = 0.5;
  for (int i = 0; i < 8; i++) {
    if (i >= octaves) break;
    sum += size * noise(p);
    p = p * 2.03 + 17.1;
    size *= 0.5;
  }
  return sum;
}
// Height of craters, and in y how bright their ejecta are.
vec2 craters(vec3 n, float frequency) {
  vec3 p = n * frequency;
  vec3 cell = floor(p);
  vec2 sum = vec2(0.0);
  for (int i = 0; i < 27; i++) {
    vec3 at = cell + vec3(i % 3, (i / 3) % 3, i / 9) - 1.0;
    float kind = hash(at + 7.7);
    if (kind < 0.45) continue;
    vec3 centre = at + vec3(hash(at), hash(at + 3.1), hash(at + 5.3));
    float radius = 0.12 + 0.33 * kind * kind * hash(at + 9.2);
    float d = length(p - centre) / radius;
    if (d > 2.6) continue;
    float bowl = smoothstep(0.9, 0.0, d) * -0.9;
    float rim = exp(-pow((d - 1.0) * 4.0, 2.0)) * 0.6;
    float fresh = smoothstep(0.93, 1.0, hash(at + 11.9));
    sum += vec2((bowl + rim) * radius, fresh * smoothstep(2.6, 0.4, d));
  }
  return sum;
}
`

export const SURFACE_FRAGMENT: string = `
precision highp float;
precision highp int;
uniform int kind;
uniform vec3 dark;
uniform vec3 middle;
uniform vec3 light;
uniform float seed;
uniform vec2 mapSize;
in vec2 place;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 slope;
${NOISE}
vec3 ramp(float t) {
  t = clamp(t, 0.0, 1.0);
  return t < 0.5 ? mix(dark, middle, t * 2.0) : mix(middle, light, t * 2.0 - 1.0);
}
vec3 direction(float longitude, float latitude) {
  return vec3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude));
}
// A patch about a place in degrees, 1 inside.
float patchAt(vec3 n, vec3 place, float wobble) {
  float d = acos(clamp(dot(n, direction(radians(place.x), radians(place.y))), -1.0, 1.0));
  return smoothstep(1.15, 0.75, d / radians(place.z) + wobble);
}
float maria(vec3 n) {
  float w = (fractal(n * 6.0, 5) - 0.48) * 1.3;
  float m = 0.0;
  m = max(m, patchAt(n, vec3(-15.0, 33.0, 19.0), w));   // Imbrium
  m = max(m, patchAt(n, vec3(-53.0, 18.0, 21.0), w));   // Procellarum
  m = max(m, patchAt(n, vec3(-45.0, -2.0, 14.0), w));
  m = max(m, patchAt(n, vec3(17.5, 28.0, 11.0), w));    // Serenitatis
  m = max(m, patchAt(n, vec3(31.0, 8.5, 13.0), w));     // Tranquillitatis
  m = max(m, patchAt(n, vec3(59.0, 17.0, 8.0), w));     // Crisium
  m = max(m, patchAt(n, vec3(51.0, -8.0, 12.0), w));    // Fecunditatis
  m = max(m, patchAt(n, vec3(35.0, -15.0, 6.5), w));    // Nectaris
  m = max(m, patchAt(n, vec3(-17.0, -21.0, 11.0), w));  // Nubium
  m = max(m, patchAt(n, vec3(-39.0, -24.0, 7.0), w));   // Humorum
  m = max(m, patchAt(n, vec3(0.0, 57.0, 8.0), w)); // Frigoris
  m = max(m, patchAt(n, vec3(-95.0, -19.0, 5.0), w));   // Orientale
  m = max(m, patchAt(n, vec3(163.0, -33.0, 7.0), w));   // Ingenii
  return m;
}
float rays(vec3 n, vec2 place, float reach) {
  vec3 c = direction(radians(place.x), radians(place.y));
  float d = acos(clamp(dot(n, c), -1.0, 1.0));
  vec3 e = normalize(n - c * dot(n, c));
  vec3 side = normalize(cross(c, vec3(0.0, 0.0, 1.0)));
  float angle = atan(dot(e, side), dot(e, cross(side, c)));
  float spokes = pow(noise(vec3(cos(angle), sin(angle), place.x) * 5.0), 3.0) * 2.4;
  return (spokes * 0.8 + 0.3) * exp(-d / reach) + smoothstep(0.035, 0.015, d);
}
void main() {
  float longitude = (place.x - 0.5) * 6.28318530718;
  float latitude = (place.y - 0.5) * 3.14159265359;
  vec3 n = direction(longitude, latitude);
  float height = 0.0;
  vec3 c;
  if (kind == 0 || kind == 1) {
    vec2 large = craters(n, 5.0);
    vec2 small = craters(n, 13.0);
    vec2 tiny = craters(n, 31.0);
    float rough = fractal(n * 5.0, 7);
    height = rough * 0.12 + large.x * 0.22 + small.x * 0.12 + tiny.x * 0.055;
    float tone = 0.5 + (fractal(n * 2.3 + 4.0, 6) - 0.5) * 1.5 + (rough - 0.5) * 0.5;
    tone += large.x * 0.5 + small.x * 0.4 + (large.y + small.y + tiny.y) * 0.35;
    if (kind == 1) {
      float sea = maria(n);
      tone = mix(0.68 + (tone - 0.5) * 0.35, 0.2 + (tone - 0.5) * 0.18, sea * 0.92);
      height *= 1.0 - 0.75 * sea;
      tone += rays(n, vec2(-11.2, -43.3), 0.4) * 0.3;   // Tycho
      tone += rays(n, vec2(-20.1, 9.6), 0.12) * 0.3;    // Copernicus
      tone += rays(n, vec2(-38.0, 8.1), 0.08) * 0.3;    // Kepler
    }
    c = ramp(tone);
  } else if (kind == 2) {
    vec3 flow = vec3(n.xy, n.z * 6.0);
    float fine = fractal(n * vec3(9.0, 9.0, 40.0), 5) - 0.5;
    float warp = (fractal(flow * 2.5, 6) - 0.5) * 0.07 + fine * 0.02;
    float l = n.z + warp;
    float t = 0.5 + 0.34 * sin(l * 23.0 + seed) + 0.2 * sin(l * 41.0 + 1.7) + 0.12 * sin(l * 87.0);
    t = mix(t, fractal(vec3(n.xy * 3.0, l * 30.0), 6), 0.35);
    t = mix(t, 0.45, smoothstep(0.55, 0.95, abs(n.z)));
    c = ramp(t);
    if (seed > 0.105 && seed < 0.115) {
      vec2 d = vec2((longitude - 1.0) * cos(latitude), latitude + 0.385) / vec2(0.2, 0.1);
      float spot = smoothstep(1.0, 0.55, length(d) + (fractal(n * 20.0, 4) - 0.5) * 0.3);
      c = mix(c, vec3(0.72, 0.36, 0.22), spot * 0.8);
    }
  } else if (kind == 3) {
    float base = fractal(n * 2.6 + 3.0, 6);
    float crack = 1.0;
    for (int i = 0; i < 3; i++) {
      float f = 3.0 + float(i) * 3.5;
      float ridge = abs(noise(n * f + fractal(n * f, 4) * 1.4) - 0.5);
      crack = min(crack, ridge * (8.0 + float(i) * 3.0));
    }
    vec2 pits = craters(n, 17.0);
    height = fractal(n * 9.0, 6) * 0.08 + pits.x * 0.08 + smoothstep(0.25, 0.0, crack) * 0.02;
    c = ramp(0.25 + (base - 0.3) * 1.25 + pits.y * 0.3 - smoothstep(0.3, 0.0, crack) * 0.35);
  } else if (kind == 4) {
    vec3 q = vec3(n.xy, n.z * 2.2);
    float swirl = fractal(q * 2.0 + fractal(q * 1.6, 4) * 1.3, 6);
    c = ramp(0.5 + (swirl - 0.5) * 0.9 - 0.18 * abs(n.z));
  } else if (kind == 5) {
    float base = fractal(n * 2.1 + 5.0, 7);
    vec2 pits = craters(n, 11.0);
    height = fractal(n * 5.0, 7) * 0.16 + pits.x * 0.1;
    float darks = smoothstep(0.5, 0.62, fractal(n * vec3(1.7, 1.7, 2.6) + 9.0, 6));
    c = ramp(0.62 + (base - 0.5) * 0.9 - darks * 0.55 * smoothstep(0.8, 0.3, abs(n.z + 0.15)));
    float edge = (fractal(n * 8.0, 5) - 0.5) * 0.05;
    float ice = smoothstep(0.965, 0.98, n.z + edge) + smoothstep(0.982, 0.992, -n.z + edge);
    c = mix(c, vec3(0.93, 0.92, 0.9), clamp(ice, 0.0, 1.0));
  } else if (kind == 6) {
    float base = fractal(n * 3.0, 6);
    float vents = smoothstep(0.66, 0.74, noise(n * 9.0) * 0.7 + base * 0.4);
    height = fractal(n * 6.0, 5) * 0.06;
    c = ramp(0.55 + (base - 0.5) * 1.2);
    c = mix(c, vec3(0.55, 0.22, 0.1), smoothstep(0.5, 0.72, fractal(n * 4.0 + 8.0, 5)) * 0.6);
    c = mix(c, vec3(0.12, 0.09, 0.07), vents);
  } else if (kind == 7) {
    float cells = fractal(n * 30.0 + fractal(n * 8.0, 3), 5);
    float spots = smoothstep(0.72, 0.78, fractal(vec3(n.xy * 5.0, n.z * 9.0), 4));
    c = ramp(0.55 + (cells - 0.5) * 0.5) * (1.0 - 0.6 * spots * smoothstep(0.6, 0.3, abs(n.z)));
  } else {
    c = middle;
  }
  colour = vec4(c, 1.0);
  // Slopes to the east and north, per radian; x shrinks towards the poles.
  vec2 size = mapSize;
  vec2 gradient = vec2(dFdx(height) * size.x / 6.2832 / max(cos(latitude), 0.1),
                       dFdy(height) * size.y / 3.1416);
  slope = vec4(clamp(gradient * 0.25 + 0.5, 0.0, 1.0), 0.0, 1.0);
}
`
