/** Stars, the Milky Way, and the glow of lights that are smaller than a pixel. */

export const STARS_VERTEX: string = `
in vec3 direction;
in vec4 light;
in float size;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform float pixelRatio;
uniform float scale;
out vec4 tint;
void main() {
  tint = light;
  gl_PointSize = size * pixelRatio * scale;
  gl_Position = projectionMatrix * viewMatrix * vec4(direction, 1.0);
  gl_Position.z = 0.0;
}
`

/** The colour of a star with its brightness as the fourth value. */
export const STARS_FRAGMENT: string = `
precision highp float;
in vec4 tint;
out vec4 result;
void main() {
  vec2 place = gl_PointCoord * 2.0 - 1.0;
  float inner = max(1.0 - dot(place, place), 0.0);
  float core = inner * inner * inner * inner;
  result = vec4(mix(tint.rgb, vec3(1.0), core * 0.45) * core * tint.a, 0.0);
}
`

export const MILKY_WAY_VERTEX: string = `
in vec3 direction;
in vec2 place;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
out vec2 at;
void main() {
  at = place;
  gl_Position = projectionMatrix * viewMatrix * vec4(direction, 1.0);
  gl_Position.z = 0.0;
}
`

export const MILKY_WAY_FRAGMENT: string = `
precision highp float;
uniform sampler2D map;
in vec2 at;
out vec4 result;
void main() {
  float glow = texture(map, at).r;
  vec3 tint = mix(vec3(0.45, 0.55, 0.8), vec3(0.9, 0.8, 0.68), glow);
  // A trace of noise, so that the dim light has no steps.
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  result = vec4(tint * glow * 0.32 + (noise - 0.5) / 255.0, 0.0);
}
`

/** A light of so many pixels about a point: a body too small for a disc, or the glow of a star. */
export const GLOW_VERTEX: string = `
in vec2 corner;
in vec3 position;
in vec2 size;
in vec3 colour;
in vec2 look;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
out vec2 place;
flat out vec3 hue;
flat out float bright;
flat out float core;
void main() {
  place = corner;
  hue = colour;
  bright = look.x;
  core = look.y;
  vec4 seen = projectionMatrix * viewMatrix * vec4(position, 1.0);
  // Divided here: at distances of a whole system some rasterisers lose corners.
  gl_Position = vec4(seen.xyz / seen.w, 1.0);
  gl_Position.xy += corner * size;
}
`

export const GLOW_FRAGMENT: string = `
precision highp float;
in vec2 place;
flat in vec3 hue;
flat in float bright;
flat in float core;
out vec4 result;
void main() {
  float d = length(place);
  float pixel = fwidth(d);
  if (d > 1.0) discard;
  float edge = 1.0 - d * d;
  float light;
  if (core > 0.0) {
    // Light scattered about a star, falling with the distance from its limb.
    float far = max(d - core, 0.0) / core;
    float star = 0.6 * (1.0 - smoothstep(0.02, 0.1, core)) * exp(-far * 0.35);
    light = (0.5 / (1.0 + far * far * 0.9) + 0.3 * exp(-far * 1.6) + star) * edge * edge;
    // The disc within is drawn by itself, but for its soft edge.
    light *= core > 0.02 ? smoothstep(core - 0.8 * pixel, core + 0.4 * pixel, d) : 1.0;
  } else {
    light = exp(-d * d * 6.0) + 0.12 * edge * edge;
  }
  vec3 tint = mix(hue, vec3(1.0), light * (core > 0.0 ? 0.5 : 0.4));
  result = vec4(tint * light * bright, 0.0);
}
`
