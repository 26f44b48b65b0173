// Law: a request without an answer explains at most one created thing, a refused one explains
// none; while the outcome of a restore or a reset is not known, either world is possible. Method:
// the model is compared with invented observations.
import { ClientError } from '@orrery/client'
import { beforeEach, describe, expect, test } from 'vitest'
import { type RequestLog, sendAttempts } from '../../crash/requests.ts'
import { check } from '../../crash/checker.ts'
import { Model } from '../../crash/model.ts'

let log: RequestLog

beforeEach(() => {
  log = { model: new Model(), faults: [], unknown: 0 }
})

/** A request for a snapshot, which fails when an error is given. */
async function snapshot(error?: ClientError): Promise<void> {
  await sendAttempts(log, [log.model.attemptUnnamed('snapshot')], async () => {
    if (error) throw error
  })
}

const killed = new ClientError('network', 'the server cannot be reached')
const outage = new ClientError('E008', 'The database is away; whether', { status: 500 })
const refusal = new ClientError('E016', 'Snapshot not found', { status: 404 })

/** Differences of a server that shows these snapshots. */
function inspect(...ids: readonly number[]): string[] {
  return check(
    log.model,
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

test('an unanswered request may have created a snapshot', async () => {
  await snapshot(killed)
  expect(inspect()).toEqual([])
  await snapshot(killed)
  await snapshot(outage)
  expect(inspect(1, 2)).toEqual([])
  expect(log).toMatchObject({ faults: [], unknown: 1 })
})

test('more snapshots than unanswered requests are found', async () => {
  await snapshot(killed)
  expect(inspect(1, 2)).toEqual(['snapshot:2 was not created by this run'])
})

test('a refused request creates nothing', async () => {
  await snapshot(refusal)
  expect(inspect(1)).toEqual(['snapshot:1 was not created by this run'])
})

test('an unanswered request explains nothing after the next inspection', async () => {
  await snapshot(killed)
  expect(inspect()).toEqual([])
  expect(inspect(1)).toEqual(['snapshot:1 was not created by this run'])
})

test('an observed snapshot must stay, answered or not', async () => {
  await snapshot(killed)
  expect(inspect(1)).toEqual([])
  await snapshot()
  log.model.settle('server', 'snapshot:2', true)
  expect(inspect()).toEqual([
    'snapshot:1 is null, must be true',
    'snapshot:2 is null, must be true',
  ])
  expect(log.model.acknowledged).toBe(1)
})

describe.each([true, false])('when a replacement without an answer has acted: %s', (hasActed) => {
  test('a snapshot that follows a restore may be of either world', () => {
    const { model } = log
    model.attempt('world', 'gate:gate_1', true).acknowledged()
    model.beginReplacement({ scope: 'world', after: () => [null] })
    const captured = model.capture()
    model.attempt('world', 'gate:gate_2', true).acknowledged()
    const capture = captured()
    model.endReplacement(hasActed)
    expect(capture).toEqual(
      new Map([
        ['gate:gate_1', new Set([true, null])],
        ['gate:gate_2', new Set([true, null])],
      ]),
    )
    expect([...model.possible('gate:gate_1')]).toEqual([hasActed ? null : true])
  })

  test('a snapshot that follows a reset stays', () => {
    const { model } = log
    model.settle('server', 'snapshot:1', true)
    model.beginReplacement({ scope: 'server', after: () => [null] })
    model.settle('server', 'snapshot:2', true)
    model.endReplacement(hasActed)
    expect(inspect(...(hasActed ? [2] : [1, 2]))).toEqual([])
  })
})
