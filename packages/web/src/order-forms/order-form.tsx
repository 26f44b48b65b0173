/** A form for orders: its fields, what is wrong with them, what they cost, and the start. */
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { SupposedOrder } from '../forecast/flight-ahead.ts'
import type { Game } from '../game/game.ts'
import { useCost } from './cost.tsx'

interface OrderFormProps<Filled> {
  readonly game: Game
  /** what the fields say, or what is wrong with them in a sentence */
  readonly fill: () => Filled | string
  readonly supposed: (filled: Filled) => readonly SupposedOrder[]
  readonly start: (filled: Filled) => void
  /** of the button that starts it */
  readonly label: string
  readonly fault: Signal<string | undefined>
  readonly children: ComponentChildren
}

export function OrderForm<Filled extends object>(props: OrderFormProps<Filled>): JSX.Element {
  const { game, fill, supposed, start, label, fault, children } = props
  const cost = useCost(game)
  const filled = (): Filled | undefined => {
    const result = fill()
    fault.value = typeof result === 'string' ? result : undefined
    return typeof result === 'string' ? undefined : result
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    const started = filled()
    if (!started) return
    cost.clear()
    start(started)
  }
  const preview = (): void => {
    const result = filled()
    if (result) cost.show(supposed(result))
  }
  return (
    <form onSubmit={submit} noValidate>
      {children}
      <Fault text={fault.value} />
      <div class="order-foot order-buttons">
        <button type="button" onClick={preview}>
          {say('Show cost')}
        </button>
        <button type="submit" class="go">
          {label}
        </button>
      </div>
      {cost.element}
    </form>
  )
}

/** What is wrong with a form. */
export function Fault({ text }: { readonly text: string | undefined }): JSX.Element | null {
  if (text === undefined) return null
  return (
    <p class="order-fault" role="alert">
      {text}
    </p>
  )
}

export function useFault(): Signal<string | undefined> {
  return useSignal<string | undefined>(undefined)
}
