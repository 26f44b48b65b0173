import type { SystemMessage } from '@orrery/protocol'
import { QUANTA_PER_SECOND, utcFromLattice } from '@orrery/sim'
import { type ClientClock, systemClock } from '../clocks/client-clock.ts'
import type { GameClient } from '../requests/game-client.ts'
import type { GameSocket } from '../socket/game-socket.ts'
import type { Address } from '../platform.ts'
import { createListeners } from '../listeners.ts'
import { FlightClock } from '../clocks/flight-clock.ts'
import { awaitStart } from './flight-ready.ts'
import type { Flight, FlightEvents } from './flight.ts'
import { Forecasts } from '../forecast/forecasts.ts'
import type { FlownModules } from '../pilot/flown-modules.ts'
import { followFrames } from '../feeds/frame-feed.ts'
import { measureRoundTrips } from '../feeds/round-trips.ts'
import type { Practice } from './practice-flight.ts'
import { createPlaces } from '../pilot/ship-places.ts'
import { Scene } from '../scene/scene.ts'
import { ShipPilot } from '../pilot/ship-pilot.ts'
import { followTicks } from '../feeds/tick-feed.ts'

/** What a flight is opened with. */
export interface FlightOptions {
  /** made in the same turn, so that nothing of it has come yet */
  readonly socket: GameSocket
  /** where bodies are asked for when the socket has ticks in the place of frames */
  readonly game?: GameClient
  readonly clock?: ClientClock
  /** rules of the game's own, run for one's own ship here too: `flownModules([mining])` */
  readonly modules?: FlownModules
  /** address of `forecast-worker.js`, where a bundler does not see to it */
  readonly forecastWorker?: Address
}

/** A flight in a game, which can be practised from. */
export interface LiveFlight extends Flight {
  /**
   * One's own ship from its present state, to be flown on here alone; the game goes on meanwhile.
   *
   * @throws {ClientError} 'practice' while the ship is not flown here
   */
  practice(): Promise<Practice>
}

/** Follows a socket: whatever it sends of the world can be read at any time. */
export function openFlight(options: FlightOptions): LiveFlight {
  const { socket, game, clock: ticking = systemClock, forecastWorker, modules } = options
  const scene = new Scene()
  const clock = new FlightClock(ticking)
  const listeners = createListeners<FlightEvents>()
  const onFault = (error: unknown): void => listeners.emit('fault', { error })
  const ship = new ShipPilot({ socket, scene, clock, modules, onFault })
  scene.flown = ship
  const forecasts = new Forecasts(scene, forecastWorker)
  const now = (): number => Math.floor(clock.serverNow())
  let system: SystemMessage | undefined
  const stops = [
    () => forecasts.close(),
    followFrames({
      socket,
      scene,
      clock,
      onFault,
      onFrame: (frame) => ship.take(frame),
      onSystem: (message) => {
        system = message
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
    practice: async () => {
      const { openPractice } = await import('./practice-flight.ts')
      const { id } = ship
      const own = new Scene()
      return openPractice({
        live: scene,
        system,
        seed: ship.seedOf(id),
        id,
        utc,
        scene: own,
        places: createPlaces(own),
        forecasts: new Forecasts(own, forecastWorker),
      })
    },
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
