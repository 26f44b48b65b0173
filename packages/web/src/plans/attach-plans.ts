/** The plan of a session in the picture, loaded when a plan is first wanted. */
import { effect } from '@preact/signals'
import type { Game } from '../game/game.ts'
import type { Stage } from '../view/stage.ts'
import type { PlanMap } from './plan-map.ts'

/** Returns what adds a node where a click meets the way of the ship, and whether it does. */
export function attachPlans(
  game: Game,
  stage: Stage,
): (x: number, y: number, reach: number) => Promise<boolean> {
  let map: Promise<PlanMap> | undefined
  const load = async (): Promise<PlanMap | undefined> => {
    map ??= import('./plan-map.ts').then((module) => new module.PlanMap(game, stage))
    try {
      return await map
    } catch {
      // The form says that it does not load; the next click tries again.
      map = undefined
      return undefined
    }
  }
  effect(() => {
    if (game.session.value && game.orderKind.value === 'Plan') void load()
  })
  return async (x, y, reach) => {
    const loaded = game.session.peek() && (await load())
    return loaded?.pick({ x, y, reach }) ?? false
  }
}
