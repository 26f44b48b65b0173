/** Says when the connection is too slow for what there is to be seen. */
import type { Completeness } from '@orrery/client/flight'
import { effect } from '@preact/signals'
import { say } from '../languages/say.ts'
import { LANGUAGE } from '../languages/language.ts'
import type { Game } from './game.ts'

/** Between two looks [ms]. */
const PERIOD_MS = 5000

/** Answers that take longer are noticed by the player [ms]. */
const ROUND_TRIP_MS = 1000

/** A view is complete enough from this part of its ships. */
const KNOWN_PART = 0.95

/** @param roundTripMs  undefined before the first answer */
export function slownessText(
  roundTripMs: number | undefined,
  { known, inView }: Completeness,
): string | undefined {
  if (roundTripMs !== undefined && roundTripMs > ROUND_TRIP_MS) {
    const seconds = (roundTripMs / 1000).toFixed(1)
    return say(
      'The connection is slow: an answer takes {seconds} s. Other ships may be shown late.',
      { seconds },
    )
  }
  if (known >= KNOWN_PART * inView) return undefined
  return say('Ships are still arriving: {known} of {inView}.', {
    known: countText(known),
    inView: countText(inView),
  })
}

function countText(count: number): string {
  return count.toLocaleString(LANGUAGE)
}

export function attachSlowness({ live, connection, notices }: Game): void {
  effect(() => {
    const { value: flown } = live
    if (!flown || connection.value !== 'live') return undefined
    const look = (): void => {
      const text = slownessText(flown.socket.roundTripMs, flown.flight.world.completeness())
      if (text === undefined) notices.withdraw('slow')
      else notices.show({ subject: 'slow', kind: 'info', text, isLasting: true })
    }
    const timer = setInterval(look, PERIOD_MS)
    return () => {
      clearInterval(timer)
      notices.withdraw('slow')
    }
  })
}
