/** A body as a mesh with its air around it, for a processor that draws. */
import {
  BufferAttribute,
  BufferGeometry,
  Group,
  type IUniform,
  Mesh,
  type RawShaderMaterial,
} from 'three'
import { AIR_FRAGMENT, AIR_VERTEX, GLOBE_FRAGMENT, GLOBE_VERTEX } from './globe-shader.ts'
import { shaderMaterial } from './materials.ts'

/** Pieces from pole to pole, twice as many around. */
const ROWS = 48

/** Pieces of the air around. */
const AIR_PIECES = 240

export class Globe {
  readonly group: Group = new Group()
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
    const parts = hasAir ? [new Mesh(AIR, air), new Mesh(GLOBE, globe)] : [new Mesh(GLOBE, globe)]
    for (const part of parts) part.frustumCulled = false
    this.group.add(...parts)
    this.group.matrixAutoUpdate = false
    this.#materials = [globe, air]
  }

  dispose(): void {
    for (const material of this.#materials) material.dispose()
  }
}

/** A sphere of radius 1 in the axes of the body, with the places of its map. */
const GLOBE = globeGeometry()

function globeGeometry(): BufferGeometry {
  const columns = 2 * ROWS
  const positions: number[] = []
  const places: number[] = []
  const index: number[] = []
  for (let row = 0; row <= ROWS; row++) {
    const latitude = Math.PI * (row / ROWS - 0.5)
    for (let column = 0; column <= columns; column++) {
      const longitude = 2 * Math.PI * (column / columns - 0.5)
      const across = Math.cos(latitude)
      positions.push(across * Math.cos(longitude), across * Math.sin(longitude), Math.sin(latitude))
      places.push(column / columns, row / ROWS)
      if (row === ROWS || column === columns) continue
      const at = row * (columns + 1) + column
      const above = at + columns + 1
      index.push(at, at + 1, above, above, at + 1, above + 1)
    }
  }
  return geometry(positions, index).setAttribute('place', attribute(places, 2))
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
  return geometry(positions, index)
}

function geometry(positions: readonly number[], index: number[]): BufferGeometry {
  return new BufferGeometry().setAttribute('position', attribute(positions, 3)).setIndex(index)
}

function attribute(values: readonly number[], size: number): BufferAttribute {
  return new BufferAttribute(Float32Array.from(values), size)
}
