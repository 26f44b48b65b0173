/** Alarms and sounds, loaded when a player first wants them. */
import { type ReadonlySignal, effect } from '@preact/signals'
import type { Game } from '../game/game.ts'

export function attachAlarms(game: Game): void {
  const { alarms, sound } = game.settings
  start(game, alarms, async () => (await import('./alarms.ts')).startAlarms(game))
  start(game, sound, async () => (await import('./sounds.ts')).startSounds(game))
}

function start(
  { session }: Game,
  isWanted: ReadonlySignal<boolean>,
  load: () => Promise<void>,
): void {
  let isLoading = false
  effect(() => {
    if (isLoading || !isWanted.value || !session.value) return
    isLoading = true
    // The next session tries again.
    load().catch(() => (isLoading = false))
  })
}
