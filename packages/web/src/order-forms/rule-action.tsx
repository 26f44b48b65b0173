/** What a rule does. */
import type { RuleAction as Action } from '@orrery/client'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Texts } from '../quantities/quantity-fields.ts'
import { type ActionKind, type RuleDraft, ordersCommand } from '../orders/rule-draft.ts'
import { actionWords } from '../orders/rule-words.ts'
import { STEERINGS, type SteeringMode } from '../orders/steering-modes.ts'
import { nameOf } from '../readings/thing-names.ts'
import type { Drafting } from './drafting.ts'
import { type ManeuverDraft, ManeuverFields, TargetLine } from './maneuver-fields.tsx'
import { Choice, QuantityInput } from '../elements/quantity-input.tsx'

const ACTIONS: Readonly<Record<Exclude<ActionKind, 'kept' | 'module'>, string>> = {
  point: say('turn the hull'),
  thrust: say('set the throttle'),
  burn: say('burn'),
  maneuver: say('start a maneuver'),
  abort: say('abort the maneuver'),
  event: say('only write it to the log'),
}

const POINTINGS = STEERINGS.filter(({ mode }) => mode !== 'away')

interface RuleActionProps extends Drafting {
  /** of the rule that is changed */
  readonly edited: Action | undefined
  readonly texts: Signal<Texts>
  readonly maneuver: ManeuverDraft
}

export function RuleAction(props: RuleActionProps): JSX.Element {
  const { game, draft, fault, edited, texts, maneuver } = props
  const { action, ordersToo, pointing } = draft.value
  const change = (changed: Partial<RuleDraft>): void => {
    draft.value = { ...draft.value, ...changed }
  }
  const isKept = useSignal(action === 'kept').value
  const isCommand = useSignal(action === 'module').value
  const parts = game.moduleParts.value
  return (
    <>
      <Choice
        label={say('Then')}
        name="action"
        value={action}
        onChoose={(value) => change({ action: value as ActionKind })}
      >
        {isKept && edited && (
          <option value="kept">
            {say('as before: {action}', {
              action: actionWords(edited, (thing) => nameOf(thing, game.session.value)),
            })}
          </option>
        )}
        {Object.entries(ACTIONS).map(([kind, words]) => (
          <option key={kind} value={kind}>
            {words}
          </option>
        ))}
        {(isCommand || parts) && <option value="module">{say('a command of the game')}</option>}
      </Choice>
      {action === 'point' && (
        <Choice
          label={say('To')}
          name="rule-pointing"
          value={pointing}
          onChoose={(value) => change({ pointing: value as SteeringMode })}
        >
          {POINTINGS.map(({ mode, words }) => (
            <option key={mode} value={mode}>
              {words}
            </option>
          ))}
        </Choice>
      )}
      {action === 'point' && pointing === 'target' && <TargetLine game={game} />}
      {action === 'burn' && <QuantityInput name="delta_v" texts={texts} fault={fault.value} />}
      {(action === 'burn' || action === 'thrust') && (
        <QuantityInput name="thrust_level" texts={texts} fault={fault.value} />
      )}
      {action === 'maneuver' && <ManeuverFields game={game} draft={maneuver} fault={fault} />}
      {parts && action !== 'module' && action !== 'event' && (
        <label class="check">
          <input
            type="checkbox"
            checked={ordersToo}
            onChange={({ currentTarget }) => change({ ordersToo: currentTarget.checked })}
          />
          {say('And a command of the game')}
        </label>
      )}
      {parts && ordersCommand(draft.value) && <parts.Command draft={draft} />}
    </>
  )
}
