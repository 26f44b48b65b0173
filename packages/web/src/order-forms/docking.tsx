/** Stations to dock at, where the ship is refuelled. */
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { type NearbyObject, nearbyObjects } from '../readings/nearby.ts'
import { type DepartureChoice, departureOf } from '../orders/maneuvers.ts'
import { type DockOrder, orderUnderWay } from '../orders/order-under-way.ts'
import { giveOrder } from '../orders/orders.ts'
import { distanceText, percentText, speedText } from '../quantities/quantities.ts'
import { useCost } from './cost.tsx'
import { DepartureFields, useDeparture } from './departure-fields.tsx'
import { lazy } from '../elements/lazy.tsx'
import { useTicking } from '../elements/use-ticking.ts'

const Shipyard = lazy(
  say('The shipyard'),
  async () => (await import('./shipyard.tsx')).Shipyard,
  true,
)

export function Docking({ game }: { readonly game: Game }): JSX.Element {
  useTicking()
  const cost = useCost(game)
  const departure = useDeparture(departureNow(game))
  const { flight } = game.session.value ?? {}
  const live = game.live.value
  const dockedAt = game.doing.dockedAt.value
  const stations = flight ? nearbyObjects(flight).filter(({ kind }) => kind === 'station') : []
  return (
    <>
      {dockedAt !== undefined && <Docked game={game} stationId={dockedAt} />}
      {dockedAt !== undefined && live && live.flight === flight && (
        <Shipyard game={game} session={live} />
      )}
      {stations.length === 0 && <p class="order-hint">{say('This star system has no station.')}</p>}
      {stations.length > 0 && <DepartureFields departure={departure} />}
      <ul class="order-list">
        {stations.map((station) => (
          <StationRow
            key={station.id}
            game={game}
            station={station}
            order={dockOrder(station, departure.value)}
            onCost={(order) => cost.show([{ order }])}
            onDock={() => cost.clear()}
          />
        ))}
      </ul>
      {cost.element}
    </>
  )
}

/** Of the order to dock that is under way. */
function departureNow({ doing, session }: Game): string | undefined {
  const maneuver = doing.maneuver.peek()
  const from = session.peek()
  return maneuver?.maneuver === 'dock' && from ? orderUnderWay(from, maneuver).depart : undefined
}

function Docked({
  game,
  stationId,
}: {
  readonly game: Game
  readonly stationId: string
}): JSX.Element {
  const ship = game.doing.ship.value
  const objects = game.session.value?.flight.world.objects() ?? []
  const name = objects.find(({ id }) => id === stationId)?.name ?? say('a station')
  const undock = (): void => {
    void giveOrder(game, { type: 'undock' }, say('Undock from {name}', { name }))
  }
  return (
    <div class="order-now" role="status">
      <p>
        {say('Docked at {station}.', { station: name })}
        {ship &&
          ` ${say('Tanks: {share}.', { share: percentText(ship.fuel / ship.fuel_capacity) })}`}
      </p>
      <div class="order-buttons">
        <button type="button" class="go" onClick={undock}>
          {say('Undock')}
        </button>
      </div>
    </div>
  )
}

/** Undefined while there is no date to leave at. */
function dockOrder({ id }: NearbyObject, choice: DepartureChoice): DockOrder | undefined {
  const departure = departureOf(choice)
  if (typeof departure === 'string') return undefined
  return { type: 'dock', station_id: id, ...departure }
}

interface StationRowProps {
  readonly game: Game
  readonly station: NearbyObject
  readonly order: DockOrder | undefined
  readonly onCost: (order: DockOrder) => void
  readonly onDock: () => void
}

function StationRow({ game, station, order, onCost, onDock }: StationRowProps): JSX.Element {
  const { name } = station
  const isDocked = game.doing.dockedAt.value !== undefined
  const dock = (): void => {
    onDock()
    if (order) void giveOrder(game, order, say('Dock at {name}', { name }))
  }
  return (
    <li class="order-row">
      <span>
        {name}
        <Away object={station} />
      </span>
      <button
        type="button"
        aria-label={say('Cost of docking at {name}', { name })}
        disabled={!order}
        onClick={() => order && onCost(order)}
      >
        {say('Cost')}
      </button>
      <button
        type="button"
        class="go"
        aria-label={say('Dock at {name}', { name })}
        disabled={isDocked || !order}
        onClick={dock}
      >
        {say('Dock')}
      </button>
    </li>
  )
}

/** How far an object is, and how quickly it passes. */
export function Away({ object }: { readonly object: NearbyObject }): JSX.Element | null {
  const { distance, speed } = object
  if (Number.isNaN(distance)) return null
  return (
    <small>
      {distanceText(distance)}, {speedText(speed)}
    </small>
  )
}
