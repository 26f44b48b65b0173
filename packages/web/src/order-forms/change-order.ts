/** Opens the form of the order under way with its values. */
import { batch } from '@preact/signals'
import type { Game } from '../game/game.ts'
import { departureChoice, maneuverForm, textsOfManeuver } from '../orders/maneuvers.ts'
import type { OrderKind } from '../orders/order-kinds.ts'
import { orderUnderWay } from '../orders/order-under-way.ts'
import type { ManeuverState } from '../orders/ship-doing.ts'
import { thingOfFields } from '../orders/target-fields.ts'
import { QUANTITIES, writeQuantity } from '../quantities/quantity-fields.ts'
import { type ManeuverDraft, presentOrbit } from './maneuver-fields.tsx'

/** @returns whether the draft has the order now: those of docking and of plans have other forms */
export function changeOrder(game: Game, draft: ManeuverDraft, maneuver: ManeuverState): boolean {
  const session = game.session.peek()
  if (!session) return false
  const order = orderUnderWay(session, maneuver)
  if (order.type === 'dock') return open(game, 'Dock')
  if (order.maneuver === 'plan') return open(game, 'Plan')
  const thing = thingOfFields(order)
  const { semi_major_axis: axis, eccentricity } = order
  const radius = presentOrbit(game)?.radius
  batch(() => {
    draft.name.value = order.maneuver
    draft.texts.value = textsOfManeuver(order)
    if (axis !== undefined && eccentricity !== undefined && radius !== undefined) {
      const [periapsis, apoapsis] = [1 - eccentricity, 1 + eccentricity].map((share) =>
        writeQuantity(axis * share - radius, QUANTITIES.apoapsis),
      )
      draft.texts.value = { ...draft.texts.value, periapsis, apoapsis }
    }
    draft.departure.value = departureChoice(order.depart)
    draft.body.value = order.target_body ?? ''
    if (thing && maneuverForm(order.maneuver).aim === 'target') game.target.value = thing
  })
  document.querySelector<HTMLElement>('.orders select[name=maneuver]')?.focus()
  return true
}

function open(game: Game, kind: OrderKind): false {
  game.orderKind.value = kind
  const buttons = [...document.querySelectorAll<HTMLElement>('.order-kinds button')]
  buttons.find(({ textContent }) => textContent === kind)?.focus()
  return false
}
