/** Signs at the marks of a trajectory. */
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Points,
  type RawShaderMaterial,
} from 'three'
import { length, type Vector } from '@orrery/page-kit'
import type { Lens } from '../scene/frame.ts'
import { shaderMaterial } from '../scene/materials.ts'
import type { Drawable, SceneLayer } from '../scene/scene-layer.ts'

/** How a sign looks: a number of the shader. */
export const SIGNS = { down: 0, up: 1, ring: 2, diamond: 3, cross: 4, dot: 5 } as const

export interface Sign {
  readonly shape: keyof typeof SIGNS
  readonly colour: readonly [number, number, number]
  /** from the camera [m] */
  readonly position: Vector
  /** it is pointed at */
  readonly isLarge: boolean
}

const SIGNS_MAX = 32

/** x, y, z; red, green, blue; shape and size. */
const SIZES = { position: 3, tint: 3, look: 2 } as const

const VERTEX = `
in vec3 position;
in vec3 tint;
in vec2 look;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform float pixelRatio;
out vec3 colour;
out float shape;
out float radius;
void main() {
  colour = tint;
  shape = look.x;
  radius = look.y * pixelRatio;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
  gl_PointSize = 2.0 * radius + 2.0;
}
`

const FRAGMENT = `
precision highp float;
in vec3 colour;
in float shape;
in float radius;
out vec4 result;
void main() {
  vec2 p = (gl_PointCoord - 0.5) * (2.0 * radius + 2.0);
  p.y = -p.y;
  float r = length(p);
  float d;
  if (shape < 1.5) {
    float y = shape < 0.5 ? -p.y : p.y;
    d = max(abs(p.x) * 0.87 + y * 0.5, -y) - 0.5 * radius;
  } else if (shape < 2.5) d = abs(r - 0.75 * radius) - 0.14 * radius;
  else if (shape < 3.5) d = (abs(p.x) + abs(p.y)) * 0.71 - 0.6 * radius;
  else if (shape < 4.5) d = max(abs(abs(p.x) - abs(p.y)) - 0.3 * radius, r - radius);
  else d = r - 0.5 * radius;
  // A dark rim keeps it apart from what is behind.
  float rim = clamp(1.0 - d, 0.0, 1.0);
  float core = clamp(0.5 - d, 0.0, 1.0);
  result = vec4(colour * core, max(core, 0.6 * rim));
}
`

export class MarkLayer implements SceneLayer {
  readonly drawables: readonly [Drawable]
  readonly version = 0
  readonly #points: Points<BufferGeometry, RawShaderMaterial>
  readonly #attributes: Readonly<Record<keyof typeof SIZES, BufferAttribute>>
  readonly #pixelRatio = { value: 1 }
  readonly #signs: () => readonly Sign[]

  /** @param signs  those of the frame */
  constructor(signs: () => readonly Sign[]) {
    this.#signs = signs
    const room = (size: number): BufferAttribute =>
      new BufferAttribute(new Float32Array(size * SIGNS_MAX), size).setUsage(DynamicDrawUsage)
    this.#attributes = { position: room(3), tint: room(3), look: room(2) }
    const geometry = new BufferGeometry()
    for (const [name, attribute] of Object.entries(this.#attributes)) {
      geometry.setAttribute(name, attribute)
    }
    const material = shaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { pixelRatio: this.#pixelRatio },
      depthWrite: false,
    })
    this.#points = new Points(geometry, material)
    this.#points.frustumCulled = false
    this.#points.matrixAutoUpdate = false
    const mesh = this.#points
    this.drawables = [{ mesh, isSurface: false, order: 4, isVisible: false, near: 0, far: 0 }]
  }

  place(_: unknown, { pixelRatio }: Lens): void {
    const [drawable] = this.drawables
    const signs = this.#signs()
    const count = Math.min(signs.length, SIGNS_MAX)
    this.#pixelRatio.value = pixelRatio
    drawable.isVisible = count > 0
    drawable.near = Infinity
    drawable.far = 0
    const { position, tint, look } = this.#attributes
    for (let i = 0; i < count; i++) {
      const sign = signs[i]
      const away = length(sign.position)
      position.setXYZ(i, sign.position[0], sign.position[1], sign.position[2])
      tint.setXYZ(i, sign.colour[0], sign.colour[1], sign.colour[2])
      look.setXY(i, SIGNS[sign.shape], sign.isLarge ? 9 : 6)
      drawable.near = Math.min(drawable.near, 0.99 * away)
      drawable.far = Math.max(drawable.far, 1.01 * away)
    }
    for (const attribute of [position, tint, look]) attribute.needsUpdate = true
    this.#points.geometry.setDrawRange(0, count)
  }

  dispose(): void {
    this.#points.geometry.dispose()
    this.#points.material.dispose()
  }
}
