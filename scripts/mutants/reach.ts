/** Which test files execute a place of the source, as V8 counted it in all processes of a run. */
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runTests } from './test-run.ts'

/** Longest that one test file may take while it is recorded [s]. */
const RECORDING_SECONDS_MAX = 600

/** A span of a file that was executed `count` times, unless a span within it has another count. */
interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** A test file that passes. */
export interface RecordedTest {
  readonly file: string
  readonly seconds: number
  /** ranges by source file, one list per process; offsets are those of the text */
  readonly processes: readonly ReadonlyMap<string, readonly Range[]>[]
}

/** Runs a test file; undefined when it fails without any mutation. */
export async function recordTest(root: string, file: string): Promise<RecordedTest | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-coverage-'))
  try {
    const { isPassed, seconds } = await runTests({
      root,
      files: [file],
      secondsMax: RECORDING_SECONDS_MAX,
      // Coverage of functions that were compiled before is less precise.
      variables: { NODE_V8_COVERAGE: directory, NODE_DISABLE_COMPILE_CACHE: '1' },
    })
    if (!isPassed) return undefined
    const names = await readdir(directory)
    const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
    return { file, seconds, processes: texts.map((text) => sourceRanges(text, root)) }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Type stripping keeps offsets: spaces take the place of types. */
function sourceRanges(text: string, root: string): Map<string, Range[]> {
  const prefix = `${pathToFileURL(root).href}/`
  const found = new Map<string, Range[]>()
  for (const { url, functions } of JSON.parse(text).result) {
    if (!url.startsWith(`${prefix}packages/`) || !url.includes('/src/')) continue
    const ranges: Range[] = functions.flatMap(({ ranges }: { ranges: Range[] }) => ranges)
    found.set(url.slice(prefix.length), ranges)
  }
  return found
}

/** The recorded tests that execute an offset of a file, the quickest first. */
export function reaching(
  tests: readonly RecordedTest[],
  file: string,
  offset: number,
): RecordedTest[] {
  return tests
    .filter(({ processes }) => processes.some((ranges) => isExecuted(ranges.get(file), offset)))
    .toSorted((a, b) => a.seconds - b.seconds)
}

/** The smallest range around a place has its count. */
function isExecuted(ranges: readonly Range[] | undefined, offset: number): boolean {
  let size = Infinity
  let count = 0
  for (const range of ranges ?? []) {
    const isAround = range.startOffset <= offset && offset < range.endOffset
    if (!isAround || range.endOffset - range.startOffset > size) continue
    size = range.endOffset - range.startOffset
    count = range.count
  }
  return count > 0
}
