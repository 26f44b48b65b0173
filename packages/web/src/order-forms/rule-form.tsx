/** Makes or changes a rule. */
import type { RuleEntry } from '@orrery/client'
import { useSignal } from '@preact/signals'
import type { JSX, TargetedSubmitEvent } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { carryOut } from '../orders/orders.ts'
import type { Texts } from '../quantities/quantity-fields.ts'
import { type RuleDraft, NEW_RULE, draftOf, draftedRule, textsOf } from '../orders/rule-draft.ts'
import { draftedManeuver, useRuleManeuverDraft } from './maneuver-fields.tsx'
import { Fault, useFault } from './order-form.tsx'
import { TextLine } from '../elements/quantity-input.tsx'
import { RuleAction } from './rule-action.tsx'
import { RuleCondition } from './rule-condition.tsx'

interface RuleFormProps {
  readonly game: Game
  /** undefined for a new one */
  readonly rule: RuleEntry | undefined
  /** it is saved, or left as it was */
  readonly onEnd: () => void
}

const NEW_TEXTS = { condition: { altitude: '200' }, action: { thrust_level: '100', delta_v: '10' } }

export function RuleForm({ game, rule, onEnd }: RuleFormProps): JSX.Element {
  const draft = useSignal<RuleDraft>(rule ? draftOf(rule) : NEW_RULE)
  const start = rule ? textsOf(rule) : NEW_TEXTS
  const condition = useSignal<Texts>(start.condition)
  const action = useSignal<Texts>(start.action)
  const maneuver = useRuleManeuverDraft(rule?.action)
  const fault = useFault()
  const change = (changed: Partial<RuleDraft>): void => {
    draft.value = { ...draft.value, ...changed }
  }
  const save = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    // Fields of modules say themselves what they need.
    if (!event.currentTarget.reportValidity()) return
    const fields = {
      draft: draft.value,
      texts: { condition: condition.value, action: action.value },
      maneuver: () => draftedManeuver(game, maneuver),
      target: game.target.value,
    }
    const request = draftedRule(fields, rule)
    fault.value = typeof request === 'string' ? request : undefined
    if (typeof request === 'string') return
    const words = say('Save the rule “{name}”', { name: request.name })
    const isSaved = await carryOut(game, words, ({ socket }) =>
      socket.saveRule(request, rule?.rule_id),
    )
    if (isSaved) onEnd()
  }
  const drafting = { game, draft, fault }
  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <TextLine
        label={say('Name')}
        name="rule-name"
        value={draft.value.name}
        onText={(name) => change({ name })}
      />
      <RuleCondition {...drafting} texts={condition} />
      <RuleAction {...drafting} edited={rule?.action} texts={action} maneuver={maneuver} />
      <label class="check">
        <input
          type="checkbox"
          checked={draft.value.once}
          onChange={({ currentTarget }) => change({ once: currentTarget.checked })}
        />
        {say('Only once')}
      </label>
      <Fault text={fault.value} />
      <div class="order-buttons">
        <button type="button" onClick={onEnd}>
          {say('Cancel')}
        </button>
        <button type="submit" class="go">
          {say('Save')}
        </button>
      </div>
    </form>
  )
}
