/**
 * The list of promises: what users get, where that is stated, and which test proves it in which
 * tier.
 */
import type { Finding } from './finding.ts'

export const PROMISES = 'packages/testkit/promises.md'

/** The numbered promises of the whole; each has a row. */
const NUMBERED = Array.from({ length: 10 }, (_, i) => `P${i + 1}`)

/** Of a row: when its proof runs. */
const TIERS = ['gate', 'night', 'gate and night', 'by hand', 'not built']

/** Only a command proves it, or nothing can yet. */
const WITHOUT_TEST = new Set(['by hand', 'not built'])

interface Row {
  readonly line: number
  readonly statedIn: string
  readonly proofs: readonly string[]
  readonly tier: string
}

/**
 * What is missing in the list.
 *
 * @param text   of the list
 * @param texts  of all source files, by path
 * @param rooms  folders whose README makes promises; each is named by a row
 */
export function promiseFindings(
  text: string,
  texts: ReadonlyMap<string, string>,
  rooms: readonly string[],
): Finding[] {
  const rows = rowsOf(text)
  const found: Finding[] = []
  const report = (line: number, message: string): void =>
    void found.push({ file: PROMISES, line, message })
  for (const { line, proofs, tier } of rows) {
    if (!TIERS.includes(tier)) report(line, `the tier is ${tier}, not one of ${TIERS.join(', ')}`)
    if (proofs.length === 0 && !WITHOUT_TEST.has(tier)) report(line, 'names no file that proves it')
    for (const proof of proofs) if (!texts.has(proof)) report(line, `${proof} does not exist`)
    if (tier.startsWith('gate') && !proofs.some((proof) => !isOfNight(proof))) {
      report(line, 'is in the gate, but its files run at night only')
    }
    if (tier.includes('night') && !proofs.some((proof) => knowsNight(proof, texts))) {
      report(line, 'is in the night tier, but none of its files is')
    }
  }
  for (const id of NUMBERED) {
    if (!rows.some((row) => row.statedIn.split(/[ ,]+/).includes(id))) report(1, `${id} has no row`)
  }
  for (const room of rooms) {
    if (!rows.some((row) => row.statedIn.includes(room))) report(1, `${room} has no row`)
  }
  return found
}

function rowsOf(text: string): Row[] {
  return text.split('\n').flatMap((line, i) => {
    const cells = line.split('|').map((cell) => cell.trim())
    const isRow = cells.length === 6 && !/^-+$|^stated in$/.test(cells[2])
    if (!isRow) return []
    const [, , statedIn, proofs, tier] = cells
    const named = Array.from(proofs.matchAll(/`([^`]+\.tsx?)`/g), ([, path]) => path)
    return [{ line: i + 1, statedIn, proofs: named, tier }]
  })
}

function isOfNight(file: string): boolean {
  return file.endsWith('.night.test.ts')
}

/** Whether a file has a longer form at night, itself or by a random test's new seed. */
function knowsNight(file: string, texts: ReadonlyMap<string, string>): boolean {
  return isOfNight(file) || /\b(?:byTier|IS_NIGHT|testSeed)\b/.test(texts.get(file) ?? '')
}
