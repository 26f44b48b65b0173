import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bus, type BusOptions, openBus } from '@orrery/bus'
import { startService } from '@orrery/testkit'
import { NATS_SERVER, type NatsServer, startNatsServer } from '@orrery/testkit/nats-server'

const PATIENT = { timeoutMs: 60_000 }
const EMPTY = new Uint8Array()
const MEGABYTE = 2 ** 20

describe.skipIf(!NATS_SERVER)('a bus by NATS', () => {
  let server: NatsServer
  let buses: Bus[] = []
  let reports: string[] = []

  beforeEach(async () => {
    reports = []
    // Smaller than by default, so that a test fills it sooner.
    server = await startNatsServer(['max_pending: 8MB'])
  })
  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.close()))
    buses = []
    await server.stop()
  })

  async function opened(changed: Partial<BusOptions> = {}): Promise<Bus> {
    const bus = await openBus({
      url: server.url,
      onAway: (reason) => reports.push(`away: ${reason}`),
      onBack: () => reports.push('back'),
      onError: (error) => reports.push(`error: ${String(error)}`),
      ...changed,
    })
    buses.push(bus)
    return bus
  }

  const isConnected = (bus: Bus, connected: boolean): Promise<void> =>
    expect.poll(() => bus.metrics().connected).toBe(connected)

  it('drops and counts publications without a server, and keeps subscriptions', async () => {
    const bus = await opened()
    const taken: number[] = []
    bus.subscribe('row.sol.*', (payload) => taken.push(payload.length))
    bus.answer('cmd.sol.1', (payload) => Promise.resolve(payload))
    await bus.request('cmd.sol.1', EMPTY, PATIENT)
    bus.publish('row.sol.1', new Uint8Array(1))
    await expect.poll(() => taken).toEqual([1])
    const open = bus.request('cmd.sol.2', EMPTY, PATIENT).catch((error: unknown) => error)
    expect(await open).toMatchObject({ code: 'ERR_NO_RESPONDERS' })
    await server.kill()
    await isConnected(bus, false)
    const payload = new Uint8Array(MEGABYTE)
    const before = process.memoryUsage().arrayBuffers
    for (let n = 0; n < 1000; n++) bus.publish('row.sol.1', payload)
    expect(bus.metrics()).toMatchObject({ dropped: 1000 })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * MEGABYTE)
    await expect(bus.request('cmd.sol.1', EMPTY, PATIENT)).rejects.toMatchObject({
      code: 'ERR_BUS_AWAY',
    })
    await server.restart()
    await isConnected(bus, true)
    await bus.request('cmd.sol.1', EMPTY, PATIENT)
    bus.publish('row.sol.1', new Uint8Array(2))
    await expect.poll(() => taken).toEqual([1, 2])
    expect(bus.metrics()).toMatchObject({ dropped: 1000, reconnects: 2 })
    expect(reports).toEqual([expect.stringMatching(/^away: /), 'back'])
  })

  it('ends requests that are open when the server dies', async () => {
    const bus = await opened()
    const asked = Promise.withResolvers<void>()
    bus.answer('cmd.sol.1', () => {
      asked.resolve()
      return new Promise(() => undefined)
    })
    const open = bus.request('cmd.sol.1', EMPTY, PATIENT).catch((error: unknown) => error)
    await asked.promise
    await server.kill()
    expect(await open).toMatchObject({ code: 'ERR_BUS_AWAY' })
  })

  it('sends little more to a server that is stopped, gives it up, and comes back', async () => {
    const bus = await opened()
    bus.publish('frm.sol', EMPTY)
    await expect.poll(() => bus.metrics().roundTripMs).toBeGreaterThan(0)
    server.freeze()
    let sent = 0
    while (bus.metrics().connected) {
      bus.publish('frm.sol', new Uint8Array(MEGABYTE))
      sent++
      await sleep(10)
    }
    // Until the second flush is unanswered all is taken, and nothing after it.
    const { dropped } = bus.metrics()
    expect(dropped).toBeGreaterThan(0)
    expect(sent - dropped).toBeLessThan(40)
    server.thaw()
    await isConnected(bus, true)
    const back = Promise.withResolvers<void>()
    bus.subscribe('frm.sol', () => back.resolve())
    const again = setInterval(() => bus.publish('frm.sol', EMPTY), 50)
    await back.promise
    clearInterval(again)
  })

  it('goes on beside a subscriber that is stopped', async () => {
    const stopped = startService({
      main: import.meta.resolve('./subscriber.ts'),
      variables: { NATS_URL: server.url },
    })
    await stopped.announced(/(subscribed)/)
    const [one, other] = [await opened(), await opened()]
    let taken = 0
    other.subscribe('frm.sol', (payload) => (taken += payload.length))
    other.answer('cmd.sol.1', (payload) => Promise.resolve(payload))
    await expect
      .poll(() =>
        one.request('cmd.sol.1', EMPTY, PATIENT).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    process.kill(stopped.pid ?? NaN, 'SIGSTOP')
    for (let n = 1; n <= 24; n++) {
      one.publish('frm.sol', new Uint8Array(MEGABYTE))
      await one.request('cmd.sol.1', EMPTY, PATIENT)
      await expect.poll(() => taken, { interval: 5 }).toBe(n * MEGABYTE)
    }
    expect(one.metrics().dropped).toBe(0)
    expect(reports).toEqual([])
    await stopped.kill()
  })

  it('begins away where no server is, and connects when there is one', async () => {
    await server.kill()
    const bus = await opened()
    const taken: string[] = []
    bus.subscribe('own.*', (_, subject) => taken.push(subject))
    expect(bus.metrics().connected).toBe(false)
    expect(reports).toEqual(['away: connection refused'])
    await server.restart()
    await isConnected(bus, true)
    bus.publish('own.sol', EMPTY)
    await expect.poll(() => taken).toEqual(['own.sol'])
  })

  it('is refused with a reason, and without the password', async () => {
    const elsewhere = (url: string): Promise<unknown> =>
      opened({ url }).catch((error: unknown) => error)
    const refused = (reason: string): unknown =>
      expect.objectContaining({
        code: 'ERR_BUS_REFUSED',
        message: `The bus cannot be used: ${reason}.`,
      })
    const { port } = server
    expect(await elsewhere(`nats://orrery:secret@127.0.0.1:${port}`)).toEqual(
      refused('its server refuses the credentials'),
    )
    expect(await elsewhere(server.url.replace('nats:', 'tls:'))).toEqual(
      refused("server does not support 'tls'"),
    )
    expect(await elsewhere(`http://127.0.0.1:${port}`)).toEqual(
      refused('a bus has a URL of nats:// or tls://, not http://'),
    )
    const file = '/nowhere/orrery.creds'
    await expect(opened({ credentialsFile: file })).rejects.toEqual(
      refused(`ENOENT: no such file or directory, open '${file}'`),
    )
  })
})
