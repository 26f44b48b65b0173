/**
 * Cases compared in fresh processes, so that none meets what the others left in caches and
 * compiler, the order reversed each round, so that none always comes first.
 */
import { progress } from '@orrery/testkit/progress'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** What to run for each case: it prints what it measured as one line of JSON. */
export type Commands = ReadonlyMap<string, readonly [program: string, ...args: string[]]>

/** What each case measured in one round. */
export type Round<Measured> = ReadonlyMap<string, Measured>

const run = promisify(execFile)

/** Runs every case once a round, one process at a time. */
export async function measureRounds<Measured>(
  commands: Commands,
  rounds: number,
): Promise<Round<Measured>[]> {
  const order = [...commands.keys()]
  const measured: Round<Measured>[] = []
  for (let round = 0; round < rounds; round++) {
    const results = new Map<string, Measured>()
    for (const name of round % 2 === 0 ? order : order.toReversed()) {
      const [program, ...args] = commands.get(name)!
      progress.at(`round ${round + 1} of ${rounds}, ${name}`)
      const { stdout } = await run(program, args)
      results.set(name, JSON.parse(stdout) as Measured)
    }
    measured.push(results)
  }
  return measured
}

/** What one case measures in a fresh process of a bench's own file, which takes it as JSON. */
export async function inFreshProcess<Measured>(
  file: string,
  name: string,
  task: object,
): Promise<Measured> {
  const command = [process.execPath, fileURLToPath(file), JSON.stringify(task)] as const
  const [round] = await measureRounds<Measured>(new Map([[name, command]]), 1)
  return round.get(name)!
}
