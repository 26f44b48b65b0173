// Law: a server says on the bus what becomes durable, rows before the watermarks that speak of
// them; one without a bus loads nothing of NATS. Method: a real server and a real broker.
import { openBus } from '@orrery/bus'
import { type StreamMessage, decodeStreamMessage, rowSubject } from '@orrery/game'
import { prepareData } from '@orrery/testkit/prepared-data'
import { NATS_SERVER, startNatsServer } from '@orrery/testkit/nats-server'
import { execFileSync } from 'node:child_process'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { register } from '../player-client.ts'
import { MAIN, dataDirectory, environment, startServer } from '../server-process.ts'

const METRICS_TOKEN = 'a-token-for-metrics-1'

test.runIf(IS_NIGHT)('a server without a bus loads nothing of NATS', () => {
  const program = `
    import { createRequire } from 'node:module'
    await import('${import.meta.resolve('@orrery/gateway')}')
    const paths = Object.keys(createRequire(import.meta.url).cache)
    console.log(paths.filter((path) => path.includes('@nats-io')).length, paths.length)`
  const args = ['--input-type=module', '--eval', program]
  const [ofNats, all] = execFileSync(process.execPath, args, { encoding: 'utf8' }).split(' ')
  expect(Number(all)).toBeGreaterThan(0)
  expect(Number(ofNats)).toBe(0)
})

test.skipIf(!NATS_SERVER)('a server publishes what becomes durable', async () => {
  const nats = await startNatsServer()
  const directory = dataDirectory()
  const ignore = (): void => undefined
  const bus = await openBus({ url: nats.url, onAway: ignore, onBack: ignore, onError: ignore })
  const heard: StreamMessage[] = []
  bus.subscribe(rowSubject('sol'), (payload) => heard.push(decodeStreamMessage(payload)))
  await prepareData(directory.path, MAIN)
  const variables = { NATS_URL: nats.url, METRICS_TOKEN }
  const server = await startServer(environment(directory.path, variables))
  try {
    await register(server, 'Ripley_1')
    const sequences = (): number[] =>
      heard
        .flatMap((message) => (message.kind === 'rows' ? message.rows : []))
        .map(({ sequence }) => sequence)
    await expect.poll(() => sequences().length).toBeGreaterThan(0)
    const last = sequences().at(-1) ?? NaN
    const isMarked = (message: StreamMessage): boolean =>
      message.kind === 'mark' && message.sequence >= last
    await expect.poll(() => heard.some(isMarked)).toBe(true)
    const row = heard.findIndex(({ kind }) => kind === 'rows')
    expect(heard.findIndex(isMarked)).toBeGreaterThan(row)
    const indices = heard.flatMap((message) => (message.kind === 'mark' ? message.index : []))
    expect(indices).toEqual(indices.toSorted((a, b) => a - b))
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    const scrape = await (await fetch(`${server.url}/metrics`, { headers })).text()
    expect(scrape).toMatch(/^orrery_bus_connected 1$/m)
    expect(scrape).toMatch(/^orrery_bus_publications_dropped_total 0$/m)
    expect(await server.stop()).toBe(0)
  } finally {
    await server.kill()
    await bus.close()
    await nats.stop()
    directory.remove()
  }
})
