// Law: a subscriber that is stopped stalls who publishes, unless the server has
// `no_fast_producer_stall`, which the bus needs for that reason.
// Method: the same flood at two real servers, until each gives the subscriber up; their logs.
import { setImmediate } from 'node:timers/promises'
import { openBus } from '@orrery/bus'
import { startService } from '@orrery/testkit'
import { NATS_SERVER, startNatsServer } from '@orrery/testkit/nats-server'
import { describe, expect, it } from 'vitest'
import { unexpected } from './unexpected.ts'

const PIECE = new Uint8Array(65_536)

/** Whether a server has stalled one that publishes beside a subscriber that is stopped. */
async function hasStalled(setting: boolean): Promise<boolean> {
  const server = await startNatsServer([
    `no_fast_producer_stall: ${setting}`,
    'max_pending: 8MB',
    'debug: true',
  ])
  const stopped = startService({
    main: import.meta.resolve('./subscriber.ts'),
    variables: { NATS_URL: server.url },
  })
  const bus = await openBus({ url: server.url, ...unexpected })
  try {
    await stopped.announced(/(subscribed)/)
    process.kill(stopped.pid ?? NaN, 'SIGSTOP')
    while (!server.log().includes('Slow Consumer')) {
      bus.publish('frm.sol', PIECE)
      await setImmediate()
    }
    return /producer (?:was stalled|stall)/i.test(server.log())
  } finally {
    await stopped.kill()
    await bus.close()
    await server.stop()
  }
}

describe.skipIf(!NATS_SERVER)('a subscriber that is stopped', () => {
  it('stalls a publisher without the option', async () => {
    expect(await hasStalled(false)).toBe(true)
  })

  it('stalls no publisher with it', async () => {
    expect(await hasStalled(true)).toBe(false)
  })
})
