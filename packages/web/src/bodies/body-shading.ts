/**
 * The colour of a body's ground in its light: what the shaders of discs and of globes share.
 * Lengths are in radii of the body's equator. STAR, EARTH, AIRLESS, AIR, RINGS, OBLATE and
 * TWO_STARS are defined for what a body has, FAST where the processor draws.
 */

/** Bodies that can throw a shadow on one other at once. */
export const CASTERS_MAX = 4

/** How a body stands in its light, for both stages of a shader. */
export const STANDING: string = `
#define CASTERS ${CASTERS_MAX}
uniform vec3 centre;
uniform float stretch;
uniform vec3 toStar;
uniform float starSize;
uniform mat3 axes;
uniform int casterCount;
uniform vec4 casters[CASTERS];
#ifdef OBLATE
// The axes in which the body is a sphere of radius 1, and back.
vec3 rounded(vec3 v) { return v + axes[2] * (dot(v, axes[2]) * stretch); }
vec3 flattened(vec3 v) { return v - axes[2] * (dot(v, axes[2]) * stretch / (1.0 + stretch)); }
#else
vec3 rounded(vec3 v) { return v; }
vec3 flattened(vec3 v) { return v; }
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
// How much of the direction to the star is up, east and north of a point.
vec3 slantOn(vec3 n) {
  vec3 east = normalize(cross(axes[2], n) + 1e-6);
  return vec3(dot(n, toStar), dot(east, toStar), dot(cross(n, east), toStar));
}
`

/** What the air around a body looks like at its limb, of so many scale heights and that light. */
export const LIMB: string = `
uniform vec3 airColour;
uniform float airDensity;
uniform float airHeight;
// As sRGB is written, with a soft shoulder in place of a cut.
vec3 written(vec3 c) {
  vec3 above = max(c - 0.7, 0.0);
  c = min(max(c, 0.0), 0.7) + 0.3 * above / (0.3 + above);
  vec3 root = sqrt(c);
  vec3 fourth = sqrt(root);
  return 0.662002687 * root + 0.68412206 * fourth - 0.323583601 * sqrt(fourth) - 0.022541147 * c;
}
vec4 limb(float height, float incidence) {
  float lit = smoothstep(-0.25, 0.3, incidence);
  vec3 sky = mix(airColour, vec3(1.0, 0.5, 0.22), smoothstep(0.25, -0.12, incidence) * 0.65);
  // Low air is paler than high air.
  sky = mix(sky * sky, vec3(1.0), 0.25 * exp(-height * 2.5) * lit);
  float glow = exp(-height * 1.1) * airDensity * lit * 0.85;
  return vec4(written(sky) * glow, glow * 0.6);
}
`

/** Needs STANDING and LIMB, and SAMPLE, which reads a map. */
export const GROUND: string = `
#ifdef EARTH
#define SOFT 0.1
#else
#define SOFT 0.03
#endif
uniform vec3 starColour;
uniform vec3 toOtherStar;
uniform vec3 otherStarColour;
uniform sampler2D map;
uniform sampler2D slopes;
uniform sampler2D night;
uniform sampler2D clouds;
uniform float relief;
vec3 linear(vec3 c) { return c * c * (c * 0.305306 + 0.682171) + c * 0.012523; }
float air(float sine) { return 1.0 - exp(-airDensity * 0.09 / max(sine, 0.02)); }
// Colour of the ground at a place of its maps, with the part of the star that shines on it.
vec3 ground(vec2 at, vec3 n, vec3 view, vec3 slant, float light) {
  float incidence = slant.x;
  vec3 albedo = linear(SAMPLE(map, at).rgb);
  float mu = max(dot(n, -view), 0.02);
#ifdef STAR
  return albedo * starColour * (1.5 - 0.6 * (1.0 - mu) - 0.2 * (1.0 - mu * mu));
#else
  float facing = incidence;
// A processor leaves out the slopes of Earth, which are low beside its clouds.
#if !defined(EARTH) || !defined(FAST)
  if (relief > 0.0) {
    vec2 s = (SAMPLE(slopes, at).xy - 0.5) * 4.0 * relief;
    facing = (incidence - dot(s, slant.yz)) * inversesqrt(1.0 + dot(s, s));
  }
#endif
  // Slopes leave some light wherever the Sun is up.
  float mu0 = max(facing, 0.3 * incidence) * smoothstep(-0.005, 0.03, incidence);
  vec3 other = vec3(0.0);
#ifdef TWO_STARS
  other = albedo * otherStarColour * max(dot(n, toOtherStar), 0.0);
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
    // Powers of 256 and 32, without logarithms.
    float wide = gleam * gleam;
    wide *= wide;
    wide *= wide;
    wide *= wide;
    wide *= wide;
    float narrow = wide * wide;
    narrow *= narrow;
    narrow *= narrow;
    float glint = (narrow * 0.7 + wide * 0.1) * sea;
#ifdef FAST
    float shade = cover;
#else
    // Clouds throw their shadow away from the star.
    float across = max(6.2832 * cos((at.y - 0.5) * 3.14159), 0.1);
    float shade = SAMPLE(clouds, at + slant.yz / vec2(across, 3.1416) * 0.006).r;
#endif
    vec3 land = mix(albedo * 2.4, vec3(0.012, 0.04, 0.1), sea * 0.55);
    vec3 below = land * (1.0 - 0.5 * shade) + vec3(1.0, 0.9, 0.75) * glint;
    vec3 day = mix(below, vec3(1.15), cover * 0.92) * lit * light;
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
`
