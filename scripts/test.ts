/** `scripts/orrery test` runs tests; what it does not know is passed on to Vitest. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleDirectory } from '@orrery/http/bundle'
import { DURATIONS, type FileTime, readDurations } from '@orrery/testkit/durations'
import { type Room, reachedTests } from './checks/reach.ts'
import { endWith } from './command/output.ts'

const HELP = `Usage: scripts/orrery test [PACKAGE] [FILTER...] | --changed [COMMIT] | --times
       scripts/orrery test:night [FILTER...]

Runs all tests of the gate; those of one package, or whose path contains a filter; or, by night,
the long forms of the same laws: fresh seeds, whole covers, long flights.

  --changed [COMMIT]  those that the change since a commit, by default HEAD, can reach
  --times             all, and writes how long each file takes for the next runs
`

const VITEST = fileURLToPath(new URL('../vitest.mjs', import.meta.resolve('vitest')))

const args = process.argv.slice(2)
if (args.includes('--help') || args.includes('-h')) endWith('test', HELP)
const isNight = take('--night')
const areTimesWritten = take('--times')
const changed = take('--changed') ? changedTests(args.splice(0)) : undefined
const filters = changed ? [...changed, workersFor(changed)] : args.map(filter)
if (changed?.length === 0) {
  console.log('The change reaches no test.')
} else {
  const threads = await bundlePresentSources()
  const { status } = spawnSync(process.execPath, [VITEST, 'run', ...filters], {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(threads !== undefined && { BUNDLED_THREADS: threads }),
      ...(isNight && { TEST_TIER: 'night' }),
      ...(areTimesWritten && { TEST_TIMES_TO: DURATIONS }),
    },
  })
  process.exitCode = status ?? 1
}

/**
 * Services and threads start from a bundle in a third of the processor time of a start from
 * sources. Returns the URL of that with the threads of the game.
 */
async function bundlePresentSources(): Promise<string | undefined> {
  try {
    const { bundleChanges } = await import('./install/bundle.ts')
    await bundleChanges()
    return pathToFileURL(bundleDirectory('server')).href
  } catch {
    // Sources that do not parse are named by the tests that need them.
    return undefined
  }
}

/** Whether an option is given; it is removed. */
function take(option: string): boolean {
  const at = args.indexOf(option)
  if (at >= 0) args.splice(at, 1)
  return at >= 0
}

/** The folder of a package's tests; anything else is passed on. */
function filter(word: string): string {
  if (existsSync(`packages/${word}/package.json`)) return `packages/${word}/`
  return word === 'scripts' ? 'scripts/test/' : word
}

function changedTests([commit = 'HEAD', ...others]: readonly string[]): string[] {
  if (others.length > 0) throw new Error('--changed takes one commit.')
  const listed = (...words: string[]): string[] =>
    execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean)
  const changed = [
    ...listed('diff', '--name-only', commit),
    ...listed('ls-files', '--others', '--exclude-standard'),
  ]
  const files = listed('ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx')
  const texts = new Map(
    files.filter((file) => existsSync(file)).map((file) => [file, readFileSync(file, 'utf8')]),
  )
  const tests = reachedTests(changed, texts, rooms())
  console.log(`${changed.length} files changed, which ${tests.length} test files can notice.`)
  return tests
}

/** As many files at a time as keep the cores busy, though they wait; one more than without it. */
function workersFor(tests: readonly string[]): string {
  const times = readDurations()
  const sum = (of: keyof FileTime): number =>
    tests.reduce((total, test) => total + (times[test]?.[of] ?? 0), 0)
  const cores = availableParallelism()
  const busy = Math.floor((cores * sum('seconds')) / (sum('processor') || 1))
  return `--maxWorkers=${Math.min(Math.max(busy, cores + 1), cores + 2, 8)}`
}

function rooms(): Room[] {
  const folders = [...readdirSync('packages').map((name) => `packages/${name}`), 'bench', 'scripts']
  return folders.map((folder) => {
    const { name, exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
    return { folder, name, exports: exports ?? {} }
  })
}
