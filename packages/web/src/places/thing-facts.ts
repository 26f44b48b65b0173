/** What is known of something in space. */
import { say, sayName } from '../languages/say.ts'
import { distanceText } from '../quantities/quantities.ts'
import type { Thing } from '../readings/thing.ts'
import { withArticle } from '../readings/thing-names.ts'
import type { Stage } from '../view/stage.ts'
import type { Frame } from '../scene/frame.ts'
import type { SceneBody } from '../scene/scene-body.ts'
import { length, vector } from '@orrery/page-kit'
import { BODY_NOTES } from './body-notes.ts'
import { type FactRow, factRows } from './fact-rows.ts'

export interface ThingFacts {
  readonly name: string
  readonly kind: string
  readonly note?: string | undefined
  readonly rows: readonly FactRow[]
}

const BODY_KINDS = {
  star: say('star'),
  planet: say('planet'),
  minor_planet: say('dwarf planet'),
  moon: say('moon'),
}
const KINDS = { ship: say('ship'), station: say('station'), jumpgate: say('jump gate') }

/** Undefined for what is out of view. */
export function factsOf(thing: Thing, frame: Frame, stage: Stage): ThingFacts | undefined {
  const { bodies, craft } = frame.surroundings
  if (thing.kind === 'body') {
    const { name } = thing
    const body = bodies.findIndex((one) => one.name === name)
    if (body < 0) return undefined
    const kind = kindOf(bodies[body], bodies)
    return { name: sayName(name), kind, note: BODY_NOTES[name]?.text, rows: factRows(body, frame) }
  }
  const { world } = craft ?? {}
  const known =
    thing.kind === 'ship'
      ? world?.ship(thing.id)
      : world?.objects().find(({ id }) => id === thing.id)
  const place = { body: 0, offset: vector() }
  if (!known || !stage.placeOf(place, thing)) return undefined
  const { name, radius } = bodies[place.body]
  const altitude = distanceText(length(place.offset) - radius)
  const rows: FactRow[] = [[say('Above {body}', { body: withArticle(name) }), altitude]]
  return { name: known.name, kind: KINDS[thing.kind], rows }
}

/** Such as `moon of Saturn`. */
function kindOf({ name, kind, parent }: SceneBody, bodies: readonly SceneBody[]): string {
  // The game has one kind for all that is smaller than a planet.
  const words = name === 'Vesta' ? say('asteroid') : BODY_KINDS[kind]
  return parent < 0
    ? words
    : say('{kind} of {body}', { kind: words, body: withArticle(bodies[parent].name) })
}
