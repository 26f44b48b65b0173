/** Alarms, loaded when a player first wants them. */
import { effect } from '@preact/signals'
import type { Game } from '../game/game.ts'

export function attachAlarms(game: Game): void {
  let isLoading = false
  effect(() => {
    if (isLoading || !game.settings.alarms.value || !game.session.value) return
    isLoading = true
    import('./alarms.ts').then(
      ({ startAlarms }) => startAlarms(game),
      // The next session tries again.
      () => (isLoading = false),
    )
  })
}
