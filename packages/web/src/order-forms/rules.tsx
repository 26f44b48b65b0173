/** What the ship does by itself: its rules, each as a sentence. */
import type { RuleEntry, RuleRequest } from '@orrery/client'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { carryOut } from '../orders/orders.ts'
import { ruleSentence } from '../orders/rule-words.ts'
import { thingOfFields } from '../orders/target-fields.ts'
import { nameOf } from '../readings/thing-names.ts'
import { RuleForm } from './rule-form.tsx'

export function Ruling({ game }: { readonly game: Game }): JSX.Element {
  const { rules, read } = useRules(game)
  const edited = useSignal<RuleEntry | 'new' | undefined>(undefined)
  const session = game.session.value
  const act = async (words: string, work: Parameters<typeof carryOut>[2]): Promise<void> => {
    if (await carryOut(game, words, work)) await read()
  }
  const arm = ({ rule_id: id, ...rule }: RuleEntry): Promise<void> =>
    act(armingWords(rule), ({ socket }) => socket.saveRule({ ...rule, armed: !rule.armed }, id))
  const remove = ({ rule_id: id, name }: RuleEntry): Promise<void> =>
    act(say('Delete the rule “{name}”', { name }), ({ socket }) => socket.deleteRule(id))
  if (edited.value !== undefined) {
    return (
      <RuleForm
        game={game}
        rule={edited.value === 'new' ? undefined : edited.value}
        onEnd={() => {
          edited.value = undefined
          void read()
        }}
      />
    )
  }
  return (
    <>
      {rules.value?.length === 0 && (
        <p class="order-hint">
          {say('A rule does something when something happens, also while you are away.')}
        </p>
      )}
      <ul class="order-list">
        {rules.value?.map((rule) => (
          <RuleRow
            key={rule.rule_id}
            rule={rule}
            sentence={ruleSentence(rule, (thing) => nameOf(thing, session), game.moduleParts.value)}
            onArm={() => void arm(rule)}
            onChange={() => {
              takeTarget(game, rule)
              edited.value = rule
            }}
            onRemove={() => void remove(rule)}
          />
        ))}
      </ul>
      <div class="order-buttons">
        <button type="button" onClick={() => (edited.value = 'new')}>
          {say('New rule')}
        </button>
      </div>
    </>
  )
}

function armingWords({ armed, name }: RuleRequest): string {
  return armed ? say('Disarm the rule “{name}”', { name }) : say('Arm the rule “{name}”', { name })
}

interface ReadRules {
  /** undefined until they are known */
  readonly rules: ReadonlySignal<readonly RuleEntry[] | undefined>
  readonly read: () => Promise<boolean>
}

/** The rules of the ship, read again when they may have changed. */
function useRules(game: Game): ReadRules {
  const rules = useSignal<readonly RuleEntry[] | undefined>(undefined)
  const session = game.session.value
  const read = (): Promise<boolean> =>
    carryOut(game, undefined, async ({ socket }) => {
      await socket.opened
      rules.value = await socket.rules()
    })
  useEffect(() => {
    void read()
    const stops = [
      // What failed with the last connection is asked again.
      session?.socket.on('welcome', () => void read()),
      // One that has fired once is not armed any more.
      session?.socket.on('event', ({ event, module_event: own }) => {
        if (event === 'rule' || event === 'rules_dropped' || own === 'rule_disarmed') void read()
      }),
    ]
    return () => {
      for (const stop of stops) stop?.()
    }
  }, [session])
  return { rules, read }
}

/** The form takes the target of the game for that of the rule. */
function takeTarget({ target }: Game, { action }: RuleEntry): void {
  const isAimed = action.type === 'control' || action.type === 'maneuver_start'
  target.value = (isAimed ? thingOfFields(action) : undefined) ?? target.value
}

interface RuleRowProps {
  readonly rule: RuleEntry
  readonly sentence: string
  readonly onArm: () => void
  readonly onChange: () => void
  readonly onRemove: () => void
}

function RuleRow({ rule, sentence, onArm, onChange, onRemove }: RuleRowProps): JSX.Element {
  return (
    <li class="order-row rule">
      <span>
        {rule.name}
        <small>{sentence}</small>
      </span>
      <label class="check" title={say('Whether it can fire')}>
        <input type="checkbox" checked={rule.armed} onChange={onArm} />
        {say('Armed')}
      </label>
      <button
        type="button"
        aria-label={say('Change the rule {name}', { name: rule.name })}
        onClick={onChange}
      >
        {say('Change')}
      </button>
      <button
        type="button"
        aria-label={say('Delete the rule {name}', { name: rule.name })}
        onClick={onRemove}
      >
        {say('Delete')}
      </button>
    </li>
  )
}
