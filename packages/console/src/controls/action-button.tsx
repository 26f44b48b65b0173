import type { JSX } from 'preact'
import type { Values } from '../operator/action.ts'
import { ACTIONS, type ActionId } from '../operator/actions.ts'
import type { Operator } from '../operator/operator.ts'

export interface ActionButtonProps {
  readonly of: ActionId
  readonly operator: Operator
  readonly values?: Values
  /** in place of its title */
  readonly name?: string
  /** what it is done to, for those who do not see the row */
  readonly about?: string | undefined
}

/** Begins an action. */
export function ActionButton({
  of,
  operator,
  values,
  name,
  about,
}: ActionButtonProps): JSX.Element {
  const action = ACTIONS[of]
  const reading = operator.live.reading.value
  const title = reading ? action.title(reading) : ''
  const off = reading ? action.offBecause?.(reading) : 'The server has not answered yet.'
  return (
    <button
      type="button"
      class={action.isGrave ? 'grave' : undefined}
      disabled={off !== undefined}
      title={off}
      aria-label={about === undefined ? undefined : `${name ?? title}: ${about}`}
      onClick={() => operator.begin(of, values, about)}
    >
      {name ?? title}
    </button>
  )
}
