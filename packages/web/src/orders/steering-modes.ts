/** What the hull can be turned to. */
import { say } from '../languages/say.ts'

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
  { mode: 'prograde', key: 'Digit1', words: say('Point prograde') },
  { mode: 'retrograde', key: 'Digit2', words: say('Point retrograde') },
  { mode: 'normal', key: 'Digit3', words: say('Point normal to the orbit') },
  { mode: 'antinormal', key: 'Digit4', words: say('Point antinormal to the orbit') },
  { mode: 'radial_out', key: 'Digit5', words: say('Point radially out') },
  { mode: 'radial_in', key: 'Digit6', words: say('Point radially in') },
  { mode: 'target', key: 'Digit7', words: say('Point at the target') },
  { mode: 'away', key: 'Digit8', words: say('Point away from the target') },
  { mode: 'sun', key: 'Digit9', words: say('Point at the star') },
  { mode: 'hold', key: 'Digit0', words: say('Hold this attitude') },
  { mode: 'rest', key: 'KeyR', words: say('Stop turning') },
  { mode: 'loose', key: 'KeyF', words: say('Turn freely') },
]

/** Such as `prograde`, of one that points somewhere. */
export function directionOf({ words }: Steering): string {
  return words.replace(say('Point '), '')
}
