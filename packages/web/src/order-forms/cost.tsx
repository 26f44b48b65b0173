/** What orders would cost, as the forecast of them shows. */
import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { SupposedOrder } from '../forecast/flight-ahead.ts'
import type { Game } from '../game/game.ts'
import type { Cost } from '../forecast/preview.ts'
import { durationText, speedText } from '../quantities/quantities.ts'
import { costRows } from './cost-rows.ts'

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
      <CostBox>
        {shown.problem ?? (shown.cost ? <CostFacts cost={shown.cost} /> : 'Flying ahead …')}
      </CostBox>
    ) : undefined,
  }
}

/** Scrolls into sight when it appears; what it shows later moves no button. */
function CostBox({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [])
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

function CostFacts({ cost }: { readonly cost: Cost }): JSX.Element {
  const reason = cost.end === 'failed' ? `: ${(cost.reason ?? 'none').replaceAll('_', ' ')}.` : ''
  const time = cost.neededSeconds === undefined ? '' : `, ${durationText(cost.neededSeconds)}`
  const needed =
    cost.needed === undefined ? '' : ` It takes about ${speedText(cost.needed)}${time}.`
  return (
    <>
      <dl>
        {costRows(cost).map(([name, value]) => (
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
