/** Maneuvers of the autopilot: what they take and cost, and the one under way. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { lastManeuverText, maneuverFacts } from '../events/maneuver-words.ts'
import { maneuverForm, maneuverTitle } from '../orders/maneuvers.ts'
import { isTurn } from '../orders/turns.ts'
import { giveOrder } from '../orders/orders.ts'
import type { ManeuverState } from '../orders/ship-doing.ts'
import { changeOrder } from './change-order.ts'
import { ManeuverFields, draftedManeuver, useManeuverDraft } from './maneuver-fields.tsx'
import { OrderForm, useFault } from './order-form.tsx'

export function Maneuvering({ game }: { readonly game: Game }): JSX.Element {
  const draft = useManeuverDraft()
  const fault = useFault()
  const { value: maneuver } = game.doing.maneuver
  // What steering shows moves no field here.
  const now = maneuver && isTurn(maneuver.maneuver) ? undefined : maneuver
  const isChanging = useSignal(false)
  const isReplacing = now !== undefined && isChanging.value
  const change = (under: ManeuverState): void => {
    isChanging.value = changeOrder(game, draft, under)
  }
  const last = game.doing.ship.value?.last_maneuver
  return (
    <>
      {now && <ManeuverNow game={game} maneuver={now} onChange={() => change(now)} />}
      {!now && last && <p class="order-hint last-maneuver">{lastManeuverText(last)}</p>}
      <OrderForm
        game={game}
        fault={fault}
        label={isReplacing ? say('Replace') : say('Start')}
        fill={() => draftedManeuver(game, draft)}
        supposed={(order) => [{ order }]}
        start={(order) => {
          isChanging.value = false
          void giveOrder(
            game,
            order,
            say('Start maneuver: {title}', { title: maneuverForm(order.maneuver).title }),
          )
        }}
      >
        {isReplacing && <p class="order-hint">{say('It replaces the order under way.')}</p>}
        <ManeuverFields game={game} draft={draft} fault={fault} />
      </OrderForm>
    </>
  )
}

interface ManeuverNowProps {
  readonly game: Game
  readonly maneuver: ManeuverState
  readonly onChange: () => void
}

function ManeuverNow({ game, maneuver, onChange }: ManeuverNowProps): JSX.Element {
  const { maneuver: name, phase, status_text: status } = maneuver
  const { clock } = game.session.value?.flight ?? {}
  const facts = maneuverFacts(maneuver, clock?.utc(clock.now()) ?? NaN)
  const abort = (): void => {
    void giveOrder(game, { type: 'maneuver_abort' }, say('Abort the maneuver'))
  }
  return (
    <div class="order-now maneuver-now">
      <p role="status">
        {maneuverTitle(name)}: <b class="maneuver-phase">{phase}</b>
      </p>
      <p>{status}</p>
      <p class="order-hint">{facts.join(', ')}</p>
      <div class="order-buttons">
        <button type="button" onClick={onChange}>
          {say('Change')}
        </button>
        <button type="button" class="stop" onClick={abort}>
          {say('Abort')}
        </button>
      </div>
    </div>
  )
}
