/** When a rule fires. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import type { Texts } from '../quantities/quantity-fields.ts'
import { type ConditionType, type RuleDraft, isMeasured } from '../orders/rule-draft.ts'
import { OUTCOMES } from '../orders/rule-words.ts'
import { type Thing, keyOf } from '../readings/thing.ts'
import { nameOf } from '../readings/thing-names.ts'
import type { Drafting } from './drafting.ts'
import { Choice, QuantityInput, TextLine } from '../elements/quantity-input.tsx'

const CONDITIONS: Readonly<Record<Exclude<ConditionType, 'module'>, string>> = {
  altitude: say('altitude'),
  distance: say('distance'),
  speed: say('speed'),
  fuel: say('fuel'),
  apsis: say('passing an apsis'),
  game_time: say('a time'),
  maneuver_end: say('end of a maneuver'),
}

interface RuleConditionProps extends Drafting {
  readonly texts: Signal<Texts>
}

export function RuleCondition({ game, draft, fault, texts }: RuleConditionProps): JSX.Element {
  const { condition, apsis, outcome } = draft.value
  const change = (changed: Partial<RuleDraft>): void => {
    draft.value = { ...draft.value, ...changed }
  }
  const parts = game.moduleParts.value
  // One that no part shows is left as it is.
  const isOfModule = useSignal(condition === 'module').value
  return (
    <>
      <Choice
        label={say('When')}
        name="condition"
        value={condition}
        onChoose={(value) => change({ condition: value as ConditionType })}
      >
        {Object.entries(CONDITIONS).map(([type, words]) => (
          <option key={type} value={type}>
            {words}
          </option>
        ))}
        {(isOfModule || parts) && <option value="module">{say('a value of the game')}</option>}
      </Choice>
      {condition === 'module' && parts && <parts.Condition draft={draft} />}
      {isMeasured(condition) && (
        <Measure game={game} draft={draft} fault={fault} texts={texts} name={condition} />
      )}
      {condition === 'apsis' && (
        <Choice
          label={say('Apsis')}
          name="apsis"
          value={apsis}
          onChoose={(value) => change({ apsis: value === 'apoapsis' ? value : 'periapsis' })}
        >
          <option value="periapsis">{say('periapsis')}</option>
          <option value="apoapsis">{say('apoapsis')}</option>
        </Choice>
      )}
      {condition === 'game_time' && (
        <>
          <TextLine
            label={say('UTC')}
            name="time"
            placeholder="2026-11-24 12:00:00"
            value={draft.value.time}
            onText={(time) => change({ time })}
          />
          <p class="order-hint">
            {say('It fires within a second after that: rules are looked at once a second.')}
          </p>
        </>
      )}
      {condition === 'maneuver_end' && (
        <Choice
          label={say('Outcome')}
          name="outcome"
          value={outcome}
          onChoose={(value) => change({ outcome: value as RuleDraft['outcome'] })}
        >
          {Object.entries(OUTCOMES).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </Choice>
      )}
    </>
  )
}

interface MeasureProps extends RuleConditionProps {
  readonly name: 'altitude' | 'distance' | 'speed' | 'fuel'
}

/** The value that something passes. */
function Measure({ game, draft, fault, texts, name }: MeasureProps): JSX.Element {
  return (
    <>
      {name !== 'fuel' && <About game={game} draft={draft} fault={fault} />}
      <Choice
        label={say('Passes')}
        name="side"
        value={draft.value.side}
        onChoose={(value) => {
          draft.value = { ...draft.value, side: value === 'above' ? 'above' : 'below' }
        }}
      >
        <option value="below">{say('falls below')}</option>
        <option value="above">{say('rises above')}</option>
      </Choice>
      <QuantityInput name={name} texts={texts} fault={fault.value} />
    </>
  )
}

/** What a distance or speed is measured from. */
function About({ game, draft }: Drafting): JSX.Element {
  const { about, condition } = draft.value
  const things = thingsToChoose(game, about)
  const choose = (key: string): void => {
    draft.value = { ...draft.value, about: things.find((thing) => keyOf(thing) === key) }
  }
  const isBodyOnly = condition === 'altitude'
  return (
    <Choice label={say('From')} name="about" value={about ? keyOf(about) : ''} onChoose={choose}>
      <option value="">{say('present body')}</option>
      {things
        .filter(({ kind }) => kind === 'body' || !isBodyOnly)
        .map((thing) => (
          <option key={keyOf(thing)} value={keyOf(thing)}>
            {nameOf(thing, game.session.value)}
          </option>
        ))}
    </Choice>
  )
}

/** The target, bodies, stations and gates. */
function thingsToChoose({ session, target }: Game, about: Thing | undefined): readonly Thing[] {
  const { world } = session.value?.flight ?? {}
  const things: readonly (Thing | undefined)[] = [
    about,
    target.value,
    ...(world?.system?.bodies ?? []).map(({ name }) => ({ kind: 'body', name }) as const),
    ...(world?.objects() ?? []).map(({ kind, id }) => ({ kind, id })),
  ]
  const known = new Map(things.flatMap((thing) => (thing ? [[keyOf(thing), thing] as const] : [])))
  return [...known.values()]
}
