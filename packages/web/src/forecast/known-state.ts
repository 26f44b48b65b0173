/** How well it is known where the own ship is. */
import { say } from '../languages/say.ts'
import type { OwnReadings } from '../readings/own-readings.ts'

export interface KnownState {
  readonly kind: 'right' | 'waiting' | 'wrong'
  readonly text: string
}

export function knownState({
  isFrozen,
  mode,
  drift,
  waitSeconds,
}: Pick<OwnReadings, 'isFrozen' | 'mode' | 'drift' | 'waitSeconds'>): KnownState {
  if (isFrozen) return { kind: 'wrong', text: say('Frozen: it moves no more') }
  if (waitSeconds > 0) {
    return {
      kind: 'waiting',
      text: say('Waiting for the server, {seconds} s', { seconds: Math.ceil(waitSeconds) }),
    }
  }
  if (mode === 'practised') return { kind: 'waiting', text: say('Practice: only here') }
  if (mode === 'received') return { kind: 'waiting', text: say('As the server states it') }
  if (drift === 'matched') return { kind: 'right', text: say('In step with the server') }
  if (drift === 'correcting') return { kind: 'waiting', text: say('Corrected by the server') }
  return { kind: 'wrong', text: say('Out of step with the server') }
}
