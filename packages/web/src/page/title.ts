/** The title of the window, for one who looks at another window: what goes on here. */
import { type Signal, signal } from '@preact/signals'
import { say, sayName } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { distanceText } from '../quantities/quantities.ts'

const PERIOD_MS = 1000

/** What calls the player now, such as `Burn in 40 s`; `""` for nothing. */
export const alarm: Signal<string> = signal('')

export function attachTitle(game: Game): () => void {
  const timer = setInterval(() => {
    const title = `${titleOf(game)} - Orrery`
    if (document.title !== title) document.title = title
  }, PERIOD_MS)
  return () => clearInterval(timer)
}

function titleOf({ pause, readings, focus, guestSystem }: Game): string {
  if (pause.value) return say('Paused')
  if (alarm.value !== '') return alarm.value
  if (readings.value) {
    const { body, altitude } = readings.value.own
    return `${sayName(body)}, ${distanceText(altitude)}`
  }
  return focus.value?.kind === 'body' ? sayName(focus.value.name) : guestSystem.value
}
