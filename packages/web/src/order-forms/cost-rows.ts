/** What orders would cost, as names with texts. */
import { say, sayName } from '../languages/say.ts'
import type { OrbitAfter } from '../forecast/orbit-after.ts'
import type { Cost } from '../forecast/preview.ts'
import { distanceText, durationText, kilogramsText, speedText } from '../quantities/quantities.ts'
import { withArticle } from '../readings/thing-names.ts'

export function costRows(cost: Cost): string[][] {
  const isLong = cost.end === 'open' && cost.flight !== undefined
  return [
    ['Δv', speedText(cost.deltaV)],
    [say('Fuel'), Number.isNaN(cost.fuel) ? say('unknown') : kilogramsText(cost.fuel)],
    [say('Time'), durationText(cost.seconds)],
    ...(isLong ? flightRows(cost.flight) : []),
    ...legRows(cost.legs ?? []),
    ...(cost.after ? afterRows(cost.after) : []),
  ]
}

/** The orbit after the last burn. */
function afterRows({ body, apoapsis, periapsis }: OrbitAfter): string[][] {
  return [
    [say('Then around'), withArticle(body)],
    [say('Apoapsis'), apoapsis < Infinity ? distanceText(apoapsis) : say('none: it leaves')],
    [say('Periapsis'), distanceText(periapsis)],
  ]
}

/** The whole of a flight that ends after the forecast. */
function flightRows(flight: NonNullable<Cost['flight']>): string[][] {
  const { deltaV, deltaVUncertainty, seconds, secondsUncertainty } = flight
  return [
    [say('Whole Δv'), speedText(deltaV) + missText(deltaVUncertainty, speedText)],
    [say('Arrives in'), durationText(seconds) + missText(secondsUncertainty, durationText)],
  ]
}

/** One leg is the whole flight. */
function legRows(legs: NonNullable<Cost['legs']>): string[][] {
  if (legs.length < 2) return []
  return legs.map(({ from, to, deltaV, seconds }) => [
    say('{from} to {to}', { from: sayName(from), to: to ? sayName(to) : say('the target') }),
    say('{deltaV}, in {time}', { deltaV: speedText(deltaV), time: durationText(seconds) }),
  ])
}

function missText(miss: number, text: (value: number) => string): string {
  return miss > 0 ? ` ± ${text(miss)}` : ''
}
