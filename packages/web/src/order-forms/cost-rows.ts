/** What orders would cost, as names with texts. */
import type { OrbitAfter } from '../forecast/orbit-after.ts'
import type { Cost } from '../forecast/preview.ts'
import { distanceText, durationText, kilogramsText, speedText } from '../quantities/quantities.ts'
import { withArticle } from '../readings/thing-names.ts'

export function costRows(cost: Cost): string[][] {
  const isLong = cost.end === 'open' && cost.flight !== undefined
  return [
    ['Δv', speedText(cost.deltaV)],
    ['Fuel', Number.isNaN(cost.fuel) ? 'unknown' : kilogramsText(cost.fuel)],
    ['Time', durationText(cost.seconds)],
    ...(isLong ? flightRows(cost.flight) : []),
    ...legRows(cost.legs ?? []),
    ...(cost.after ? afterRows(cost.after) : []),
  ]
}

/** The orbit after the last burn. */
function afterRows({ body, apoapsis, periapsis }: OrbitAfter): string[][] {
  return [
    ['Then around', withArticle(body)],
    ['Apoapsis', apoapsis < Infinity ? distanceText(apoapsis) : 'none: it leaves'],
    ['Periapsis', distanceText(periapsis)],
  ]
}

/** The whole of a flight that ends after the forecast. */
function flightRows(flight: NonNullable<Cost['flight']>): string[][] {
  const { deltaV, deltaVUncertainty, seconds, secondsUncertainty } = flight
  return [
    ['Whole Δv', speedText(deltaV) + missText(deltaVUncertainty, speedText)],
    ['Arrives in', durationText(seconds) + missText(secondsUncertainty, durationText)],
  ]
}

/** One leg is the whole flight. */
function legRows(legs: NonNullable<Cost['legs']>): string[][] {
  if (legs.length < 2) return []
  return legs.map(({ from, to, deltaV, seconds }) => [
    `${from} to ${to ?? 'the target'}`,
    `${speedText(deltaV)}, in ${durationText(seconds)}`,
  ])
}

function missText(miss: number, text: (value: number) => string): string {
  return miss > 0 ? ` ± ${text(miss)}` : ''
}
