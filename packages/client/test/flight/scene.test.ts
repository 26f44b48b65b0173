/**
 * Law: what is not known of a world writes nothing, or NaN where many are asked for at once; what
 * happens to ships is announced once. Method: a scene whose ships and bodies are known in part.
 */
import { createBlock } from '@orrery/protocol'
import { COURIER, createStateVector } from '@orrery/sim'
import { beforeEach, describe, expect, it } from 'vitest'
import { takeFrame } from '../../src/feeds/frame-intake.ts'
import { createBodies } from '../../src/scene/bodies.ts'
import { Scene } from '../../src/scene/scene.ts'
import { type ShipSample, createShipSample } from '../../src/scene/world.ts'
import { PAIR, anchorOf, identities, pairAt, readFrame } from './sent-frames.ts'

const TIME = 640
const SHIPS = [1, 2, 3].map((number) => ({
  number,
  id: `0badcafe-0000-4000-8000-00000000000${number}`,
  name: `Ship ${number}`,
}))
const [near, far, nowhere] = SHIPS.map(({ id }) => id)

let scene: Scene
let events: string[]

/** Sends where two ships stand: one near the planet, one near the moon. */
function arcs(numbers = [1, 2]): ReturnType<typeof createBlock<'arcs'>> {
  const block = createBlock('arcs', numbers.length)
  block.columns.number.set(numbers)
  block.columns.reference.set(numbers.map((number) => number - 1))
  block.columns.start.fill(TIME)
  block.columns.end.fill(TIME)
  for (const [i, number] of numbers.entries()) {
    block.columns.position.set([7e6 * number, 2, 3], 3 * i)
    block.columns.velocity.set([4 * number, 5, 6], 3 * i)
  }
  return block
}

beforeEach(() => {
  scene = new Scene()
  events = []
  for (const kind of ['joined', 'left', 'named', 'changed'] as const) {
    scene.on(kind, (ships) => events.push(`${kind} ${ships.map(({ name }) => name).join()}`))
  }
  scene.enter(PAIR, [COURIER])
  const hulls = createBlock('hulls', 1)
  hulls.columns.number[0] = 3
  takeFrame(scene, readFrame(TIME, [...identities(SHIPS), arcs(), hulls, anchorOf(pairAt(0))]))
})

const out = createShipSample()
const moon = createStateVector()

it('has a ship under its latest number, though a former one leaves later', () => {
  const [changed] = SHIPS
  takeFrame(scene, readFrame(TIME, identities([{ ...changed, number: 4 }])))
  scene.remove(scene.rowOf(changed.number))
  expect(scene.ship(near)).toMatchObject({ number: 4 })
})

describe('a state', () => {
  it('of what is not known is not written', () => {
    const before = structuredClone(out)
    expect(scene.shipAt(out, nowhere, TIME)).toBe(false)
    expect(scene.positionAt(out, nowhere, TIME)).toBe(false)
    expect(scene.positionAt(out, 'none', TIME)).toBe(false)
    expect(scene.positionAt(out, near, TIME, 'Pluto')).toBe(false)
    expect(scene.bodyAt(out, 'Moon', TIME, 'Pluto')).toBe(false)
    expect(scene.objectAt(out, near, TIME)).toBe(false)
    expect(scene.lagrangeAt(out, { secondary: 'Pluto', point: 4 }, TIME)).toBe(false)
    expect(scene.lagrangeAt(out, { secondary: 'Moon', point: 4 }, TIME, 'Pluto')).toBe(false)
    expect(structuredClone(out)).toEqual(before)
    expect(new Scene().positionAt(out, near, TIME)).toBe(false)
    expect(new Scene().bodyAt(out, 'Moon', TIME)).toBe(false)
  })

  it('of a ship is from any centre, as far as bodies are known', () => {
    expect(scene.shipAt(out, far, TIME)).toBe(true)
    expect([...out.r, ...out.v, out.body, out.reference]).toEqual([14e6, 2, 3, 8, 5, 6, 'Moon', 1])
    scene.bodyAt(moon, 'Moon', TIME, 'Globe')
    expect(scene.positionAt(out, far, TIME, 'Globe')).toBe(true)
    const due = [14e6, 2, 3].map((x, axis) => x + moon.r[axis])
    expect([...out.r]).toEqual(due)
    expect([...out.v]).toEqual([8, 5, 6].map((x, axis) => x + moon.v[axis]))
    // Before the first node only its own body is a centre.
    expect(scene.positionAt(out, far, -TIME, 'Globe')).toBe(false)
    expect(scene.positionAt(out, far, -TIME, 'Moon')).toBe(true)
  })
})

describe('many at once', () => {
  const nothing = [NaN, NaN, NaN]

  it('are NaN where they, or the centre, are not known', () => {
    const room = new Float64Array(12).fill(1)
    expect(scene.positionsAt(room, TIME, 'Moon')).toBe(3)
    expect([...room.subarray(9)]).toEqual([1, 1, 1])
    const all = room.slice(0, 9)
    scene.positionAt(out, near, TIME, 'Moon')
    expect([...all]).toEqual([...out.r, 14e6, 2, 3, ...nothing])
    scene.positionsAt(all, TIME, 'Pluto')
    expect([...all]).toEqual([...nothing, ...nothing, ...nothing])
    scene.positionsAt(all.fill(1), -TIME, 'Moon')
    expect([...all]).toEqual([...nothing, ...nothing, ...nothing])
  })

  it('are states of those that were asked for', () => {
    const some = new Float64Array(24).fill(1)
    scene.statesAt(some, Uint32Array.of(1, 2, 3, 0), TIME, 'Globe')
    scene.positionAt(out, far, TIME, 'Globe')
    const first = [...out.r, ...out.v]
    expect([...some]).toEqual([
      ...first,
      ...nothing,
      ...nothing,
      ...nothing,
      ...nothing,
      7e6,
      2,
      3,
      4,
      5,
      6,
    ])
    scene.statesAt(some, Uint32Array.of(0), TIME, 'Pluto')
    expect([...some.subarray(0, 6)]).toEqual([...nothing, ...nothing])
  })

  it('have the ship that is flown here where it is flown', () => {
    const stateAt = (to: ShipSample, time: number): boolean => {
      to.r.set([10, 20, 30])
      to.v.set([1, 2, 3])
      to.reference = 1
      return time === TIME
    }
    scene.flown = { id: near, stateAt }
    const some = new Float64Array(12)
    scene.statesAt(some, Uint32Array.of(1, 0), TIME, 'Moon')
    expect([...some]).toEqual([14e6, 2, 3, 8, 5, 6, 10, 20, 30, 1, 2, 3])
    scene.statesAt(some, Uint32Array.of(0), TIME + 1, 'Globe')
    expect([...some.subarray(0, 3)]).toEqual([7e6, 2, 3])
    const all = new Float64Array(9)
    scene.positionsAt(all, TIME, 'Moon')
    expect([...all]).toEqual([10, 20, 30, 14e6, 2, 3, ...nothing])
    // A ship that is not in view has no row.
    scene.flown = { id: 'none', stateAt }
    scene.positionsAt(all, TIME, 'Moon')
    expect([...all.subarray(3)]).toEqual([14e6, 2, 3, ...nothing])
  })
})

describe('what happens', () => {
  it('is announced once', () => {
    expect(events).toEqual(['joined Ship 1,Ship 2,Ship 3', 'changed Ship 1,Ship 2,Ship 3'])
    takeFrame(scene, readFrame(TIME, []))
    expect(events).toHaveLength(2)
    takeFrame(scene, readFrame(TIME, [arcs([2]), arcs([2])]))
    takeFrame(scene, readFrame(TIME, [arcs([1])]))
    expect(events.slice(2)).toEqual(['changed Ship 2', 'changed Ship 1'])
    const renamed = { ...SHIPS[0], name: 'Ida' }
    takeFrame(scene, readFrame(TIME, identities([renamed, SHIPS[1]])))
    expect(events.slice(4)).toEqual(['named Ida'])
  })

  it('is not, of a ship that has left before it was announced, or was never named', () => {
    const fourth = { ...SHIPS[0], number: 4, id: 'ffffffff-0000-4000-8000-000000000004' }
    const left = createBlock('left', 2)
    left.columns.number.set([4, 5])
    const hulls = createBlock('hulls', 1)
    hulls.columns.number[0] = 5
    events.length = 0
    takeFrame(scene, readFrame(TIME, [...identities([fourth]), hulls, left]))
    expect(events.filter((event) => !event.startsWith('changed'))).toEqual([])
    expect(scene.ship(fourth.id)).toBeUndefined()
    expect(scene.ships()).toMatchObject(SHIPS)
  })

  it('is kept for each ship as rows move', () => {
    const left = createBlock('left', 1)
    left.columns.number[0] = 1
    takeFrame(scene, readFrame(TIME, [left]))
    expect(scene.ships()).toMatchObject([SHIPS[2], SHIPS[1]])
    expect(scene.shipAt(out, far, TIME)).toBe(true)
    expect(scene.shipAt(out, near, TIME)).toBe(false)
    expect(scene.shipAt(out, nowhere, TIME)).toBe(false)
    expect(scene.completeness().known).toBe(2)
    expect(events.at(-1)).toBe('left Ship 1')
  })
})

describe('bodies', () => {
  it('are made in parts, of a gap that is long, and two nodes ahead', () => {
    const bodies = createBodies(PAIR)
    const node = (count: number): number => 16_384 * count
    expect([bodies.reach(0), bodies.stateBefore(0)]).toEqual([false, undefined])
    bodies.anchor(pairAt(10))
    expect([bodies.lag(node(10)), bodies.lag(node(13) + 5), bodies.lag(0)]).toEqual([0, 3, 0])
    expect([bodies.reach(node(10) - 1), bodies.reach(node(10))]).toEqual([false, true])
    expect([...bodies.ephemeris.span]).toEqual([10, 12])
    expect(bodies.reach(node(100) + 9)).toBe(false)
    expect(bodies.ephemeris.span[1]).toBe(92)
    expect([bodies.reach(node(100) + 9), bodies.ephemeris.span[1]]).toEqual([true, 102])
    // A state of the server is taken where the ring has not come.
    const [first, last] = bodies.ephemeris.span
    for (const within of [first, 101, last]) bodies.anchor(pairAt(within))
    expect([...bodies.ephemeris.span]).toEqual([first, last])
    bodies.anchor(pairAt(110))
    expect([...bodies.ephemeris.span]).toEqual([110, 110])
    bodies.anchor(pairAt(105))
    expect([...bodies.ephemeris.span]).toEqual([105, 105])
    expect(bodies.stateBefore(0)).toMatchObject({ node: 105 })
    expect(bodies.stateBefore(105)).toMatchObject({ node: 105 })
  })

  it('are found in any case of letters', () => {
    const bodies = createBodies(PAIR)
    const found = [undefined, 'Moon', 'mOON', 'Globe', 'Pluto'].map((name) => bodies.indexOf(name))
    expect(found).toEqual([-1, 1, 1, 0, undefined])
  })
})
