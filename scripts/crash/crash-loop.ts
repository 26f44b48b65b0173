/** Kills one game again and again, and compares what comes back with what was acknowledged. */
import { killAtRest, killLoaded, killStarting } from './kills.ts'
import { kill, remaining } from './postgres-processes.ts'
import { type CrashLoopOptions, type Run, acknowledged, beginRun } from './run.ts'

export interface CrashLoopResult {
  readonly kills: number
  readonly acknowledged: number
  readonly digests: number
  /** from a start to listening, of all starts after a kill [ms] */
  readonly readyMs: readonly number[]
  /** what was lost, or is otherwise than it must be */
  readonly violations: readonly string[]
  /** commands whose outcome the server did not know */
  readonly unknown: number
}

/** When a run is over, nothing of it runs on for longer [ms]. */
const ENDED_MS_MAX = 5000

export async function crashLoop(options: CrashLoopOptions): Promise<CrashLoopResult> {
  const run = await beginRun(options)
  const { violations, office } = run
  try {
    await killAll(run)
  } catch (error) {
    violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    await run.back?.game.kill()
    const pids = await remaining(run.directory.database, ENDED_MS_MAX)
    if (pids.length > 0) violations.push(`processes ${pids.join(', ')} run on`)
    kill(pids)
    await run.directory.remove()
  }
  return {
    kills: run.kills,
    acknowledged: acknowledged(run),
    digests: run.digests,
    violations: [...violations, ...office.faults],
    readyMs: run.readyMs,
    unknown: office.unknown,
  }
}

async function killAll(run: Run): Promise<void> {
  const { kills, replayEvery, isMadeTwice, victims } = run.options
  while (run.kills < kills) {
    const victim = victims[run.kills % victims.length]
    const isDue = run.kills === kills - 1 || run.kills % replayEvery === replayEvery - 1
    const isStarting = run.kills === 0 ? isMadeTwice : run.random.share() < 0.2
    if (isDue) await killAtRest(run, victim)
    else if (isStarting && victim !== 'database') await killStarting(run, victim)
    else await killLoaded(run, victim)
  }
}
