/** Where the own ship goes, and what it can still do. */
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { knownState } from '../forecast/known-state.ts'
import type { OwnReadings } from '../readings/own-readings.ts'
import type { Readings } from '../game/readings.ts'
import { withArticle } from '../readings/thing-names.ts'
import {
  accelerationText,
  angleText,
  countdownText,
  distanceText,
  durationText,
  kilogramsText,
  percentText,
  speedText,
} from '../quantities/quantities.ts'
import { Explain } from '../elements/explain.tsx'
import { Bar, Row, Rows } from '../elements/rows.tsx'
import './flight-data.css'

/** Lattice indices of a second. */
const QUANTA_PER_SECOND = 64

interface FlightDataProps {
  readonly game: Game
}

/** Altitude, speed and orbit about the reference body. */
export function OrbitData({ game }: FlightDataProps): JSX.Element {
  const own = game.readings.value?.own
  return (
    <section class="flight-data orbit-data" aria-label={say('Orbit')}>
      <h2>{own ? say('Around {body}', { body: withArticle(own.body) }) : say('Orbit')}</h2>
      <Explain of="Orbit" />
      {own ? <OrbitRows own={own} /> : <p>{unknownText(game)}</p>}
    </section>
  )
}

function unknownText({ doing }: Game): string {
  return doing.isShipless.value
    ? say('There is no ship.')
    : say('Nothing is known of the ship yet.')
}

function OrbitRows({ own }: { readonly own: OwnReadings }): JSX.Element {
  const { orbit, bodyRadius, body, plane } = own
  const isClosed = orbit.period < Infinity
  const of =
    plane === 'equator'
      ? say('the equator of {body}', { body: withArticle(body) })
      : say('the ecliptic')
  return (
    <Rows>
      <Row name={say('Altitude')} value={distanceText(own.altitude)} />
      <Row name={say('Speed')} value={speedText(own.speed)} />
      <Row
        name={say('Vertical')}
        value={speedText(own.verticalSpeed)}
        title={say('Away from the body')}
      />
      {own.altitude < bodyRadius && own.groundSpeed >= 0 && (
        <Row
          name={say('Ground')}
          value={speedText(own.groundSpeed)}
          title={say('Speed over the ground')}
        />
      )}
      {isClosed ? (
        <Row
          name={say('Apoapsis')}
          value={distanceText(orbit.apoapsis - bodyRadius)}
          aside={untilText(orbit.timeToApoapsis)}
          title={apsisHint(body)}
        />
      ) : (
        <Row
          name={say('Excess speed')}
          value={speedText(orbit.excessSpeed)}
          title={say('Left far away')}
        />
      )}
      <Row
        name={say('Periapsis')}
        value={distanceText(orbit.periapsis - bodyRadius)}
        aside={untilText(orbit.timeToPeriapsis)}
        title={apsisHint(body)}
      />
      {isClosed && <Row name={say('Period')} value={durationText(orbit.period)} />}
      <Row
        name={say('Inclination')}
        value={knownText(orbit.inclination, angleText)}
        title={say('To {plane}', { plane: of })}
      />
    </Rows>
  )
}

/** Why apsides here and of what lies ahead are some kilometres apart. */
function apsisHint(body: string): string {
  return say(
    'As if {body} alone pulled, and were a perfect sphere. Its shape and other bodies ' +
      'change that by kilometres on the way: “Ahead” has what will be flown.',
    { body: withArticle(body) },
  )
}

/** How long until something, with a sign; nothing where it does not happen. */
function untilText(seconds: number): string {
  if (!Number.isFinite(seconds)) return ''
  return seconds < 0 ? `T+${countdownText(-seconds)}` : `T−${countdownText(seconds)}`
}

function knownText(value: number, text: (value: number) => string): string {
  return Number.isNaN(value) ? '—' : text(value)
}

/** Fuel, thrust and wheels of the ship. */
export function ShipData({ game }: FlightDataProps): JSX.Element {
  const { value: readings } = game.readings
  return (
    <section class="flight-data ship-data" aria-label={say('Ship')}>
      <h2>{say('Ship')}</h2>
      <Explain of="Ship" />
      {readings && <ShipRows {...readings} />}
    </section>
  )
}

function ShipRows({ own, burn, time }: Omit<Readings, 'target'>): JSX.Element {
  const { thrustLevel, fuel, fuelCapacity, wheels, acceleration } = own
  const known = knownState(own)
  return (
    <>
      <Rows>
        <Row name={say('Δv left')} value={knownText(own.deltaV, speedText)} />
        <Row
          name={say('Thrust')}
          value={knownText(thrustLevel * acceleration, accelerationText)}
          title={say("Acceleration now, in multiples of the Earth's gravity")}
        />
        <Bar
          name={say('Fuel')}
          value={knownText(fuel, kilogramsText)}
          share={fuel / fuelCapacity}
          kind="fuel"
        />
        <Bar name={say('Wheels')} value={percentText(wheels)} share={wheels} kind="wheels" />
        {burn && (
          <Row
            name={say('Next burn')}
            value={knownText(burn.deltaV, speedText)}
            aside={untilText((burn.begin - time) / QUANTA_PER_SECOND)}
          />
        )}
      </Rows>
      <p class={`ship-state ${known.kind}`}>{known.text}</p>
    </>
  )
}
