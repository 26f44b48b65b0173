/** What the hull can be turned to. */

export type SteeringMode =
  | 'prograde'
  | 'retrograde'
  | 'normal'
  | 'antinormal'
  | 'radial_out'
  | 'radial_in'
  | 'target'
  | 'away'
  | 'sun'
  | 'hold'
  | 'rest'
  | 'loose'

export interface Steering {
  readonly mode: SteeringMode
  readonly key: string
  /** what it does, such as `Point prograde` */
  readonly words: string
}

/** In the order in which they are shown. */
export const STEERINGS: readonly Steering[] = [
  { mode: 'prograde', key: '1', words: 'Point prograde' },
  { mode: 'retrograde', key: '2', words: 'Point retrograde' },
  { mode: 'normal', key: '3', words: 'Point normal to the orbit' },
  { mode: 'antinormal', key: '4', words: 'Point antinormal to the orbit' },
  { mode: 'radial_out', key: '5', words: 'Point radially out' },
  { mode: 'radial_in', key: '6', words: 'Point radially in' },
  { mode: 'target', key: '7', words: 'Point at the target' },
  { mode: 'away', key: '8', words: 'Point away from the target' },
  { mode: 'sun', key: '9', words: 'Point at the star' },
  { mode: 'hold', key: '0', words: 'Hold this attitude' },
  { mode: 'rest', key: 'r', words: 'Stop turning' },
  { mode: 'loose', key: 'f', words: 'Turn freely' },
]
