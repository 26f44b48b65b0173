// The sockets of a real engine that ticks by their clock, followed by clients of binary frames.
import type { Universe } from '@orrery/engine/testing'
import { setImmediate } from 'node:timers/promises'
import { afterEach } from 'vitest'
import { beginning } from '../small-universe.ts'
import { type SocketServer, type SocketServerOptions, usedSocketServers } from '../socket-server.ts'

export interface BinaryServer extends SocketServer {
  /** game time passes */
  pass(seconds: number): Promise<void>
  /** called before the server is closed */
  readonly endings: (() => void)[]
}

/** Opens servers that are closed after each test, which fails if one has reported an error. */
export function usedBinaryServers(): (
  universe?: Universe,
  options?: Pick<SocketServerOptions, 'joinOthers'>,
) => Promise<BinaryServer> {
  const open = usedSocketServers()
  const endings: (() => void)[] = []
  // Before the servers are closed: what is registered later runs first.
  afterEach(() => {
    for (const end of endings.splice(0)) end()
  })
  return async (universe, options) => {
    const server = await open({ ticked: beginning(universe), isOneClock: true, ...options })
    return { ...server, endings, pass: (seconds) => passIn(server, seconds) }
  }
}

/** Less than a server waits for a client that does not read [s]. */
const UNREAD_SECONDS = 5

/** Lets time pass, and the sockets of this process send and receive from time to time. */
async function passIn({ clock }: SocketServer, seconds: number): Promise<void> {
  let left = seconds
  for (; left > UNREAD_SECONDS; left -= UNREAD_SECONDS) {
    await clock.advance(1000 * UNREAD_SECONDS)
    await setImmediate()
  }
  await clock.advance(1000 * left)
}

/** Where all ships of a system are as published, by id. */
export function shipsOf(
  { engine }: Pick<SocketServer, 'engine'>,
  systemId: string,
): Map<string, readonly number[]> {
  const fleet = engine.sky().fleets.get(systemId)!
  return new Map(
    fleet.ships.map(({ shipId }, place) => {
      const { relativePosition, relativeVelocity } = fleet.view(place)
      return [shipId, [...relativePosition, ...relativeVelocity]]
    }),
  )
}
