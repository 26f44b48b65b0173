/**
 * Law: a station runs on as the tick had it on its circle, whichever way that is tilted, and a gate
 * where its bodies are. Goal: a metre in an hour. Method: stations on rails of the core, of which a
 * tick shows one moment.
 */
import type { SystemResponse, TickMessage } from '@orrery/protocol'
import { type EquatorialOrbit, createStateVector, railState, turnRate } from '@orrery/sim'
import { beforeEach, expect, it, test } from 'vitest'
import { latticeOf, railedObjects } from '../../src/feeds/tick-objects.ts'
import { Scene } from '../../src/scene/scene.ts'
import { WELCOME } from '../local-server.ts'
import { PAIR, pairAt } from '../flight/sent-frames.ts'

const TIME = latticeOf(WELCOME.game_time)
const NODE = Math.floor(TIME / 16_384)
const STATION = '0badcafe-0000-4000-8000-00000000000a'
const GATE = '0badcafe-0000-4000-8000-00000000000b'
const place = { name: 'Object', mass: 1, radius: 30 }
const system = {
  stations: [
    {
      ...place,
      station_id: STATION,
      parent_body: 'Moon',
      secondary_body: null,
      lagrange_point: null,
      orbit_radius: 4e6,
    },
  ],
  jumpgates: [
    {
      ...place,
      jumpgate_id: GATE,
      parent_body: 'Globe',
      secondary_body: 'Moon',
      lagrange_point: 4,
      orbit_radius: null,
      paired_jumpgate_id: null,
    },
  ],
} as unknown as SystemResponse

let scene: Scene
const state = createStateVector()
const moon = createStateVector()
const due = createStateVector()

beforeEach(() => {
  scene = new Scene()
  scene.enter(PAIR)
  scene.bodies!.anchor(pairAt(NODE))
  scene.bodies!.reach(TIME + 64 * 3600)
})

/** State of a rail from its parent. */
function railed(out: typeof due, rail: EquatorialOrbit, time: number): void {
  const n = Math.floor(time)
  railState(out, scene.bodies!.ephemeris, rail, n, time - n)
}

const vector = (a: Float64Array, b: Float64Array) => ({
  x: a[0] + b[0],
  y: a[1] + b[1],
  z: a[2] + b[2],
})

function tick(rail: EquatorialOrbit): TickMessage {
  railed(state, rail, TIME)
  scene.bodies!.stateAt(moon, 1, -1, TIME)
  const station = {
    station_id: STATION,
    name: 'Object',
    parent_body: 'Moon',
    radius: 30,
    position: vector(moon.r, state.r),
    velocity: vector(moon.v, state.v),
  }
  return { index: TIME, offset: 0, stations: [station], jumpgates: [] } as unknown as TickMessage
}

it.each([
  [[0, 0, 1]],
  [[0, 0, -1]],
  [[0.6, 0, 0.8]],
  [[0, -0.8, 0.6]],
  [[0.36, 0.48, -0.8]],
  [[1, 0, 0]],
] as const)('about a pole of %j', (pole) => {
  for (const epoch of [0, 300_000]) {
    const rate = turnRate(1e-3)
    const rail = { kind: 'orbit', parent: 1, radius: 4e6, pole, rate, epoch } as const
    scene.placeObjects(railedObjects(scene, system, tick(rail)))
    for (const seconds of [0, 700.5, 3500]) {
      const time = TIME + 64 * seconds
      railed(due, rail, time)
      expect(scene.objectAt(state, STATION, time, 'Moon')).toBe(true)
      for (let axis = 0; axis < 3; axis++) {
        expect(Math.abs(state.r[axis] - due.r[axis])).toBeLessThan(1)
        expect(Math.abs(state.v[axis] - due.v[axis])).toBeLessThan(1e-2)
      }
    }
  }
})

test('what is in no tick, or among bodies that are not known, is left out', () => {
  const rail = {
    kind: 'orbit',
    parent: 1,
    radius: 4e6,
    pole: [0, 0, 1],
    rate: 1e9,
    epoch: 0,
  } as const
  const shown = tick(rail)
  const gate = { id: GATE, kind: 'jumpgate', row: 1, name: 'Object', radius: 30 }
  const lagrange = { kind: 'lagrange', parent: 0, secondary: 1, point: 4 }
  const both = [
    { id: STATION, kind: 'station', row: 0, rail: { kind: 'orbit', parent: 1 } },
    { ...gate, rail: lagrange },
  ]
  expect(railedObjects(scene, system, shown)).toMatchObject(both)
  expect(railedObjects(scene, system, { ...shown, stations: [] })).toEqual([both[1]])
  const early = { ...shown, index: 0 }
  expect(railedObjects(scene, system, early)).toEqual([both[1]])
})

test('a timestamp has its lattice index, with what is between two', () => {
  // J2000.0 is 64.184 s of TDB ahead of UTC, to 2 ms.
  expect(latticeOf('2000-01-01T11:58:55.816Z')).toBeCloseTo(0, 0)
  expect(latticeOf('2000-01-01T11:58:56.816Z')).toBeCloseTo(64, 0)
  const [at, after] = ['000', '100'].map((ms) => latticeOf(`2026-03-01T12:00:00.${ms}Z`))
  expect(after - at).toBeCloseTo(6.4, 3)
})
