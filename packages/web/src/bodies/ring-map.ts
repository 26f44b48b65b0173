/**
 * Rings as a strip from their inner to their outer edge: colour and opacity.
 *
 * @source edges of Saturn's and Uranus's rings: NASA ring fact sheets; how dense Saturn's are:
 *   Cuzzi et al. 2010, simplified
 */
import { DataTexture, LinearFilter, LinearMipmapLinearFilter } from 'three'
import { rgb } from '../scene/looks.ts'

/** Inner and outer edge of the strip, in radii of the planet's equator. */
export const RING_INNER = 1.2
export const RING_OUTER = 2.3

const STEPS = 2048

interface Ringlet {
  readonly tint: readonly [number, number, number]
  /** 0 to 1 */
  readonly opacity: number
}

export function ringMap(rings: 'saturn' | 'uranus'): DataTexture {
  const at = rings === 'saturn' ? saturnAt : uranusAt
  const bytes = new Uint8Array(4 * STEPS)
  for (let i = 0; i < STEPS; i++) {
    const { tint, opacity } = at(RING_INNER + ((RING_OUTER - RING_INNER) * (i + 0.5)) / STEPS)
    bytes.set(
      [...tint, opacity].map((part) => Math.round(Math.min(part, 1) * 255)),
      4 * i,
    )
  }
  const texture = new DataTexture(bytes, STEPS, 1)
  texture.generateMipmaps = true
  texture.minFilter = LinearMipmapLinearFilter
  texture.magFilter = LinearFilter
  texture.needsUpdate = true
  return texture
}

const INNER_TINT = rgb('#9e876b')
const OUTER_TINT = rgb('#edd6b0')

function saturnAt(r: number): Ringlet {
  const fine = 0.65 * grain(r * 190) + 0.35 * grain(r * 610)
  const c = rise(1.236, 1.26, r) * (1 - rise(1.52, 1.527, r))
  const b = rise(1.52, 1.54, r) * (1 - rise(1.946, 1.951, r))
  const a = rise(2.024, 2.03, r) * (1 - rise(2.267, 2.271, r))
  const cassini = rise(1.95, 1.96, r) * (1 - rise(2.02, 2.026, r))
  const encke = 1 - Math.exp(-(((r - 2.214) / 0.004) ** 2))
  const opacity =
    c * (0.1 + 0.16 * fine) +
    b * (0.72 + 0.28 * fine) +
    a * encke * (0.5 + 0.16 * fine) +
    cassini * (0.06 + 0.1 * fine)
  const bright = (0.8 + 0.25 * grain(r * 75)) * (1 - 0.18 * rise(1.95, 2.05, r))
  const share = rise(1.4, 1.75, r)
  const mix = (k: number): number =>
    (INNER_TINT[k] + (OUTER_TINT[k] - INNER_TINT[k]) * share) * bright
  return { tint: [mix(0), mix(1), mix(2)], opacity }
}

/** The epsilon ring and one other. */
function uranusAt(r: number): Ringlet {
  const line = (at: number, width: number): number => Math.exp(-(((r - at) / width) ** 2))
  return { tint: [0.35, 0.36, 0.38], opacity: 0.4 * line(2, 0.006) + 0.1 * line(1.87, 0.004) }
}

/** From 0 to 1 between two edges, without a kink. */
function rise(from: number, to: number, r: number): number {
  const s = Math.min(Math.max((r - from) / (to - from), 0), 1)
  return s * s * (3 - 2 * s)
}

/** Smooth noise of one dimension, from 0 to 1. */
function grain(x: number): number {
  const cell = Math.floor(x)
  const from = hash(cell)
  return from + (hash(cell + 1) - from) * rise(0, 1, x - cell)
}

function hash(x: number): number {
  const value = Math.sin(x * 91.7) * 437.5453
  return value - Math.floor(value)
}
