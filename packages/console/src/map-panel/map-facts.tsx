import type { AdminClient } from '@orrery/client'
import type { ComponentChildren, JSX } from 'preact'
import type { Values } from '../operator/action.ts'
import type { Listing } from '../operator/listing.ts'
import { PILOT_ACTIONS, SHIP_ACTIONS } from '../operator/listings.ts'
import type { Operator } from '../operator/operator.ts'
import { type ThingReading, thingReading } from '../map/thing-reading.ts'
import { LAGRANGE_NUMBERS } from '../map/map-thing.ts'
import type { StarMap } from '../map/star-map.ts'
import { ActionButton } from '../controls/action-button.tsx'
import { countText, durationText, lengthText, speedText } from '../controls/quantity-text.ts'
import { usePilot } from '../controls/use-pilot.ts'

export interface MapFactsProps {
  readonly map: StarMap
  readonly operator: Operator
  readonly admin: AdminClient
}

type Facts = readonly (readonly [name: string, value: string])[]

/** What is known of the thing that is chosen, and what can be done with it. */
export function MapFacts({ map, operator, admin }: MapFactsProps): JSX.Element {
  void map.readings.value
  const thing = map.chosen.value
  const reading = thing && thingReading(map, thing)
  if (!thing) return <p class="hint">Choose something on the map, or find it by its name.</p>
  if (!reading) {
    return <p class="hint">It is not in this star system, or nothing is known of it yet.</p>
  }
  return (
    <article class="map-facts" aria-label="Chosen">
      <h2>{reading.name}</h2>
      <Reading reading={reading} map={map} operator={operator} admin={admin} />
      {thing.kind !== 'altitude' && (
        <footer>
          <button
            type="button"
            aria-pressed={map.isFollowing.value}
            onClick={() => map.follow(!map.isFollowing.value)}
          >
            Follow
          </button>
          <button type="button" onClick={() => map.goNear()}>
            Go near
          </button>
          <button type="button" onClick={() => map.show(thing)}>
            Look around
          </button>
        </footer>
      )}
    </article>
  )
}

interface ReadingProps extends MapFactsProps {
  readonly reading: ThingReading
}

function Reading(props: ReadingProps): JSX.Element {
  const { reading, map, operator } = props
  if (reading.kind === 'ship') return <ShipReading {...props} reading={reading} />
  const { facts, actions, values } = shownOf(reading)
  const { name, body } = reading
  const hasPoints = reading.kind === 'lagrange' || (reading.kind === 'body' && body !== '')
  return (
    <>
      <Rows facts={facts} />
      <Actions actions={actions} values={values} about={name} operator={operator} />
      {hasPoints && (
        <div class="map-actions" role="group" aria-label="Lagrange points">
          {LAGRANGE_NUMBERS.map((point) => (
            <button
              key={point}
              type="button"
              onClick={() => map.show({ kind: 'lagrange', body: reading.index, point })}
            >
              L{point}
            </button>
          ))}
        </div>
      )}
    </>
  )
}

interface Shown {
  readonly facts: Facts
  readonly actions: Listing['rowActions']
  /** what the actions start with */
  readonly values: Values
}

function shownOf(reading: Exclude<ThingReading, { kind: 'ship' }>): Shown {
  const { name, body } = reading
  if (reading.kind === 'body') {
    const { what, radius, distance, speed } = reading
    const facts: Facts = [
      ['kind', what],
      ['radius', lengthText(radius)],
    ]
    const motion: Facts = [
      [`from ${body}`, lengthText(distance)],
      ['speed', speedText(speed)],
    ]
    return {
      facts: body === '' ? facts : [...facts, ...motion],
      actions: [['placeStation', 'Station above it']],
      values: { body: name },
    }
  }
  if (reading.kind === 'lagrange') {
    const { secondary, point, distance } = reading
    return {
      facts: [[`from ${body}`, lengthText(distance)]],
      actions: [
        ['placeStation', 'Station here'],
        ['placeJumpgate', 'Jump gate here'],
      ],
      values: { body, primary: body, secondary, point: String(point) },
    }
  }
  if (reading.kind === 'altitude') {
    return {
      facts: [['altitude', lengthText(reading.altitude)]],
      actions: [['placeStation', 'Station here']],
      values: { body, altitude: String(Math.round(reading.altitude)) },
    }
  }
  const { id, what, place, altitude, speed } = reading
  return {
    facts: [
      ['kind', what],
      ['at', place],
      ['altitude', lengthText(altitude)],
      ['speed', speedText(speed)],
      ['id', id],
    ],
    actions: [[what === 'station' ? 'removeStation' : 'removeJumpgate', 'Remove']],
    values: { station: id, jumpgate: id },
  }
}

interface ShipReadingProps extends MapFactsProps {
  readonly reading: Extract<ThingReading, { kind: 'ship' }>
}

function ShipReading({ reading, operator, admin }: ShipReadingProps): JSX.Element {
  const { id, name, body, altitude, speed, fuel, thrust, orbit, ahead } = reading
  const { pilot, doing } = usePilot(admin, id)
  const engine = thrust > 0 ? `${Math.round(100 * thrust)} % thrust` : 'off'
  const role = pilot?.is_admin ? 'admin' : 'player'
  const values = { ship: id, ...(pilot && { player: pilot.player_id, role }) }
  const actions = pilot ? [...SHIP_ACTIONS, ...PILOT_ACTIONS] : SHIP_ACTIONS
  return (
    <>
      <Rows
        facts={[
          ['pilot', pilot ? `${pilot.username}${pilot.online ? ', online' : ''}` : 'not known'],
          ['body', body],
          ['altitude', lengthText(altitude)],
          ['speed', speedText(speed)],
          ['orbit', `${lengthText(orbit.low)} to ${lengthText(orbit.high)}`],
          ['fuel', Number.isNaN(fuel) ? 'not known' : `${countText(Math.round(fuel))} kg`],
          ['engine', engine],
          ['doing', doing],
          ['id', id],
        ]}
      />
      <h3>Ahead</h3>
      {ahead ? (
        <Rows
          facts={ahead.map(({ what, seconds, height }) => [
            `${what} in ${durationText(seconds)}`,
            height === undefined ? '' : lengthText(height),
          ])}
        />
      ) : (
        <p class="hint">{ahead === null ? 'Nothing is known of it.' : 'It is being computed.'}</p>
      )}
      <Actions actions={actions} values={values} about={name} operator={operator} />
    </>
  )
}

function Rows({ facts }: { readonly facts: Facts }): JSX.Element {
  return (
    <dl>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface ActionsProps {
  readonly actions: Listing['rowActions']
  readonly values: Values
  readonly about: string
  readonly operator: Operator
}

function Actions({ actions, values, about, operator }: ActionsProps): ComponentChildren {
  return (
    <div class="map-actions">
      {actions.map(([id, name]) => (
        <ActionButton
          key={id}
          of={id}
          operator={operator}
          values={values}
          name={name}
          about={about}
        />
      ))}
    </div>
  )
}
