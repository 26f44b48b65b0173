/** How well it is known where the own ship is. */
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
  if (isFrozen) return { kind: 'wrong', text: 'Frozen: it moves no more' }
  if (waitSeconds > 0) {
    return { kind: 'waiting', text: `Waiting for the server, ${Math.ceil(waitSeconds)} s` }
  }
  if (mode === 'practised') return { kind: 'waiting', text: 'Practice: only here' }
  if (mode === 'received') return { kind: 'waiting', text: 'As the server states it' }
  if (drift === 'matched') return { kind: 'right', text: 'In step with the server' }
  if (drift === 'correcting') return { kind: 'waiting', text: 'Corrected by the server' }
  return { kind: 'wrong', text: 'Out of step with the server' }
}
