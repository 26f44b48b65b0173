/** Shows constellations while the player wants them; they are loaded when first wanted. */
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import type { Stage } from '../view/stage.ts'
import { constellations as figures, stars } from './assets.ts'

const FAILED = {
  subject: 'sky',
  kind: 'warning',
  text: say('Constellations do not load.'),
} as const

export function attachConstellations(
  { settings: { constellations }, notices }: Game,
  stage: Stage,
): void {
  let removals: readonly (() => void)[] = []
  constellations.subscribe((isOn) => {
    for (const remove of removals) remove()
    removals = []
    if (!isOn) return
    import('../labels/constellations.ts')
      .then(async ({ loadedConstellations }) => {
        const layer = await loadedConstellations(stars, figures)
        if (!constellations.peek() || removals.length > 0) return layer.dispose()
        removals = [stage.addLayer(layer), stage.addLabels(layer), () => layer.dispose()]
      })
      .catch(() => {
        constellations.value = false
        notices.show(FAILED)
      })
  })
}
