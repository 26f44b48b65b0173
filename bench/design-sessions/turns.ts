/** How long one client waits for a drawing or a prediction beside others that ask for too many. */
import { progress } from '@orrery/testkit/progress'
import { type Metric, type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { mkdirSync } from 'node:fs'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { withDesignService } from './design-service.ts'
import { type LoadServer, startLoadServer } from '../load/server.ts'
import { Swarm } from '../load/swarm.ts'

/** Large drawings of one client, and arrows of each. */
const DRAWINGS = 100
const ARROWS = 150
/** Accounts that ask for long predictions without end. */
const GREEDY = 100
/** Requests of the one that is measured: fewer drawings, while the large ones still wait. */
const DRAWN = 4
const ASKED = 10
const DRAWN_MS_MAX = 2000
const PREDICTED_MS_MAX = 5000
const POLL_MS = 20
/** A refused account asks again after it. */
const AGAIN_MS = 200

export async function turns(): Promise<Row[]> {
  return [...(await drawings()), ...(await predictions())]
}

/** Two clients of the design sessions, by their addresses on the loopback network. */
async function drawings(): Promise<Row[]> {
  return withDesignService(
    (library) => mkdirSync(library),
    async (url) => {
      const [heavy, honest] = [clientAt(url, '127.0.0.1'), clientAt(url, '127.0.0.2')]
      const [{ id: client }] = [await honest('POST', '/clients', { name: 'Bench' })]
      const project = await honest('POST', `/clients/${client}/projects`, { name: 'Bench' })
      const { id } = await honest('POST', `/projects/${project.id}/versions`, {})
      const version = `/versions/${id}`
      const name = 'a -> b of another client'
      // Loads the engine.
      await drawn(honest, version, 'first -> second')
      progress.at('drawings, alone')
      const rows = rowsOf(`${name}, alone`, drawnMetrics(await drawnEach(honest, version, 'alone')))
      progress.at(`drawings beside ${DRAWINGS}`)
      const places = await Promise.all(
        Array.from({ length: DRAWINGS }, (_, i) => begun(heavy, version, large(i))),
      )
      const beside = await drawnEach(honest, version, 'beside')
      const states = await Promise.all(places.map((place) => heavy('GET', place)))
      const waiting = states.filter(({ render_status: status }) => status === 'rendering').length
      return [
        ...rows,
        ...rowsOf(`${name}, beside ${DRAWINGS} of ${ARROWS} arrows`, [
          ...drawnMetrics(beside, { max: DRAWN_MS_MAX }),
          ['still_waiting', waiting, 'of the large ones', { min: 1 }],
        ]),
      ]
    },
  )
}

interface Record {
  readonly id?: string
  readonly render_status?: string
}

type Ask = (method: string, path: string, body?: object) => Promise<Record>

function clientAt(url: string, localAddress: string): Ask {
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', prefer: 'respond-async' }
      const sent = request(
        url + path,
        { method, localAddress, headers, agent: false },
        (answer) => {
          json(answer).then((record) => {
            if ((answer.statusCode ?? 500) < 400) resolve(record as Record)
            else reject(new Error(`${method} ${path}: ${JSON.stringify(record)}`))
          }, reject)
        },
      )
      sent.once('error', reject).end(body && JSON.stringify(body))
    })
}

/** A drawing that no other one is alike. */
function large(i: number): string {
  return Array.from({ length: ARROWS }, (_, k) => `n${i}_${k} -> n${i}_${(k * 7) % ARROWS}`).join(
    '\n',
  )
}

/** Asks for a drawing; returns where its artifact is. */
async function begun(ask: Ask, version: string, source: string): Promise<string> {
  const { id } = await ask('POST', `${version}/artifacts`, {
    name: 'Drawing',
    artifact_type: 'diagram',
    engine: 'd2',
    source_code: source,
  })
  const place = `${version}/artifacts/${id}`
  await ask('POST', `${place}/render`, {})
  return place
}

interface Drawn {
  readonly answeredMs: number
  readonly drawnMs: number
}

async function drawn(ask: Ask, version: string, source: string): Promise<Drawn> {
  const startMs = performance.now()
  const place = await begun(ask, version, source)
  const answeredMs = performance.now() - startMs
  for (;;) {
    const { render_status: status } = await ask('GET', place)
    if (status === 'success') return { answeredMs, drawnMs: performance.now() - startMs }
    if (status === 'error') throw new Error(`${source} was not drawn.`)
    await sleep(POLL_MS)
  }
}

async function drawnEach(ask: Ask, version: string, word: string): Promise<Drawn[]> {
  const all: Drawn[] = []
  for (let i = 0; i < DRAWN; i++) all.push(await drawn(ask, version, `a -> b: ${word} ${i}`))
  return all
}

function drawnMetrics(all: readonly Drawn[], bound?: Row['bound']): Metric[] {
  const drawnMs = all.map((one) => one.drawnMs)
  return [
    ['answered_max', Math.max(...all.map(({ answeredMs }) => answeredMs)), 'ms'],
    ['drawn_p50', percentile(drawnMs, 0.5), 'ms'],
    ['drawn_max', Math.max(...drawnMs), 'ms', bound],
  ]
}

/** Sockets of one address: one asks for two hours, the others for two weeks with an order. */
async function predictions(): Promise<Row[]> {
  const server = await startLoadServer({ pilots: GREEDY + 1, rateHz: 1 })
  const swarm = new Swarm(server.url, 1000)
  try {
    progress.at('predictions, alone')
    const alone = await predictedEach(server, swarm)
    progress.at(`predictions beside ${GREEDY} accounts`)
    const greedy = await askForMuch(server, swarm)
    const beside = await predictedEach(server, swarm)
    const name = 'prediction of two hours'
    return [
      ...rowsOf(`${name}, alone`, predictedMetrics(alone)),
      ...rowsOf(`${name}, beside ${GREEDY} accounts`, [
        ...predictedMetrics(beside, { max: PREDICTED_MS_MAX }),
        ['long_ones_made', greedy.made, ''],
        ['long_ones_refused', greedy.refused, '', { min: 1 }],
      ]),
    ]
  } finally {
    swarm.end()
    await server.stop()
  }
}

const FIRST = [{ type: 'subscribe', ids: [] }]
const SHORT = JSON.stringify({ type: 'predict', id: 1, hours: 2 })
const LONG = JSON.stringify({
  type: 'predict',
  id: 1,
  hours: 336,
  orders: [{ order: { type: 'control', thrust_level: 0.01 } }],
})

interface Predicted {
  readonly ms: number
  readonly isMade: boolean
}

async function predictedEach({ pilots }: LoadServer, swarm: Swarm): Promise<Predicted[]> {
  let answered: (isMade: boolean) => void = () => undefined
  const socket = swarm.join(pilots[0].token, {
    first: FIRST,
    onText: (text) => {
      const kind = kindOf(text)
      if (kind !== undefined) answered(kind === 'prediction')
    },
  })
  await socket.joined
  const all: Predicted[] = []
  for (let i = 0; i < ASKED; i++) {
    const startMs = performance.now()
    const answer = new Promise<boolean>((resolve) => void (answered = resolve))
    socket.send(SHORT)
    const isMade = await answer
    all.push({ ms: performance.now() - startMs, isMade })
  }
  socket.end()
  return all
}

/** What answers a request for a prediction; undefined for other messages. */
function kindOf(text: string): 'prediction' | 'error' | undefined {
  if (text.startsWith('{"type":"prediction"')) return 'prediction'
  return text.startsWith('{"type":"error"') ? 'error' : undefined
}

async function askForMuch(
  { pilots }: LoadServer,
  swarm: Swarm,
): Promise<{ readonly made: number; readonly refused: number }> {
  const count = { made: 0, refused: 0 }
  const sockets = pilots.slice(1).map(({ token }) => {
    const socket = swarm.join(token, {
      first: FIRST,
      onText: (text) => {
        const kind = kindOf(text)
        if (kind === undefined) return
        if (kind === 'prediction') count.made++
        else count.refused++
        setTimeout(() => socket.isOpen && socket.send(LONG), AGAIN_MS)
      },
    })
    return socket
  })
  await Promise.all(sockets.map(({ joined }) => joined))
  for (const socket of sockets) socket.send(LONG)
  while (count.refused < GREEDY / 2) await sleep(POLL_MS)
  return count
}

function predictedMetrics(all: readonly Predicted[], bound?: Row['bound']): Metric[] {
  const times = all.map(({ ms }) => ms)
  return [
    ['made', all.filter(({ isMade }) => isMade).length, `of ${ASKED}`, { min: ASKED }],
    ['answered_p50', percentile(times, 0.5), 'ms'],
    ['answered_max', Math.max(...times), 'ms', bound],
  ]
}
