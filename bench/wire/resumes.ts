/** Clients that lose their connection and resume, against one that never did. */
import { createGameClient } from '@orrery/client'
import { BUDGET_MAX } from '@orrery/protocol'
import { progress } from '@orrery/testkit/progress'
import { type Metric, type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pilot } from '../load/pilots.ts'
import type { LoadServer } from '../load/server.ts'
import { Swarm, type SwarmSocket } from '../load/swarm.ts'
import { type Difference, ReceivedShips } from './received-ships.ts'

const DROPS = 1000
const DROPPERS = 50
/** Without a connection, and with one before the next drop [ms]. */
const AWAY_MS_MAX = 3000
const STAY_MS_MAX = 1000
const LATE_MS = 20_000
const CHANGE_MS = 1000

interface Outcome extends Difference {
  /** from the message until the list of ships [ms] */
  readonly answeredMs: number
  /** from then until nothing was missing; without end when it never was so */
  readonly restMs: number
  /** ships that the budget let wait */
  readonly delayed: number
}

/** Each drop ends when the client has what the witness has, or too late. */
export async function resumes(
  server: LoadServer,
  load: { readonly sockets: readonly SwarmSocket[]; readonly spare: readonly Pilot[] },
): Promise<Row[]> {
  const swarm = new Swarm(server.url, 0, 'binary')
  const [watching, ...removed] = load.spare
  const looks = new Set<() => void>()
  const witness = new ReceivedShips()
  const socket = swarm.join(watching.token, {
    first: [{ type: 'subscribe', budget: BUDGET_MAX }],
    onFrame: (frame) => {
      witness.take(frame)
      for (const look of looks) look()
    },
  })
  await socket.joined
  for (const one of load.sockets.slice(0, DROPPERS)) one.end()
  const outcomes: Outcome[] = []
  const isOver = (): boolean => outcomes.length >= DROPS
  const changes = comeAndGo(server, removed, isOver)
  await Promise.all(
    server.pilots.slice(0, DROPPERS).map(async ({ token }) => {
      const dropper = createDropper(swarm, token, { witness, looks })
      await dropper.join()
      while (!isOver()) {
        outcomes.push(await dropper.drop())
        progress.at('drops', outcomes.length, DROPS)
      }
    }),
  )
  const changed = await changes
  swarm.end()
  return rowsOf(`${outcomes.length} drops`, judged(outcomes, changed))
}

function judged(outcomes: readonly Outcome[], changed: number): Metric[] {
  const sum = (name: 'ghosts' | 'missing' | 'delayed'): number =>
    outcomes.reduce((total, outcome) => total + outcome[name], 0)
  const answered = outcomes.map(({ answeredMs }) => answeredMs)
  return [
    ['ghosts', sum('ghosts'), '', { max: 0 }],
    ['missing', sum('missing'), '', { max: 0 }],
    ['delayed', sum('delayed') / outcomes.length, 'ships per drop'],
    ['answered_p50', percentile(answered, 0.5), 'ms'],
    ['answered_p99', percentile(answered, 0.99), 'ms'],
    [
      'whole_p99',
      percentile(
        outcomes.map(({ restMs }) => restMs),
        0.99,
      ),
      'ms later',
    ],
    ['ships_that_came_or_went', changed, ''],
  ]
}

/** Meanwhile ships leave the world, and others enter it. */
async function comeAndGo(
  { url, admin }: LoadServer,
  removed: readonly Pilot[],
  isOver: () => boolean,
): Promise<number> {
  const game = createGameClient({ url })
  let changed = 0
  for (const { playerId } of removed) {
    if (isOver()) break
    await admin.players.remove(playerId)
    await game.register(`late_${changed}`, randomUUID())
    changed += 2
    await sleep(CHANGE_MS)
  }
  return changed
}

interface Dropper {
  join(): Promise<void>
  /** Cuts the connection, makes another after a while, and waits until nothing is missing. */
  drop(): Promise<Outcome>
}

function createDropper(
  swarm: Swarm,
  token: string,
  { witness, looks }: { readonly witness: ReceivedShips; readonly looks: Set<() => void> },
): Dropper {
  const received = new ReceivedShips()
  let socket: SwarmSocket
  const join = async (...first: readonly object[]): Promise<void> => {
    socket = swarm.join(token, {
      first: [{ type: 'subscribe', budget: BUDGET_MAX }, ...first],
      onFrame: (frame) => {
        received.take(frame)
        for (const look of looks) look()
      },
    })
    if ((await socket.joined) === undefined) throw new Error('A player was not let in.')
  }
  /** Compares at publications that both have, once the list of ships is there. */
  const compared = (): Promise<Omit<Outcome, 'answeredMs'> & { readonly listedMs: number }> =>
    new Promise((resolve) => {
      let listedMs = NaN
      let delayed: number | undefined
      let last: Difference = { ghosts: 0, missing: Infinity }
      const done = (restMs: number): void => {
        clearTimeout(timer)
        looks.delete(look)
        resolve({ ...last, delayed: delayed ?? 0, listedMs, restMs })
      }
      const look = (): void => {
        if (received.lists === 0) return
        const nowMs = performance.now()
        if (Number.isNaN(listedMs)) listedMs = nowMs
        if (received.publication !== witness.publication) return
        last = received.differenceFrom(witness)
        delayed ??= last.missing
        if (last.ghosts > 0 || last.missing === 0) done(nowMs - listedMs)
      }
      const timer = setTimeout(() => done(Infinity), LATE_MS)
      looks.add(look)
    })
  return {
    join,
    drop: async () => {
      await sleep(STAY_MS_MAX * Math.random())
      socket.end()
      await sleep(AWAY_MS_MAX * Math.random())
      received.lists = 0
      const { era, tick, publication } = received
      const seen = compared()
      await join({ type: 'resume', era, tick, publication })
      const startMs = performance.now()
      const { listedMs, ...outcome } = await seen
      return { ...outcome, answeredMs: listedMs - startMs }
    },
  }
}
