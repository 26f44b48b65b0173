/** Kills one game server repeatedly and compares each recovery with what was acknowledged. */
import { killProcesses, processesLeft } from '@orrery/testkit'
import { progress } from '@orrery/testkit/progress'
import { dirname } from 'node:path'
import { createGameDirectory } from '../trials/game-directory.ts'
import { killAtRest, killLoaded, killStarting } from './kills.ts'
import { createMines } from './mines/mines.ts'
import { brokenOff } from './restart.ts'
import { type CrashLoopOptions, type Run, acknowledged, beginRun } from './run.ts'

export interface CrashLoopResult {
  readonly kills: number
  readonly acknowledged: number
  readonly digests: number
  /** from start to listening, of each start after a kill [ms] */
  readonly readyMs: readonly number[]
  /** differences from the expected state */
  readonly violations: readonly string[]
  /** commands that the server answered with an unknown outcome */
  readonly unknown: number
}

/** Time for all processes of a run to end [ms]. */
const ENDED_MS_MAX = 5000

export async function crashLoop(options: CrashLoopOptions): Promise<CrashLoopResult> {
  const directory = await createGameDirectory()
  const mines = options.hasMines ? await createMines(dirname(directory.database)) : undefined
  const run = beginRun(options, directory, mines)
  const { violations, scenario } = run
  try {
    await killAll(run)
  } catch (error) {
    violations.push(...brokenOff(run, error))
  } finally {
    await run.started?.kill()
    const pids = await processesLeft(run.directory.database, ENDED_MS_MAX)
    if (pids.length > 0) violations.push(`processes ${pids.join(', ')} run on`)
    killProcesses(pids)
    await run.directory.remove()
  }
  return {
    kills: run.kills,
    acknowledged: acknowledged(run),
    digests: run.digests,
    violations: [...violations, ...scenario.faults],
    readyMs: run.readyMs,
    unknown: scenario.unknown,
  }
}

async function killAll(run: Run): Promise<void> {
  const { kills, replayEvery, isFirstStartKilled, victims } = run.options
  while (run.kills < kills) {
    progress.at('kills', run.kills, kills)
    if (run.kills >= kills / 2) run.mines?.upgrade()
    const victim = victims[run.kills % victims.length]
    const isDue = run.kills === kills - 1 || run.kills % replayEvery === replayEvery - 1
    const isStarting = run.kills === 0 ? isFirstStartKilled : run.random.share() < 0.2
    if (isDue) await killAtRest(run, victim)
    else if (isStarting && victim !== 'database') await killStarting(run, victim)
    else await killLoaded(run, victim)
  }
}
