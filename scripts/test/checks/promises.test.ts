// Law: a promise without a proof is noticed, and so is a proof that is gone or never runs in its
// tier.
import { expect, test } from 'vitest'
import { promiseFindings } from '../../checks/promises.ts'

const TEXTS = new Map([
  ['packages/sim/test/a.test.ts', ''],
  ['packages/sim/test/b.night.test.ts', ''],
  ['packages/sim/test/c.test.ts', 'const count = byTier({ gate: 1, night: 9 })'],
])

/** Rows for P1 to P10, all proved. */
const NUMBERED = Array.from(
  { length: 10 },
  (_, i) => `| promise | P${i + 1} | \`packages/sim/test/a.test.ts\` | gate |`,
).join('\n')

function messages(row: string, rooms: readonly string[] = []): string[] {
  const text = `| promise | stated in | proved by | tier |\n|-|-|-|-|\n${NUMBERED}\n${row}\n`
  return promiseFindings(text, TEXTS, rooms).map(({ message }) => message)
}

test('a list whose promises are all proved has no finding', () => {
  expect(messages('')).toEqual([])
  expect(
    messages('| x | `sim` | `packages/sim/test/c.test.ts` | gate and night |', ['sim']),
  ).toEqual([])
  expect(messages('| x | `sim` | `scripts/orrery soak` | by hand |', ['sim'])).toEqual([])
})

test.each([
  ['a file that is gone', '| x | sim | `packages/sim/test/gone.test.ts` | gate |', /not exist/],
  ['no file', '| x | sim | somehow | gate |', /names no file/],
  ['an unknown tier', '| x | sim | `packages/sim/test/a.test.ts` | daily |', /the tier is daily/],
  [
    'the gate by night',
    '| x | sim | `packages/sim/test/b.night.test.ts` | gate |',
    /at night only/,
  ],
  ['a night that is none', '| x | sim | `packages/sim/test/a.test.ts` | night |', /none of its/],
])('finds %s', (_, row, message) => {
  expect(messages(row)).toContainEqual(expect.stringMatching(message))
})

test('finds a numbered promise and a package without a row', () => {
  const text = NUMBERED.replace('| P7 |', '| P6 |')
  expect(promiseFindings(text, TEXTS, ['sim']).map(({ message }) => message)).toEqual([
    'P7 has no row',
    'sim has no row',
  ])
})
