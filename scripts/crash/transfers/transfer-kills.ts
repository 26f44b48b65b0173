/** Kills under transfers: at random moments, and between a departure's batch and its arrival's. */
import { BATCH_ROWS_MAX } from '@orrery/game'
import { setTimeout as sleep } from 'node:timers/promises'
import { storedHandOffs } from './hand-offs.ts'
import { type Ledger, compareOre } from '../mines/ledger.ts'
import { checkGoesOn, countKill } from '../kills.ts'
import { send } from '../requests.ts'
import { prepare, runningServer } from '../restart.ts'
import type { Run, RunningServer } from '../run.ts'
import type { Session } from '../scenario.ts'
import { type Tally, type Traffic, startTraffic, transfer } from '../traffic.ts'
import { snapshot } from '../world-operations.ts'
import type { HeldJournal, UrlDirectory } from '../../trials/url-directory.ts'

export interface TransferRun extends Run {
  readonly directory: UrlDirectory
  readonly tally: Tally
  /** kills under traffic */
  rounds: number
  inTransit: number
  arrived: number
  readonly ledger: Ledger
  /** last known fuel by ship [kg] */
  readonly fuel: Map<string, number>
}

const RATE_HZ = 10

/** Share of the rounds in which a snapshot is stored meanwhile. */
const SNAPSHOTS = 0.5

/** Longest wait for rows to be kept; from 2 s on the server refuses further ones [ms]. */
const FILLED_MS_MAX = 3000
const LOOK_MS = 5

/** Batches that are filled until one is whole in time. */
const ATTEMPTS = 3

/** Kills at a random moment, or in turn between the batches of a departure and its arrival. */
export async function killTransfers(run: TransferRun): Promise<void> {
  const { options, random, directory } = run
  const server = await runningServer(run)
  if (run.mines) run.violations.push(...(await compareOre(run.ledger, server)))
  else compareFuel(run, server)
  const { scenario, admin } = server.session
  await send(scenario, [['server', 'rate', RATE_HZ]], () => admin.game.changeTickRate(RATE_HZ))
  await prepare(server.session)
  const traffic = await startTraffic(run, server, run.tally)
  // Otherwise each start would replay the whole run.
  if (random.share() < SNAPSHOTS) traffic.add(snapshot(server.session))
  await sleep((0.1 + 0.9 * random.share()) * options.loadMsMax)
  const victim = options.victims[run.rounds % options.victims.length]
  const held = run.rounds++ % 2 === 0 ? await departAlone(run, server, traffic) : undefined
  if (!server.game.running()) throw new Error('The server has ended before it was killed')
  if (victim !== 'database') await server.game.kill()
  if (victim !== 'server') await directory.crashDatabase()
  countKill(run, `${victim}, ${held ? 'between departure and arrival' : 'under transfers'}`)
  await traffic.end()
  if (victim === 'database') {
    await checkGoesOn(run, server)
    await server.game.kill()
    run.killed.push('then the server')
  }
  await directory.left()
  await held?.release()
  run.inTransit += await compareHandOffs(run)
}

/** A departure whose arrival is held; undefined where that took the server too long. */
async function departAlone(
  run: TransferRun,
  { session }: RunningServer,
  traffic: Traffic,
): Promise<HeldJournal | undefined> {
  await traffic.rest()
  const changes = await Promise.all(traffic.pilots.map((pilot) => pilot.ruleChanges()))
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const held = await run.directory.holdJournal()
    if (await fillBatch(run, session, { changes, ...traffic })) {
      // The batch that waited before is that of a clock.
      await held.passOne()
      await held.passOne()
      return held
    }
    await held.release()
    await traffic.answered()
  }
  return undefined
}

/**
 * Fills a batch so that a departure is its last row; the arrival is in the next one. Changes of
 * rules fill it: renames of one ship would become one row.
 */
async function fillBatch(
  { random, tally }: TransferRun,
  session: Session,
  { pilots, changes, add }: Traffic & { readonly changes: readonly (() => Promise<unknown>)[] },
): Promise<boolean> {
  for (let i = 0; i < BATCH_ROWS_MAX - 1; i++) add(changes[i % changes.length]())
  if (!(await keepsRows(session, BATCH_ROWS_MAX - 1))) return false
  add(transfer(session, random.pick(pilots).account, tally))
  return keepsRows(session, BATCH_ROWS_MAX + 1)
}

/** Whether so many rows wait to become durable before the server refuses further ones. */
async function keepsRows({ admin }: Session, count: number): Promise<boolean> {
  const endMs = performance.now() + FILLED_MS_MAX
  while (performance.now() < endMs) {
    const text = await admin.metrics().catch(connectionLost)
    const [, rows] = /^orrery_journal_lag_rows (\d+)$/m.exec(text) ?? []
    if (Number(rows) >= count) return Number(rows) === count
    await sleep(LOOK_MS)
  }
  return false
}

/** A kept connection may end as a request is sent on it: the next one gets another. */
function connectionLost(error: unknown): string {
  if (Object(error).code !== 'network') throw error
  return ''
}

/** Returns the number of ships that a kill has left between two systems. */
export async function compareHandOffs(run: TransferRun): Promise<number> {
  const { arrived, inTransit, faults } = await run.directory.read((sql) =>
    storedHandOffs(sql, run.mines !== undefined),
  )
  run.arrived = arrived
  run.violations.push(...faults)
  return inTransit
}

/** Fuel never rises where no ship docks. */
function compareFuel({ fuel, violations }: TransferRun, { observed }: RunningServer): void {
  for (const [id, ship] of observed.ships) {
    const before = fuel.get(id) ?? Infinity
    if (ship.fuel > before)
      violations.push(`fuel of ship ${id} rose from ${before} to ${ship.fuel}`)
    fuel.set(id, ship.fuel)
  }
}
