import { QUANTA_PER_SECOND, utcFromLattice } from '@orrery/sim'
import { type ClientClock, systemClock } from '../clocks/client-clock.ts'
import type { GameClient } from '../requests/game-client.ts'
import type { GameSocket } from '../socket/game-socket.ts'
import type { Address } from '../platform.ts'
import { createListeners } from '../listeners.ts'
import { FlightClock } from '../clocks/flight-clock.ts'
import { awaitStart } from './flight-ready.ts'
import type { Forecast } from '../forecast/forecast.ts'
import { type ForecastRequest, Forecasts } from '../forecast/forecasts.ts'
import { followFrames } from '../feeds/frame-feed.ts'
import { measureRoundTrips } from '../feeds/round-trips.ts'
import { Scene } from '../scene/scene.ts'
import { type OwnShipView, ShipPilot } from '../pilot/ship-pilot.ts'
import { followTicks } from '../feeds/tick-feed.ts'
import type { World } from '../scene/world.ts'

/** What a flight is opened with. */
export interface FlightOptions {
  /** made in the same turn, so that nothing of it has come yet */
  readonly socket: GameSocket
  /** where bodies are asked for when the socket has ticks in the place of frames */
  readonly game?: GameClient
  readonly clock?: ClientClock
  /** address of `forecast-worker.js`, where a bundler does not see to it */
  readonly forecastWorker?: Address
}

/** The game's clock, in lattice indices: 64 to the second. */
export interface GameClock {
  /**
   * of what to show now, need not be whole; NaN before it is known. It runs backwards only where it
   * leads the server's by more than 3 s, as after time slows.
   */
  now(): number
  /** of the server, which `now` leads by what an order takes to get there */
  serverNow(): number
  /** game seconds per second; 0 while the game stands */
  readonly scale: number
  /** for how long `now` stands until the server's clock reaches it [s]; 0 while it runs */
  readonly waitSeconds: number
  /** Unix milliseconds of a lattice index */
  utc(time: number): number
}

/** What happens to a flight. */
export interface FlightEvents {
  /** A defect: a part of the world could not be read or flown, and is asked for again. */
  readonly fault: { readonly error: unknown }
}

/** A game as it is flown in: all that is in view, at any time near the present. */
export interface Flight {
  readonly world: World
  readonly clock: GameClock
  /** one's own */
  readonly ship: OwnShipView
  /**
   * Resolves once the time is known, the star system, and one's own ship if there is one; rejects
   * with a {@link ClientError} when the socket or the flight is closed before.
   */
  readonly ready: Promise<void>
  /**
   * What a ship of the world will fly, made in a worker. One of which only the trajectory is known
   * coasts.
   *
   * @throws {ClientError} E001 or E002 for what cannot be asked, 'forecast' when it cannot
   *   be made, 'closed' after `close`
   */
  forecast(shipId: string, request: ForecastRequest): Promise<Forecast>
  /** Lets the worker make what a first forecast would else wait a second for. */
  prepareForecasts(): void
  /** calls back at each event of a kind; returns how to stop */
  on<Kind extends keyof FlightEvents>(
    kind: Kind,
    listener: (event: FlightEvents[Kind]) => void,
  ): () => void
  /** Ends it; the socket stays. */
  close(): void
}

/** Follows a socket: whatever it sends of the world can be read at any time. */
export function openFlight(options: FlightOptions): Flight {
  const { socket, game, clock: ticking = systemClock, forecastWorker } = options
  const scene = new Scene()
  const clock = new FlightClock(ticking)
  const listeners = createListeners<FlightEvents>()
  const onFault = (error: unknown): void => listeners.emit('fault', { error })
  const ship = new ShipPilot({ socket, scene, clock, onFault })
  scene.flown = ship
  const forecasts = new Forecasts(scene, forecastWorker)
  const now = (): number => Math.floor(clock.serverNow())
  const stops = [
    () => forecasts.close(),
    followFrames({
      socket,
      scene,
      clock,
      onFault,
      onFrame: (frame) => ship.take(frame),
      onSystem: (message) => {
        ship.enter(message)
        forecasts.enter(message)
      },
    }),
    ship.follow(),
    ...(game ? [followTicks({ socket, game, scene, clock, onFault })] : []),
    measureRoundTrips(socket, ticking, (ms) => clock.noteRoundTrip(ms)),
  ]
  const start = awaitStart({ socket, scene, clock, ship })
  stops.push(() => start.stop())
  return {
    world: scene,
    ship,
    ready: start.ready,
    clock: {
      now: () => clock.now(),
      serverNow: () => clock.serverNow(),
      get scale() {
        return clock.scale
      },
      get waitSeconds() {
        return clock.waitSeconds
      },
      utc,
    },
    forecast: (id, request) => forecasts.forecast(id, request, now(), ship.seedOf(id)),
    prepareForecasts: () => forecasts.prepare(now()),
    on: (kind, listener) => listeners.on(kind, listener),
    close: () => {
      for (const stop of stops) stop()
    },
  }
}

/** Unix milliseconds of a lattice index, need not be whole. */
function utc(time: number): number {
  const n = Math.floor(time)
  return utcFromLattice(n) + ((time - n) * 1000) / QUANTA_PER_SECOND
}
