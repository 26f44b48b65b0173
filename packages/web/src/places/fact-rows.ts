/** The numbers of a body as they are now, in words. */
import { say } from '../languages/say.ts'
import {
  distanceText,
  durationText,
  massText,
  percentText,
  speedText,
} from '../quantities/quantities.ts'
import { withArticle } from '../readings/thing-names.ts'
import { starOf } from '../view/aims.ts'
import type { Frame } from '../scene/frame.ts'
import { fractionLit } from '../space/phase.ts'
import { length, vector, type Vector } from '@orrery/page-kit'
import { BODY_NOTES } from './body-notes.ts'

export type FactRow = readonly [name: string, value: string]

const HOUR = 3600
const DAY = 24 * HOUR

/** Of a body, by its index. */
export function factRows(body: number, { surroundings, camera }: Frame): FactRow[] {
  const { bodies, chain } = surroundings
  const { name, radius, gm, parent, accuracy } = bodies[body]
  const from = (other: number): Vector =>
    chain.difference(vector(), camera, { body: other, offset: vector() })
  const centre = from(body)
  const star = starOf(bodies, body)
  const { turn, found } = BODY_NOTES[name] ?? {}
  return [
    [say('Altitude'), distanceText(Math.max(length(centre) - radius, 0))],
    [say('Radius'), distanceText(radius)],
    [say('Mass'), massText(gm)],
    ...(parent < 0 ? [] : orbitRows(body, surroundings)),
    ...(turn === undefined ? [] : [[say('Rotation period'), durationText(turn * HOUR)] as const]),
    ...(star === body
      ? []
      : [[say('Lit side seen'), percentText(litFrom(centre, from(star)))] as const]),
    ...(found === undefined ? [] : [[say('Found'), found] as const]),
    ...(accuracy
      ? [[say('Error {years}', { years: accuracy.years }), distanceText(accuracy.error)] as const]
      : []),
  ]
}

function orbitRows(body: number, { bodies, chain, velocities }: Frame['surroundings']): FactRow[] {
  const { name, parent, gm } = bodies[body]
  const total = gm + bodies[parent].gm
  const distance = length(chain.relative.subarray(3 * body, 3 * body + 3))
  const speed = length(velocities.subarray(3 * body, 3 * body + 3))
  const semiMajor = 1 / (2 / distance - speed ** 2 / total)
  const rows: FactRow[] = [
    [say('From {body}', { body: withArticle(bodies[parent].name) }), distanceText(distance)],
    [say('Speed'), speedText(speed)],
  ]
  const { year } = BODY_NOTES[name] ?? {}
  // The osculating one of a planet changes as its moons go round.
  const period = year === undefined ? 2 * Math.PI * Math.sqrt(semiMajor ** 3 / total) : year * DAY
  if (period > 0) rows.push([say('Orbital period'), durationText(period)])
  return rows
}

/** @param centre  of the body; both from the camera [m] */
function litFrom(centre: Vector, star: Vector): number {
  const toStar = vector(star[0] - centre[0], star[1] - centre[1], star[2] - centre[2])
  return fractionLit(toStar, vector(-centre[0], -centre[1], -centre[2]))
}
