/**
 * Law: what is wrong with a module is said when it is declared or loaded, by name. Goal: each kind
 * of fault has its code; a source with a clock, chance, another import or state of its own is
 * refused with its line, and the module of the tutorial is not.
 */
import { defineModule, f64, row, u32, v } from '@orrery/module'
import { impurities } from '@orrery/module/purity'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const GOOD = { id: 'good', version: 1 } as const
const many = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`c${i}`, f64('')]))

it.each<[string, () => unknown]>([
  ['ERR_NAME', () => defineModule({ ...GOOD, id: 'Good one' })],
  ['ERR_VERSION', () => defineModule({ ...GOOD, version: 0 })],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, ship: { ore: f64(''), Ore: f64('') } })],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, ship: { ore: f64(''), oRe: f64('') } })],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, ship: { docked: f64('') } })],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, ship: { ore: f64('', { default: NaN }) } })],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, ship: { ore: u32('', { default: -1 }) } })],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, beat: { of: 'ore', run: () => undefined } })],
  ['ERR_TABLE', () => defineModule({ ...GOOD, ship: { drill: row('asteroid') } })],
  ['ERR_BOUND', () => defineModule({ ...GOOD, ship: many })],
  ['ERR_BOUND', () => defineModule({ ...GOOD, tables: { pit: { rows: 1e6, columns: {} } } })],
  ['ERR_BOUND', () => defineModule({ ...GOOD, tables: { pit: { rows: 0, columns: {} } } })],
  [
    'ERR_COMMAND',
    () => defineModule({ ...GOOD, commands: { dig: { body: v.object({}) } as never } }),
  ],
  ['ERR_EVENT', () => defineModule({ ...GOOD, events: { dug: { text: 'Dug.' } as never } })],
])('refuses a declaration: %s', (code, declare) => {
  expect(declare).toThrow(expect.objectContaining({ code }))
})

it.each([
  'const now = Date.now()',
  'const share = Math.random()',
  'const height = Math.sin(1)',
  'const volume = 2 ** 3',
  "import { readFileSync } from 'node:fs'",
  "const fs = await import('node:fs')",
  'let count = 0',
  'const seen = new Map()',
  'globalThis.count = 1',
  'const text = (1.5).toLocaleString()',
])('refuses a source: %s', (line) => {
  expect(impurities(`// first\n${line}\n`)).toContainEqual(expect.objectContaining({ line: 2 }))
})

it('takes the module of the tutorial', () => {
  expect(impurities(readFileSync(new URL('../src/mining.ts', import.meta.url), 'utf8'))).toEqual([])
})
