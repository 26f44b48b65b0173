/** The fields of a maneuver, for starting it now and for rules. */
import type { RuleAction } from '@orrery/client'
import { type Signal, batch, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { PresentOrbit } from '../quantities/apsides.ts'
import type { Game } from '../game/game.ts'
import {
  type DepartureChoice,
  MANEUVERS,
  MANEUVER_POINTINGS,
  type ManeuverForm,
  type ManeuverStart,
  hasDeparture,
  maneuverForm,
  maneuverOrder,
  proposedTexts,
  textsOfManeuver,
} from '../orders/maneuvers.ts'
import { directionOf } from '../orders/steering-modes.ts'
import { say, sayName } from '../languages/say.ts'
import type { QuantityName, Texts } from '../quantities/quantity-fields.ts'
import { nameOf } from '../readings/thing-names.ts'
import { keyOf } from '../input/key-names.ts'
import { Choice, QuantityInput } from '../elements/quantity-input.tsx'
import { DepartureFields, useDeparture } from './departure-fields.tsx'

/** A maneuver as it is filled in. */
export interface ManeuverDraft {
  readonly name: Signal<string>
  readonly texts: Signal<Texts>
  readonly body: Signal<string>
  readonly pointing: Signal<string>
  readonly departure: Signal<DepartureChoice>
  /** whether it begins now, and not by a rule */
  readonly isNow: boolean
}

/** Of an order that is given now. */
export function useManeuverDraft(): ManeuverDraft {
  return { ...useRuleManeuverDraft(undefined), isNow: true }
}

/** @param order  to begin with, when it is a maneuver */
export function useRuleManeuverDraft(order: RuleAction | undefined): ManeuverDraft {
  const start = order?.type === 'maneuver_start' ? order : undefined
  return {
    name: useSignal<string>(start?.maneuver ?? 'circularize'),
    texts: useSignal<Texts>(start ? textsOfManeuver(start) : {}),
    body: useSignal(start?.target_body ?? ''),
    pointing: useSignal<string>(start?.pointing ?? 'prograde'),
    departure: useDeparture(start?.depart),
    isNow: false,
  }
}

/** The order of a draft, or what is wrong with it in a sentence. */
export function draftedManeuver(game: Game, draft: ManeuverDraft): ManeuverStart | string {
  return maneuverOrder(maneuverForm(draft.name.value, draft.isNow), draft.texts.value, {
    body: draft.body.value || firstBody(game),
    pointing: draft.pointing.value,
    departure: draft.departure.value,
    target: game.target.value,
    present: presentOrbit(game),
  })
}

/** The orbit that altitudes of a form change. */
export function presentOrbit({ doing, session }: Game): PresentOrbit | undefined {
  const ship = doing.ship.value
  const bodies = session.value?.flight.world.system?.bodies ?? []
  const { radius } = bodies.find(({ name }) => name === ship?.reference_body) ?? {}
  return ship && radius !== undefined ? { radius, orbit: ship.mean_orbit } : undefined
}

const PLACEHOLDERS: { readonly [Name in QuantityName]?: string } = {
  altitude: say('low orbit'),
  thrust_level: '100',
  timeout: say('automatic'),
}

interface ManeuverFieldsProps {
  readonly game: Game
  readonly draft: ManeuverDraft
  readonly fault: Signal<string | undefined>
}

export function ManeuverFields({ game, draft, fault }: ManeuverFieldsProps): JSX.Element {
  const form = maneuverForm(draft.name.value, draft.isNow)
  const choose = (value: string): void =>
    batch(() => {
      draft.name.value = value
      draft.texts.value = proposedTexts(maneuverForm(value, draft.isNow), game.doing.ship.value)
      fault.value = undefined
    })
  return (
    <>
      <Choice label={say('Maneuver')} name="maneuver" value={draft.name.value} onChoose={choose}>
        {MANEUVERS.map(({ maneuver, title }) => (
          <option key={maneuver} value={maneuver}>
            {title}
          </option>
        ))}
      </Choice>
      <p class="order-hint">{form.hint}</p>
      <Aim game={game} draft={draft} form={form} />
      {hasDeparture(form) && <DepartureFields departure={draft.departure} />}
      {form.quantities.map((quantity) => (
        <QuantityInput
          key={quantity}
          name={quantity}
          texts={draft.texts}
          placeholder={PLACEHOLDERS[quantity] ?? say('any')}
          fault={fault.value}
        />
      ))}
    </>
  )
}

interface AimProps {
  readonly game: Game
  readonly draft: ManeuverDraft
  readonly form: ManeuverForm
}

/** What the maneuver is directed at. */
function Aim({ game, draft, form }: AimProps): JSX.Element | null {
  const { body, pointing } = draft
  const names = bodyNames(game)
  if (form.aim === 'body') {
    return (
      <Choice
        label={say('Body')}
        name="body"
        value={body.value || firstBody(game)}
        onChoose={(value) => (body.value = value)}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {sayName(name)}
          </option>
        ))}
      </Choice>
    )
  }
  if (form.aim === 'pointing') {
    return (
      <Choice
        label={say('Direction')}
        name="pointing"
        value={pointing.value}
        onChoose={(value) => (pointing.value = value)}
      >
        {MANEUVER_POINTINGS.map((steering) => (
          <option key={steering.mode} value={steering.mode}>
            {directionOf(steering)}
          </option>
        ))}
      </Choice>
    )
  }
  return form.aim === 'target' ? <TargetLine game={game} /> : null
}

export function TargetLine({ game: { target, session } }: { readonly game: Game }): JSX.Element {
  const key = keyOf('flight.choose', 'KeyT')
  return (
    <p class="order-hint">
      {target.value
        ? say('Target: {target}', { target: nameOf(target.value, session.value) })
        : say('No target yet: look at a ship, station or gate, then press {key}.', { key })}
    </p>
  )
}

/** Where a player most likely goes: the target, else a moon of the present body. */
function firstBody(game: Game): string {
  const names = bodyNames(game)
  const { value: target } = game.target
  if (target?.kind === 'body' && names.includes(target.name)) return target.name
  const here = game.doing.ship.value?.reference_body
  const bodies = game.session.value?.flight.world.system?.bodies ?? []
  const moon = bodies.find(({ parent }) => parent >= 0 && bodies[parent].name === here)
  return moon?.name ?? names[0] ?? ''
}

/** Bodies of the star system but its star. */
export function bodyNames({ session, doing }: Game): readonly string[] {
  // The bodies come with the ship.
  const here = doing.ship.value?.reference_body
  const bodies = session.value?.flight.world.system?.bodies ?? []
  return bodies.filter(({ name, parent }) => parent >= 0 && name !== here).map(({ name }) => name)
}
