/**
 * Draws a body as a mesh, lit at its vertices: for a processor that draws, which needs a third of
 * the time of a ray per pixel. Air beyond the limb is a ring around it.
 */
import { GROUND, LIMB, STANDING } from './body-shading.ts'

export const GLOBE_VERTEX: string = `
in vec3 direction;
in vec2 place;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform float radius;
out vec3 normal;
out vec3 ray;
out vec2 at;
out vec3 slant;
out float light;
${STANDING}
void main() {
  // From the body's axes to those of the picture.
  vec3 p = axes * direction;
  // The middle of a piece reaches the sphere: at the limb no air is seen below the ground.
  ray = centre + flattened(p) * 1.0005;
  normal = normalize(rounded(p));
  at = place;
  slant = slantOn(normal);
  light = sunlight(p);
  gl_Position = projectionMatrix * viewMatrix * vec4(ray * radius, 1.0);
}
`

export const GLOBE_FRAGMENT: string = `
precision highp float;
precision highp int;
uniform vec3 toStar;
in vec3 normal;
in vec3 ray;
in vec2 at;
in vec3 slant;
in float light;
out vec4 result;
#define SAMPLE(image, at) texture(image, at)
${LIMB}
${GROUND}
void main() {
  result = vec4(written(ground(at, normalize(normal), normalize(ray), slant, light)), 1.0);
}
`

export const AIR_VERTEX: string = `
in vec3 position;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform float radius;
uniform float extent;
out float miss;
out float incidence;
${STANDING}
void main() {
  vec3 middle = rounded(centre);
  float d = length(middle);
  vec3 ahead = middle / d;
  vec3 right = normalize(cross(ahead, abs(dot(ahead, axes[2])) < 0.99 ? axes[2] : axes[0]));
  vec3 aside = right * position.x + cross(right, ahead) * position.y;
  // From a little within the limb, which the globe covers.
  miss = mix(0.995, extent, position.z);
  float sine = min(miss / d, 1.0);
  vec3 q = aside * sqrt(1.0 - sine * sine) - ahead * sine;
  incidence = dot(normalize(rounded(q)), toStar);
  gl_Position = projectionMatrix * viewMatrix * vec4(flattened(middle + q * miss) * radius, 1.0);
}
`

export const AIR_FRAGMENT: string = `
precision highp float;
in float miss;
in float incidence;
out vec4 result;
${LIMB}
void main() {
  result = limb(max(miss - 1.0, 0.0) / airHeight, incidence);
}
`
