/** Shaders of lines some pixels wide. */

export const RIBBON_VERTEX: string = `
in vec2 corner;
in vec3 start;
in vec3 end;
in vec3 startLook;
in vec3 endLook;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec2 size;
uniform float width;
out float side;
out float edge;
out float strength;
out float burning;
out float along;

void main() {
  vec3 a = (viewMatrix * vec4(start, 1.0)).xyz;
  vec3 b = (viewMatrix * vec4(end, 1.0)).xyz;
  float near = -1.0001 * projectionMatrix[3][2] / (projectionMatrix[2][2] - 1.0);
  bool isGone = startLook.y < 0.0 || (a.z > near && b.z > near);
  float first = a.z > near ? (near - a.z) / (b.z - a.z) : 0.0;
  float last = b.z > near ? (near - a.z) / (b.z - a.z) : 1.0;
  vec4 from = projectionMatrix * vec4(mix(a, b, first), 1.0);
  vec4 to = projectionMatrix * vec4(mix(a, b, last), 1.0);
  // Divided here: at distances of a whole system some rasterisers lose corners.
  from.xyz /= from.w;
  to.xyz /= to.w;
  vec2 way = (to.xy - from.xy) * size;
  vec2 unit = way / max(length(way), 1e-6);
  bool isStart = corner.x < 0.0;
  burning = startLook.y;
  edge = 0.5 * width * (1.0 + 0.8 * burning) + 0.5;
  side = corner.y * edge;
  strength = mix(startLook.x, endLook.x, isStart ? first : last);
  along = mix(startLook.z, endLook.z, isStart ? first : last);
  vec3 place = isStart ? from.xyz : to.xyz;
  vec2 aside = vec2(-unit.y, unit.x) * side + unit * corner.x * 0.25;
  place.xy += 2.0 * aside / size;
  gl_Position = isGone ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(place, 1.0);
}
`

export const RIBBON_FRAGMENT: string = `
precision highp float;
uniform vec3 colour;
uniform vec3 burn;
uniform float opacity;
in float side;
in float edge;
in float strength;
in float burning;
in float along;
out vec4 result;

void main() {
  float a = clamp(edge - abs(side), 0.0, 1.0) * strength * opacity;
#ifdef DASHED
  // About ten pixels at any scale: the length doubles where they would be too short.
  float change = max(length(vec2(dFdx(along), dFdy(along))), 1e-30);
  float period = exp2(ceil(log2(change * 9.0)));
  if (fract(along / period) > 0.6) a = 0.0;
#endif
  result = vec4(mix(colour, burn, burning) * a, a);
}
`
