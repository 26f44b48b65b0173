// A request that was killed before its answer may have made something, one thing at most; one that
// was refused has made nothing. Method: the ledger judges worlds that were made up.
import { ClientError } from '@orrery/client'
import { beforeEach, expect, test } from 'vitest'
import { type Asking, attempted } from '../crash/asking.ts'
import { judge } from '../crash/judgement.ts'
import { Ledger } from '../crash/ledger.ts'

let asking: Asking

beforeEach(() => {
  asking = { ledger: new Ledger(), faults: [], unknown: 0 }
})

/** A request for a snapshot, which fails when an error is given. */
async function snapshot(error?: ClientError): Promise<void> {
  await attempted(asking, [asking.ledger.attemptUnnamed('snapshot')], async () => {
    if (error) throw error
  })
}

const killed = new ClientError('network', 'the server cannot be reached')
const outage = new ClientError('E008', 'The database is away; whether', { status: 500 })
const refusal = new ClientError('E016', 'Snapshot not found', { status: 404 })

/** What is found wrong with a server that shows these snapshots. */
function look(...ids: readonly number[]): string[] {
  return judge(
    asking.ledger,
    {
      things: new Map(ids.map((id) => [`snapshot:${id}`, true])),
      ships: new Map(),
      ids: new Map(),
      systems: [],
      era: 1,
      tick: 0,
      gameTime: '2026-11-21T18:50:00Z',
    },
    new Set(),
  )
}

test('an unanswered request may have made a snapshot, or none', async () => {
  await snapshot(killed)
  expect(look()).toEqual([])
  await snapshot(killed)
  await snapshot(outage)
  expect(look(1, 2)).toEqual([])
  expect(asking).toMatchObject({ faults: [], unknown: 1 })
})

test('a snapshot more than there were unanswered requests is from nowhere', async () => {
  await snapshot(killed)
  expect(look(1, 2)).toEqual(['snapshot:2 is from nowhere'])
})

test('a request that was refused has made nothing', async () => {
  await snapshot(refusal)
  expect(look(1)).toEqual(['snapshot:1 is from nowhere'])
})

test('an unanswered request explains nothing that comes after the next look', async () => {
  await snapshot(killed)
  expect(look()).toEqual([])
  expect(look(1)).toEqual(['snapshot:1 is from nowhere'])
})

test('a snapshot that was seen must stay, answered or not', async () => {
  await snapshot(killed)
  expect(look(1)).toEqual([])
  await snapshot()
  asking.ledger.settle('house', 'snapshot:2', true)
  expect(look()).toEqual(['snapshot:1 is null, must be true', 'snapshot:2 is null, must be true'])
  expect(asking.ledger.acknowledged).toBe(1)
})
