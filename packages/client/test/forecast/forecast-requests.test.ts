/**
 * Law: a forecast begins where its ship is known, and has the orders, targets and places that were
 * asked for; what cannot be asked is refused by its field. Method: requests to a real worker.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type RailedObject, createBlock } from '@orrery/protocol'
import { COURIER, plainControl, writtenOrder } from '@orrery/sim'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeFrame } from '../../src/feeds/frame-intake.ts'
import type { Forecast } from '../../src/forecast/forecast.ts'
import { type ForecastRequest, Forecasts } from '../../src/forecast/forecasts.ts'
import type { Seed } from '../../src/pilot/seed-reading.ts'
import { Scene } from '../../src/scene/scene.ts'
import { createShipSample } from '../../src/scene/world.ts'
import { DEPOT, NOW, PLACE, copyOf, fleet, id, known } from './forecast-fleet.ts'
import { PAIR, anchorOf, arcsOf, identities, pairAt, readFrame } from '../flight/sent-frames.ts'

const GATE: RailedObject = {
  id: '0badcafe-0000-4000-8000-00000000000a',
  name: 'Gate',
  kind: 'jumpgate',
  radius: 30,
  row: 5,
  rail: { kind: 'lagrange', parent: 0, secondary: 1, point: 4 },
}

const flight = fleet()
const state = createShipSample()
const other = createShipSample()
let scene: Scene
let forecasts: Forecasts

/** A scene of the fleet, with the moon where it is at a node. */
function enter(moonAt = 0): void {
  scene.enter(PAIR, [COURIER])
  forecasts.enter(PLACE)
  scene.placeObjects([DEPOT, GATE])
  const anchor = { ...pairAt(moonAt), node: 0 }
  takeFrame(scene, readFrame(NOW, [anchorOf(anchor), ...identities([0, 1, 2].map(known))]))
  takeFrame(scene, readFrame(NOW, [arcsOf(flight, [0, 1, 2])]))
}

beforeAll(() => {
  scene = new Scene()
  forecasts = new Forecasts(scene)
  enter()
})

afterAll(() => forecasts.close())

/** The first ship, with orders that wait. */
function own(orders: Seed['ship']['orders'] = []): Seed {
  return { index: NOW, ship: { ...copyOf(flight, 0), orders } }
}

const ask = (request: Partial<ForecastRequest>, now = NOW, seed = own()): Promise<Forecast> =>
  forecasts.forecast(id(0), { hours: 0.1, ...request }, now, seed)

/** When burns begin and end, after now. */
const burns = ({ marks }: Forecast): (readonly [string, number])[] =>
  marks.map(({ kind, index }) => [kind.replace('burn_', ''), index - NOW])

const FULL = { type: 'control', thrust_level: 1 } as const
const STOP = { type: 'control', thrust_level: 0 } as const

describe('orders', () => {
  it.each([
    [0, 4],
    [3, 4],
    [4, 8],
  ])('that are given at %d act at %d', async (now, at) => {
    const seen = await ask({ orders: [{ order: { ...FULL, duration: 10 } }] }, NOW + now)
    expect(burns(seen)).toEqual([
      ['begin', at],
      ['end', at + 640],
    ])
    expect([seen.from, seen.to]).toEqual([NOW, NOW + now + 360 * 64])
  })

  it('act with those before them at the earliest', async () => {
    const stopped = [
      { after: 10, order: FULL },
      { after: 5, order: STOP },
    ]
    expect(burns(await ask({ orders: stopped }))).toEqual([])
  })

  it('act after those that wait', async () => {
    const order = writtenOrder(plainControl({ thrustLevel: 1 }), {
      slotOf: () => -1,
      railOf: () => -1,
    })
    const waiting = own([{ index: NOW + 640, sequence: 4, order }])
    expect(burns(await ask({ orders: [{ order: STOP }] }, NOW, waiting))).toEqual([])
    const seen = await ask({ orders: [{ after: 20, order: STOP }] }, NOW, waiting)
    expect(burns(seen)).toEqual([
      ['begin', 640],
      ['end', 1284],
    ])
  })

  it('that watch another ship make it no longer exact, as a target does not', async () => {
    const meet = { type: 'maneuver_start', maneuver: 'rendezvous', target_ship_id: id(1) } as const
    expect(await ask({ orders: [{ order: meet }] })).toMatchObject({ isExact: false })
    expect(await ask({ target: { shipId: id(1) } })).toMatchObject({ isExact: true })
  })

  it('of a received ship burn along its nose, as if it had the fuel', async () => {
    const orders = [{ order: { ...FULL, delta_v: 40 } }] as const
    const seen = await forecasts.forecast(id(1), { hours: 0.1, orders, fuel: 5000 }, NOW)
    expect(seen.deltaV).toBeCloseTo(40, 1)
    const asItIs = await forecasts.forecast(id(1), { hours: 0.1 }, NOW)
    for (const one of [seen, asItIs]) {
      expect(one.stateAt(one === seen ? state : other, NOW + 3200)).toBe(true)
    }
    expect(state.v[0] - other.v[0]).toBeCloseTo(40, 0)
  })
})

describe('a forecast', () => {
  it('begins where its ship is known, and reaches as far from now', async () => {
    const { to } = await ask({}, NOW - 640)
    expect(to).toBe(NOW + 360 * 64)
    const { arcs } = scene.received
    const row = arcs.at(scene.received.row(known(1).number), NOW)
    const end = arcs.values[row + 1]
    const [within, later] = await Promise.all(
      [NOW + 1, NOW + 64 * 600].map((now) => forecasts.forecast(id(1), { hours: 0.1 }, now)),
    )
    expect([within.from, within.to]).toEqual([NOW + 1, NOW + 1 + 360 * 64])
    expect([later.from, later.to]).toEqual([end - 1, NOW + 64 * 600 + 360 * 64])
  })

  it('reaches 16 days', async () => {
    expect(await forecasts.forecast(id(2), { hours: 384 }, NOW)).toMatchObject({ end: 'impact' })
  })

  it('is the same from any slot of a chunk, beside the ships it is near', async () => {
    const target = { shipId: id(1) }
    const first = await ask({ hours: 2, target })
    const last = await ask({ hours: 2, target }, NOW, {
      index: NOW,
      ship: { ...copyOf(flight, 0), slot: 255 },
    })
    expect(first.marks.map(({ kind }) => kind)).toContain('approach')
    expect(last.marks).toEqual(first.marks)
    const elsewhere = await ask({ hours: 2, target }, NOW, {
      index: NOW,
      ship: { ...copyOf(flight, 0), slot: 256 + 255 },
    })
    expect(elsewhere.marks.length).toBe(first.marks.length)
  })

  it.each([
    ['station', { stationId: DEPOT.id.toUpperCase() }, DEPOT.id],
    ['gate', { jumpgateId: GATE.id.toUpperCase() }, GATE.id],
  ] as const)('marks where it comes near a %s', async (_, target, objectId) => {
    const seen = await ask({ hours: 2, target })
    const mark = seen.marks.find(({ kind }) => kind === 'approach')!
    expect(seen.stateAt(state, mark.index)).toBe(true)
    expect(scene.objectAt(other, objectId, mark.index, 'Globe')).toBe(true)
    const distance = Math.hypot(...state.r.map((x, i) => x - other.r[i]))
    expect(Math.abs(mark.distance! - distance)).toBeLessThan(10)
  })

  it('is made among the bodies of the star system as it is then', async () => {
    const near = async (): Promise<number> => {
      const { marks } = await ask({ hours: 2, target: { body: 'moon' } })
      return marks.find(({ kind }) => kind === 'approach')!.distance!
    }
    const before = await near()
    expect(await near()).toBe(before)
    const moved = { ...pairAt(0), x: pairAt(0).x.map((x, i) => (i === 3 ? x + 1e7 : x)) }
    scene.enter(PAIR, [COURIER])
    forecasts.enter(PLACE)
    takeFrame(scene, readFrame(NOW, [anchorOf(moved)]))
    expect(Math.abs((await near()) - before)).toBeGreaterThan(1e6)
    enter()
    expect(await near()).toBe(before)
  })

  it('is the same when the bodies were made ready, and not before their time', async () => {
    const made = new Forecasts(scene)
    made.prepare(NOW)
    made.enter(PLACE)
    made.prepare(Number.NaN)
    made.prepare(NOW)
    const seen = await made.forecast(id(0), { hours: 2 }, NOW, own())
    made.close()
    made.prepare(NOW)
    const { legs } = await ask({ hours: 2 })
    expect(seen.legs).toEqual(legs)
  })

  it('of a ship that stands is where it stands; without a step it fails', async () => {
    const arcs = createBlock('arcs', 2)
    arcs.columns.number.set([known(3).number, known(4).number])
    arcs.columns.start.fill(NOW - 64)
    arcs.columns.end.set([NOW - 64, NOW - 65])
    arcs.columns.position.set([7e6, 1e5, 0, 8e6, 0, 0])
    takeFrame(scene, readFrame(NOW, [arcs, ...identities([known(3), known(4)])]))
    const stands = await forecasts.forecast(id(3), { hours: 1 }, NOW)
    expect(stands.end).toBe('frozen')
    expect(stands.stateAt(state, stands.from)).toBe(true)
    expect([...state.r, ...state.v]).toEqual([7e6, 1e5, 0, 0, 0, 0])
    for (const fails of [
      forecasts.forecast(id(4), { hours: 1 }, NOW),
      forecasts.forecast(id(5), { hours: 1 }, NOW),
      forecasts.forecast(id(3), { hours: 1 }, NaN),
    ]) {
      await expect(fails).rejects.toThrow('Nothing is known of the ship yet')
    }
  })

  it('that cannot be made fails alone', async () => {
    const made = new Forecasts(scene)
    made.enter({ ...PLACE, system: { ...PAIR, bodies: [] } })
    const fails = made.forecast(id(0), { hours: 0.1 }, NOW, own())
    await expect(fails).rejects.toMatchObject({ code: 'forecast', message: /no bodies/ })
    made.enter(PLACE)
    expect(await made.forecast(id(0), { hours: 0.1 }, NOW, own())).toMatchObject({ end: 'asked' })
    made.close()
  })

  it.runIf(IS_NIGHT)('keeps its process until it is answered, and no longer', async () => {
    const thread = new URL('../../src/forecast/forecast-thread.ts', import.meta.url)
    // The worker answers also what cannot be made.
    const script = `
      const { createForecastThread } = await import('${thread.href}')
      const thread = createForecastThread()
      const order = { place: { system: { bodies: [] }, start: {} }, index: 0, copies: [] }
      const asked = [1, 2, 3].map(() => thread.forecast(order).catch(({ code }) => code))
      console.log(...(await Promise.all(asked)), await thread.forecast(order).catch(() => 'again'))`
    const args = ['--input-type=module', '-e', script]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    expect(stdout).toBe('forecast forecast forecast again\n')
  })
})

it.each([
  [{ hours: 385 }, 'E001', 'hours must be above 0, 384 at most'],
  [{ target: { body: 'Nibiru' } }, 'E002', 'target.body names no body in this star system'],
  [{ target: { stationId: GATE.id } }, 'E002', 'target.stationId names no station'],
  [{ target: { jumpgateId: DEPOT.id } }, 'E002', 'target.jumpgateId names no jumpgate'],
  [{ target: { shipId: id(9) } }, 'E002', 'target.shipId names a ship that is out of view'],
  [{ target: { shipId: id(0) } }, 'E001', 'target.shipId names the ship itself'],
] as const satisfies readonly [Partial<ForecastRequest>, string, string][])(
  'refuses %j by its field',
  async (request, code, message) => {
    const refused = ask(request)
    await expect(refused).rejects.toMatchObject({ code })
    await expect(refused).rejects.toThrow(message)
  },
)
