/** What is seen of an engine that burns: a flame, and a light at the nozzle. */
import { BufferAttribute, InstancedBufferGeometry } from 'three'
import { NOZZLE } from './courier-model.ts'
import { shaderMaterial } from '../scene/materials.ts'
import { ModelMesh } from './model-mesh.ts'
import { FLAME_FRAGMENT, FLAME_VERTEX } from './model-shader.ts'
import { LIGHT, Solid } from './solid.ts'

/** Length of a flame at full thrust [m]. */
export const FLAME_LENGTH = 46

/** Radius of the light at a nozzle at full thrust [m]. */
export const FLARE_SIZE = 7

const ORDER = 4

/** How wide it is along its length, from its end to the nozzle: a gas spreads in empty space. */
const SHAPE = [
  [-1, 4.4],
  [-0.7, 3.4],
  [-0.45, 2.6],
  [-0.25, 2],
  [-0.1, 1.5],
  [0, 1.05],
] as const

export function flames(capacity: number): ModelMesh {
  const profile = SHAPE.map(([x, r]) => [x, (r * NOZZLE.radius) / FLAME_LENGTH] as const)
  const solid = new Solid().turned({ from: [0, 0, 0], along: [1, 0, 0], profile, sides: 20 }, [
    1,
    1,
    1,
    LIGHT,
  ])
  const material = shaderMaterial({
    vertexShader: FLAME_VERTEX,
    fragmentShader: FLAME_FRAGMENT,
    depthWrite: false,
  })
  const options = { capacity, order: ORDER, isSurface: false, radius: 1.2 }
  return new ModelMesh(solid.geometry(), material, options)
}

const FLARE_VERTEX = `
in vec2 corner;
in vec4 place;
in float strength;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform float pixel;
out vec2 at;
out float level;
void main() {
  at = corner;
  level = strength;
  vec4 seen = viewMatrix * vec4(place.xyz, 1.0);
  float size = max(place.w * (0.4 + 0.6 * strength), 7.0 * pixel * -seen.z);
  seen.xy += corner * size;
  gl_Position = projectionMatrix * seen;
}
`

const FLARE_FRAGMENT = `
precision highp float;
in vec2 at;
in float level;
out vec4 result;
void main() {
  float d = length(at);
  if (d > 1.0) discard;
  float light = exp(-d * d * 9.0) + 0.16 * (1.0 - d) * (1.0 - d);
  float streak = exp(-abs(at.y) * 26.0) * (1.0 - d) * 0.25;
  light = (light + streak) * (0.35 + 0.65 * level);
  result = vec4(mix(vec3(0.4, 0.55, 1.0), vec3(1.0), min(light, 1.0)) * light, 0.0);
}
`

/** @param pixel  tangent of the angle that a pixel spans */
export function flares(capacity: number, pixel: { value: number }): ModelMesh {
  const corners = Float32Array.of(-1, -1, 1, -1, 1, 1, -1, 1)
  const geometry = new InstancedBufferGeometry()
    .setAttribute('corner', new BufferAttribute(corners, 2))
    .setIndex([0, 1, 2, 0, 2, 3])
  const material = shaderMaterial({
    vertexShader: FLARE_VERTEX,
    fragmentShader: FLARE_FRAGMENT,
    uniforms: { pixel },
    depthWrite: false,
  })
  return new ModelMesh(geometry, material, {
    capacity,
    order: ORDER + 1,
    isSurface: false,
    radius: 1,
  })
}
