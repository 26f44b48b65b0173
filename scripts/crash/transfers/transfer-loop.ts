/** Kills one game server, its database or both while ships are moved between star systems. */
import { progress } from '@orrery/testkit/progress'
import { dirname } from 'node:path'
import { killAtRest, killStarting } from '../kills.ts'
import { type Ledger, compareOre, createLedger } from '../mines/ledger.ts'
import { createMines } from '../mines/mines.ts'
import { brokenOff, runningServer } from '../restart.ts'
import { type CrashLoopOptions, beginRun } from '../run.ts'
import { type TransferRun, compareHandOffs, killTransfers } from './transfer-kills.ts'
import { createUrlDirectory } from '../../trials/url-directory.ts'

export interface TransferLoopOptions extends Pick<
  CrashLoopOptions,
  'kills' | 'victims' | 'seed' | 'clients' | 'hasMines' | 'loadMsMax' | 'print'
> {
  /** goes on until so many are acknowledged */
  readonly transfers: number
}

export interface TransferLoopResult {
  readonly kills: number
  /** acknowledged */
  readonly transfers: number
  /** durable arrivals */
  readonly arrived: number
  /** ships that were between two systems at the start after a kill */
  readonly inTransit: number
  readonly ships: number
  readonly ledger: Ledger
  readonly digests: number
  readonly violations: readonly string[]
}

export async function transferLoop(options: TransferLoopOptions): Promise<TransferLoopResult> {
  const directory = await createUrlDirectory()
  const mines = options.hasMines ? await createMines(dirname(directory.database)) : undefined
  const rhythm = { replayEvery: 1, readEvery: 1, isFirstStartKilled: false }
  const run: TransferRun = {
    ...beginRun({ ...options, ...rhythm }, directory, mines),
    directory,
    tally: { transfers: 0 },
    rounds: 0,
    inTransit: 0,
    arrived: 0,
    ledger: createLedger(),
    fuel: new Map(),
  }
  const { violations, scenario, tally } = run
  try {
    while (run.kills < options.kills - 1 || tally.transfers < options.transfers) {
      progress.at(`${tally.transfers} transfers, kills`, run.kills, options.kills)
      if (run.kills >= options.kills / 2) mines?.upgrade()
      await killTransfers(run)
      if (run.random.share() < 0.2 && run.kills < options.kills - 1) {
        await killStarting(run, 'server')
        await directory.left()
      }
    }
    await killAtRest(run, 'server')
    const server = await runningServer(run)
    if (mines) violations.push(...(await compareOre(run.ledger, server)))
    await server.game.kill()
    const left = await compareHandOffs(run)
    if (left > 0) violations.push(`${left} ships are in transit at the end`)
  } catch (error) {
    violations.push(...brokenOff(run, error))
  } finally {
    await run.started?.kill()
    await directory.remove()
  }
  return {
    kills: run.kills,
    transfers: tally.transfers,
    arrived: run.arrived,
    inTransit: run.inTransit,
    ships: scenario.pilots.length,
    ledger: run.ledger,
    digests: run.digests,
    violations: [...violations, ...scenario.faults],
  }
}
