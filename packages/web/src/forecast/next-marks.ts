/** What lies ahead on a trajectory, in words. */
import type { Forecast } from '@orrery/client/flight'
import { say } from '../languages/say.ts'
import { failureText } from './failure-text.ts'
import { distanceText, speedText } from '../quantities/quantities.ts'
import { withArticle } from '../readings/thing-names.ts'

export type Mark = Forecast['marks'][number]

export interface NextMark {
  readonly key: string
  readonly mark: Mark
  readonly name: string
  /** altitude, distance or Δv; empty for other marks */
  readonly detail: string
  /** game seconds until then */
  readonly seconds: number
}

export interface MarkContext {
  /** lattice index */
  readonly now: number
  /** radius of a body by its name [m] */
  readonly radiusOf: (body: string) => number
  /** name of a ship, station or gate by its id */
  readonly nameOf: (id: string) => string
}

/** Marks shown at most. */
const MARKS_MAX = 16

/** Of one kind and body. */
const SAME_MAX = 2

/** Apsides whose distances differ by less of the distance are those of a circle. */
const ROUND = 2e-3

/** Lattice indices per second. */
const PER_SECOND = 64

/**
 * The next marks of a forecast by rising time: apsides as they come first, and of each target the
 * closest approach of all.
 */
export function nextMarks({ marks }: Forecast, context: MarkContext): readonly NextMark[] {
  const later = marks.filter(({ index }) => index > context.now)
  const counts = new Map<string, number>()
  const chosen: NextMark[] = []
  for (const mark of later) {
    const of = `${mark.kind} ${mark.body ?? objectOf(mark) ?? ''}`
    const count = counts.get(of) ?? 0
    if (count >= (isApsis(mark) ? 1 : SAME_MAX)) continue
    const words = WORDS[mark.kind]?.(mark, context, later)
    if (!words || (isApsis(mark) && isRound(mark, marks)) || !isClosest(mark, later)) continue
    counts.set(of, count + 1)
    const seconds = (mark.index - context.now) / PER_SECOND
    chosen.push({ key: `${of} ${count}`, mark, ...words, seconds })
    if (chosen.length === MARKS_MAX) break
  }
  return chosen
}

function isApsis({ kind }: Mark): boolean {
  return kind === 'periapsis' || kind === 'apoapsis'
}

/** Whether the other apsis beside it is as far from the body. */
function isRound(mark: Mark, marks: readonly Mark[]): boolean {
  const { distance = 0 } = mark
  return marks.some((other) => {
    if (!isApsis(other) || other.kind === mark.kind || other.body !== mark.body) return false
    return Math.abs((other.distance ?? 0) - distance) < ROUND * distance
  })
}

/** Whether no other approach to the same target is closer; so is whatever is no approach. */
function isClosest({ kind, distance = NaN, ...of }: Mark, later: readonly Mark[]): boolean {
  if (kind !== 'approach') return true
  return !later.some(
    (other) =>
      other.kind === kind &&
      other.body === of.body &&
      objectOf(other) === objectOf({ kind, ...of }) &&
      (other.distance ?? Infinity) < distance,
  )
}

function objectOf({ shipId, stationId, jumpgateId }: Mark): string | undefined {
  return shipId ?? stationId ?? jumpgateId
}

type Words = Pick<NextMark, 'name' | 'detail'>
type Wording = (mark: Mark, context: MarkContext, later: readonly Mark[]) => Words

function altitudeText({ distance = NaN, body = '' }: Mark, { radiusOf }: MarkContext): string {
  return distanceText(distance - radiusOf(body))
}

/** Of the kinds that are shown. */
const WORDS: Partial<Readonly<Record<Mark['kind'], Wording>>> = {
  periapsis: (mark, context) => ({ name: say('Periapsis'), detail: altitudeText(mark, context) }),
  apoapsis: (mark, context) => ({ name: say('Apoapsis'), detail: altitudeText(mark, context) }),
  approach: (mark, { nameOf }) => {
    const object = objectOf(mark)
    const { body = '', distance = NaN, speed = NaN } = mark
    return {
      name: say('Closest to {thing}', {
        thing: object === undefined ? withArticle(body) : nameOf(object),
      }),
      detail: say('{distance} at {speed}', {
        distance: distanceText(distance),
        speed: speedText(speed),
      }),
    }
  },
  sphere: ({ body = '' }) => ({
    name: say('Enters the sphere of influence of {body}', { body: withArticle(body) }),
    detail: '',
  }),
  burn_begin: ({ index }, _, later) => {
    const end = later.find((other) => other.kind === 'burn_end' && other.index > index)
    return { name: say('Burn'), detail: speedText(end?.deltaV ?? NaN) }
  },
  burn_end: ({ deltaV = NaN }) => ({ name: say('Burn ends'), detail: speedText(deltaV) }),
  impact: ({ body = '' }) => ({
    name: say('Impact on {body}', { body: withArticle(body) }),
    detail: '',
  }),
  maneuver_completed: () => ({ name: say('Maneuver completed'), detail: '' }),
  maneuver_failed: ({ reason = 'none' }) => {
    return { name: say('Maneuver fails'), detail: failureText(reason) }
  },
  docked: () => ({ name: say('Docked'), detail: '' }),
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** "12 min 30 s": the two largest units of a time to come. */
export function waitText(seconds: number): string {
  const whole = Math.max(Math.floor(seconds), 0)
  const two = (size: number, name: string, small: number, smallName: string): string =>
    `${Math.floor(whole / size)} ${name} ${Math.floor((whole % size) / small)} ${smallName}`
  if (whole < MINUTE) return `${whole} s`
  if (whole < HOUR) return two(MINUTE, 'min', 1, 's')
  if (whole < DAY) return two(HOUR, 'h', MINUTE, 'min')
  return two(DAY, 'd', HOUR, 'h')
}
