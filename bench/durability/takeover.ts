/**
 * How soon a world goes on with the server that stands by: its owner killed, or stopped; and with
 * one that starts when the owner has stopped, and has followed nothing.
 */
import { type AdminClient, createGameClient } from '@orrery/client'
import { api } from '@orrery/client/routes'
import {
  type PostgresServer,
  type ServiceProcess,
  WITHOUT_LIMITS,
  startPostgresServer,
  startService,
} from '@orrery/testkit'
import { progress } from '@orrery/testkit/progress'
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type Pilot, seedPilots } from '../load/pilots.ts'
import { ADMIN } from '../load/server.ts'

export interface TakeoverOptions {
  readonly ships: number
  /** take-overs of each kind */
  readonly rounds: number
}

const RATE_HZ = 10

interface Case {
  readonly name: string
  readonly signal: 'SIGKILL' | 'SIGSTOP'
  readonly isFollowed: boolean
  /** for the first frame, p50 and p99 [ms] */
  readonly goalsMs: readonly [number, number]
}

const CASES: readonly Case[] = [
  { name: 'owner killed', signal: 'SIGKILL', isFollowed: true, goalsMs: [600, 900] },
  { name: 'owner stopped', signal: 'SIGSTOP', isFollowed: true, goalsMs: [3000, 3000] },
  {
    name: 'owner stopped, none has followed',
    signal: 'SIGSTOP',
    isFollowed: false,
    goalsMs: [6000, 6000],
  },
]

/** Between two requests to the server that stands by [ms]. */
const ASK_MS = 5

/** Behind the owner, of a server that has caught up [s], and between two looks at it [ms]. */
const LAG_SECONDS_MAX = 0.5
const LOOK_MS = 100

/** Between the moments at which owners die: beats, looks and clocks are at any phase [ms]. */
const PHASE_MS = 1000

interface Host {
  readonly process: ServiceProcess
  readonly url: string
}

/** From the death of the owner [ms]. */
interface Takeover {
  readonly answeredMs: number
  readonly frameMs: number
}

export async function takeover({ ships, rounds }: TakeoverOptions): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-bench-'))
  const postgres = await startPostgresServer()
  const hosts: Host[] = []
  try {
    const tokenKey = randomBytes(32).toString('hex')
    const { url } = postgres
    const [pilot] = await seedPilots({ dataDirectory: directory, url, tokenKey, count: ships })
    const start = async (): Promise<Host> => {
      const host = await startHost(postgres, directory, tokenKey)
      hosts.push(host)
      return host
    }
    let owner = await start()
    await answered(owner)
    await (await adminOf(owner)).game.changeTickRate(RATE_HZ)
    const rows: Row[] = []
    for (const { name, signal, isFollowed, goalsMs } of CASES) {
      const seen: Takeover[] = []
      for (let round = 0; round < rounds; round++) {
        progress.at(`${name}, ${round + 1} of ${rounds}`)
        const follower = isFollowed ? await start() : undefined
        if (follower) await inStep(owner, follower)
        await sleep(PHASE_MS * (1 + round / rounds))
        const startMs = performance.now()
        process.kill(owner.process.pid ?? NaN, signal)
        const heir = follower ?? (await start())
        seen.push(await taken(heir, startMs, pilot))
        await owner.process.kill()
        owner = heir
      }
      rows.push(...rowsSeen(name, goalsMs, seen))
    }
    return rows
  } finally {
    for (const { process } of hosts) await process.kill()
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function startHost(
  { url: databaseUrl }: PostgresServer,
  directory: string,
  tokenKey: string,
): Promise<Host> {
  const process = startService({
    main: import.meta.resolve('@orrery/gateway/main'),
    variables: {
      PORT: '0',
      DATA_DIR: directory,
      DATABASE_URL: databaseUrl,
      STANDBY: 'true',
      JWT_SECRET_KEY: tokenKey,
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      ...WITHOUT_LIMITS,
    },
  })
  return { process, url: await process.ready }
}

async function adminOf({ url }: Host): Promise<AdminClient> {
  const game = createGameClient({ url })
  const { token } = await game.adminLogin(ADMIN.username, ADMIN.password)
  return game.admin(token)
}

/** Waits until a server has flown up to its owner. */
async function inStep(owner: Host, heir: Host): Promise<void> {
  const admin = await adminOf(owner)
  for (;;) {
    const { hosts } = await admin.call(api.listHosts)
    const lag = hosts.find(({ url }) => url === heir.url)?.lag_seconds ?? Infinity
    if (lag < LAG_SECONDS_MAX) return
    await sleep(LOOK_MS)
  }
}

/** Waits until a server answers for the world. */
async function answered({ url }: Host): Promise<void> {
  // A start with many ships keeps it from answering for longer than a connection is kept.
  const status = (): Promise<number> =>
    fetch(`${url}/api/status`).then(
      (answer) => answer.status,
      () => 0,
    )
  while ((await status()) !== 200) await sleep(ASK_MS)
}

/** A client's first frame of a server that owns the world. */
function firstFrame({ url }: Host, { token }: Pilot): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, ['orrery.v1'], {
    headers: { authorization: `Bearer ${token}` },
  })
  socket.on('error', reject)
  socket.on('message', (data: Buffer) => {
    const message: { readonly type: string } = JSON.parse(data.toString())
    if (message.type !== 'tick') return
    socket.close()
    resolve()
  })
  return promise
}

async function taken(heir: Host, startMs: number, pilot: Pilot): Promise<Takeover> {
  await answered(heir)
  const answeredMs = performance.now() - startMs
  await firstFrame(heir, pilot)
  return { answeredMs, frameMs: performance.now() - startMs }
}

function rowsSeen(
  name: string,
  [p50Max, p99Max]: Case['goalsMs'],
  seen: readonly Takeover[],
): Row[] {
  const answers = seen.map(({ answeredMs }) => answeredMs)
  const frames = seen.map(({ frameMs }) => frameMs)
  return rowsOf(name, [
    ['first_answer_p50', percentile(answers, 0.5), 'ms'],
    ['first_answer_p99', percentile(answers, 0.99), 'ms'],
    ['first_frame_p50', percentile(frames, 0.5), 'ms', { max: p50Max }],
    ['first_frame_p99', percentile(frames, 0.99), 'ms', { max: p99Max }],
  ])
}
