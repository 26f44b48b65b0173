/**
 * `scripts/orrery mutants` makes small mistakes in a package's source and runs its tests on each.
 *
 * StrykerJS 10 stops on TypeScript 7, whose compiler has no JavaScript API, and switches mutants on
 * in the test's own process only. So it does not reach the real servers and worker threads of our
 * tests. This script writes each mutant to a copy of the checkout instead.
 */
import { createChance } from '@orrery/testkit'
import { progress } from '@orrery/testkit/progress'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine } from './command/command-line.ts'
import { type Copy, copyCheckout } from './mutants/copy.ts'
import { isEquivalent } from './mutants/equivalents.ts'
import { type Mutant, mutated, openProgram } from './mutants/program.ts'
import { type RecordedTest, reaching, recordTest } from './mutants/reach.ts'
import { runTests } from './mutants/test-run.ts'

const HELP = `Usage: scripts/orrery mutants PACKAGE [--count N] [--seed S] [--jobs N] [--tests A,B]
                       [--file A,B]

Makes small mistakes in the source of a package, one at a time, in a copy of the checkout, and
runs the tests of the package that execute the place. Prints each mutant that all tests pass,
and the share that they noticed. Mutants that TypeScript refuses are not counted, nor those in
scripts/mutants/equivalents.json. A test that takes three times as long as without the mistake
counts as failed. Exits 1 when less than 85 % are noticed.

The share is a lower bound: a process that its test kills leaves no coverage, so the test is not
run for places that only that process executes.

  --count N    mutants (60)
  --seed S     a whole number that decides which (1)
  --jobs N     test runs at the same time (1)
  --tests A,B  packages, or folders of them such as web/test/game, whose tests are run
               (PACKAGE alone)
  --file A,B   only source files whose path contains one of these
`

const NOTICED_SHARE_MIN = 0.85

/** A run may take so many times as long as without a mistake, and some seconds to start. */
const SLOWDOWN_MAX = 3
const START_SECONDS_MAX = 20

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const { values, positionals } = commandLine(
  'mutants',
  HELP,
  {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    tests: { type: 'string' },
    file: { type: 'string', default: '' },
  },
  true,
)
const [name = ''] = positionals
const [count, seed, jobs] = [values.count, values.seed, values.jobs].map(Number)
const isSound = [count, seed, jobs].every((number) => Number.isSafeInteger(number) && number >= 0)
if (!isSound || jobs === 0 || !existsSync(join(ROOT, 'packages', name, 'src')) || name === '') {
  process.stderr.write('mutants: an argument is not what --help says\n')
  process.exit(2)
}

const copies = await Promise.all(Array.from({ length: jobs }, () => copyCheckout(ROOT)))
progress.start('mutants')
const print = (line: string): void => void process.stdout.write(`${line}\n`)
try {
  const sample = sampled(copies[0])
  print(`${sample.length} mutants of ${name}, seed ${seed}`)
  const tests = await recorded()
  const startMs = performance.now()
  let noticed = 0
  let tried = 0
  await shared(sample, async (mutant, copy) => {
    progress.at('mutants tried', tried++, sample.length)
    const reached = reaching(tests, mutant.file, mutant.start)
    if (reached.length > 0 && (await isNoticed(mutant, copy, reached))) noticed++
    else print(survivor(mutant, reached.length))
  })
  const share = noticed / sample.length
  const seconds = (performance.now() - startMs) / 1000 / sample.length
  const percent = (100 * share).toFixed(0)
  print(`${noticed} of ${sample.length} noticed, ${percent} %, ${seconds.toFixed(1)} s per mutant`)
  if (!(share >= NOTICED_SHARE_MIN)) process.exitCode = 1
} finally {
  progress.end()
  await Promise.all(copies.map((copy) => copy.remove()))
}

function trackedFiles(directory: string): string[] {
  const args = ['ls-files', '-co', '--exclude-standard', directory]
  const listed = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n')
  return listed.filter((file) => file.endsWith('.ts') && existsSync(join(ROOT, file)))
}

/** At most one mutant of a line. */
function sampled({ root }: Copy): Mutant[] {
  const config = `packages/${name}/tsconfig.json`
  const program = openProgram(root, existsSync(join(ROOT, config)) ? config : 'tsconfig.json')
  const parts = values.file.split(',')
  const files = trackedFiles(`packages/${name}/src`).filter((file) =>
    parts.some((part) => file.includes(part)),
  )
  const candidates = files.flatMap((file) => program.mutants(file))
  const chance = createChance(seed)
  const chosen = new Map<string, Mutant>()
  while (chosen.size < count && candidates.length > 0) {
    const [mutant] = candidates.splice(chance.below(candidates.length), 1)
    const place = `${mutant.file}:${mutant.line}`
    if (chosen.has(place) || isEquivalent(mutant) || !program.accepts(mutant)) continue
    chosen.set(place, mutant)
  }
  program.close()
  return [...chosen.values()]
}

async function recorded(): Promise<RecordedTest[]> {
  const packages = (values.tests ?? name).split(',')
  const files = packages
    .flatMap((other) => trackedFiles(`packages/${other}${other.includes('/') ? '' : '/test'}`))
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('.night.test.ts'))
  const tests: RecordedTest[] = []
  await shared(files, async (file, { root }) => {
    progress.at('tests without a mistake', tests.length, files.length)
    const test = await recordTest(root, file)
    if (test) tests.push(test)
    else print(`${file} fails without a mistake, and is left out`)
  })
  return tests
}

async function isNoticed(
  mutant: Mutant,
  { root }: Copy,
  reached: readonly RecordedTest[],
): Promise<boolean> {
  const path = join(root, mutant.file)
  const text = readFileSync(path, 'utf8')
  const usualSeconds = reached.reduce((sum, { seconds }) => sum + seconds, 0)
  writeFileSync(path, mutated(text, mutant))
  try {
    const { isPassed } = await runTests({
      root,
      files: reached.map(({ file }) => file),
      secondsMax: START_SECONDS_MAX + SLOWDOWN_MAX * usualSeconds,
    })
    return !isPassed
  } finally {
    writeFileSync(path, text)
  }
}

function survivor({ file, line, before, after }: Mutant, tests: number): string {
  const reached = tests === 0 ? 'not executed' : `${tests} test files`
  return `${file}:${line} (${reached})\n  - ${before}\n  + ${after}`
}

/** Works off a list, one item per copy at a time. */
async function shared<Item>(
  items: readonly Item[],
  work: (item: Item, copy: Copy) => Promise<void>,
): Promise<void> {
  const rest = [...items]
  await Promise.all(
    copies.map(async (copy) => {
      for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item, copy)
    }),
  )
}
