/** The date of the game, how fast it runs, and how far it is from UTC. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
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
  useEffect(
    () =>
      stage.onFrame(({ gameTimeMs, surroundings: { scale } }) => {
        date.value = dateText(gameTimeMs)
        pace.value = paceText(scale)
      }),
    [stage, date, pace],
  )
  const { value: status } = game.status
  return (
    <div id="time">
      <time id="date">{date}</time>
      <p>
        <span id="speed">{pace}</span>
        {status && <Drift status={status} />}
      </p>
      {status && <Line game={game} status={status} />}
    </div>
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
  const { value: session } = game.session
  if (!session) return null
  const { roundTripMs } = session.socket
  return (
    <p class="time-line" title="Round trip to the server, and its tick">
      {roundTripMs !== undefined && <span>{Math.round(roundTripMs)} ms</span>}
      <span>tick {status.tick.toLocaleString('en')}</span>
    </p>
  )
}
