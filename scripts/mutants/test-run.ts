/** Runs test files in order, in a process group that is killed when it takes too long. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const VITEST = fileURLToPath(new URL('../vitest.mjs', import.meta.resolve('vitest')))

export interface TestRun {
  readonly isPassed: boolean
  readonly seconds: number
}

export interface TestRunOptions {
  /** of the copy */
  readonly root: string
  /** test files, in the order in which they run */
  readonly files: readonly string[]
  readonly secondsMax: number
  readonly variables?: Readonly<Record<string, string>>
}

/** Ends at the first failure. Running out of time counts as one. */
export async function runTests({
  root,
  files,
  secondsMax,
  variables,
}: TestRunOptions): Promise<TestRun> {
  const startMs = performance.now()
  const config = join(root, 'scripts/mutants/vitest.config.ts')
  const child = spawn(process.execPath, [VITEST, 'run', '--config', config, ...files], {
    cwd: root,
    env: { ...process.env, ...variables, TEST_ORDER: files.join(' ') },
    stdio: 'ignore',
    detached: true,
  })
  const end = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  const timer = setTimeout(end, 1000 * secondsMax)
  process.once('exit', end)
  const code = await new Promise((resolve) => void child.once('close', resolve))
  clearTimeout(timer)
  process.off('exit', end)
  return { isPassed: code === 0, seconds: (performance.now() - startMs) / 1000 }
}
