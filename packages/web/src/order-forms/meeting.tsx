/** A rendezvous, offered by a button and started once its cost has been seen. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { departureOf } from '../orders/maneuvers.ts'
import { giveOrder } from '../orders/orders.ts'
import { targetFields } from '../orders/target-fields.ts'
import type { Thing } from '../readings/thing.ts'
import { DepartureFields, useDeparture } from './departure-fields.tsx'
import { OrderForm, useFault } from './order-form.tsx'

interface MeetingProps {
  readonly game: Game
  /** undefined where there is none, and nothing is offered */
  readonly target: Thing | undefined
  readonly name: string
  /** of the button among others of its kind */
  readonly label?: string
}

/** The button, and the form while that is open; both go with the target. */
export function useMeeting({ game, target, name, label }: MeetingProps): {
  readonly button: JSX.Element
  readonly form: JSX.Element | false | undefined
} {
  const isOpen = useSignal(false)
  const close = (): void => {
    if (!isOpen.peek()) return
    isOpen.value = false
    game.preview.clear()
  }
  const key = JSON.stringify(target)
  useEffect(() => close, [key])
  const button = (
    <button
      type="button"
      title={say('Fly to it and match its speed')}
      aria-label={label}
      aria-expanded={isOpen.value}
      onClick={() => (isOpen.value ? close() : (isOpen.value = true))}
    >
      {say('Rendezvous')}
    </button>
  )
  const form = target && isOpen.value && (
    <Meeting game={game} target={target} name={name} onStart={close} />
  )
  return { button, form }
}

interface FormProps extends MeetingProps {
  readonly target: Thing
  readonly onStart: () => void
}

function Meeting({ game, target, name, onStart }: FormProps): JSX.Element {
  const fault = useFault()
  const departure = useDeparture()
  return (
    <OrderForm
      game={game}
      fault={fault}
      label={say('Start')}
      fill={() => {
        const leaving = departureOf(departure.value)
        if (typeof leaving === 'string') return leaving
        const order = { type: 'maneuver_start', maneuver: 'rendezvous' } as const
        return { ...order, ...targetFields(target), ...leaving }
      }}
      supposed={(order) => [{ order }]}
      start={(order) => {
        onStart()
        void giveOrder(game, order, say('Rendezvous with {name}', { name }))
      }}
    >
      <p class="order-hint">{say('Fly to it and match its speed.')}</p>
      <DepartureFields departure={departure} />
    </OrderForm>
  )
}
