/** Lights of a few pixels and the glows around stars, all in one draw. */
import {
  DynamicDrawUsage,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  type RawShaderMaterial,
} from 'three'
import { length, type Vector } from '@orrery/page-kit'
import { QUAD, shaderMaterial } from '../scene/materials.ts'
import type { Drawable } from '../scene/scene-layer.ts'
import { GLOW_FRAGMENT, GLOW_VERTEX } from './sky-shader.ts'

export interface Glow {
  /** from the camera [m] */
  readonly position: Vector
  /** [px] */
  readonly radius: number
  /** of the canvas [px] */
  readonly width: number
  readonly height: number
  readonly colour: readonly [number, number, number]
  readonly bright: number
  /** radius of the disc within, over that of the glow; 0 for a point */
  readonly core: number
}

/** Attributes of the shader: so many floats each. */
const SIZES = { position: 3, size: 2, colour: 3, look: 2 } as const
const FLOATS = 10

export class Glows implements Drawable {
  readonly isSurface = false
  readonly order = 2
  near: number = Infinity
  far = 0
  readonly mesh: Mesh<InstancedBufferGeometry, RawShaderMaterial>
  readonly #buffer: InstancedInterleavedBuffer

  /** @param capacity  so many at most */
  constructor(capacity: number) {
    this.#buffer = new InstancedInterleavedBuffer(new Float32Array(FLOATS * capacity), FLOATS)
    this.#buffer.setUsage(DynamicDrawUsage)
    const geometry = new InstancedBufferGeometry()
    geometry.setAttribute('corner', QUAD.getAttribute('corner')).setIndex(QUAD.getIndex())
    let offset = 0
    for (const [name, size] of Object.entries(SIZES)) {
      geometry.setAttribute(name, new InterleavedBufferAttribute(this.#buffer, size, offset))
      offset += size
    }
    geometry.instanceCount = 0
    const material = shaderMaterial({
      vertexShader: GLOW_VERTEX,
      fragmentShader: GLOW_FRAGMENT,
      depthWrite: false,
    })
    this.mesh = new Mesh(geometry, material)
    this.mesh.frustumCulled = false
    this.mesh.matrixAutoUpdate = false
  }

  get isVisible(): boolean {
    return this.mesh.geometry.instanceCount > 0
  }

  clear(): void {
    this.mesh.geometry.instanceCount = 0
    this.near = Infinity
    this.far = 0
  }

  add({ position, radius, width, height, colour, bright, core }: Glow): void {
    const { geometry } = this.mesh
    const { array } = this.#buffer
    const at = FLOATS * geometry.instanceCount++
    array[at] = position[0]
    array[at + 1] = position[1]
    array[at + 2] = position[2]
    array[at + 3] = (2 * radius) / width
    array[at + 4] = (2 * radius) / height
    array[at + 5] = colour[0]
    array[at + 6] = colour[1]
    array[at + 7] = colour[2]
    array[at + 8] = bright
    array[at + 9] = core
    const distance = length(position)
    this.near = Math.min(this.near, distance)
    this.far = Math.max(this.far, distance)
  }

  /** Hands what was added to the graphics card. */
  upload(): void {
    if (this.isVisible) this.#buffer.needsUpdate = true
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
  }
}
