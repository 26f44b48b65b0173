// Laws of tables and the palette: every row is on a page, and reading again keeps what is shown;
// each command has a key.
import type { AdminClient } from '@orrery/client'
import type { api } from '@orrery/client/routes'
import { expect, test } from 'vitest'
import { detailText } from '../../src/operator/detail-text.ts'
import { type Listing, type ListingPage, firstRows } from '../../src/operator/listing.ts'
import { SECTIONS } from '../../src/operator/listings.ts'
import type { Reading } from '../../src/operator/live.ts'
import type { Operator } from '../../src/operator/operator.ts'
import { paletteEntries } from '../../src/operator/palette-entries.ts'
import { ACTIONS } from '../../src/operator/actions.ts'

const COUNT = 120

/** A server's answer, newest first. */
const stored = Array.from({ length: COUNT }, (_, i) => ({
  id: COUNT - i,
  tick_number: i,
  game_time: '2026-11-27T00:00:00.000Z',
  created_at: '2026-11-27T00:00:00.000Z',
  kind: 'automatic',
  replayable: true,
}))
const admin = { snapshots: { list: async () => ({ snapshots: stored }) } } as unknown as AdminClient
const [snapshots] = SECTIONS.worlds.listings as readonly [Listing, Listing]

test('every snapshot is on a page, once', async () => {
  const ids: string[] = []
  let page: ListingPage = await snapshots.load(admin, {})
  ids.push(...page.rows.map(({ id }) => id))
  while (page.next !== undefined) {
    page = await snapshots.load(admin, {}, page.next)
    ids.push(...page.rows.map(({ id }) => id))
  }
  expect(ids).toEqual(stored.map(({ id }) => String(id)))
  expect(page.total).toBe(COUNT)
})

test('modules are listed by star system, with what they cost and why they stopped', async () => {
  const stopped = { game_time: '2026-11-27T00:00:00.000Z', reason: 'It hangs.' }
  const seconds = { mean_seconds: 2e-4, worst_seconds: 0.004 }
  const tables = [{ table: 'pit', rows: 1, rows_max: 4 }]
  const cost = { bytes: 4096, calls: 60, breaks: 1, ...seconds, tables, stopped }
  const modules = [{ module: 'quarry', version: 2, system_id: 'sol', ...cost }]
  const call = async () => ({ modules }) satisfies api.ModuleCostsResponse
  const listing = SECTIONS.worlds.listings.find(({ title }) => title === 'Modules')
  const page = await listing?.load({ call } as unknown as AdminClient, {})
  const why = '2026-11-27T00:00:00.000Z: It hangs.'
  const times = ['0.200 ms', '4.000 ms']
  expect(page?.rows).toEqual([
    {
      id: 'quarry sol',
      cells: ['quarry', '2', 'sol', '4.0 KiB', ...times, '1', 'pit 1/4', why],
      values: { module: 'quarry', system: 'sol' },
    },
  ])
})

test('as many rows as were shown are read again, by the largest pages', async () => {
  const listing: Pick<Listing, 'load'> = {
    load: async (_admin, _filters, after = '0', rows = 0) => {
      const start = Number(after)
      const end = Math.min(start + Math.min(Math.max(rows, 5), 10), COUNT)
      const shown = Array.from({ length: end - start }, (_, i) => `${start + i}`)
      return {
        rows: shown.map((id) => ({ id, cells: [], values: {} })),
        next: end < COUNT ? String(end) : undefined,
      }
    },
  }
  for (const [count, least] of [
    [0, 5],
    [37, 37],
    [1000, COUNT],
  ] as const) {
    const { rows } = await firstRows(listing, { admin, filters: {}, count })
    expect(rows.length).toBeGreaterThanOrEqual(least)
    expect(rows.map(({ id }) => id)).toEqual(rows.map((_, i) => String(i)))
  }
})

test('details of the audit are words', () => {
  expect(detailText({ name: 'Port', ship_id: 7, open: false })).toBe(
    'name Port, ship id 7, open no',
  )
  expect(detailText({ previous: { rate: 1 }, to: null })).toBe('previous rate 1, to none')
  expect(detailText(null)).toBe('')
})

test('each command of the palette has a key of its own', () => {
  const operator = {} as Operator
  const reading = { open: {}, status: {}, load: {} } as unknown as Reading
  const keys = paletteEntries(operator, reading, '').map(({ key }) => key)
  expect(keys.length).toBeGreaterThan(Object.keys(ACTIONS).length)
  const given = keys.filter((key) => key !== undefined)
  expect(given.filter((key, i) => given.indexOf(key) !== i)).toEqual([])
})
