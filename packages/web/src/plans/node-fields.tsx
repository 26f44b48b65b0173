/** The Δv and the time of a node, in fields. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { say } from '../languages/say.ts'
import { DateLine } from '../elements/quantity-input.tsx'
import type { Game } from '../game/game.ts'
import { readQuantity, writeQuantity } from '../quantities/quantity-fields.ts'
import { AXES, stepOf, turnOf, withComponent } from './node-steps.ts'
import type { Plan, PlanNode } from './plan.ts'
import { indexOfUtc } from './planner.ts'

const FIELD = { label: '', unit: 'm/s', perUnit: 1 }

interface NodeProps {
  readonly game: Game
  readonly plan: Plan
  readonly node: PlanNode
  readonly name: string
}

export function NodeFields({ game, plan, node, name }: NodeProps): JSX.Element {
  return (
    <fieldset>
      <legend>{name}</legend>
      {AXES.map(([label], axis) => (
        <Component
          key={label}
          label={label}
          value={node.deltaV[axis]}
          onChange={(value) =>
            plan.change(node.id, { deltaV: withComponent(node.deltaV, axis, value) })
          }
        />
      ))}
      <Time game={game} plan={plan} node={node} />
      <div class="order-buttons">
        <button type="button" class="stop" onClick={() => plan.remove(node.id)}>
          {say('Delete node')}
        </button>
      </div>
    </fieldset>
  )
}

interface ComponentProps {
  readonly label: string
  /** [m/s] */
  readonly value: number
  readonly onChange: (value: number) => void
}

/** A number with steps: the arrow keys, and the wheel while it has the focus. */
function Component({ label, value, onChange }: ComponentProps): JSX.Element {
  const id = useId()
  const text = useSignal('')
  const input = useRef<HTMLInputElement>(null)
  const typed = readQuantity(text.value, FIELD)
  const isTyped = typed === value || (value === 0 && typed === undefined && text.value !== '')
  const isWrong = typed !== undefined && !Number.isFinite(typed)
  const turn = (steps: number): void => {
    text.value = ''
    onChange(value + steps)
  }
  const turned = useRef(turn)
  turned.current = turn
  useEffect(() => {
    // Only a listener that is not passive keeps the panel from scrolling.
    const onWheel = (event: WheelEvent): void => {
      if (document.activeElement !== input.current) return
      event.preventDefault()
      turned.current(turnOf(event) * stepOf(event))
    }
    const { current } = input
    current?.addEventListener('wheel', onWheel, { passive: false })
    return () => current?.removeEventListener('wheel', onWheel)
  }, [])
  return (
    <p class="order-line">
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={input}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        title={say('Arrow keys: 1 m/s, with Shift 10, with Alt 0.1')}
        value={isTyped || isWrong ? text.value : writeQuantity(value, FIELD)}
        aria-invalid={isWrong}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
          const read = readQuantity(currentTarget.value, FIELD) ?? 0
          if (Number.isFinite(read)) onChange(read)
        }}
        onBlur={() => (text.value = '')}
        onKeyDown={(event) => {
          const sign = { ArrowUp: 1, ArrowDown: -1 }[event.key]
          if (sign === undefined) return
          event.preventDefault()
          turn(sign * stepOf(event))
        }}
      />
      <span class="order-unit">m/s</span>
    </p>
  )
}

function Time({ game, plan, node }: Omit<NodeProps, 'name'>): JSX.Element {
  const { clock } = game.session.value?.flight ?? {}
  const ms = clock?.utc(node.index) ?? NaN
  const text = Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, 19)
  return (
    <DateLine
      label={say('Time (UTC)')}
      name="plan-time"
      value={text}
      step={1}
      onText={(value) => {
        const wanted = Date.parse(`${value}Z`)
        if (value !== text && !Number.isNaN(wanted)) {
          plan.change(node.id, { index: indexOfUtc(game, wanted) })
        }
      }}
    />
  )
}
