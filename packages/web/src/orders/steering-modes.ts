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
  /** its place, as `KeyboardEvent.code` */
  readonly key: string
  /** what it does, such as `Point prograde` */
  readonly words: string
}

/** In the order in which they are shown. */
export const STEERINGS: readonly Steering[] = [
  { mode: 'prograde', key: 'Digit1', words: 'Point prograde' },
  { mode: 'retrograde', key: 'Digit2', words: 'Point retrograde' },
  { mode: 'normal', key: 'Digit3', words: 'Point normal to the orbit' },
  { mode: 'antinormal', key: 'Digit4', words: 'Point antinormal to the orbit' },
  { mode: 'radial_out', key: 'Digit5', words: 'Point radially out' },
  { mode: 'radial_in', key: 'Digit6', words: 'Point radially in' },
  { mode: 'target', key: 'Digit7', words: 'Point at the target' },
  { mode: 'away', key: 'Digit8', words: 'Point away from the target' },
  { mode: 'sun', key: 'Digit9', words: 'Point at the star' },
  { mode: 'hold', key: 'Digit0', words: 'Hold this attitude' },
  { mode: 'rest', key: 'KeyR', words: 'Stop turning' },
  { mode: 'loose', key: 'KeyF', words: 'Turn freely' },
]
