/** What orders would cost, as the forecast of them shows. */
import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { SupposedOrder } from '../forecast/flight-ahead.ts'
import type { Game } from '../game/game.ts'
import type { OrbitAfter } from '../forecast/orbit-after.ts'
import type { Cost } from '../forecast/preview.ts'
import { distanceText, durationText, kilogramsText, speedText } from '../quantities/quantities.ts'
import { withArticle } from '../readings/thing-names.ts'

/** What a form asks of the preview. */
export interface Costing {
  show(orders: readonly SupposedOrder[]): void
  clear(): void
  /** what is known; empty while this form has asked nothing */
  readonly element: JSX.Element | undefined
}

export function useCost(game: Game): Costing {
  const { preview } = game
  const asked = useRef<readonly SupposedOrder[] | undefined>(undefined)
  const shown = preview.shown.value
  const isOwn = shown !== undefined && shown.orders === asked.current
  return {
    show: (orders) => {
      asked.current = orders
      preview.show(orders)
    },
    clear: () => {
      if (asked.current) preview.clear()
      asked.current = undefined
    },
    element: isOwn ? (
      <CostBox isKnown={(shown.cost ?? shown.problem) !== undefined}>
        {shown.problem ?? (shown.cost ? <CostFacts cost={shown.cost} /> : 'Flying ahead …')}
      </CostBox>
    ) : undefined,
  }
}

interface CostBoxProps {
  readonly isKnown: boolean
  readonly children: ComponentChildren
}

/** Scrolls into sight when it appears and when it grows. */
function CostBox({ isKnown, children }: CostBoxProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [isKnown])
  return (
    <div class="order-cost" role="status" ref={box}>
      {children}
    </div>
  )
}

const ENDS: Readonly<Record<Cost['end'], string>> = {
  completed: 'It will be complete.',
  failed: 'It will fail',
  impact: 'The ship will run into a body.',
  open: 'It goes on beyond the forecast.',
  coasting: '',
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

function missText(miss: number, text: (value: number) => string): string {
  return miss > 0 ? ` ± ${text(miss)}` : ''
}

function CostFacts({ cost }: { readonly cost: Cost }): JSX.Element {
  const reason = cost.end === 'failed' ? `: ${(cost.reason ?? 'none').replaceAll('_', ' ')}.` : ''
  const time = cost.neededSeconds === undefined ? '' : `, ${durationText(cost.neededSeconds)}`
  const needed =
    cost.needed === undefined ? '' : ` It takes about ${speedText(cost.needed)}${time}.`
  const isLong = cost.end === 'open' && cost.flight !== undefined
  const rows = [
    ['Δv', speedText(cost.deltaV)],
    ['Fuel', Number.isNaN(cost.fuel) ? 'unknown' : kilogramsText(cost.fuel)],
    ['Time', durationText(cost.seconds)],
    ...(isLong ? flightRows(cost.flight) : []),
    ...(cost.after ? afterRows(cost.after) : []),
  ]
  return (
    <>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {ENDS[cost.end] !== '' && <p>{ENDS[cost.end] + reason + needed}</p>}
    </>
  )
}
