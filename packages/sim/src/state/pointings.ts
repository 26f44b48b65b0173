/** What orders can turn a hull to, each name at the place of its code. */
export const POINTINGS = [
  'hold',
  'prograde',
  'retrograde',
  'normal',
  'antinormal',
  'radial_out',
  'radial_in',
  'target',
  'rest',
  'loose',
] as const

export type Pointing = (typeof POINTINGS)[number]

/** What a hull is turned to, by code: the rate of a spin is ordered by itself. */
export const HULL_POINTINGS: readonly (Pointing | 'spin')[] = [...POINTINGS, 'spin']
