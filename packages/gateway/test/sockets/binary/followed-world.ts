// The client's own world behind a binary socket, with a network that can lose what is on its way.
import { type GameSocket, type View, connectSocket } from '@orrery/client'
import { type World, createShipSample, openFlight } from '@orrery/client/flight'
import type { BinaryServer } from './binary-server.ts'

export interface Followed {
  readonly socket: GameSocket
  readonly world: World
  /** errors of the server, and lost connections */
  readonly errors: unknown[]
  /** loses all that comes from now on */
  lose(): void
  /** ends the connection; resolves when the next one has resumed */
  reconnect(): Promise<void>
}

export function follow(server: BinaryServer, shipId?: string, view: View = {}): Followed {
  let isLosing = false
  class Network extends WebSocket {
    override addEventListener(...[type, listener]: Parameters<WebSocket['addEventListener']>) {
      super.addEventListener(type, (event) => {
        if (type === 'message' && isLosing) return
        if (typeof listener === 'function') listener(event)
      })
    }
  }
  const socket = connectSocket({
    url: server.url,
    token: shipId === undefined ? server.joinAdmin() : server.join(shipId),
    wire: 'binary',
    view,
    WebSocket: Network,
    random: () => 0,
  })
  const { world } = openFlight({ socket })
  server.endings.push(() => socket.close())
  const errors: unknown[] = []
  socket.on('error', (error) => errors.push(error))
  socket.on('disconnected', (loss) => errors.push(loss))
  return {
    socket,
    world,
    errors,
    lose: () => {
      isLosing = true
    },
    reconnect: async () => {
      const resumed = new Promise<void>((resolve) => {
        const stop = socket.on('resumed_session', () => {
          stop()
          resolve()
        })
      })
      socket.reconnect()
      isLosing = false
      await resumed
    },
  }
}

/** Where the client has all ships at the published index, once all that was sent has come. */
export async function seenBy(
  { socket, world }: Followed,
  { engine }: BinaryServer,
): Promise<Map<string, readonly number[]>> {
  await socket.ping()
  const out = createShipSample()
  const [{ index }] = engine.universe.worlds
  return new Map(
    world.ships().map(({ id }) => {
      const isKnown = world.shipAt(out, id, index)
      return [id, isKnown ? [...out.r, ...out.v] : []] as const
    }),
  )
}
