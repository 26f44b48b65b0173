import { ClientError } from '../client-error.ts'
import type { GameSocket } from '../socket/game-socket.ts'
import type { FlightClock } from '../clocks/flight-clock.ts'
import type { Scene } from '../scene/scene.ts'
import type { ShipPilot } from '../pilot/ship-pilot.ts'
import { createShipSample } from '../scene/world.ts'

/** What a flight is made of. */
export interface FlightParts {
  readonly socket: GameSocket
  readonly scene: Scene
  readonly clock: FlightClock
  readonly ship: ShipPilot
}

/** The start of a flight. */
export interface FlightStart {
  /** rejects when the socket is closed for good, or `stop` is called, before */
  readonly ready: Promise<void>
  stop(): void
}

/** Waits until the time is known, the star system, and one's own ship where there is one. */
export function awaitStart({ socket, scene, clock, ship }: FlightParts): FlightStart {
  let resolve = (): void => undefined
  let reject: (error: ClientError) => void = () => undefined
  const ready = new Promise<void>((...settle) => ([resolve, reject] = settle))
  // A caller that does not wait gets no unhandled rejection.
  ready.catch(() => undefined)
  const state = createShipSample()
  const isThere = (): boolean => {
    const now = clock.now()
    if (Number.isNaN(now) || scene.system === undefined) return false
    if (ship.id === '') return true
    // Frames bring a seed, by which the ship is flown here.
    const isSeeded = ship.mode.mode !== 'received' || ship.mode.reason !== 'no_seed'
    return (isSeeded || !clock.isLeading) && scene.shipAt(state, ship.id, now)
  }
  const look = (): void => {
    if (isThere()) end(resolve)
  }
  const stops = [
    socket.on('frame', look),
    socket.on('tick', look),
    ship.on('mode', look),
    socket.on('disconnected', ({ error }) => {
      if (error) end(() => reject(error))
    }),
  ]
  const end = (settle: () => void): void => {
    for (const stop of stops) stop()
    settle()
  }
  return {
    ready,
    stop: () => end(() => reject(new ClientError('closed', 'The flight was closed'))),
  }
}
