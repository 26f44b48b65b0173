/**
 * Law: a ship that is flown here is to the bit what the core flies under the same orders, at any
 * time that is asked for, and goes on rightly from what the server answers, checks and sends.
 * Method: the core flies the same ship beside it.
 */
import {
  FROZEN,
  type Flight,
  advanceChunk,
  bodyState,
  createMassiveState,
  createStateVector,
  shipCheck,
} from '@orrery/sim'
import { GM, flightAmong, launchAt } from '@orrery/sim/testing/two-body-field'
import { describe, expect, it } from 'vitest'
import type { OwnShip } from '../../src/pilot/own-ship.ts'
import { createShipSample } from '../../src/scene/world.ts'
import {
  INDEX,
  type Order,
  SLOT,
  STOP,
  THRUST,
  TURN,
  due,
  launched,
  obey,
  ownOf,
  rowOf,
  seedOf,
  shown,
} from './lone-ship.ts'

/** Quanta that are flown at once at most. */
const CATCH_UP = 65_536
const out = createShipSample()
const moon = createStateVector()
const [ORDERED, TURNED] = [INDEX + 64, INDEX + 640]
/** Times from one order to some minutes after it. */
const TIMES = [0, 3.25, 64, 65.5, 200, 640, 700.75, 3000, 12_000.5].map((after) => INDEX + after)

/** A ship under two orders, of here and of the core. */
function ordered(): { core: Flight; own: OwnShip } {
  const before = launched(INDEX)
  const own = ownOf(before, seedOf(before, INDEX))
  own.order(rowOf(THRUST), ORDERED)
  own.order(rowOf(TURN), TURNED)
  return {
    own,
    core: launched(INDEX, [
      [ORDERED, THRUST],
      [TURNED, TURN],
    ]),
  }
}

describe('a ship', () => {
  it('is shown as the core has it, whole, also when the clock leaps back', () => {
    const { core, own } = ordered()
    const all = TIMES.map((time) => due(core, time))
    expect(TIMES.map((time) => shown(own, time))).toEqual(all)
    expect(TIMES.toReversed().map((time) => shown(own, time))).toEqual(all.toReversed())
    expect(own.index).toBeGreaterThanOrEqual(INDEX)
  })

  it('is known from its step on, and as far as is flown at once', () => {
    const core = launched(INDEX)
    const own = ownOf(core, seedOf(core, INDEX))
    const start = core.state.ships.stepStart[SLOT]
    expect(own.stateAt(out, start)).toBe(true)
    expect(own.stateAt(out, start - 0.5)).toBe(false)
    expect(own.stateAt(out, INDEX + CATCH_UP + 1)).toBe(false)
    expect(own.index).toBe(INDEX)
    expect(shown(own, INDEX + CATCH_UP)).toEqual(due(core, INDEX + CATCH_UP))
  })

  it('is not shown where the bodies are not known', () => {
    const core = launched(INDEX)
    const own = ownOf(core, seedOf(core, INDEX), (time) => time < INDEX + 64)
    expect(own.stateAt(out, INDEX + 63.5)).toBe(true)
    expect(own.stateAt(out, INDEX + 64)).toBe(false)
    expect(own.verify(INDEX + 64, [0, 0])).toBe('early')
  })

  it('stands where it is frozen', () => {
    const core = launched(INDEX)
    const { ships } = core.state
    ships.condition[SLOT] = FROZEN
    const own = ownOf(core, seedOf(core, INDEX))
    for (const time of [INDEX, INDEX + 640.5, INDEX + 64]) {
      expect(own.stateAt(out, time)).toBe(true)
      expect([...out.r, ...out.v]).toEqual([
        ...ships.position.subarray(3 * SLOT, 3 * SLOT + 3),
        ...ships.velocity.subarray(3 * SLOT, 3 * SLOT + 3),
      ])
      expect(out).toMatchObject({ isFrozen: true, fuel: ships.fuel[SLOT], body: 'Globe' })
    }
  })

  it('shows no throttle once its tank is empty', () => {
    const core = launched(INDEX, [], 20)
    const own = ownOf(core, seedOf(core, INDEX))
    own.order(rowOf({ thrustLevel: 1 }), ORDERED)
    expect(shown(own, ORDERED + 1)).toMatchObject({ thrustLevel: 1 })
    expect(shown(own, ORDERED + 6400)).toMatchObject({ fuel: 0, thrustLevel: 0 })
  })

  it('is given on with the orders that wait, each once', () => {
    const { core, own } = ordered()
    shown(own, ORDERED)
    const { index, ship } = own.seed()
    expect(index).toBe(ORDERED)
    expect(ship.orders).toMatchObject([{ index: TURNED, sequence: 0, order: rowOf(TURN) }])
    expect(ship.slot).toBe(SLOT)
    const other = ownOf(core, own.seed())
    expect(shown(other, TURNED + 3000)).toEqual(due(core, TURNED + 3000))
  })
})

describe('an order', () => {
  it.each([
    [1000, 1004],
    [1003, 1004],
    [1004, 1008],
  ])('after a seed of %d acts at %d at first', (seeded, first) => {
    const core = launched(seeded)
    const own = ownOf(core, seedOf(core, seeded))
    expect(own.order(rowOf(THRUST), 0)).toMatchObject({ index: first, isSettled: false })
    obey(core, [[first, THRUST]])
    expect(shown(own, first + 640)).toEqual(due(core, first + 640))
  })

  it('acts with the one before it at the earliest', () => {
    const core = launched(INDEX)
    const own = ownOf(core, seedOf(core, INDEX))
    own.order(rowOf(THRUST), ORDERED)
    expect(own.order(rowOf(STOP), ORDERED - 4).index).toBe(ORDERED)
    obey(core, [
      [ORDERED, THRUST],
      [ORDERED, STOP],
    ])
    expect(shown(own, ORDERED + 640)).toEqual(due(core, ORDERED + 640))
  })

  it.each([0, 4, 64, 4000])('acts as the core has it, also %d quanta late', (late) => {
    const core = launched(INDEX)
    const own = ownOf(core, seedOf(core, INDEX))
    own.order(rowOf(TURN), ORDERED - 8)
    shown(own, ORDERED + late)
    own.order(rowOf({ thrustLevel: 1, deltaV: 4 }), ORDERED)
    obey(core, [
      [ORDERED - 8, TURN],
      [ORDERED, { thrustLevel: 1, deltaV: 4 }],
    ])
    for (const after of [late, late + 0.5, late + 640, 12_000]) {
      expect(shown(own, ORDERED + after)).toEqual(due(core, ORDERED + after))
    }
  })

  it.each([0, 64, 4000])('that is refused %d quanta later is taken back', (late) => {
    const core = launched(INDEX)
    const own = ownOf(core, seedOf(core, INDEX))
    const order = own.order(rowOf(THRUST), ORDERED)
    shown(own, ORDERED + late)
    expect(own.settle(order, undefined) > 0.01).toBe(late > 0)
    expect(shown(own, ORDERED + late)).toEqual(due(core, ORDERED + late))
    expect(own.seed().ship.orders).toEqual([])
  })

  it('that is to act later takes those after it along, and none before it', () => {
    const orders: Order[] = [
      [ORDERED, TURN],
      [ORDERED + 4, THRUST],
      [ORDERED + 8, STOP],
      [ORDERED + 640, THRUST],
    ]
    const core = launched(INDEX)
    const own = ownOf(core, seedOf(core, INDEX))
    const [first, second, third, last] = orders.map(([at, one]) => own.order(rowOf(one), at))
    expect(own.settle(first, ORDERED)).toBe(0)
    shown(own, ORDERED + 320)
    expect(own.settle(second, ORDERED + 128)).toBeGreaterThan(0)
    const indices = [first, second, third, last].map(({ index }) => index - ORDERED)
    expect(indices).toEqual([0, 128, 128, 640])
    obey(core, [
      [ORDERED, TURN],
      [ORDERED + 128, THRUST],
      [ORDERED + 128, STOP],
      [ORDERED + 640, THRUST],
    ])
    for (const after of [320, 1000.5]) {
      expect(shown(own, ORDERED + after)).toEqual(due(core, ORDERED + after))
    }
  })

  it('that is to act before another does', () => {
    const core = launched(INDEX)
    const own = ownOf(core, seedOf(core, INDEX))
    own.order(rowOf(STOP), ORDERED)
    const last = own.order(rowOf(THRUST), ORDERED + 640)
    shown(own, ORDERED + 700)
    expect(own.move(last, ORDERED - 4)).toBeGreaterThan(0.01)
    expect(last.isSettled).toBe(false)
    obey(core, [
      [ORDERED - 4, THRUST],
      [ORDERED, STOP],
    ])
    expect(shown(own, ORDERED + 700)).toEqual(due(core, ORDERED + 700))
  })

  it('that waits is moved without moving the ship', () => {
    const core = launched(INDEX)
    const own = ownOf(core, seedOf(core, INDEX))
    const order = own.order(rowOf(THRUST), ORDERED)
    expect(own.settle(order, ORDERED + 640)).toBe(0)
    expect(shown(own, ORDERED + 639)).toMatchObject({ thrustLevel: 0 })
    expect(shown(own, ORDERED + 641)).toMatchObject({ thrustLevel: 0.6 })
  })
})

describe('a check', () => {
  /** Where the core's step begins after an index, and its check there. */
  function checkAfter(core: Flight, index: number): { start: number; words: Uint32Array } {
    advanceChunk(core, 0, index)
    const words = new Uint32Array(2)
    shipCheck(words, core.state, SLOT)
    return { start: core.state.ships.stepStart[SLOT], words }
  }

  it('is compared once all orders up to it are known, and moves nothing', () => {
    const core = launched(INDEX)
    const own = ownOf(core, seedOf(core, INDEX))
    const order = own.order(rowOf(THRUST), ORDERED)
    obey(core, [
      [ORDERED, THRUST],
      [ORDERED + 9000, STOP],
    ])
    const late = own.order(rowOf(STOP), ORDERED + 9000)
    // An order cuts the step in which it acts.
    const at = checkAfter(core, ORDERED)
    expect(at.start).toBe(ORDERED)
    expect(own.verify(at.start, at.words)).toBe('early')
    own.settle(order, ORDERED)
    expect(own.verify(at.start, at.words)).toBe('matched')
    expect([own.rootIndex, own.index]).toEqual([ORDERED, ORDERED])
    // Another order is still open.
    const { start, words } = checkAfter(core, ORDERED + 6000)
    expect(own.verify(start, words)).toBe('matched')
    expect(own.verify(start, words)).toBe('matched')
    expect(own.verify(at.start, at.words)).toBe('late')
    own.settle(late, ORDERED + 9000)
    expect(shown(own, ORDERED + 12_000)).toEqual(due(core, ORDERED + 12_000))
  })

  it('differs in either word, and where no step begins', () => {
    const core = launched(INDEX)
    const { start, words } = checkAfter(core, INDEX + 6000)
    const before = launched(INDEX)
    const verdict = (at: number, check: readonly number[]): string =>
      ownOf(core, seedOf(before, INDEX)).verify(at, check)
    const [high, low] = words
    expect(verdict(start, [high, low])).toBe('matched')
    expect(verdict(start, [high ^ 1, low])).toBe('differs')
    expect(verdict(start, [high, low ^ 1])).toBe('differs')
    expect(verdict(start + 4, [high, low])).toBe('differs')
  })

  it('is early beyond what is flown at once', () => {
    const core = launched(INDEX)
    const verdict = (at: number): string => ownOf(core, seedOf(core, INDEX)).verify(at, [0, 0])
    expect(verdict(INDEX + CATCH_UP)).toBe('differs')
    expect(verdict(INDEX + CATCH_UP + 1)).toBe('early')
    expect(verdict(NaN)).toBe('early')
  })
})

describe('another seed', () => {
  it('has what the server knew; what it has not answered is flown on', () => {
    const core = launched(INDEX)
    const own = ownOf(core, seedOf(core, INDEX))
    own.settle(own.order(rowOf(THRUST), ORDERED), ORDERED)
    own.order(rowOf(TURN), TURNED)
    shown(own, ORDERED + 64)
    // The server has the first of them, for another index, and nothing of the second.
    const moved: Order = [ORDERED + 32, THRUST]
    const metres = own.reseed(seedOf(core, INDEX, [moved]))
    obey(core, [moved, [TURNED, TURN]])
    const [at, expected] = [due(core, ORDERED + 64), due(core, TURNED + 640)]
    expect(shown(own, ORDERED + 64)).toEqual(at)
    expect(metres).toBeGreaterThan(0.01)
    expect(shown(own, TURNED + 640)).toEqual(expected)
  })

  it('may have orders of after those that are not answered', () => {
    const core = launched(INDEX)
    const own = ownOf(core, seedOf(core, INDEX))
    own.order(rowOf(TURN), ORDERED)
    const later: Order = [TURNED, THRUST]
    own.reseed(seedOf(core, INDEX, [later]))
    obey(core, [[ORDERED, TURN], later])
    expect(shown(own, TURNED + 640)).toEqual(due(core, TURNED + 640))
  })

  it('may have the ship in another place of the world', () => {
    const core = launched(INDEX)
    const own = ownOf(core, seedOf(core, INDEX))
    const { ship } = seedOf(core, INDEX)
    own.reseed({ index: INDEX, ship: { ...ship, slot: SLOT + 256 } })
    shown(own, ORDERED + 64)
    // The step is made again from what is known to be right.
    own.settle(own.order(rowOf(THRUST), ORDERED), undefined)
    shown(own, ORDERED + 640)
    expect(own.seed().ship.slot).toBe(SLOT + 256)
  })

  it('that is ahead of what was shown moves nothing', () => {
    const core = launched(INDEX)
    const own = ownOf(core, seedOf(core, INDEX))
    obey(core, [[ORDERED, THRUST]])
    advanceChunk(core, 0, INDEX + 6400)
    expect(own.reseed(seedOf(core, INDEX + 6400))).toBe(0)
    expect(own.index).toBe(INDEX + 6400)
    expect(shown(own, INDEX + 6500)).toEqual(due(core, INDEX + 6500))
  })

  it.each([
    [CATCH_UP, CATCH_UP],
    [CATCH_UP + 1, 0],
  ])('of %d quanta ago is flown on by %d at once', (ago, flown) => {
    const core = launched(INDEX)
    const seed = seedOf(core, INDEX)
    const own = ownOf(core, seed)
    shown(own, INDEX + 6400)
    shown(own, INDEX + ago)
    own.reseed(seed)
    expect(own.index).toBe(INDEX + flown)
  })

  it('gives how far the ship moves, also where it is near another body', () => {
    const bodies = [
      { name: 'Globe', parent: -1, gm: GM, radius: 6.371e6 },
      { name: 'Moon', parent: 0, gm: 4.9e12, radius: 1.74e6 },
    ]
    const start = createMassiveState(2)
    start.x.set([4e8, 1e7, -3e6], 3)
    start.v.set([0, 1000, 30], 3)
    const core = flightAmong(bodies, start, 600)
    launchAt(core, SLOT, [3.9e8, 0, 5e6], [-300, 900, 100])
    advanceChunk(core, 0, INDEX)
    const own = ownOf(core, seedOf(core, INDEX))
    // The same step as seen from the moon, 3 m and 4 m off.
    const { ephemeris, ships } = core.state
    ships.reference[SLOT] = 1
    for (const [position, velocity, at] of [
      [ships.position, ships.velocity, ships.stepStart[SLOT]],
      [ships.endPosition, ships.endVelocity, ships.stepEnd[SLOT]],
    ] as const) {
      bodyState(moon, ephemeris, 1, 0, at, 0)
      for (const axis of [0, 1, 2]) {
        position[3 * SLOT + axis] += [0, 3, 4][axis] - moon.r[axis]
        velocity[3 * SLOT + axis] -= moon.v[axis]
      }
    }
    // Within the step, the moon's acceleration is left out.
    expect(own.reseed(seedOf(core, INDEX))).toBeCloseTo(5, 2)
  })
})
