/** Solids and flames: `place`, `turn` and `strength` are of one copy. */
import type { RawShaderMaterial } from 'three'
import type { Ambient } from '../scene/ambient.ts'
import { shaderMaterial } from '../scene/materials.ts'

const TURN = `
vec3 turned(vec3 v) {
  return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v);
}
`

const MODEL_VERTEX: string = `
in vec3 position;
in vec3 normal;
in vec4 paint;
in vec4 place;
in vec4 turn;
in float strength;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
out vec3 facing;
out vec3 ray;
out vec4 surface;
out float opacity;
${TURN}
void main() {
  facing = turned(normal);
  ray = place.xyz + turned(position) * place.w;
  surface = paint;
  opacity = strength;
  gl_Position = projectionMatrix * viewMatrix * vec4(ray, 1.0);
}
`

const MODEL_FRAGMENT: string = `
precision highp float;
uniform vec3 toStar;
uniform vec3 starlight;
uniform vec3 toBody;
uniform vec3 bodylight;
in vec3 facing;
in vec3 ray;
in vec4 surface;
in float opacity;
out vec4 result;
void main() {
  vec3 n = normalize(facing);
  vec3 eye = normalize(-ray);
  float day = max(dot(n, toStar), 0.0);
  float gloss = min(surface.a, 1.0);
  float shine = pow(max(dot(n, normalize(toStar + eye)), 0.0), mix(10.0, 60.0, gloss));
  float below = 0.5 + 0.5 * dot(n, toBody);
  // What is seen in space without any light: enough to find the shape.
  float faint = 0.02 + 0.035 * (0.5 + 0.5 * dot(n, eye));
  vec3 light = starlight * day + bodylight * below * below + faint * vec3(0.7, 0.85, 1.2);
  vec3 colour = surface.rgb * light;
  colour += starlight * shine * gloss * gloss * 0.8 * step(0.0, day - 1e-4);
  colour = surface.a > 1.5 ? surface.rgb * surface.rgb : colour;
  result = vec4(sqrt(min(colour, 1.0)), 1.0) * opacity;
}
`

/** The flame of an engine, along -x from 0 to -1; it is drawn wider and longer than it is made. */
export const FLAME_VERTEX: string = `
in vec3 position;
in vec4 place;
in vec4 turn;
in float strength;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
out vec3 facing;
out vec3 ray;
out float along;
out float level;
${TURN}
void main() {
  facing = turned(vec3(0.0, normalize(position.yz)));
  along = -position.x;
  level = strength;
  vec3 shape = vec3(position.x * (0.3 + 0.7 * strength), position.yz);
  ray = place.xyz + turned(place.w * shape);
  gl_Position = projectionMatrix * viewMatrix * vec4(ray, 1.0);
}
`

export const FLAME_FRAGMENT: string = `
precision highp float;
in vec3 facing;
in vec3 ray;
in float along;
in float level;
out vec4 result;
void main() {
  // Through its middle the way is the longest.
  float depth = abs(dot(normalize(facing), normalize(ray)));
  float fall = 1.0 - along;
  float veil = depth * depth * fall * fall * 0.34;
  float core = pow(depth, 10.0) * pow(fall, 5.0);
  float light = (veil + core) * (0.3 + 0.7 * level);
  vec3 tint = mix(vec3(0.34, 0.4, 1.0), vec3(0.92, 0.97, 1.0), core);
  result = vec4(tint * light, 0.0);
}
`

/** Of all solids: they differ by the paint of their parts. */
export function modelMaterial({ uniforms }: Ambient): RawShaderMaterial {
  const { toStar, starlight, toBody, bodylight } = uniforms
  return shaderMaterial({
    vertexShader: MODEL_VERTEX,
    fragmentShader: MODEL_FRAGMENT,
    uniforms: { toStar, starlight, toBody, bodylight },
  })
}
