/** The view as a part of the page's address, so that it can be kept and sent to others. */
import { FIRST_SYSTEM } from '../game/game.ts'
import type { Aim } from './view-axes.ts'

export interface ViewAddress {
  /** id of the star system */
  readonly system: string
  readonly body: string
  readonly aim: Aim
}

/**
 * `#Saturn/4.2e8/35/12`: body, distance [m], yaw and pitch [degrees]; `#trappist-1:` before it is
 * the star system where that is not the first one.
 */
export function addressOf({ system, body, aim }: ViewAddress): string {
  const degrees = (angle: number): string => ((angle * 180) / Math.PI).toFixed(2)
  const turned = Math.atan2(Math.sin(aim.yaw), Math.cos(aim.yaw))
  const place = [aim.distance.toPrecision(5), degrees(turned), degrees(aim.pitch)]
  const around = system === FIRST_SYSTEM ? '' : `${encodeURIComponent(system)}:`
  return `#${around}${[encodeURIComponent(body), ...place].join('/')}`
}

/** Undefined for any other text. */
export function parsedAddress(hash: string): ViewAddress | undefined {
  const [name = '', ...numbers] = hash.replace(/^#/, '').split('/')
  const [body, system = FIRST_SYSTEM] = name.split(':').toReversed().map(decoded)
  const [distance, yaw, pitch] = numbers.map(Number)
  if (!body || !system || numbers.length !== 3 || !(distance > 0) || distance > 1e14)
    return undefined
  if (!Number.isFinite(yaw) || !(Math.abs(pitch) < 90)) return undefined
  return {
    system,
    body,
    aim: { distance, yaw: (yaw * Math.PI) / 180, pitch: (pitch * Math.PI) / 180 },
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
