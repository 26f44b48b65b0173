/** The lines of orbits, all in one draw. */
import {
  BufferGeometry,
  DynamicDrawUsage,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  LineSegments,
  type RawShaderMaterial,
} from 'three'
import {
  OBJECT_VERTEX,
  ORBIT_VERTICES,
  type OrbitState,
  orbitVertices,
  type Vector,
} from '@orrery/page-kit'
import { shaderMaterial } from '../scene/materials.ts'
import type { Drawable } from '../scene/scene-layer.ts'
import type { SidesOf } from '../scene/seen-sides.ts'

const VERTEX = `
in vec3 position;
in vec4 light;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
out vec4 colour;
void main() {
  colour = light;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}
`

const FRAGMENT = `
precision highp float;
in vec4 colour;
out vec4 result;
void main() {
  result = colour;
}
`

/** Brightest just behind the object, as a trail. */
const FADES = Float64Array.from({ length: ORBIT_VERTICES }, (_, i) =>
  i <= OBJECT_VERTEX ? 0.3 + 0.7 * (i / OBJECT_VERTEX) ** 2 : 0.3,
)

/** A vertex so near to the one before is left out: short pieces cost as much as long ones [px]. */
const APART = 1

/** Place from the camera [m], then colour and opacity, of one end of a piece. */
const FLOATS = 7

/** Of one orbit. */
const FLOATS_MAX = 2 * FLOATS * (ORBIT_VERTICES - 1)

const vertices = new Float64Array(3 * ORBIT_VERTICES)

/** How an orbit is drawn. */
export interface OrbitView {
  readonly colour: readonly [number, number, number]
  readonly opacity: number
  readonly sidesOf: SidesOf
  /** pixels per unit of the tangent of an angle */
  readonly focal: number
}

/** The pieces of one orbit that can be in the picture. */
export class OrbitPieces {
  readonly values: Float32Array = new Float32Array(FLOATS_MAX)
  /** how many of the values are in use */
  length = 0
  /** of the pieces from the camera [m] */
  near: number = Infinity
  far = 0
  /** No part of the whole orbit is nearer [m]. */
  nearest: number = Infinity

  /** @param object  where it is, from the camera [m] */
  trace(object: Vector, state: OrbitState, { colour, opacity, sidesOf, focal }: OrbitView): void {
    this.length = 0
    this.near = Infinity
    this.far = 0
    this.nearest = Infinity
    if (!orbitVertices(vertices, state)) return
    const closeness = (APART / focal) ** 2
    let [beforeX, beforeY, beforeZ, beforeSquare, beforeFade] = [0, 0, 0, 0, 0]
    let before = ~0
    let least = Infinity
    for (let i = 0; i < ORBIT_VERTICES; i++) {
      const x = vertices[3 * i] + object[0]
      const y = vertices[3 * i + 1] + object[1]
      const z = vertices[3 * i + 2] + object[2]
      const square = x * x + y * y + z * z
      if (square < least) least = square
      if (i > 0 && i !== OBJECT_VERTEX && i !== ORBIT_VERTICES - 1) {
        const apart = (x - beforeX) ** 2 + (y - beforeY) ** 2 + (z - beforeZ) ** 2
        if (apart < closeness * square) continue
      }
      const sides = sidesOf(x, y, z)
      const fade = FADES[i] * opacity
      if (i > 0 && (sides & before) === 0) {
        this.#write(beforeX, beforeY, beforeZ, beforeFade, colour)
        this.#write(x, y, z, fade, colour)
        // Between two vertices the line can be nearer than both.
        this.near = Math.min(this.near, 0.5 * Math.sqrt(Math.min(square, beforeSquare)))
        this.far = Math.max(this.far, Math.sqrt(Math.max(square, beforeSquare)))
      }
      before = sides
      beforeX = x
      beforeY = y
      beforeZ = z
      beforeSquare = square
      beforeFade = fade
    }
    this.nearest = 0.5 * Math.sqrt(least)
  }

  #write(x: number, y: number, z: number, fade: number, colour: OrbitView['colour']): void {
    const { values, length: at } = this
    values[at] = x
    values[at + 1] = y
    values[at + 2] = z
    values[at + 3] = colour[0] * fade
    values[at + 4] = colour[1] * fade
    values[at + 5] = colour[2] * fade
    values[at + 6] = fade
    this.length += FLOATS
  }
}

export class OrbitLines implements Drawable {
  readonly isSurface = false
  readonly order = 1
  readonly mesh: LineSegments<BufferGeometry, RawShaderMaterial>
  near: number = Infinity
  far = 0
  readonly #buffer: InterleavedBuffer
  #floats = 0

  /** @param orbits  so many at most */
  constructor(orbits: number) {
    const array = new Float32Array(FLOATS_MAX * orbits)
    this.#buffer = new InterleavedBuffer(array, FLOATS).setUsage(DynamicDrawUsage)
    const geometry = new BufferGeometry()
      .setAttribute('position', new InterleavedBufferAttribute(this.#buffer, 3, 0))
      .setAttribute('light', new InterleavedBufferAttribute(this.#buffer, 4, 3))
    const material = shaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      depthWrite: false,
    })
    this.mesh = new LineSegments(geometry, material)
    this.mesh.frustumCulled = false
    this.mesh.matrixAutoUpdate = false
  }

  get isVisible(): boolean {
    return this.#floats > 0
  }

  clear(): void {
    this.#floats = 0
    this.near = Infinity
    this.far = 0
  }

  add({ values, length, near, far }: OrbitPieces): void {
    this.#buffer.array.set(values.subarray(0, length), this.#floats)
    this.#floats += length
    this.near = Math.min(this.near, near)
    this.far = Math.max(this.far, far)
  }

  /** Hands what was added to the graphics card. */
  upload(): void {
    if (!this.isVisible) return
    this.mesh.geometry.setDrawRange(0, this.#floats / FLOATS)
    this.#buffer.clearUpdateRanges()
    this.#buffer.addUpdateRange(0, this.#floats)
    this.#buffer.needsUpdate = true
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
  }
}
