/** Many copies of one solid, lit by the star, by the body nearby and by their own lamps. */
import { DynamicDrawUsage, InstancedBufferAttribute, Mesh } from 'three'
import type { InstancedBufferGeometry, RawShaderMaterial } from 'three'
import type { Drawable } from '../scene/scene-layer.ts'
import type { Vector } from '@orrery/page-kit'

/** Where a copy is from the camera [m], how it is turned, and how far it has faded in. */
export interface Pose {
  readonly position: Vector
  /** w x y z, from its own axes to those of the star system */
  readonly attitude: Float64Array
  /** factor of its size */
  readonly scale: number
  /** 0 to 1; what else it means is up to the shader */
  readonly strength: number
}

export interface MeshOptions {
  readonly capacity: number
  readonly order: number
  readonly isSurface: boolean
  /** around each copy, before its scale [m] */
  readonly radius: number
}

export class ModelMesh implements Drawable {
  readonly mesh: Mesh<InstancedBufferGeometry, RawShaderMaterial>
  readonly isSurface: boolean
  readonly order: number
  near: number = Infinity
  far = 0
  readonly #radius: number
  readonly #capacity: number
  readonly #places: InstancedBufferAttribute
  readonly #turns: InstancedBufferAttribute
  readonly #strengths: InstancedBufferAttribute

  constructor(
    geometry: InstancedBufferGeometry,
    material: RawShaderMaterial,
    { capacity, order, isSurface, radius }: MeshOptions,
  ) {
    this.isSurface = isSurface
    this.order = order
    this.#radius = radius
    this.#capacity = capacity
    geometry.instanceCount = 0
    const attribute = (name: string, size: number): InstancedBufferAttribute => {
      const made = new InstancedBufferAttribute(new Float32Array(size * capacity), size)
      made.setUsage(DynamicDrawUsage)
      geometry.setAttribute(name, made)
      return made
    }
    this.#places = attribute('place', 4)
    this.#turns = attribute('turn', 4)
    this.#strengths = attribute('strength', 1)
    this.mesh = new Mesh(geometry, material)
    this.mesh.frustumCulled = false
    this.mesh.matrixAutoUpdate = false
  }

  get count(): number {
    return this.mesh.geometry.instanceCount
  }

  get isVisible(): boolean {
    return this.count > 0
  }

  clear(): void {
    this.mesh.geometry.instanceCount = 0
    this.near = Infinity
    this.far = 0
  }

  /** Draws one copy more; false when there is no room. */
  add({ position, attitude, scale, strength }: Pose): boolean {
    const i = this.count
    if (i >= this.#capacity) return false
    this.#places.setXYZW(i, position[0], position[1], position[2], scale)
    this.#turns.setXYZW(i, attitude[1], attitude[2], attitude[3], attitude[0])
    this.#strengths.setX(i, strength)
    this.mesh.geometry.instanceCount = i + 1
    const distance = Math.hypot(position[0], position[1], position[2])
    const reach = scale * this.#radius
    this.near = Math.min(this.near, Math.max(distance - reach, 0))
    this.far = Math.max(this.far, distance + reach)
    return true
  }

  /** Hands what was added to the graphics card. */
  upload(): void {
    if (this.count === 0) return
    this.#places.needsUpdate = true
    this.#turns.needsUpdate = true
    this.#strengths.needsUpdate = true
  }

  dispose(): void {
    this.mesh.geometry.dispose()
  }
}

/** 0 below the first of two numbers, 1 above the second. */
export function rise(value: number, [from, to]: readonly [number, number]): number {
  const share = Math.min(Math.max((value - from) / (to - from), 0), 1)
  return share * share * (3 - 2 * share)
}
