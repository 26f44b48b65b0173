/**
 * Draws one body exactly, by intersecting the line of sight of each pixel with its ellipsoid: limb,
 * phase, atmosphere, rings, and the shadows of rings and of other bodies. Lengths are in radii of
 * the body's equator, from the camera.
 */
import { GROUND, LIMB, STANDING } from './body-shading.ts'

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
${STANDING}
uniform float extent;
uniform float radius;
uniform vec3 forward;
uniform vec2 depthRow;
uniform sampler2D rings;
in vec3 ray;
out vec4 result;
#if RINGS
vec4 ringAt(float r, float width) {
  float place = (r - RING_INNER) / (RING_OUTER - RING_INNER);
  if (place <= 0.0 || place >= 1.0) return vec4(0.0);
  float across = width / (RING_OUTER - RING_INNER);
  return textureGrad(rings, vec2(place, 0.5), vec2(across, 0.0), vec2(0.0));
}
#endif
#ifdef FAST
float level;
#define SAMPLE(image, at) textureLod(image, at, level + log2(float(textureSize(image, 0).y)))
#else
vec2 dx;
vec2 dy;
#define SAMPLE(image, at) textureGrad(image, at, dx, dy)
#endif
${LIMB}
${GROUND}
// Colour of a point; in the axes of a sphere it is at p, where its normal is n.
vec3 surface(vec3 p, vec3 n, vec3 view, float pixel) {
#if !defined(STAR) && !defined(EARTH) && !defined(TWO_STARS)
  if (dot(n, toStar) < -0.12) return vec3(0.0);
#endif
  vec3 b = p * axes;
  float latitude = asin(clamp(b.z, -1.0, 1.0));
  vec2 at = vec2(atan(b.y, b.x) / 6.28318530718, latitude / 3.14159265359) + 0.5;
  // On the seam the longitude jumps, its rate of change does not.
  vec2 ratesX = dFdx(at);
  vec2 ratesY = dFdy(at);
  ratesX.x -= floor(ratesX.x + 0.5);
  ratesY.x -= floor(ratesY.x + 0.5);
#ifdef FAST
  ratesX.x *= 2.0;
  ratesY.x *= 2.0;
  level = 0.5 * log2(max(dot(ratesX, ratesX), dot(ratesY, ratesY)));
#else
  dx = ratesX;
  dy = ratesY;
#endif
  float light = sunlight(p);
#if RINGS
  vec3 point = flattened(p);
  float t = -dot(point, axes[2]) / dot(toStar, axes[2]);
  vec4 ring = ringAt(t > 0.0 ? length(point + toStar * t) : 0.0, max(0.004, 5.0 * pixel));
  light *= 1.0 - 0.92 * ring.a;
#endif
  return ground(at, n, view, slantOn(n), light);
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
    colour += limb(max(miss - 1.0, 0.0) / airHeight, dot(n, toStar)) * (1.0 - cover);
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
