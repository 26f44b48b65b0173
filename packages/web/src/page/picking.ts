/** What is under a click or a tap. */
import type { Game } from '../game/game.ts'
import { type Thing, isSame } from '../readings/thing.ts'
import type { Vector } from '@orrery/page-kit'
import { Covering } from '../labels/covering.ts'
import type { LabelSource } from '../view/label-source.ts'

type Project = (out: { x: number; y: number }, point: Vector) => boolean

/** How much farther from a click a thing of a kind counts as [px]. */
const HANDICAPS = { body: 0, station: 0, jumpgate: 0, ship: 2 } as const

/** Inside a disc a click is for the body, unless something else is as near to it [share]. */
const DISC_SHARE = 0.8

/**
 * The thing at a point of the canvas.
 *
 * @param reach  how far from it things count [px]
 */
export function thingAt(
  sources: Iterable<LabelSource>,
  project: Project,
  { x, y, reach }: { readonly x: number; readonly y: number; readonly reach: number },
): Thing | undefined {
  const covering = new Covering()
  for (const source of sources) covering.fill(source.covers?.() ?? [])
  const point = { x: 0, y: 0 }
  let found: Thing | undefined
  let least = reach
  for (const source of sources) {
    for (const { thing, position, pixels } of source.things?.() ?? source.items()) {
      if (!thing || !project(point, position)) continue
      const away = Math.hypot(point.x - x, point.y - y)
      const inside = Math.min(pixels, DISC_SHARE * reach)
      const score = (away < pixels ? inside : away - pixels) + HANDICAPS[thing.kind]
      if (score >= least || covering.covers(position)) continue
      least = score
      found = thing
    }
  }
  return found
}

/** The first click looks at a thing, the next one makes it the target, unless it is one's own. */
export function choose({ focus, session, target }: Game, thing: Thing): void {
  if (!isSame(focus.value, thing)) focus.value = thing
  else if (thing.kind !== 'ship' || thing.id !== session.value?.flight.ship.id) target.value = thing
}
