/**
 * Law: what is wrong with a module is said when it is declared or loaded, by name. Goal: each kind
 * of fault has its code; a source with a clock, chance, another import or state of its own is
 * refused with its line, and the module of the tutorial is not.
 */
import { type GameModule, defineModule, f64, row, text, u32, v } from '@orrery/module'
import { impurities } from '@orrery/module/purity'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { PanelDeclaration } from '../src/panel-declaration.ts'

const GOOD = { id: 'good', version: 1 } as const
const many = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`c${i}`, f64('')]))

const PITS = { label: 'Pits', table: 'pit', row: 'Pit', columns: [] }
const DIG = { label: 'Dig', command: 'dig' }
const STOP = { label: 'Stop', command: 'stop' }
const HOLE = { label: 'Hole', table: 'hole' }

const beatOf = <Name extends string>(of: Name) => ({ of, run: () => undefined })

/** A module with a panel of these parts. */
function panelled(panel: Partial<PanelDeclaration>): GameModule {
  const run = (): void => undefined
  return defineModule({
    ...GOOD,
    ship: {
      ore: f64('kg'),
      name: text(9),
      pit: row('pit'),
      secret: f64('', { seenBy: 'operator' }),
    },
    tables: { pit: { rows: 4, columns: { stone: f64('kg') } } },
    commands: {
      dig: { body: v.object({ pit: v.id(), deep: v.optional(v.boolean()) }), run },
      stop: { body: v.object({}), run },
      spoil: { may: 'operator', body: v.object({}), run },
    },
    panel: { title: 'Quarry', ...panel },
  })
}

it.each<[string, () => unknown]>([
  ['ERR_NAME', () => defineModule({ ...GOOD, id: 'Good one' })],
  ['ERR_VERSION', () => defineModule({ ...GOOD, version: 0 })],
  ['ERR_VERSION', () => defineModule({ ...GOOD, from: { 1: {} } })],
  ['ERR_VERSION', () => defineModule({ ...GOOD, version: 2, from: { 1: { ship: 3 as never } } })],
  [
    'ERR_TABLE',
    () => defineModule({ ...GOOD, version: 2, from: { 1: { tables: { x: v } as never } } }),
  ],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, ship: { ore: f64(''), Ore: f64('') } })],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, ship: { ore: f64(''), oRe: f64('') } })],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, ship: { docked: f64('') } })],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, ship: { ore: f64('', { default: NaN }) } })],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, ship: { ore: u32('', { default: -1 }) } })],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, beat: { of: 'ore', run: () => undefined } })],
  ['ERR_BOUND', () => defineModule({ ...GOOD, ship: { name: text(49) } })],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, ship: { name: text(9) }, beat: beatOf('name') })],
  [
    'ERR_COLUMN',
    () => defineModule({ ...GOOD, ship: { ore: u32('') }, account: { Ore: u32('') } }),
  ],
  ['ERR_COLUMN', () => defineModule({ ...GOOD, account: { pit: row('pit') } })],
  ['ERR_TABLE', () => defineModule({ ...GOOD, ship: { drill: row('asteroid') } })],
  ['ERR_BOUND', () => defineModule({ ...GOOD, ship: many })],
  ...[0, 1.5, 3601].map((every): [string, () => unknown] => {
    const beat = { of: 'ore', every, run: () => undefined } as const
    return ['ERR_BOUND', () => defineModule({ ...GOOD, ship: { ore: f64('') }, beat })]
  }),
  ['ERR_BOUND', () => defineModule({ ...GOOD, tables: { pit: { rows: 1e6, columns: {} } } })],
  ['ERR_BOUND', () => defineModule({ ...GOOD, tables: { pit: { rows: 0, columns: {} } } })],
  [
    'ERR_COMMAND',
    () => defineModule({ ...GOOD, commands: { dig: { body: v.object({}) } as never } }),
  ],
  ['ERR_EVENT', () => defineModule({ ...GOOD, events: { dug: { text: 'Dug.' } as never } })],
  ['ERR_EVENT', () => defineModule({ ...GOOD, on: { landed: () => undefined } as never })],
  ['ERR_EVENT', () => defineModule({ ...GOOD, on: { docked: 'yes' as never } })],
  ['ERR_COLUMN', () => panelled({ fields: [{ label: 'Ore', column: 'or' }] })],
  ['ERR_COLUMN', () => panelled({ fields: [{ label: 'Name', column: 'name', words: ['no'] }] })],
  ['ERR_COLUMN', () => panelled({ fields: [{ label: 'Secret', column: 'secret' }] })],
  ['ERR_COLUMN', () => panelled({ fields: [{ label: 'Ore', column: 'ore', of: 'ore' }] })],
  ['ERR_COLUMN', () => panelled({ lists: [{ ...PITS, columns: [{ label: '', column: 'x' }] }] })],
  ['ERR_COLUMN', () => panelled({ buttons: [{ label: 'Stop', command: 'stop', when: 'x' }] })],
  ['ERR_COLUMN', () => panelled({ buttons: [{ label: 'Stop', command: 'stop', when: 'name' }] })],
  ['ERR_COMMAND', () => panelled({ buttons: [{ label: 'Go', command: 'go' }] })],
  ['ERR_COMMAND', () => panelled({ buttons: [{ label: 'Spoil', command: 'spoil' }] })],
  ['ERR_COMMAND', () => panelled({ buttons: [{ label: 'Dig', command: 'dig' }] })],
  ['ERR_COMMAND', () => panelled({ lists: [{ ...PITS, buttons: [{ ...DIG, row: 'hole' }] }] })],
  ['ERR_TABLE', () => panelled({ lists: [{ ...PITS, table: 'hole' }] })],
  ['ERR_TABLE', () => panelled({ lists: [{ ...PITS, marker: true }] })],
  ['ERR_TABLE', () => panelled({ buttons: [{ ...DIG, inputs: { pit: HOLE } }] })],
  ['ERR_NAME', () => panelled({ title: 'Two\nlines' })],
  ['ERR_BOUND', () => panelled({ buttons: Array.from({ length: 33 }, () => STOP) })],
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

it('says of what a panel shows its unit, its kind and its rows', () => {
  const { panel } = panelled({
    fields: [
      { label: 'Ore', column: 'ore' },
      { label: 'Name', column: 'name' },
      { label: 'Left', column: 'stone', of: 'pit' },
    ],
    buttons: [{ ...DIG, when: 'pit', inputs: { pit: { label: 'Pit', table: 'pit' } } }],
    lists: [{ ...PITS, buttons: [{ ...DIG, row: 'pit' }] }],
  })
  const of = { of: 'pit', table: 'pit' }
  const pit = { name: 'pit', label: 'Pit', kind: 'row', unit: '', table: 'pit' }
  expect(panel).toEqual({
    title: 'Quarry',
    fields: [
      { label: 'Ore', column: 'ore', kind: 'f64', unit: 'kg', words: [] },
      { label: 'Name', column: 'name', kind: 'text', unit: '', words: [] },
      { label: 'Left', column: 'stone', kind: 'f64', unit: 'kg', words: [], ...of },
    ],
    buttons: [{ ...DIG, when: 'pit', inputs: [pit] }],
    lists: [{ ...PITS, buttons: [{ ...DIG, row: 'pit', inputs: [] }], marker: false }],
  })
})
