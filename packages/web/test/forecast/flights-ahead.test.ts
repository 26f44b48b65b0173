// Laws: the own ship is forecast as far as its orbit is of interest, farther for a maneuver that
// has not ended, and not again where that shows nothing more.
import { ClientError } from '@orrery/client'
import { type Forecast, createShipSample } from '@orrery/client/flight'
import { hoursOfInterest } from '@orrery/page-kit'
import { expect, test } from 'vitest'
import { type AheadOptions, HOURS_MAX, flightsAhead } from '../../src/forecast/flight-ahead.ts'
import type { Session } from '../../src/session/session.ts'
import type { Thing } from '../../src/readings/thing.ts'
import { PER_HOUR, SHIP, ScriptedFlight } from '../game/scripted-flight.ts'

const GM = 4e14
const MOON: Thing = { kind: 'body', name: 'Moon' }

/** Hours that are of interest, with some speed at the place that the test sets. */
function interest(revolutions: number, speed = 7500): number {
  const state = createShipSample()
  state.r.set([7e6, 0, 0])
  state.v.set([0, speed, 0])
  return hoursOfInterest({ position: state.r, velocity: state.v, gm: GM }, revolutions)
}

async function ahead(
  scripted: ScriptedFlight,
  options: Partial<AheadOptions> = {},
): Promise<Forecast[]> {
  const session = { flight: scripted.flight } as unknown as Session
  const made: Forecast[] = []
  const wanted = { hours: undefined, target: undefined, ...options }
  for await (const forecast of flightsAhead(session, wanted)) made.push(forecast)
  return made
}

const hours = (scripted: ScriptedFlight): number[] => scripted.asked.map((request) => request.hours)

test('two revolutions are seen, and six to a target', async () => {
  const scripted = new ScriptedFlight()
  expect(await ahead(scripted)).toHaveLength(1)
  await ahead(scripted, { target: MOON })
  expect(hours(scripted)).toEqual([interest(2), interest(6)])
  expect(interest(6)).toBeGreaterThan(1.5 * interest(2))
})

test('hours that are asked for are made once, whatever else', async () => {
  const scripted = new ScriptedFlight()
  await ahead(scripted, { hours: 7, atLeast: 100, hasManeuver: true })
  await ahead(scripted, { atLeast: 50 })
  expect(hours(scripted)).toEqual([7, 50])
})

test.each<[Thing, object]>([
  [MOON, { target: { body: 'Moon' } }],
  [{ kind: 'ship', id: 'ship-2' }, { target: { shipId: 'ship-2' } }],
  [{ kind: 'station', id: 's' }, { target: { stationId: 's' } }],
  [{ kind: 'jumpgate', id: 'g' }, { target: { jumpgateId: 'g' } }],
  [{ kind: 'ship', id: SHIP }, {}],
])('the target %j is asked for as %j', async (target, asked) => {
  const scripted = new ScriptedFlight()
  await ahead(scripted, { hours: 1, target })
  expect(scripted.asked).toEqual([{ hours: 1, orders: [], ...asked }])
})

test('orders and fuel are supposed as they are given', async () => {
  const scripted = new ScriptedFlight()
  const orders = [{ order: { type: 'control', thrust_level: 1 } }] as const
  await ahead(scripted, { hours: 1, orders, fuel: 0 })
  expect(scripted.asked).toEqual([{ hours: 1, orders, fuel: 0 }])
})

test('a target that is out of view is left out; other faults are thrown', async () => {
  const scripted = new ScriptedFlight()
  const fail = (code: 'E001' | 'E002'): void => {
    scripted.answer = ({ target }) => (target ? Promise.reject(new ClientError(code, code)) : {})
  }
  fail('E002')
  expect(await ahead(scripted, { hours: 1, target: MOON })).toHaveLength(1)
  expect(scripted.asked).toEqual([
    { hours: 1, orders: [], target: { body: 'Moon' } },
    { hours: 1, orders: [] },
  ])
  fail('E001')
  await expect(ahead(scripted, { hours: 1, target: MOON })).rejects.toThrow('E001')
  scripted.answer = () => Promise.reject(new ClientError('E002', 'of an order'))
  await expect(ahead(scripted, { hours: 1 })).rejects.toThrow('of an order')
  scripted.answer = () => Promise.reject(new TypeError('defect'))
  await expect(ahead(scripted, { hours: 1, target: MOON })).rejects.toThrow('defect')
})

test('of a ship that is not known nothing is forecast', async () => {
  const scripted = new ScriptedFlight()
  scripted.isKnown = false
  await expect(ahead(scripted)).rejects.toThrow('Nothing is known of the ship yet')
  expect(scripted.asked).toEqual([])
})

test('a maneuver that goes on is followed four times as far each time, to a limit', async () => {
  const scripted = new ScriptedFlight()
  const span = interest(2)
  await ahead(scripted, { hasManeuver: true })
  const asked = [span]
  while (asked.at(-1)! < HOURS_MAX) asked.push(Math.min(HOURS_MAX, 4 * asked.at(-1)!))
  expect(hours(scripted)).toEqual(asked)
})

const burnt = (after: number): Forecast['marks'][number] => {
  return { kind: 'burn_end', index: 64 + after * PER_HOUR }
}

test.each<[string, Partial<AheadOptions>, Partial<Forecast>, number]>([
  [
    'an order of a maneuver',
    { orders: [{ order: { type: 'maneuver_start', maneuver: 'escape' } }] },
    {},
    4,
  ],
  [
    'a turn of the hull',
    { orders: [{ order: { type: 'maneuver_start', maneuver: 'kill_rotation' } }] },
    {},
    0,
  ],
  ['an order of another kind', { orders: [{ order: { type: 'maneuver_abort' } }] }, {}, 0],
  ['a phase', {}, { marks: [{ kind: 'maneuver_phase', phase: 'burning', index: 65 }] }, 4],
  [
    'a hold',
    { hasManeuver: true },
    { marks: [{ kind: 'maneuver_phase', phase: 'holding', index: 65 }] },
    0,
  ],
  ['its end', { hasManeuver: true }, { marks: [{ kind: 'maneuver_completed', index: 65 }] }, 0],
  ['an impact', { hasManeuver: true }, { end: 'impact' }, 0],
])('with %s', async (_, options, answer, times) => {
  const scripted = new ScriptedFlight()
  scripted.answer = () => (scripted.asked.length === 1 ? answer : { end: 'impact' })
  await ahead(scripted, options)
  const span = interest(2)
  expect(hours(scripted)).toEqual(times === 0 ? [span] : [span, times * span])
})

test('the orbit after the last burn is seen as far as any, where that is farther', async () => {
  const scripted = new ScriptedFlight()
  const speed = 9000
  const due = 3 + interest(2, speed)
  const stateAt: Forecast['stateAt'] = (out, time) => {
    if (time !== 64 + 3 * PER_HOUR) return false
    out.r.set([7e6, 0, 0])
    out.v.set([0, speed, 0])
    out.reference = 0
    return true
  }
  scripted.answer = () => ({ marks: [burnt(1), burnt(3), { kind: 'apoapsis', index: 9 }], stateAt })
  expect(due).toBeGreaterThan(1.1 * interest(2))
  await ahead(scripted)
  expect(hours(scripted)).toEqual([interest(2), due])
  scripted.asked.length = 0
  await ahead(scripted, { atLeast: due / 1.09 })
  expect(hours(scripted)).toEqual([due / 1.09])
  scripted.asked.length = 0
  await ahead(scripted, { atLeast: due / 1.11 })
  expect(hours(scripted)).toEqual([due / 1.11, due])
  scripted.asked.length = 0
  scripted.answer = () => ({ marks: [burnt(2)], stateAt })
  await ahead(scripted)
  expect(hours(scripted)).toEqual([interest(2)])
})
