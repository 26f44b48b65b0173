/** What bodies look like from afar and near: colours as the eye sees them. */

/** What the generated surface shows. */
export const SURFACES = {
  rock: 0,
  moon: 1,
  bands: 2,
  ice: 3,
  clouds: 4,
  mars: 5,
  sulphur: 6,
  star: 7,
  plain: 8,
} as const

export type Surface = keyof typeof SURFACES

export interface Atmosphere {
  readonly colour: string
  /** height above the surface at which it is a third as dense, in radii of the body */
  readonly scaleHeight: number
  /** from 0 to 1 */
  readonly density: number
}

export interface Look {
  readonly surface: Surface
  /** dark, middle and light parts of the surface */
  readonly colours: readonly [string, string, string]
  /** part of the light that it returns */
  readonly albedo: number
  readonly atmosphere?: Atmosphere
  readonly rings?: 'saturn' | 'uranus'
  /**
   * Part by which the polar radius is less than the equatorial.
   *
   * @source IAU WGCCRE 2015 (Archinal et al. 2018), tables 4 and 6
   */
  readonly flattening?: number
}

const NAMED: Readonly<Record<string, Look>> = {
  Sun: { surface: 'star', colours: ['#ffb25a', '#fff1d6', '#ffffff'], albedo: 1 },
  Mercury: { surface: 'rock', colours: ['#5f5850', '#8c8378', '#b8ac9c'], albedo: 0.14 },
  Venus: {
    surface: 'clouds',
    colours: ['#cfae72', '#e8d3a0', '#fbf1d4'],
    albedo: 0.69,
    atmosphere: { colour: '#ffe7b0', scaleHeight: 0.006, density: 0.6 },
  },
  Earth: {
    surface: 'plain',
    colours: ['#1b3a6b', '#3f6fa8', '#dfe8f2'],
    albedo: 0.43,
    atmosphere: { colour: '#6fa8ff', scaleHeight: 0.009, density: 1 },
    flattening: 0.003_353,
  },
  Moon: { surface: 'moon', colours: ['#4c4a48', '#8f8b86', '#c9c4bc'], albedo: 0.12 },
  Mars: {
    surface: 'mars',
    colours: ['#5a3626', '#b5663c', '#e0a878'],
    albedo: 0.17,
    atmosphere: { colour: '#d8a888', scaleHeight: 0.006, density: 0.3 },
    flattening: 0.005_886,
  },
  Phobos: { surface: 'rock', colours: ['#3f3933', '#5e554c', '#7d7268'], albedo: 0.07 },
  Deimos: { surface: 'rock', colours: ['#4a433b', '#6b6156', '#8b8072'], albedo: 0.07 },
  Ceres: { surface: 'rock', colours: ['#46433f', '#6a6660', '#8d8880'], albedo: 0.09 },
  Vesta: { surface: 'rock', colours: ['#6b6660', '#9a948b', '#c4bcb0'], albedo: 0.42 },
  Jupiter: {
    surface: 'bands',
    colours: ['#a06a45', '#d5b189', '#f3e7d3'],
    albedo: 0.54,
    atmosphere: { colour: '#e8c8a0', scaleHeight: 0.002, density: 0.25 },
    flattening: 0.064_874,
  },
  Io: { surface: 'sulphur', colours: ['#8a5a22', '#e2c64a', '#f6efb8'], albedo: 0.63 },
  Europa: { surface: 'ice', colours: ['#8d6a4e', '#d9cbb4', '#f4f0e8'], albedo: 0.67 },
  Ganymede: { surface: 'ice', colours: ['#5d5348', '#93887a', '#d0c8bb'], albedo: 0.43 },
  Callisto: { surface: 'rock', colours: ['#3a332b', '#62574a', '#a79a88'], albedo: 0.17 },
  Saturn: {
    surface: 'bands',
    colours: ['#b99c6b', '#e0c995', '#f6e9c8'],
    albedo: 0.5,
    atmosphere: { colour: '#f0d8a0', scaleHeight: 0.002, density: 0.25 },
    rings: 'saturn',
    flattening: 0.097_962,
  },
  Mimas: { surface: 'rock', colours: ['#84827f', '#b4b2ae', '#dcdad6'], albedo: 0.96 },
  Enceladus: { surface: 'ice', colours: ['#c4d2dc', '#eef3f6', '#ffffff'], albedo: 1 },
  Tethys: { surface: 'rock', colours: ['#aaa79f', '#d3d0c9', '#f1efea'], albedo: 1 },
  Dione: { surface: 'ice', colours: ['#96938d', '#c6c3bd', '#eeece8'], albedo: 1 },
  Rhea: { surface: 'rock', colours: ['#8f8b85', '#bab6af', '#e4e1dc'], albedo: 0.95 },
  Titan: {
    surface: 'clouds',
    colours: ['#b0742a', '#d69a45', '#e8b868'],
    albedo: 0.22,
    atmosphere: { colour: '#e8a850', scaleHeight: 0.03, density: 0.8 },
  },
  Iapetus: { surface: 'rock', colours: ['#33291f', '#8a7c6a', '#dcd2c2'], albedo: 0.3 },
  Uranus: {
    surface: 'bands',
    colours: ['#9fd6dc', '#b4e2e6', '#d5f1f2'],
    albedo: 0.49,
    atmosphere: { colour: '#b8f0f4', scaleHeight: 0.004, density: 0.4 },
    rings: 'uranus',
    flattening: 0.022_927,
  },
  Miranda: { surface: 'ice', colours: ['#6e6c69', '#9b9995', '#cbc9c5'], albedo: 0.32 },
  Ariel: { surface: 'ice', colours: ['#77746f', '#a6a39d', '#d2cfca'], albedo: 0.39 },
  Umbriel: { surface: 'rock', colours: ['#3f3e3c', '#605e5b', '#85837f'], albedo: 0.21 },
  Titania: { surface: 'rock', colours: ['#696460', '#948e88', '#c0bab3'], albedo: 0.27 },
  Oberon: { surface: 'rock', colours: ['#5c5550', '#877e77', '#b3aaa2'], albedo: 0.23 },
  Neptune: {
    surface: 'bands',
    colours: ['#5f93d6', '#86b6ea', '#c0dcf7'],
    albedo: 0.44,
    atmosphere: { colour: '#90c0ff', scaleHeight: 0.004, density: 0.45 },
    flattening: 0.017_081,
  },
  Triton: { surface: 'ice', colours: ['#a58f86', '#cdbcb2', '#eee5de'], albedo: 0.76 },
  Pluto: { surface: 'ice', colours: ['#5a3b2a', '#c2a283', '#f0e2cd'], albedo: 0.52 },
  Charon: { surface: 'rock', colours: ['#5b5653', '#8a8480', '#b5afaa'], albedo: 0.37 },
  Eris: { surface: 'ice', colours: ['#b6b3ae', '#dad8d4', '#f5f4f2'], albedo: 0.96 },
  'Alpha Centauri A': { surface: 'star', colours: ['#ffbe6b', '#fff4e2', '#ffffff'], albedo: 1 },
  'Alpha Centauri B': { surface: 'star', colours: ['#ff9a45', '#ffddb0', '#fff4e4'], albedo: 1 },
  'Proxima Centauri': { surface: 'star', colours: ['#e0441c', '#ff9a5c', '#ffd0a0'], albedo: 1 },
  'TRAPPIST-1': { surface: 'star', colours: ['#c8320f', '#ff7a3c', '#ffb27a'], albedo: 1 },
}

const STAR: Look = { surface: 'star', colours: ['#ffb25a', '#fff1d6', '#ffffff'], albedo: 1 }
const GIANT: Look = { surface: 'bands', colours: ['#8f7a6a', '#c2ac94', '#eadfce'], albedo: 0.4 }

/** Palettes of worlds without photographs. */
const UNSEEN: readonly Look['colours'][] = [
  ['#4a3a30', '#8a6a50', '#c0a080'],
  ['#3a4550', '#6a7f8e', '#b0c4cf'],
  ['#54362c', '#9c5a40', '#d09a70'],
  ['#3d4038', '#6f7564', '#a9ad98'],
]

/** Radius [m] above which a planet counts as a giant. */
const GIANT_RADIUS = 1.5e7

export function lookOf({
  name,
  kind,
  radius,
}: {
  readonly name: string
  readonly kind: string
  readonly radius: number
}): Look {
  const named = NAMED[name]
  if (named) return named
  if (kind === 'star') return STAR
  if (radius > GIANT_RADIUS) return GIANT
  const colours = UNSEEN[(name.codePointAt(name.length - 1) ?? 0) % UNSEEN.length]
  return { surface: 'rock', colours, albedo: 0.3 }
}

/** Red, green and blue from 0 to 1, as they are written. */
export function rgb(colour: string): readonly [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}
