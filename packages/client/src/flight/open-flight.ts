import { QUANTA_PER_SECOND, utcFromLattice } from '@orrery/sim'
import { type ClientClock, systemClock } from '../client-clock.ts'
import type { GameClient } from '../game-client.ts'
import type { GameSocket } from '../game-socket.ts'
import { FlightClock } from './flight-clock.ts'
import { followFrames } from './frame-feed.ts'
import { measureRoundTrips } from './round-trips.ts'
import { Scene } from './scene.ts'
import { followTicks } from './tick-feed.ts'
import type { World } from './world.ts'

/** What a flight is opened with. */
export interface FlightOptions {
  /** made in the same turn, so that nothing of it has come yet */
  readonly socket: GameSocket
  /** where bodies are asked for when the socket has ticks in the place of frames */
  readonly game?: GameClient
  readonly clock?: ClientClock
}

/** The game's clock, in lattice indices: 64 to the second. */
export interface GameClock {
  /** of what to show now, need not be whole: never runs backwards; NaN before it is known */
  now(): number
  /** of the server, which `now` leads by what an order takes to get there */
  serverNow(): number
  /** game seconds per second; 0 while the game stands */
  readonly scale: number
  /** Unix milliseconds of a lattice index */
  utc(time: number): number
}

/** A game as it is flown in: all that is in view, at any time near the present. */
export interface Flight {
  readonly world: World
  readonly clock: GameClock
  /** Ends it; the socket stays. */
  close(): void
}

/** Follows a socket: whatever it says of the world is there to be read at any time. */
export function openFlight({ socket, game, clock: ticking = systemClock }: FlightOptions): Flight {
  const scene = new Scene()
  const clock = new FlightClock(ticking)
  const stops = [
    followFrames({ socket, scene, clock }),
    ...(game ? [followTicks({ socket, game, scene, clock })] : []),
    measureRoundTrips(socket, ticking, (ms) => clock.noteRoundTrip(ms)),
  ]
  return {
    world: scene,
    clock: {
      now: () => clock.now(),
      serverNow: () => clock.serverNow(),
      get scale() {
        return clock.scale
      },
      utc,
    },
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
