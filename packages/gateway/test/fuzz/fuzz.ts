// Sends random input to a real server over many connections at once, and checks every answer: no
// fault of the server, no data of others, and no other player disturbed.
import {
  BINARY_SUBPROTOCOL,
  FRAME_BLOCKS,
  SUBPROTOCOL,
  type Subprotocol,
  createFrameReader,
} from '@orrery/protocol'
import { Agent } from 'node:http'
import { type Endpoint, endpoints as endpointsOf } from '../api/api-document.ts'
import { jsonOrNothing, openSocket } from '../player-client.ts'
import { plainAnswer, rawAnswer } from '../raw-connection.ts'
import { codeOf } from '../refusal.ts'
import { errorLines } from '../server-process.ts'
import { type Chance, createChance } from '@orrery/testkit'
import { percentile } from '@orrery/testkit/report'
import { fuzzMessage, messageExamples } from './messages.ts'
import { type FuzzRequest, type Who, fuzzRequest } from './requests.ts'
import {
  type GivenServer,
  type ServerUnderFuzz,
  startServerUnderFuzz,
} from './server-under-fuzz.ts'
import { mutated } from './values.ts'

export interface FuzzOptions {
  /** requests, messages and raw connections in all */
  readonly count: number
  readonly seed: number
  readonly server?: GivenServer
  readonly onProgress?: (done: number) => void
}

export interface FuzzSummary {
  readonly seconds: number
  /** route, then outcome such as `404 E002`, then how often */
  readonly outcomes: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** each once; empty in a good run */
  readonly faults: readonly string[]
  /** what the server holds at each eighth of its second half; empty if it has ended */
  readonly held: readonly Held[]
  /** by how much that grows from the half to the end: the median slope between two looks [MiB] */
  readonly growthMiB: number
}

interface Held {
  /** of all requests */
  readonly done: number
  readonly mib: number
}

const HTTP_LANES = 24
const RAW_LANES = 4
const SOCKETS_MAX = 16
const MESSAGES_PER_SOCKET_MIN = 15
/** The shares of socket messages and of raw bytes. */
const MESSAGES_PERCENT = 12
const RAW_PERCENT = 4
/** Slower than the limit, above which a socket drops messages. */
const MESSAGE_PAUSE_MS = 28
const RESTORE_EACH = 1000
const FAULTS_MAX = 40
/** In refusals where a busy machine leaves the database too little of a processor. */
const LATE = 'the database does not answer'

interface Run {
  readonly target: ServerUnderFuzz
  readonly chance: Chance
  readonly count: (route: string, outcome: string) => void
  readonly fault: (text: string) => void
}

export async function fuzz({ count, seed, server, onProgress }: FuzzOptions): Promise<FuzzSummary> {
  const startMs = performance.now()
  const target = await startServerUnderFuzz(server)
  const outcomes = new Map<string, Map<string, number>>()
  const faults = new Set<string>()
  const held: Held[] = []
  let done = 0
  let looking: Promise<unknown> = Promise.resolve()
  /** One after the other: two signals at once are one. */
  const look = (): void => {
    looking = looking.then(async () => held.push({ done, mib: await target.heldMiB() }))
  }
  const run: Run = {
    target,
    chance: createChance(seed),
    fault: (text) => void (faults.size < FAULTS_MAX && faults.add(text)),
    count: (route, outcome) => {
      const counts = outcomes.get(route) ?? new Map<string, number>()
      outcomes.set(route, counts.set(outcome, (counts.get(outcome) ?? 0) + 1))
      done += 1
      if (done >= count / 2 && done % Math.ceil(count / 8) === 0) look()
      if (done % 5000 === 0) onProgress?.(done)
    },
  }
  const messages = Math.ceil((count * MESSAGES_PERCENT) / 100)
  const raw = Math.ceil((count * RAW_PERCENT) / 100)
  try {
    await Promise.all([
      sendRequests(run, count - messages - raw),
      sendMessages(run, messages),
      sendBytes(run, raw),
    ])
    for (const complaint of await target.witnessComplaints()) run.fault(complaint)
  } catch (error) {
    run.fault(String(error))
  }
  if (target.server.running()) look()
  await looking
  if ((await target.stop()) !== 0) run.fault('no clean stop')
  const output = target.server.output()
  for (const secret of target.secrets) if (output.includes(secret)) run.fault('a secret is logged')
  for (const line of errorLines(output)) run.fault(`logged: ${line.slice(0, 400)}`)
  const seconds = (performance.now() - startMs) / 1000
  return { seconds, outcomes, faults: [...faults], held, growthMiB: (slope(held) * count) / 2 }
}

/** Median of the slopes between any two looks, which one that met much under way hardly moves. */
function slope(held: readonly Held[]): number {
  const slopes = held.flatMap((one, i) =>
    held
      .slice(i + 1)
      .filter(({ done }) => done > one.done)
      .map(({ done, mib }) => (mib - one.mib) / (done - one.done)),
  )
  return percentile(slopes, 0.5)
}

/** Runs a job `count` times, `width` of them at once. */
async function lanes(width: number, count: number, job: () => Promise<void>): Promise<void> {
  let left = count
  const lane = async (): Promise<void> => {
    while (left-- > 0) await job()
  }
  await Promise.all(Array.from({ length: width }, lane))
}

async function sendRequests(run: Run, count: number): Promise<void> {
  const { target, chance } = run
  const endpoints = await endpointsOf(target.server)
  const surroundings = { endpoints, token: target.token, knownIds: target.knownIds }
  const agent = new Agent({ keepAlive: true, maxSockets: HTTP_LANES })
  let left = RESTORE_EACH
  await lanes(HTTP_LANES, count, async () => {
    if (--left === 0) {
      await target.restore()
      left = RESTORE_EACH
    }
    const sent = fuzzRequest(surroundings, chance)
    const { endpoint, who } = sent
    const route = endpoint ? `${endpoint.method} ${endpoint.template}` : 'elsewhere'
    try {
      const { status, text } = await answer(target, agent, sent)
      const outcome = outcomeOf(status, text)
      run.count(route, outcome)
      // A deleted player is registered again, or the rest would have no account.
      if (outcome === '204' && GONE.test(route)) await target.restore()
      const isLate = outcome === '500 E008' && text.includes(LATE)
      const wrong = (isLate ? undefined : complaint(outcome, endpoint)) ?? leak(target, who, text)
      if (wrong !== undefined) run.fault(`${wrong}: ${shown(sent)} → ${text.slice(0, 200)}`)
    } catch (error) {
      // A server may close a connection that a client is about to use again.
      const code = (error as NodeJS.ErrnoException).code ?? String(error)
      run.count(route, code)
      if (!['ECONNRESET', 'EPIPE'].includes(code)) run.fault(`${code}: ${shown(sent)}`)
    }
  })
  agent.destroy()
}

function answer(
  { server: { port } }: ServerUnderFuzz,
  agent: Agent,
  { method, path, headers, body }: FuzzRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const length = String(body === undefined ? 0 : Buffer.byteLength(body))
  const pieces = body === undefined ? [] : [body]
  return plainAnswer({
    port,
    agent,
    method,
    path,
    headers: { ...headers, 'content-length': length },
    pieces,
  })
}

/** Status, and the code of a refusal or `no envelope`. */
function outcomeOf(status: number, text: string): string {
  if (status < 400) return String(status)
  try {
    return `${status} ${codeOf(jsonOrNothing(text))}`
  } catch {
    return `${status} no envelope`
  }
}

const GONE = /^DELETE \/api\/(?:account|admin\/players)/

/** Outcomes that any route may have. */
const ANYWHERE = new Set(['404 E002', '405 E002', '401 E005', '429 E004', '503 E008', '400 E001'])

function complaint(outcome: string, endpoint: Endpoint | undefined): string | undefined {
  if (outcome.startsWith('5') && outcome !== '503 E008') return 'a fault of the server'
  if (outcome.endsWith('no envelope')) return 'no envelope'
  if (endpoint === undefined || ANYWHERE.has(outcome)) return undefined
  return endpoint.outcomes.has(outcome) ? undefined : `undocumented ${outcome}`
}

function leak(target: ServerUnderFuzz, who: Who | 'socket', text: string): string | undefined {
  const seesAll = who === 'admin' || who === 'service'
  const hidden = seesAll ? target.secrets : [...target.secrets, ...target.privateTexts]
  return hidden.some((secret) => text.includes(secret)) ? 'data of others' : undefined
}

function shown({ who, method, path, headers, body }: FuzzRequest): string {
  const { authorization: _, ...rest } = headers
  const text = body === undefined ? '' : body.toString('utf8' as never)
  return [
    who,
    method,
    path.slice(0, 200),
    JSON.stringify(rest).slice(0, 120),
    text.slice(0, 300),
  ].join(' ')
}

async function sendMessages(run: Run, count: number): Promise<void> {
  const { target, chance } = run
  const examples = messageExamples()
  let left = count
  const lane = async (protocol: Subprotocol): Promise<void> => {
    const token = await target.newcomer()
    while (left > 0) {
      const socket = await openSocket(target.server, token, { protocols: [protocol] })
      socket.socket.on('message', (data: Buffer, isBinary: boolean) => {
        if (isBinary) return readFrame(run, data)
        const text = data.toString()
        const { type, code } = JSON.parse(text) as { type: string; code?: string }
        const wrong = code === 'E008' ? 'a fault of the server' : leak(target, 'socket', text)
        if (wrong !== undefined) run.fault(`${wrong} on a socket: ${text.slice(0, 300)}`)
        if (type !== 'tick' && type !== 'welcome') run.count('socket', code ?? type)
      })
      while (left-- > 0 && socket.socket.readyState === 1) {
        socket.send(fuzzMessage(examples, chance))
        await new Promise((resolve) => setTimeout(resolve, MESSAGE_PAUSE_MS))
      }
      if (socket.socket.readyState === 1) {
        // The answer to the last message shows that the socket is still served.
        socket.send({ type: 'ping', id: 'the last one' })
        await socket.next('pong', ({ id }) => id === 'the last one')
        await socket.close()
      } else run.count('socket', `closed ${(await socket.closed).code}`)
    }
  }
  const protocols = [SUBPROTOCOL, BINARY_SUBPROTOCOL] as const
  const sockets = Math.min(SOCKETS_MAX, Math.ceil(count / MESSAGES_PER_SOCKET_MIN))
  await Promise.all(Array.from({ length: sockets }, (_, i) => lane(protocols[i % 2])))
}

const reader = createFrameReader(FRAME_BLOCKS)

function readFrame(run: Run, data: Buffer): void {
  try {
    reader.read(new Uint8Array(data).buffer)
  } catch (error) {
    run.fault(`${String(error)}: ${data.toString('hex').slice(0, 300)}`)
  }
}

const JSON_TYPE = 'content-type: application/json'
const LINES = [
  ['GET /api/status HTTP/1.1'],
  ['POST /api/auth/login HTTP/1.1', JSON_TYPE, 'content-length: 2', '', '{}'],
  ['POST /api/auth/register HTTP/1.1', JSON_TYPE, 'transfer-encoding: chunked', '', '2', '{}', '0'],
  [
    'GET /ws HTTP/1.1',
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  ],
].map(([line, ...rest]) => [line, 'host: localhost', ...rest, '', ''].join('\r\n'))

function broken(line: string, chance: Chance): string {
  const once = mutated(line, chance)
  return chance.oneIn(2) ? once : mutated(once, chance)
}

async function sendBytes(run: Run, count: number): Promise<void> {
  const { target, chance } = run
  await lanes(RAW_LANES, count, async () => {
    const line = chance.pick(LINES)
    const bytes = chance.oneIn(4) ? chance.bytes(400) : Buffer.from(broken(line, chance))
    const { statuses, whole: text } = await rawAnswer(target.server.port, bytes)
    run.count('raw bytes', statuses.join(', ') || 'cut off')
    const isFault = statuses.some((status) => status.startsWith('5') && status !== '503')
    const wrong = isFault ? 'a fault of the server' : leak(target, 'stranger', text)
    if (wrong !== undefined) run.fault(`${wrong}: ${bytes.toString('latin1')} → ${text}`)
  })
}
