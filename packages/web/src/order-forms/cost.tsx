/** What orders would cost, as the forecast of them shows. */
import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { failureText } from '../forecast/failure-text.ts'
import { say } from '../languages/say.ts'
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
  const { LeftOut } = game.moduleParts.value ?? {}
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
        {shown.problem ?? (shown.cost ? <CostFacts cost={shown.cost} /> : say('Flying ahead …'))}
        {LeftOut && <LeftOut />}
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

const ENDS: Readonly<Record<Exclude<Cost['end'], 'failed'>, string>> = {
  completed: say('It will be complete.'),
  impact: say('The ship will run into a body.'),
  open: say('It goes on beyond the forecast.'),
  coasting: '',
}

function CostFacts({ cost }: { readonly cost: Cost }): JSX.Element {
  const end =
    cost.end === 'failed'
      ? say('It will fail: {reason}.', { reason: failureText(cost.reason ?? 'none') })
      : ENDS[cost.end]
  const time = cost.neededSeconds === undefined ? '' : `, ${durationText(cost.neededSeconds)}`
  const needed =
    cost.needed === undefined
      ? ''
      : ` ${say('It takes about {deltaV}{time}.', { deltaV: speedText(cost.needed), time })}`
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
      {end !== '' && <p>{end + needed}</p>}
    </>
  )
}
