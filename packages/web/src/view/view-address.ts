/** The view as a part of the page's address, so that it can be kept and sent to others. */
import { FIRST_SYSTEM } from '../game/game.ts'
import type { Thing } from '../readings/thing.ts'
import type { Aim } from './view-axes.ts'

/** Parts of the picture that can be hidden, by the names of their settings. */
export const LAYERS = ['labels', 'orbits', 'trails'] as const

export type Layer = (typeof LAYERS)[number]

/** Parts that are shown on demand. */
export const EXTRAS = ['constellations'] as const

export interface ViewAddress {
  /** id of the star system */
  readonly system: string
  readonly thing: Thing
  readonly aim: Aim
  readonly hidden?: readonly Layer[]
  readonly shown?: readonly (typeof EXTRAS)[number][]
  /** of another date than the present [Unix ms]; NaN where the text is none */
  readonly at?: number
}

const KINDS = ['ship', 'station', 'jumpgate'] as const

/**
 * `#Saturn/4.2e8/35/12`: body, distance [m], yaw and pitch [degrees]; `#trappist-1:` before it is
 * the star system where that is not the first one. `#ship=ID/…` is no body. What is hidden
 * stands behind it, what is shown on demand, and the date where it is not the present:
 * `?hide=labels,orbits&show=constellations&at=2030-01-01T00:00:00Z`.
 */
export function addressOf(view: ViewAddress): string {
  const { system, thing, aim, hidden = [], shown = [], at } = view
  const degrees = (angle: number): string => ((angle * 180) / Math.PI).toFixed(2)
  const turned = Math.atan2(Math.sin(aim.yaw), Math.cos(aim.yaw))
  const place = [aim.distance.toPrecision(5), degrees(turned), degrees(aim.pitch)]
  const around = system === FIRST_SYSTEM ? '' : `${encodeURIComponent(system)}:`
  const seen = thing.kind === 'body' ? encodeURIComponent(thing.name) : `${thing.kind}=${thing.id}`
  const endings = [
    ...(hidden.length > 0 ? [`hide=${hidden.join()}`] : []),
    ...(shown.length > 0 ? [`show=${shown.join()}`] : []),
    ...(at === undefined ? [] : [`at=${new Date(at).toISOString().replace(/\.\d+/, '')}`]),
  ]
  const ending = endings.length > 0 ? `?${endings.join('&')}` : ''
  return `#${around}${[seen, ...place].join('/')}${ending}`
}

/** Undefined for any other text. */
export function parsedAddress(hash: string): ViewAddress | undefined {
  const [view = '', ending = ''] = hash.replace(/^#/, '').split('?')
  const [name = '', ...numbers] = view.split('/')
  const [seen = '', around] = name.split(':').toReversed()
  const system = around === undefined ? FIRST_SYSTEM : decoded(around)
  const thing = parsedThing(seen)
  const [distance, yaw, pitch] = numbers.map(Number)
  if (!thing || !system || numbers.length !== 3 || !(distance > 0) || distance > 1e14)
    return undefined
  if (!Number.isFinite(yaw) || !(Math.abs(pitch) < 90)) return undefined
  const query = new URLSearchParams(ending)
  const named = (key: string): string[] => (query.get(key) ?? '').split(',')
  const [hidden, shown] = [named('hide'), named('show')]
  const at = query.get('at')
  return {
    system,
    thing,
    aim: { distance, yaw: (yaw * Math.PI) / 180, pitch: (pitch * Math.PI) / 180 },
    hidden: LAYERS.filter((layer) => hidden.includes(layer)),
    shown: EXTRAS.filter((extra) => shown.includes(extra)),
    ...(at !== null && { at: utcOf(at) }),
  }
}

function parsedThing(text: string): Thing | undefined {
  const [kindOrName = '', id] = text.split('=').map(decoded)
  if (id === undefined) return kindOrName ? { kind: 'body', name: kindOrName } : undefined
  const kind = KINDS.find((known) => known === kindOrName)
  return kind && id ? { kind, id } : undefined
}

/** NaN for a text that is no date, such as one of another time zone. */
function utcOf(text: string): number {
  return /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : NaN
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
