/** A line some pixels wide, of as many straight pieces as are added. */
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  type RawShaderMaterial,
  Vector2,
  Vector3,
} from 'three'
import type { Lens } from './frame.ts'
import { shaderMaterial } from './materials.ts'
import type { Drawable } from './scene-layer.ts'
import { RIBBON_FRAGMENT, RIBBON_VERTEX } from './ribbon-shader.ts'

type Colour = readonly [number, number, number]

export interface RibbonStyle {
  readonly colour: Colour
  /** where the engine burns */
  readonly burn: Colour
  /** [px] */
  readonly width: number
  readonly isDashed: boolean
}

/** How the line is at a vertex. */
export interface RibbonPoint {
  /** 0 to 1 */
  strength: number
  isBurning: boolean
  /** of what dashes are made: grows along the line */
  along: number
  /** no piece leads to the next vertex */
  isLast: boolean
}

/** x, y, z, strength, what it is, along. */
const STRIDE = 6

/**
 * Each vertex of the line is there once for each corner of a piece: processors that draw take as
 * long for one instance of a quad as for a thousand pieces.
 */
const CORNERS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const
const RECORD = STRIDE * CORNERS.length
const PIECE = [0, 1, 2, 0, 2, 3]

export class Ribbon implements Drawable {
  readonly isSurface = false
  readonly order = 1
  isVisible = false
  readonly mesh: Mesh<BufferGeometry, RawShaderMaterial>
  /** nearest and farthest vertex from the camera [m] */
  near: number = Infinity
  far = 0
  readonly #buffer: InterleavedBuffer
  readonly #geometry = new BufferGeometry()
  readonly #uniforms: { readonly size: { value: Vector2 }; readonly opacity: { value: number } }
  #count = 0

  constructor({ colour, burn, width, isDashed }: RibbonStyle, vertices: number) {
    this.#buffer = new InterleavedBuffer(new Float32Array(RECORD * vertices), STRIDE)
    this.#buffer.setUsage(DynamicDrawUsage)
    const part = (size: number, offset: number): InterleavedBufferAttribute =>
      new InterleavedBufferAttribute(this.#buffer, size, offset)
    const pieces = Array.from({ length: vertices }, (_, i) => CORNERS.length * i)
    const corners = Float32Array.from(pieces.flatMap(() => CORNERS.flat()))
    this.#geometry
      .setAttribute('corner', new BufferAttribute(corners, 2))
      .setIndex(pieces.flatMap((first) => PIECE.map((corner) => first + corner)))
      // A piece begins at its vertex and ends at the next one of the same buffer.
      .setAttribute('start', part(3, 0))
      .setAttribute('startLook', part(3, 3))
      .setAttribute('end', part(3, RECORD))
      .setAttribute('endLook', part(3, RECORD + 3))
    this.#uniforms = { size: { value: new Vector2() }, opacity: { value: 1 } }
    const material = shaderMaterial({
      vertexShader: RIBBON_VERTEX,
      fragmentShader: RIBBON_FRAGMENT,
      uniforms: {
        ...this.#uniforms,
        colour: { value: new Vector3(...colour) },
        burn: { value: new Vector3(...burn) },
        width: { value: width },
      },
      defines: isDashed ? { DASHED: '' } : {},
      depthWrite: false,
    })
    this.mesh = new Mesh(this.#geometry, material)
    this.mesh.frustumCulled = false
    this.mesh.matrixAutoUpdate = false
  }

  /** Begins again, without any vertex. */
  clear(): void {
    this.#count = 0
    this.isVisible = false
    this.near = Infinity
    this.far = 0
  }

  /** Adds a vertex, from the camera [m]. */
  add(x: number, y: number, z: number, look: RibbonPoint): void {
    const at = RECORD * this.#count++
    const { array } = this.#buffer
    array[at] = x
    array[at + 1] = y
    array[at + 2] = z
    array[at + 3] = look.strength
    array[at + 4] = look.isLast ? -1 : Number(look.isBurning)
    array[at + 5] = look.along
    for (let k = STRIDE; k < RECORD; k++) array[at + k] = array[at + k - STRIDE]
    const distance = Math.sqrt(x * x + y * y + z * z)
    this.far = Math.max(this.far, distance)
    // Between two vertices the line can be nearer than both.
    this.near = Math.min(this.near, distance / 2)
  }

  /** Makes what was added visible. */
  finish({ width, height }: Lens, opacity: number): void {
    this.#geometry.setDrawRange(0, PIECE.length * Math.max(this.#count - 1, 0))
    this.#buffer.clearUpdateRanges()
    this.#buffer.addUpdateRange(0, RECORD * this.#count)
    this.#buffer.needsUpdate = true
    this.#uniforms.size.value.set(width, height)
    this.#uniforms.opacity.value = opacity
    this.isVisible = this.#count > 1
  }

  dispose(): void {
    this.#geometry.dispose()
    this.mesh.material.dispose()
  }
}
