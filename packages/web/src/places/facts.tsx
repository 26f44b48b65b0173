/** What is known of the body that is looked at. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { type Thing, isSame } from '../readings/thing.ts'
import { keyOf } from '../input/key-names.ts'
import type { Stage } from '../view/stage.ts'
import { type ThingFacts, factsOf } from './thing-facts.ts'
import { useGateWays, wayOf } from '../order-forms/use-gate-ways.ts'
import './facts.css'

/** Texts change so often [ms]. */
const PERIOD_MS = 250

export function Facts({
  game,
  stage,
}: {
  readonly game: Game
  readonly stage: Stage
}): JSX.Element | null {
  const shown = useSignal<ThingFacts | undefined>(undefined)
  useEffect(() => {
    let atMs = -Infinity
    let last: Thing | undefined
    return stage.onFrame((frame) => {
      const focus = game.focus.peek()
      if (focus === last && frame.nowMs - atMs < PERIOD_MS) return
      atMs = frame.nowMs
      last = focus
      shown.value = focus && factsOf(focus, frame, stage)
    })
  }, [game, stage, shown])
  const { value: focus } = game.focus
  const gate = focus?.kind === 'jumpgate' ? focus.id : ''
  const way = wayOf(useGateWays(game, gate), gate)
  // The panel of the target has more of it.
  const isTarget = game.session.value && isSame(focus, game.target.value)
  if (!shown.value || isTarget) return null
  const { name, kind, note, rows } = shown.value
  const leadsTo = gate !== '' && way !== undefined ? [[say('Leads to'), way] as const] : []
  return (
    // It scrolls where the screen is low: the keyboard needs it in the order of focus.
    <section id="facts" aria-labelledby="facts-name" tabIndex={0}>
      <header>
        <h2 id="facts-name">{name}</h2>
        <TargetButton game={game} />
      </header>
      <p id="facts-kind">{kind}</p>
      {note && <p>{note}</p>}
      <dl id="facts-list">
        {[...leadsTo, ...rows].map(([word, value]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Makes what is looked at the target of the ship. */
function TargetButton({ game }: { readonly game: Game }): JSX.Element | null {
  if (!game.session.value) return null
  const focus = game.focus.value
  const { ship } = game.session.value.flight
  if (focus?.kind === 'ship' && focus.id === ship.id) return null
  return (
    <button
      type="button"
      title={say('Target ({key})', { key: keyOf('flight.choose', 'KeyT') })}
      onClick={() => (game.target.value = focus)}
    >
      {say('Target')}
    </button>
  )
}
