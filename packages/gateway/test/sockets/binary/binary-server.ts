// The sockets of a real engine that ticks by their clock, followed by clients of binary frames.
import type { Universe } from '@orrery/engine/testing'
import { afterEach } from 'vitest'
import { beginning } from '../small-universe.ts'
import { type SocketServer, usedSocketServers } from '../socket-server.ts'

export interface BinaryServer extends SocketServer {
  /** game time passes */
  pass(seconds: number): Promise<void>
  /** called before the server is closed */
  readonly endings: (() => void)[]
}

/** Opens servers that are closed after each test, which fails if one has reported an error. */
export function usedBinaryServers(): (universe?: Universe) => Promise<BinaryServer> {
  const open = usedSocketServers()
  const endings: (() => void)[] = []
  // Before the servers are closed: what is registered later runs first.
  afterEach(() => {
    for (const end of endings.splice(0)) end()
  })
  return async (universe) => {
    const server = await open({ ticked: beginning(universe), isOneClock: true })
    return { ...server, endings, pass: (seconds) => server.clock.advance(1000 * seconds) }
  }
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
