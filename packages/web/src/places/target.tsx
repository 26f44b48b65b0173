/** What the instruments show of the target, and what can be done about it. */
import type { JSX } from 'preact'
import { say, sayName } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { giveOrder, jump } from '../orders/orders.ts'
import {
  angleText,
  countdownText,
  distanceText,
  durationText,
  speedText,
} from '../quantities/quantities.ts'
import type { TargetReadings } from '../readings/target-readings.ts'
import { type Thing, isSame } from '../readings/thing.ts'
import { withArticle } from '../readings/thing-names.ts'
import { BODY_NOTES } from './body-notes.ts'
import { Explain } from '../elements/explain.tsx'
import { Row, Rows } from '../elements/rows.tsx'
import { useMeeting } from '../order-forms/meeting.tsx'
import { useGateWays, wayOf } from '../order-forms/use-gate-ways.ts'
import './target.css'

interface TargetProps {
  readonly game: Game
}

const DAY = 86_400

const KINDS = {
  body: say('body'),
  ship: say('ship'),
  station: say('station'),
  jumpgate: say('jump gate'),
}

export function Target({ game }: TargetProps): JSX.Element | null {
  const { value: target } = game.target
  const readings = game.readings.value?.target
  const name = readings?.name ?? (target?.kind === 'body' ? sayName(target.name) : '')
  const meeting = useMeeting({ game, target, name })
  if (!target || !game.session.value) return null
  return (
    <section class="target" aria-labelledby="target-name">
      <header>
        <h2 id="target-name">{name || KINDS[target.kind]}</h2>
        <span class="target-kind">{say('target · {kind}', { kind: KINDS[target.kind] })}</span>
        <Explain of="Target" />
      </header>
      {readings ? (
        <TargetRows game={game} target={target} readings={readings} />
      ) : (
        <p class="target-kind">{say('It is out of view: only its name is known.')}</p>
      )}
      <div class="target-buttons">
        {!isSame(game.focus.value, target) && (
          <button type="button" onClick={() => (game.focus.value = target)}>
            {say('Look at it')}
          </button>
        )}
        {target.kind !== 'body' && meeting.button}
        <TargetOrders game={game} target={target} name={name} />
        <button
          type="button"
          title={say('Drop the target')}
          onClick={() => (game.target.value = undefined)}
        >
          {say('Drop')}
        </button>
      </div>
      {meeting.form}
    </section>
  )
}

interface TargetOrdersProps extends TargetProps {
  readonly target: Thing
  readonly name: string
}

interface TargetRowsProps extends TargetProps {
  readonly target: Thing
  readonly readings: TargetReadings
}

function TargetRows({ game, target, readings }: TargetRowsProps): JSX.Element {
  const gate = target.kind === 'jumpgate' ? target.id : ''
  const way = wayOf(useGateWays(game, gate), gate)
  const { closingSpeed, arrival, nearest, nearestIn, orbit, relativeInclination } = readings
  const isClosing = closingSpeed >= 0
  const isSoon = arrival < Infinity
  const { year } = (target.kind === 'body' && BODY_NOTES[target.name]) || {}
  return (
    <Rows>
      {gate !== '' && way !== undefined && <Row name={say('Leads to')} value={way} />}
      <Row
        name={say('Distance')}
        value={distanceText(readings.clearance)}
        title={say('To its surface or hull')}
      />
      <Row
        name={isClosing ? say('Closing') : say('Receding')}
        value={speedText(Math.abs(closingSpeed))}
        aside={isSoon ? `T−${countdownText(arrival)}` : ''}
      />
      <Row
        name={say('Closest ahead')}
        value={distanceText(nearest)}
        aside={nearestIn > 0 ? `T−${countdownText(nearestIn)}` : ''}
        title={say('How near both come if neither turns')}
      />
      <Row name={say('Relative speed')} value={speedText(readings.relativeSpeed)} />
      <Row
        name={say('Off the nose')}
        value={angleText(readings.angle)}
        title={say('Angle from the nose')}
      />
      {relativeInclination >= 0 && (
        <Row
          name={say('Rel. inclination')}
          value={angleText(relativeInclination)}
          title={say('Angle between the planes of both orbits')}
        />
      )}
      {orbit && <OrbitRows orbit={orbit} year={year} />}
    </Rows>
  )
}

function OrbitRows({
  orbit,
  year,
}: {
  readonly orbit: NonNullable<TargetReadings['orbit']>
  /** its mean period, where that is known [days] */
  readonly year: number | undefined
}): JSX.Element {
  const { body, bodyRadius, elements } = orbit
  const period = year === undefined ? elements.period : year * DAY
  const [low, high] = [elements.periapsis, elements.apoapsis].map((distance) =>
    distance < Infinity ? distanceText(distance - bodyRadius) : say('away'),
  )
  return (
    <>
      <Row
        name={say('Above {body}', { body: withArticle(body) })}
        value={low === high ? low : say('{low} to {high}', { low, high })}
      />
      {period < Infinity && <Row name={say('Period')} value={durationText(period)} />}
    </>
  )
}

/** What the ship can be ordered to do at a target of its kind. */
function TargetOrders({ game, target, name }: TargetOrdersProps): JSX.Element | null {
  if (target.kind === 'body') return null
  return (
    <>
      {target.kind === 'station' && (
        <button
          type="button"
          title={say('Fly to it and dock')}
          onClick={() =>
            void giveOrder(
              game,
              { type: 'dock', station_id: target.id },
              say('Dock at {name}', { name }),
            )
          }
        >
          {say('Dock')}
        </button>
      )}
      {target.kind === 'jumpgate' && (
        <button
          type="button"
          title={say('Jump, where the ship is beside it')}
          onClick={() => void jump(game, target.id, say('Jump through {name}', { name }))}
        >
          {say('Jump')}
        </button>
      )}
    </>
  )
}
