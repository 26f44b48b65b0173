/**
 * Law: a forecast is what the ship then flies. Goal: under orders, to the bit where its whole state
 * is known, to a centimetre where only its trajectory is received. Method: the worker flies
 * copies of ships, then the core flies the ships themselves.
 */
import type { PlanNode, ShipControl } from '@orrery/protocol'
import {
  CONTROL_QUANTA,
  COURIER,
  type Control,
  type Flight,
  advanceChunk,
  boundaryAtOrAfter,
  createStateVector,
  segmentFraction,
  segmentFuel,
  segmentState,
  writeControl,
} from '@orrery/sim'
import { createChance, testSeed } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Forecast } from '../../src/forecast/forecast.ts'
import { type ForecastRequest, Forecasts } from '../../src/forecast/forecasts.ts'
import { takeFrame } from '../../src/feeds/frame-intake.ts'
import { Scene } from '../../src/scene/scene.ts'
import type { Seed } from '../../src/pilot/seed-reading.ts'
import { createShipSample } from '../../src/scene/world.ts'
import { NOW, PLACE, copyOf, fleet, id, known } from './forecast-fleet.ts'
import { PAIR, anchorOf, arcsOf, identities, pairAt, readFrame } from '../flight/sent-frames.ts'

const TUG = { ...COURIER, name: 'tug', dryMass: 8000, thrustMax: 90_000, exhaustVelocity: 12_000 }
const HOURS = 6
const END = NOW + 64 * 3600 * HOURS

const flight = fleet()
const scene = new Scene()
const forecasts = new Forecasts(scene)
const [found, other, expected] = [createShipSample(), createShipSample(), createStateVector()]

beforeAll(() => {
  scene.enter(PAIR, [COURIER, TUG])
  forecasts.enter(PLACE)
  takeFrame(
    scene,
    readFrame(NOW, [anchorOf(pairAt(0)), ...identities([0, 1, 2].map(known), [0, 1])]),
  )
  takeFrame(scene, readFrame(NOW, [arcsOf(flight, [0, 1, 2])]))
})

afterAll(() => forecasts.close())

const own = (slot: number): Seed => ({ index: NOW, ship: copyOf(flight, slot) })

/** When each order acts, and what it orders. */
const ORDERS: readonly (readonly [after: number, message: ShipControl, control: Control])[] = [
  [60, { type: 'control', pointing: 'prograde' }, { pointing: 'prograde' }],
  [400.3, { type: 'control', thrust_level: 1, delta_v: 40 }, { thrustLevel: 1, deltaV: 40 }],
  [
    9000,
    { type: 'maneuver_start', maneuver: 'circularize' },
    { maneuver: { maneuver: 'circularize', timeout: 60 * 86_400, params: [] } },
  ],
]

/** Writes the orders of a ship where its flight finds them. */
function order({ state: { chunk, orders } }: Flight, slot: number): void {
  for (const [row, [after, , control]] of ORDERS.entries()) {
    writeControl(orders, row, control, { slotOf: () => -1, railOf: () => -1 })
    orders.orderIndex[row] = boundaryAtOrAfter(NOW + 1 + 64 * after, CONTROL_QUANTA)
    orders.orderSlot[row] = slot
  }
  chunk.chunkOrderEnd[0] = ORDERS.length
}

it('is what the ship flies under its orders, to the bit', async () => {
  const { share } = createChance(testSeed('forecast'))
  const seen = await forecasts.forecast(
    id(0),
    {
      hours: HOURS,
      orders: ORDERS.map(([after, message]) => ({ after, order: message })),
      target: { shipId: id(1) },
    },
    NOW,
    own(0),
  )
  expect(seen).toMatchObject({ shipId: id(0), from: NOW, to: END, end: 'asked', isExact: true })
  expect(seen.marks.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['periapsis', 'approach', 'burn_begin', 'burn_end', 'maneuver_phase']),
  )
  const ordered = fleet()
  const { ships } = ordered.state
  order(ordered, 0)
  const at = (time: number): void => {
    const n = Math.floor(time)
    advanceChunk(ordered, 0, n)
    segmentState(expected, ships, 0, COURIER, n, time - n)
    expect(seen.stateAt(found, time)).toBe(true)
    expect({ r: found.r, v: found.v, body: found.body }).toEqual({ ...expected, body: 'Globe' })
  }
  for (let time = NOW; time < END; time += Math.floor(64 * 1000 * share()) / 64) at(time)
  at(END)
  expect(seen.fuel).toBe(segmentFuel(ships, 0, segmentFraction(ships, 0, END, 0)))
  expect(seen.stateAt(found, NOW - 0.1)).toBe(false)
  expect(seen.stateAt(found, END + 0.1)).toBe(false)
  expect(seen.stateAt(found, NaN)).toBe(false)
})

describe('a draft', () => {
  const at = (hours: number, prograde: number): PlanNode => {
    return {
      index: NOW + 64 * 3600 * hours,
      frame: 'prograde',
      vector: { x: prograde, y: 0, z: 3 },
    }
  }
  const plan = (...nodes: PlanNode[]): NonNullable<ForecastRequest['orders']> => [
    { order: { type: 'maneuver_start', maneuver: 'plan', nodes } },
  ]
  const PLANS: readonly (readonly [name: string, hours: number, nodes: readonly PlanNode[]])[] = [
    ['of another burn', 7, [at(2, 25), at(4, 10)]],
    ['of a sooner one', 7, [at(1.1, 20), at(4, 10)]],
    ['of a later one', 7, [at(2, 20), at(5.3, -40)]],
    ['that ends soon', 4.5, [at(2, 20), at(4, 30)]],
    ['with a burn more', 7, [at(2, 20), at(4, 10), at(6, 1)]],
    ['with a burn less', 7, [at(2, 20)]],
  ]
  let whole: Forecast

  beforeAll(async () => {
    const orders = plan(at(2, 20), at(4, 10))
    whole = await forecasts.forecast(id(0), { hours: 6.5, orders, draft: true }, NOW, own(0))
  })

  it.each(PLANS)('%s is the same as if it were no draft, to the bit', async (_, hours, nodes) => {
    const { share } = createChance(testSeed('drafts'))
    const request = { hours, orders: plan(...nodes), target: { body: 'Moon' } }
    const due = await forecasts.forecast(id(0), request, NOW, own(0))
    // Later, since it is as if asked when the first was.
    const seen = await forecasts.forecast(id(0), { ...request, draft: whole }, NOW + 640, own(1))
    expect(seen.legs.length).toBe(due.legs.length + 1)
    expect(seen).toMatchObject({ from: due.from, to: due.to, isExact: true, end: due.end })
    expect(seen.fuel).toBe(due.fuel)
    expect(seen.deltaV).toBeCloseTo(due.deltaV, 12)
    const kept = ({ marks }: Forecast): unknown => marks.filter(({ kind }) => kind !== 'approach')
    expect(kept(seen)).toEqual(kept(due))
    for (let time = NOW; time < due.to; time += Math.floor(64 * 1000 * share()) / 64) {
      expect([seen.stateAt(found, time), due.stateAt(other, time)]).toEqual([true, true])
      expect({ r: found.r, v: found.v }).toEqual({ r: other.r, v: other.v })
    }
  })

  it('gives way to a newer one', async () => {
    const orders = plan(at(3, 20))
    const [older, newer] = [whole, whole].map((draft) =>
      forecasts.forecast(id(0), { hours: 20, orders, draft }, NOW, own(0)),
    )
    await expect(older).rejects.toMatchObject({ code: 'forecast' })
    expect(await newer).toMatchObject({ isExact: true })
  })
})

it('shows what a way takes with other fuel than the ship has', async () => {
  const rise = { type: 'maneuver_start', maneuver: 'set_orbit', semi_major_axis: 2e7 } as const
  const request = { hours: 24, orders: [{ order: rise }] }
  const poor = await forecasts.forecast(id(0), { ...request, fuel: 500 }, NOW, own(0))
  expect(poor.marks).toContainEqual(expect.objectContaining({ reason: 'out_of_fuel' }))
  const rich = await forecasts.forecast(id(0), { ...request, fuel: 100_000 }, NOW, own(0))
  expect(rich).toMatchObject({ isExact: false })
  expect(rich.marks.map(({ kind }) => kind)).toContain('maneuver_completed')
  const asItIs = await forecasts.forecast(id(0), request, NOW, own(0))
  expect(asItIs).toMatchObject({ isExact: true })
  expect(rich.deltaV / asItIs.deltaV).toBeCloseTo(1, 1)
})

it('of a received ship is that of one that coasts', async () => {
  const { share } = createChance(testSeed('received forecast'))
  const [low, high, falling] = await Promise.all(
    [0, 1, 2].map((slot) => forecasts.forecast(id(slot), { hours: HOURS }, NOW)),
  )
  expect(low.isExact).toBe(false)
  expect(falling).toMatchObject({ end: 'impact' })
  for (let time = NOW; time < END; time += Math.floor(1e4 * share())) {
    const part = Math.floor(64 * share()) / 64
    advanceChunk(flight, 0, time)
    for (const [slot, one] of [low, high].entries()) {
      segmentState(expected, flight.state.ships, slot, COURIER, time, part)
      expect(one.stateAt(found, time + part)).toBe(true)
      expect(found.body).toBe('Globe')
      expect(Math.hypot(...found.r.map((x, i) => x - expected.r[i]))).toBeLessThan(0.01)
    }
  }
})

it('sees ships whose received steps ended ten minutes ago', async () => {
  const later = fleet()
  const index = NOW + 64 * 600
  advanceChunk(later, 0, index)
  const seed: Seed = { index, ship: copyOf(later, 0) }
  const target = { shipId: id(1) }
  const seen = await forecasts.forecast(id(0), { hours: 5, target }, index, seed)
  const approach = seen.marks.find(({ kind }) => kind === 'approach')
  const at = approach?.index ?? NaN
  advanceChunk(later, 0, Math.floor(at))
  const [a, b] = [0, 1].map((slot) => {
    segmentState(expected, later.state.ships, slot, COURIER, Math.floor(at), at % 1)
    return [...expected.r]
  })
  expect(Math.abs(Math.hypot(...a.map((x, i) => x - b[i])) - approach!.distance!)).toBeLessThan(1)
  const meeting = { type: 'maneuver_start', maneuver: 'rendezvous', target_ship_id: id(1) } as const
  const planned = await forecasts.forecast(
    id(0),
    { hours: 1, orders: [{ order: meeting }] },
    index,
    seed,
  )
  expect(planned.marks.map(({ kind }) => kind)).toContain('maneuver_phase')
})

it.each([
  [{ hours: 0 }, 'E001'],
  [{ hours: NaN }, 'E001'],
  [{ hours: 385 }, 'E001'],
  [{ hours: 1, orders: Array.from({ length: 17 }, () => ({ order: { type: 'undock' } })) }, 'E001'],
  [{ hours: 1, orders: [{ after: -1, order: { type: 'undock' } }] }, 'E001'],
  [{ hours: 1, orders: [{ order: { type: 'control', thrust_level: NaN } }] }, 'E001'],
  [{ hours: 1, target: { body: 'Nibiru' } }, 'E002'],
  [{ hours: 1, target: { stationId: id(1) } }, 'E002'],
  [{ hours: 1, target: { shipId: id(9) } }, 'E002'],
  [{ hours: 1, target: { shipId: id(0) } }, 'E001'],
] as const satisfies [ForecastRequest, string][])('refuses %j', async (request, code) => {
  await expect(forecasts.forecast(id(0), request, NOW, own(0))).rejects.toMatchObject({ code })
})

it('burns with the engine of the class that a received ship has', async () => {
  const orders = [{ order: { type: 'control', thrust_level: 1 } }] as const
  const flown = await forecasts.forecast(id(1), { hours: 1, orders, fuel: 1000 }, NOW)
  expect(flown.fuel).toBe(0)
  expect(flown.deltaV).toBeCloseTo(TUG.exhaustVelocity * Math.log(1 + 1000 / TUG.dryMass), 6)
})

it('makes sixteen at a time, one after the other', async () => {
  const all = Array.from({ length: 17 }, () => forecasts.forecast(id(0), { hours: 0.1 }, NOW))
  await expect(all[16]).rejects.toMatchObject({ code: 'E004' })
  for (const made of await Promise.all(all.slice(0, 16))) expect(made.end).toBe('asked')
})

it('says each time that its worker cannot be started', async () => {
  const other = new Forecasts(scene, 'https://game.example/forecast-worker.js')
  other.enter(PLACE)
  other.prepare(NOW)
  for (let i = 0; i < 17; i++) {
    const forecast = other.forecast(id(0), { hours: 1 }, NOW)
    await expect(forecast).rejects.toMatchObject({ code: 'forecast' })
  }
})

it('fails by name for a ship that is not known, without its worker, and once closed', async () => {
  const fails = (made: Forecasts, slot: number) => made.forecast(id(slot), { hours: 1 }, NOW)
  await expect(fails(forecasts, 9)).rejects.toMatchObject({ code: 'forecast' })
  const other = new Forecasts(scene, new URL('nowhere.js', import.meta.url))
  await expect(fails(other, 0)).rejects.toMatchObject({ code: 'forecast' })
  other.enter(PLACE)
  await expect(fails(other, 0)).rejects.toThrow(/nowhere/)
  const waiting = fails(forecasts, 0)
  forecasts.close()
  await expect(waiting).rejects.toMatchObject({ code: 'closed' })
  await expect(fails(forecasts, 0)).rejects.toMatchObject({ code: 'closed' })
})
