/** A burn of so much Δv, or so long, in a direction. */
import { orderFault } from '@orrery/client/message-fault'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Burn } from '../game/burns.ts'
import type { Game } from '../game/game.ts'
import { speedText } from '../quantities/quantities.ts'
import { QUANTITIES, type Texts, readQuantities } from '../quantities/quantity-fields.ts'
import { canSteer } from '../game/steering.ts'
import { STEERINGS, type SteeringMode, directionOf } from '../orders/steering-modes.ts'
import { OrderForm, useFault } from './order-form.tsx'
import { Choice, QuantityInput } from '../elements/quantity-input.tsx'

const DIRECTIONS = STEERINGS.filter(({ mode }) => !['hold', 'rest', 'loose'].includes(mode))

export function Burning({ game }: { readonly game: Game }): JSX.Element {
  const texts = useSignal<Texts>({ delta_v: '10', duration: '10', thrust_level: '100' })
  const amount = useSignal<'delta_v' | 'duration'>('delta_v')
  const direction = useSignal<SteeringMode | ''>('')
  const fault = useFault()
  return (
    <>
      <BurnNow game={game} />
      <OrderForm
        game={game}
        fault={fault}
        label={say('Burn')}
        fill={() => burnOf(texts.value, amount.value, direction.value || undefined)}
        supposed={(burn) => game.burns.supposed(burn)}
        start={(burn) => void game.burns.start(burn)}
      >
        <Choice
          label={say('Direction')}
          name="direction"
          value={direction.value}
          onChoose={(value) => (direction.value = value as SteeringMode | '')}
        >
          <option value="">{say('as it points now')}</option>
          {DIRECTIONS.map((steering) => (
            <option
              key={steering.mode}
              value={steering.mode}
              disabled={!canSteer(game, steering.mode)}
            >
              {directionOf(steering)}
            </option>
          ))}
        </Choice>
        <Choice
          label={say('Until')}
          name="amount"
          value={amount.value}
          onChoose={(value) => (amount.value = value === 'duration' ? 'duration' : 'delta_v')}
        >
          <option value="delta_v">{say('Δv is spent')}</option>
          <option value="duration">{say('time is over')}</option>
        </Choice>
        <QuantityInput name={amount.value} texts={texts} fault={fault.value} />
        <QuantityInput name="thrust_level" texts={texts} fault={fault.value} />
      </OrderForm>
    </>
  )
}

/** The burn that waits for its turn, or is under way. */
function BurnNow({ game }: { readonly game: Game }): JSX.Element | null {
  const left = game.doing.ship.value?.steering.burn_delta_v ?? undefined
  const waiting = game.burns.waiting.value
  if (waiting === undefined && left === undefined) return null
  const end = (): void => {
    if (waiting === undefined) game.helm.setThrottle(0, say('Cut the engine'))
    else game.burns.cancel()
  }
  return (
    <div class="order-now" role="status">
      <p>
        {waiting === undefined
          ? say('Burning: {deltaV} left.', { deltaV: speedText(left ?? 0) })
          : say('Turning. Then: {waiting}.', { waiting })}
      </p>
      <div class="order-buttons">
        <button type="button" class="stop" onClick={end}>
          {waiting === undefined ? say('Cut the engine') : say('Cancel')}
        </button>
      </div>
    </div>
  )
}

/** The burn of a filled form, or what is wrong with it in a sentence. */
function burnOf(
  texts: Texts,
  amount: 'delta_v' | 'duration',
  mode: SteeringMode | undefined,
): Burn | string {
  const read = readQuantities(texts, [amount, 'thrust_level'])
  const { [amount]: size = NaN, thrust_level: thrust = NaN } = read
  const order = { type: 'control', thrust_level: thrust, [amount]: size } as const
  const { unit } = QUANTITIES[amount]
  const towards = STEERINGS.find((steering) => steering.mode === mode)
  const way = towards === undefined ? '' : `, ${directionOf(towards)}`
  return (
    orderFault(order) ?? { mode, order, words: say('Burn {size} {unit}', { size, unit }) + way }
  )
}
