/** Clients that lose their connection and resume, against one that never did. */
import { createGameClient } from '@orrery/client'
import { BUDGET_MAX } from '@orrery/protocol'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pilot } from '../load/pilots.ts'
import type { LoadServer } from '../load/server.ts'
import { Swarm, type SwarmSocket } from '../load/swarm.ts'
import { percentile, type Row, rowsOf } from '../report.ts'
import { ToldShips } from './told-ships.ts'

const DROPS = 1000
const DROPPERS = 50
/** Without a connection, and with one before the next drop [ms]. */
const AWAY_MS_MAX = 3000
const STAY_MS_MAX = 1000
const LATE_MS = 20_000
const CHANGE_MS = 1000

interface Outcome {
  /** the list of ships came, and then a publication that the witness has too */
  readonly isWhole: boolean
  /** from the message until the list [ms] */
  readonly ms: number
  readonly ghosts: number
  readonly missing: number
}

/** Each drop ends when the client has what the witness has, or too late. */
export async function resumes(
  server: LoadServer,
  load: { readonly sockets: readonly SwarmSocket[]; readonly spare: readonly Pilot[] },
): Promise<Row[]> {
  const swarm = new Swarm(server.url, 0, 'binary')
  const [watching, ...removed] = load.spare
  const looks = new Set<() => void>()
  const witness = new ToldShips()
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
      while (!isOver()) outcomes.push(await dropper.drop())
    }),
  )
  const changed = await changes
  swarm.end()
  return rowsOf(`${outcomes.length} drops`, judged(outcomes, changed))
}

function judged(outcomes: readonly Outcome[], changed: number): Parameters<typeof rowsOf>[1] {
  const sum = (name: 'ghosts' | 'missing'): number =>
    outcomes.reduce((total, outcome) => total + outcome[name], 0)
  const times = outcomes.map(({ ms }) => ms)
  return [
    ['ghosts', sum('ghosts'), '', { max: 0 }],
    ['missing', sum('missing'), '', { max: 0 }],
    ['never_whole', outcomes.filter(({ isWhole }) => !isWhole).length, '', { max: 0 }],
    ['answered_p50', percentile(times, 0.5), 'ms'],
    ['answered_p99', percentile(times, 0.99), 'ms'],
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
  { witness, looks }: { readonly witness: ToldShips; readonly looks: Set<() => void> },
): Dropper {
  const told = new ToldShips()
  let socket: SwarmSocket
  const join = async (...first: readonly object[]): Promise<void> => {
    socket = swarm.join(token, {
      first: [{ type: 'subscribe', budget: BUDGET_MAX }, ...first],
      onFrame: (frame) => {
        told.take(frame)
        for (const look of looks) look()
      },
    })
    if ((await socket.joined) === undefined) throw new Error('A player was not let in.')
  }
  /** The first difference at the witness's publication once the list of ships is there. */
  const compared = (): Promise<Omit<Outcome, 'ms'> & { readonly atMs: number }> =>
    new Promise((resolve) => {
      let atMs = NaN
      const done = (outcome: Omit<Outcome, 'ms'>): void => {
        clearTimeout(timer)
        looks.delete(look)
        resolve({ ...outcome, atMs })
      }
      const look = (): void => {
        if (told.lists === 0) return
        if (Number.isNaN(atMs)) atMs = performance.now()
        if (told.publication !== witness.publication) return
        done({ ...told.differenceFrom(witness), isWhole: true })
      }
      const timer = setTimeout(() => done({ isWhole: false, ghosts: 0, missing: 0 }), LATE_MS)
      looks.add(look)
    })
  return {
    join,
    drop: async () => {
      await sleep(STAY_MS_MAX * Math.random())
      socket.end()
      await sleep(AWAY_MS_MAX * Math.random())
      told.lists = 0
      const { era, tick, publication } = told
      const seen = compared()
      await join({ type: 'resume', era, tick, publication })
      const startMs = performance.now()
      const { atMs, ...outcome } = await seen
      return { ...outcome, ms: atMs - startMs }
    },
  }
}
