/** A body as a mesh with its air around it, for a processor that draws. */
import {
  BufferAttribute,
  BufferGeometry,
  Group,
  type IUniform,
  Mesh,
  type RawShaderMaterial,
} from 'three'
import { sphereGrid } from '../space/sphere-cap.ts'
import { length, type Vector } from '@orrery/page-kit'
import { CapGeometry } from '../scene/cap-geometry.ts'
import { AIR_FRAGMENT, AIR_VERTEX, GLOBE_FRAGMENT, GLOBE_VERTEX } from './globe-shader.ts'
import { shaderMaterial } from '../scene/materials.ts'

/** A sphere of radius 1 in the axes of the body; its rows show at the limb. */
const GLOBE = sphereGrid(48)

/** Beyond the horizon, from where the corners of pieces are seen [rad]. */
const HORIZON = 0.08

/** Pieces of the air around. */
const AIR_PIECES = 240

export class Globe {
  readonly group: Group = new Group()
  readonly #geometry = new CapGeometry(GLOBE)
  readonly #materials: readonly RawShaderMaterial[]

  constructor(
    uniforms: Record<string, IUniform>,
    defines: Record<string, number | string>,
    hasAir: boolean,
  ) {
    const globe = shaderMaterial({
      vertexShader: GLOBE_VERTEX,
      fragmentShader: GLOBE_FRAGMENT,
      defines,
      uniforms,
      transparent: false,
    })
    const air = shaderMaterial({
      vertexShader: AIR_VERTEX,
      fragmentShader: AIR_FRAGMENT,
      defines,
      uniforms,
      depthWrite: false,
    })
    // The globe covers the inner edge of its air.
    const ground = new Mesh<BufferGeometry, RawShaderMaterial>(this.#geometry, globe)
    const parts = hasAir ? [new Mesh(AIR, air), ground] : [ground]
    for (const part of parts) part.frustumCulled = false
    this.group.add(...parts)
    this.group.matrixAutoUpdate = false
    this.#materials = [globe, air]
  }

  /**
   * Draws what is before the horizon.
   *
   * @param camera  from the centre, in the axes of the body in which it is a sphere
   * @param radius  of that sphere
   */
  show(camera: Vector, radius: number): void {
    const horizon = Math.acos(Math.min(radius / length(camera), 1))
    this.#geometry.show(camera, horizon + HORIZON)
  }

  dispose(): void {
    this.#geometry.dispose()
    for (const material of this.#materials) material.dispose()
  }
}

/** A ring: cosine and sine of the way around, and 0 within, 1 at the outer edge. */
const AIR = airGeometry()

function airGeometry(): BufferGeometry {
  const positions: number[] = []
  const index: number[] = []
  for (let piece = 0; piece <= AIR_PIECES; piece++) {
    const angle = (2 * Math.PI * piece) / AIR_PIECES
    for (const edge of [0, 1]) positions.push(Math.cos(angle), Math.sin(angle), edge)
    if (piece === AIR_PIECES) continue
    const at = 2 * piece
    index.push(at, at + 1, at + 2, at + 2, at + 1, at + 3)
  }
  return new BufferGeometry()
    .setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3))
    .setIndex(index)
}
