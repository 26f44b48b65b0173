/** Clients that cost as much as they can among ten thousand ships, and one that must not notice. */
import { BUDGET_MIN } from '@orrery/protocol'
import { progress } from '@orrery/testkit/progress'
import { type Row, rowsOf } from '@orrery/testkit/report'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadServer } from '../load/server.ts'
import { Swarm, type SwarmSocket } from '../load/swarm.ts'
import { type Window, tickMsP99, unchanged, window } from '../load/window.ts'

/** Longer than a burst of the budget lasts [s]. */
const SECONDS = 20
const BURST_MS = 10_000
/** Just what a socket may say without being refused. */
const MESSAGE_MS = 25
const ALL = '{"type":"subscribe"}'
const ONE = '{"type":"subscribe","radius":1}'

/**
 * @param watcher  the swarm of the one that must not notice
 * @param calm     what came to it before
 */
export async function abuse(
  server: LoadServer,
  { watcher, calm }: { readonly watcher: Swarm; readonly calm: Window },
): Promise<Row[]> {
  const [first, second, third] = server.pilots
  const starving = new Swarm(server.url, 0, 'binary')
  const others = new Swarm(server.url, 0, 'binary')
  const before = await server.memory()
  const starved = starving.join(first.token, {
    first: [{ type: 'subscribe', budget: BUDGET_MIN }],
  })
  const stalled = others.join(second.token)
  const toggling = others.join(third.token)
  const sockets: readonly SwarmSocket[] = [starved, stalled, toggling]
  await Promise.all(sockets.map(({ joined }) => joined))
  stalled.stall()
  let messages = 0
  const timer = setInterval(() => {
    if (toggling.isOpen) toggling.send(messages++ % 2 === 0 ? ONE : ALL)
  }, MESSAGE_MS)
  progress.at('clients that cost as much as they can')
  try {
    await sleep(BURST_MS)
    const [seen, slow] = await Promise.all([
      window(server, watcher, SECONDS),
      window(server, starving, SECONDS),
    ])
    const { held } = await server.memory()
    return rowsOf('stalled, starved, toggling', [
      ['starved_traffic', slow.arrivals.bytes / slow.seconds, 'B/s', { max: 1.1 * BUDGET_MIN }],
      ['toggling_is_open', Number(toggling.isOpen), '', { min: 1 }],
      ['views_toggled', messages / (BURST_MS / 1000 + seen.seconds), '1/s'],
      ['server_heap_growth', (held - before.held) / 1e6, 'MB', { max: 20 }],
      ['tick_p99', tickMsP99(seen), 'ms', unchanged(tickMsP99(calm))],
      ['others_traffic', (8 * seen.arrivals.bytes) / seen.seconds / 1000, 'kbit/s'],
      ['others_frames', seen.arrivals.frames / seen.seconds, '1/s'],
    ])
  } finally {
    clearInterval(timer)
    starving.end()
    others.end()
  }
}
