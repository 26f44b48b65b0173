/**
 * Draws one body exactly, by intersecting the line of sight of each pixel with its ellipsoid: limb,
 * phase, atmosphere, rings, and the shadows of rings and of other bodies. Lengths are in radii of
 * the body's equator, from the camera. STAR, EARTH, AIRLESS, AIR, RINGS, OBLATE and TWO_STARS are
 * defined for what a body has, FAST where the processor draws.
 */

/** Bodies that can throw a shadow on one other at once. */
export const CASTERS_MAX = 4

export const BODY_VERTEX = `
in vec2 corner;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 centre;
uniform float extent;
uniform mat3 axes;
out vec3 ray;
void main() {
  float d = length(centre);
  vec3 forward = centre / d;
  vec3 right = normalize(cross(forward, abs(dot(forward, axes[2])) < 0.99 ? axes[2] : axes[0]));
  vec3 up = cross(right, forward);
  // Just beyond the cone that touches the sphere around all that is drawn.
  float beyond = max(d * d - extent * extent, d * d * 1e-4);
  vec2 size = vec2(1.02 * extent * d / sqrt(beyond));
#if RINGS
  // Seen from aside, rings are lower than they are wide.
  float sine = abs(dot(forward, axes[2]));
  float front = d - extent * sqrt(1.0 - sine * sine);
  float height = max(d / sqrt(max(d * d - 1.0, 1e-6)), extent * sine * d / front);
  if (front > 0.5) size.y = min(size.y, 1.05 * height);
#endif
  ray = centre + right * (corner.x * size.x) + up * (corner.y * size.y);
  gl_Position = projectionMatrix * viewMatrix * vec4(ray, 1.0);
  // Depth comes from the fragment; the span's planes must not cut the quad.
  gl_Position.z = 0.0;
}
`

export const BODY_FRAGMENT: string = `
precision highp float;
precision highp int;
#define CASTERS ${CASTERS_MAX}
#ifdef EARTH
#define SOFT 0.1
#else
#define SOFT 0.03
#endif
uniform vec3 centre;
uniform float extent;
uniform float radius;
uniform float stretch;
uniform vec3 forward;
uniform vec2 depthRow;
uniform vec3 toStar;
uniform float starSize;
uniform vec3 starColour;
uniform vec3 toOtherStar;
uniform vec3 otherStarColour;
uniform mat3 axes;
uniform sampler2D map;
uniform sampler2D slopes;
uniform sampler2D night;
uniform sampler2D clouds;
uniform sampler2D rings;
uniform float relief;
uniform vec3 airColour;
uniform float airHeight;
uniform float airDensity;
uniform int casterCount;
uniform vec4 casters[CASTERS];
in vec3 ray;
out vec4 result;
vec3 linear(vec3 c) { return c * c * (c * 0.305306 + 0.682171) + c * 0.012523; }
// As sRGB is written, with a soft shoulder in place of a cut.
vec3 written(vec3 c) {
  vec3 above = max(c - 0.7, 0.0);
  c = min(max(c, 0.0), 0.7) + 0.3 * above / (0.3 + above);
  vec3 root = sqrt(c);
  vec3 fourth = sqrt(root);
  return 0.662002687 * root + 0.68412206 * fourth - 0.323583601 * sqrt(fourth) - 0.022541147 * c;
}
#ifdef OBLATE
// The axes in which the body is a sphere of radius 1, and back.
vec3 rounded(vec3 v) { return v + axes[2] * (dot(v, axes[2]) * stretch); }
vec3 flattened(vec3 v) { return v - axes[2] * (dot(v, axes[2]) * stretch / (1.0 + stretch)); }
#else
vec3 rounded(vec3 v) { return v; }
vec3 flattened(vec3 v) { return v; }
#endif
#if RINGS
vec4 ringAt(float r, float width) {
  float place = (r - RING_INNER) / (RING_OUTER - RING_INNER);
  if (place <= 0.0 || place >= 1.0) return vec4(0.0);
  float across = width / (RING_OUTER - RING_INNER);
  return textureGrad(rings, vec2(place, 0.5), vec2(across, 0.0), vec2(0.0));
}
#endif
// Part of the star that a point sees past other bodies.
float sunlight(vec3 point) {
  float light = 1.0;
  for (int i = 0; i < casterCount; i++) {
    vec4 caster = casters[i];
    vec3 to = caster.xyz - point;
    float along = dot(to, toStar);
    if (along <= 0.0) continue;
    float blur = along * starSize;
    float apart = length(to - toStar * along);
    float covered = 1.0 - smoothstep(abs(caster.w - blur), caster.w + blur, apart);
    light *= 1.0 - covered * min(1.0, caster.w * caster.w / (blur * blur));
  }
  return light;
}
#ifdef FAST
#define SAMPLE(image, at) textureLod(image, at, level + log2(float(textureSize(image, 0).y)))
#else
#define SAMPLE(image, at) textureGrad(image, at, dx, dy)
#endif
float air(float sine) { return 1.0 - exp(-airDensity * 0.09 / max(sine, 0.02)); }
// Colour of a point; in the axes of a sphere it is at p, where its normal is n.
vec3 surface(vec3 p, vec3 n, vec3 view, float pixel) {
  float incidence = dot(n, toStar);
#if !defined(STAR) && !defined(EARTH) && !defined(TWO_STARS)
  if (incidence < -0.12) return vec3(0.0);
#endif
  vec3 b = p * axes;
  float latitude = asin(clamp(b.z, -1.0, 1.0));
  vec2 at = vec2(atan(b.y, b.x) / 6.28318530718, latitude / 3.14159265359) + 0.5;
  // On the seam the longitude jumps, its rate of change does not.
  vec2 dx = dFdx(at);
  vec2 dy = dFdy(at);
  dx.x -= floor(dx.x + 0.5);
  dy.x -= floor(dy.x + 0.5);
#ifdef FAST
  vec2 texels = vec2(2.0, 1.0);
  float level = 0.5 * log2(max(dot(dx * texels, dx * texels), dot(dy * texels, dy * texels)));
#endif
  vec3 albedo = linear(SAMPLE(map, at).rgb);
  float mu = max(dot(n, -view), 0.02);
#ifdef STAR
  return albedo * starColour * (1.5 - 0.6 * (1.0 - mu) - 0.2 * (1.0 - mu * mu));
#else
  vec3 normal = n;
  vec3 east = normalize(cross(axes[2], n) + 1e-6);
  if (relief > 0.0) {
    vec2 s = (SAMPLE(slopes, at).xy - 0.5) * 4.0 * relief;
    normal = normalize(n - east * s.x - cross(n, east) * s.y);
  }
  // Slopes leave some light wherever the Sun is up.
  float mu0 = max(dot(normal, toStar), 0.3 * incidence) * smoothstep(-0.005, 0.03, incidence);
  float light = sunlight(p);
#if RINGS
  {
    vec3 point = flattened(p);
    float t = -dot(point, axes[2]) / dot(toStar, axes[2]);
    vec4 ring = ringAt(t > 0.0 ? length(point + toStar * t) : 0.0, max(0.004, 5.0 * pixel));
    light *= 1.0 - 0.92 * ring.a;
  }
#endif
  vec3 other = vec3(0.0);
#ifdef TWO_STARS
  other = albedo * otherStarColour * max(dot(normal, toOtherStar), 0.0);
#endif
#ifdef AIRLESS
  // Lommel and Seeliger: dust is as bright at the limb as in the middle.
  float lit = max(mu0, 0.0) / (max(mu0, 0.0) + mu);
  return albedo * starColour * light * 2.1 * lit * smoothstep(0.0, 0.012, incidence) + other;
#else
  float lit = max(mix(mu0, max(incidence, 0.0), 0.2), 0.0) * smoothstep(-SOFT, SOFT, incidence);
#ifndef EARTH
  vec3 c = albedo * starColour * light * 1.25 * lit;
  vec3 haze = airColour * air(mu) * smoothstep(0.0, 0.35, incidence) * 0.5 * light;
  return c * (1.0 - 0.4 * air(mu)) + haze * starColour + other;
#else
  float cover = SAMPLE(clouds, at).r;
  float dusk = smoothstep(0.32, -0.02, incidence) * smoothstep(-0.16, 0.04, incidence);
  vec3 c = vec3(0.0);
  if (incidence > -0.16) {
    float sea = smoothstep(1.05, 1.7, (albedo.b + 0.002) / (albedo.r + 0.002));
    sea *= 1.0 - smoothstep(0.06, 0.16, albedo.r);
    float gleam = max(dot(n, normalize(toStar - view)), 0.0);
    float glint = (pow(gleam, 220.0) * 0.7 + pow(gleam, 40.0) * 0.1) * sea;
    // Clouds throw their shadow away from the star.
    vec2 away = vec2(dot(toStar, east) / max(6.2832 * length(b.xy), 0.1),
                     dot(toStar, cross(n, east)) / 3.1416);
    float shade = SAMPLE(clouds, at + away * 0.006).r;
    vec3 land = mix(albedo * 2.4, vec3(0.012, 0.04, 0.1), sea * 0.55);
    vec3 ground = land * (1.0 - 0.5 * shade) + vec3(1.0, 0.9, 0.75) * glint;
    vec3 day = mix(ground, vec3(1.15), cover * 0.92) * lit * light;
    c = day * mix(vec3(1.0), vec3(1.22, 0.77, 0.5), dusk) * starColour;
  }
  if (incidence < 0.03) {
    // Unlit land is bluish in the image; lamps are what is red in it.
    float lamp = linear(SAMPLE(night, at).rgb).r;
    vec3 lamps = vec3(1.0, 0.7, 0.36) * smoothstep(0.004, 0.1, lamp) * 1.3;
    c += lamps * smoothstep(0.03, -0.16, incidence) * (1.0 - 0.8 * cover);
  }
  float veil = air(mu) * smoothstep(-0.2, 0.3, incidence) * light;
  vec3 sky = mix(airColour, vec3(1.0, 0.5, 0.25), dusk * 0.55);
  return c * (1.0 - 0.45 * veil) + sky * sky * veil * 0.6 + other;
#endif
#endif
#endif
}
float depthAt(float distanceAlong, vec3 direction) {
  float z = -distanceAlong * radius * dot(direction, forward);
  return 0.5 * (depthRow.x * z + depthRow.y) / -z + 0.5;
}
void main() {
  vec3 view = normalize(ray);
  vec3 heading = rounded(view);
  float pace = length(heading);
  heading /= pace;
  vec3 middle = rounded(centre);
  float along = dot(heading, middle);
  vec3 nearest = heading * along - middle;
  float miss = length(nearest);
  float pixel = fwidth(miss);
#if RINGS
  float away = dot(centre, axes[2]) / dot(view, axes[2]);
  vec3 point = view * away - centre;
  float r = length(point);
  vec4 ring = ringAt(away > 0.0 ? r : 0.0, fwidth(r));
  if (miss > extent && ring.a == 0.0) discard;
#else
  if (miss > extent) discard;
#endif
  float cover = clamp((1.0 - miss) / pixel + 0.5, 0.0, 1.0);
  float inside = sqrt(max(1.0 - miss * miss, 0.0));
  float t = (along - inside) / pace;
  if (t < 0.0) cover = 0.0;
  vec3 p = normalize(nearest - heading * inside);
  vec3 n = normalize(rounded(p));
  vec4 colour = vec4(0.0);
  if (miss < 1.0 + 3.0 * pixel) colour = vec4(written(surface(p, n, view, pixel)) * cover, cover);
#ifdef AIR
  if (miss > 1.0 - pixel) {
    float height = max(miss - 1.0, 0.0) / airHeight;
    float incidence = dot(n, toStar);
    float lit = smoothstep(-0.25, 0.3, incidence);
    vec3 sky = mix(airColour, vec3(1.0, 0.5, 0.22), smoothstep(0.25, -0.12, incidence) * 0.65);
    // Low air is paler than high air.
    sky = mix(sky * sky, vec3(1.0), 0.25 * exp(-height * 2.5) * lit);
    float glow = exp(-height * 1.1) * airDensity * lit * 0.85 * (1.0 - cover);
    colour += vec4(written(sky) * glow, glow * 0.6);
  }
#endif
  float depth = depthAt(max(cover > 0.0 ? t : along, 0.0), view);
#if RINGS
  if (ring.a > 0.0) {
    vec3 sunward = normalize(rounded(toStar));
    vec3 place = rounded(point);
    float behind = dot(place, sunward);
    float apart = length(place - sunward * behind);
    float shade = behind < 0.0 ? smoothstep(0.985, 1.015, apart) : 1.0;
    float lamp = abs(dot(toStar, axes[2]));
    bool sameSide = dot(toStar, axes[2]) * dot(view, axes[2]) < 0.0;
    float bright = sameSide ? 0.55 + 0.6 * lamp : (0.35 + lamp) * (1.0 - 0.75 * ring.a);
    vec3 tint = linear(ring.rgb) * starColour * bright * shade * sunlight(point);
    vec4 front = vec4(written(tint) * ring.a, ring.a);
    if (away < t || cover == 0.0) {
      colour = front + colour * (1.0 - ring.a);
      if (cover == 0.0) depth = depthAt(away, view);
    } else {
      colour = colour + front * (1.0 - colour.a);
    }
  }
#endif
  if (colour.a < 0.002) discard;
  gl_FragDepth = clamp(depth, 0.0, 1.0);
  result = colour;
}
`
