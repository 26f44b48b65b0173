// Law: each small mistake is made where it belongs, and TypeScript refuses what is no program.
// Method: a program of one file; coverage that is made up.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SourceProgram, openProgram } from '../../mutants/program.ts'
import { reaching } from '../../mutants/reach.ts'

const LINES = [
  ['import { join } from "node:path"', []],
  ['export type Kind = "one" | 2', []],
  ['export const LIMIT = 5', ['export const LIMIT = 6']],
  ['export const LARGE = 4_000', ['export const LARGE = 8000']],
  ['export const SMALL = 0.5', ['export const SMALL = (1.1 * 0.5)']],
  ['export const NAME = "name"', [`export const NAME = ''`]],
  ['export const TEXT = "for people"', []],
  [
    'export const below = (a: number, b: number): boolean => a < b',
    ['a <= b', 'false', 'true'].map(
      (body) => `export const below = (a: number, b: number): boolean => ${body}`,
    ),
  ],
  [
    'export const sum = (a: number, b: number): number => a + b',
    ['a - b', '0'].map((body) => `export const sum = (a: number, b: number): number => ${body}`),
  ],
  ['sum(LIMIT, LARGE)', [';', 'sum(LARGE, LIMIT)']],
  ['Math.max(LIMIT, LARGE)', [';']],
  ['join(NAME, String(LIMIT) + NAME)', [';', 'join(String(LIMIT) + NAME, NAME)']],
  [
    'export const kind = (a: boolean): Kind => (a && below(1, 2) ? "one" : 2)',
    [
      'export const kind = (a: boolean): Kind => (!(a && below(1, 2)) ? "one" : 2)',
      'export const kind = (a: boolean): Kind => (a || below(1, 2) ? "one" : 2)',
      'export const kind = (a: boolean): Kind => (a && below(2, 1) ? "one" : 2)',
      'export const kind = (a: boolean): Kind => (a && below(2, 2) ? "one" : 2)',
      'export const kind = (a: boolean): Kind => (a && below(1, 3) ? "one" : 2)',
    ],
  ],
  [
    'export const stop = (a: boolean): void => { if (a) return; sum(1, 1) }',
    [
      'export const stop = (a: boolean): void => { if (!(a)) return; sum(1, 1) }',
      'export const stop = (a: boolean): void => { ; sum(1, 1) }',
      'export const stop = (a: boolean): void => { if (a) return; ; }',
      'export const stop = (a: boolean): void => { if (a) return; sum(2, 1) }',
      'export const stop = (a: boolean): void => { if (a) return; sum(1, 2) }',
    ],
  ],
] as const

const root = mkdtempSync(join(tmpdir(), 'orrery-mutants-test-'))
let program: SourceProgram

beforeAll(() => {
  writeFileSync(join(root, 'file.ts'), LINES.map(([line]) => line).join('\n'))
  writeFileSync(
    join(root, 'tsconfig.json'),
    '{"compilerOptions":{"strict":true,"noEmit":true},"files":["file.ts","node.d.ts"]}',
  )
  const module = 'declare module "node:path" { export function join(...a: string[]): string }'
  writeFileSync(join(root, 'node.d.ts'), module)
  program = openProgram(root, 'tsconfig.json')
})

afterAll(() => {
  program.close()
  rmSync(root, { recursive: true })
})

test.each(LINES)('%s', (line, expected) => {
  const found = program.mutants('file.ts').filter(({ before }) => before === line)
  const accepted = found.filter((mutant) => program.accepts(mutant)).map(({ after }) => after)
  expect(accepted.toSorted()).toEqual([...expected].toSorted())
})

test('a place is reached by the tests whose smallest range around it was executed', () => {
  const range = (startOffset: number, endOffset: number, count: number): object => {
    return { startOffset, endOffset, count }
  }
  const recorded = (file: string, seconds: number, ...ranges: object[]): object => {
    return { file, seconds, processes: [new Map(), new Map([['a.ts', ranges]])] }
  }
  const tests = [
    recorded('slow', 9, range(0, 100, 1), range(10, 20, 3)),
    recorded('quick', 1, range(0, 100, 1), range(10, 20, 1)),
    recorded('other', 1, range(0, 100, 1), range(10, 20, 0)),
  ] as Parameters<typeof reaching>[0]
  const files = (offset: number): string[] => {
    return reaching(tests, 'a.ts', offset).map(({ file }) => file)
  }
  expect(files(10)).toEqual(['quick', 'slow'])
  expect(files(20)).toEqual(['quick', 'other', 'slow'])
  expect(reaching(tests, 'b.ts', 10)).toEqual([])
})
