/** The date of the game, how fast it runs, and how far it is from UTC. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { LANGUAGE } from '../languages/language.ts'
import { say } from '../languages/say.ts'
import type { Game, Status } from '../game/game.ts'
import { dateText, paceText } from '../quantities/quantities.ts'
import { driftOf } from '../game/utc-drift.ts'
import type { Stage } from '../view/stage.ts'
import './time.css'

interface TimeProps {
  readonly game: Game
  readonly stage: Stage
}

export function Time({ game, stage }: TimeProps): JSX.Element {
  const date = useSignal('')
  const pace = useSignal('')
  const isNow = useSignal(true)
  useEffect(
    () =>
      stage.onFrame(({ gameTimeMs, surroundings: { scale, date: other } }) => {
        date.value = dateText(gameTimeMs)
        pace.value = paceText(scale)
        isNow.value = other === undefined
      }),
    [stage, date, pace, isNow],
  )
  const { value: status } = game.status
  return (
    <div id="time" class={isNow.value ? '' : 'other'}>
      <time id="date">{date}</time>
      <p>
        <span id="speed">{pace}</span>
        {!isNow.value && <span class="drift free">{say('not now')}</span>}
        {game.practice.value && <span class="drift free">{say('practice')}</span>}
        {isNow.value && status && !game.practice.value && <Drift status={status} />}
        <Opener game={game} />
        {game.live.value && (
          <button type="button" class="link" onClick={() => (game.practising.value = true)}>
            {say('Practice')}
          </button>
        )}
      </p>
      {status && <Line game={game} status={status} />}
    </div>
  )
}

function Opener({ game: { dates } }: Pick<TimeProps, 'game'>): JSX.Element {
  const isOpen = dates.value !== undefined
  const toggle = (): void => {
    dates.value = isOpen ? undefined : {}
  }
  return (
    <button type="button" id="other-dates" class="link" aria-expanded={isOpen} onClick={toggle}>
      {say('Other dates')}
    </button>
  )
}

function Drift({ status }: { readonly status: Status }): JSX.Element {
  const { kind, text, hint } = driftOf(status)
  return (
    <span class={`drift ${kind}`} title={hint}>
      {text}
    </span>
  )
}

/** For a player: how far away the server is, and what it has computed last. */
function Line({ game, status }: Pick<TimeProps, 'game'> & { status: Status }): JSX.Element | null {
  const { value: session } = game.live
  if (!session) return null
  const { roundTripMs } = session.socket
  return (
    <p class="time-line" title={say('Round trip to the server, and its tick')}>
      {roundTripMs !== undefined && <span>{`${Math.round(roundTripMs)} ms`}</span>}
      <span>{say('tick {n}', { n: status.tick.toLocaleString(LANGUAGE) })}</span>
    </p>
  )
}
