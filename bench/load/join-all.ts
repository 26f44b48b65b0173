import { progress } from '@orrery/testkit/progress'
import type { Pilot } from './pilots.ts'
import type { LoadServer } from './server.ts'
import type { JoinOptions, Swarm, SwarmSocket } from './swarm.ts'

/** Handshakes at a time: one after the other leaves both sides waiting. */
const LANES = 16

/** As of a request without an answer in time. */
class NotLetIn extends Error {
  override readonly message: string = 'A player was not let in.'
  readonly code: string = 'timeout'
}

/** Lets pilots in while the world stands, and returns their sockets in the same order. */
export async function joinAll(
  { admin }: LoadServer,
  swarm: Swarm,
  pilots: readonly (readonly [pilot: Pilot, options: JoinOptions])[],
): Promise<SwarmSocket[]> {
  const sockets: SwarmSocket[] = []
  let next = 0
  let joined = 0
  const lane = async (): Promise<void> => {
    while (next < pilots.length) {
      const i = next++
      const [{ token }, options] = pilots[i]
      sockets[i] = swarm.join(token, options)
      if ((await sockets[i].joined) === undefined) throw new NotLetIn()
      progress.at('players join', ++joined, pilots.length)
    }
  }
  // Frames would cost as much as the handshakes.
  await admin.game.pause()
  await Promise.all(Array.from({ length: LANES }, lane))
  await admin.game.resume()
  return sockets
}
