// Law: a body's place at an instant of UTC is the ephemeris' own at that very moment, whichever
// tick was published last; outside of what is held the span is named. Method: the catalog's systems
// at instants that are no whole quanta, and at both ends of the span.
import { EngineError, createWorld } from '@orrery/engine/testing'
import { J2000_UNIX_MS, bodyState, createStateVector, utcFromLattice } from '@orrery/sim'
import { expect, it } from 'vitest'
import { bodiesView } from '../../src/views/bodies-view.ts'
import { bodyKind } from '../../src/views/body-kind.ts'
import { CATALOG_INDEX, catalogSystems, wasmKernels } from '../catalog-systems.ts'

const INDEX = CATALOG_INDEX

const worlds = catalogSystems().map((system) =>
  createWorld({ system, index: INDEX, seed: 'bodies', shipsMax: 256, ...wasmKernels }),
)

/** TDB minus UTC [ms]. */
const TDB_AHEAD_MS = 37_000 + 32_184

/** The last quantum at or before an instant, and the exact rest of one. */
function placeOf(unixMs: number): { readonly n: number; readonly offset: number } {
  // A millisecond is 8/125 of a quantum.
  const parts = (unixMs + TDB_AHEAD_MS - J2000_UNIX_MS) * 8
  const n = Math.floor(parts / 125)
  return { n, offset: (parts - 125 * n) / 125 }
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

it('bodies are where the ephemeris has them, at any millisecond', () => {
  const begin = Math.ceil(utcFromLattice(INDEX))
  for (const world of worlds) {
    const { ephemeris, system } = world.state
    for (const ms of [0, 1, 7, 500, 1001, 3_600_003, 80_000_000]) {
      const { n, offset } = placeOf(begin + ms)
      const { unixMs, bodies } = bodiesView(world, 0.5, begin + ms)
      expect(unixMs).toBe(begin + ms)
      for (const [i, { name, parentBody, ...body }] of bodies.entries()) {
        const state = createStateVector()
        bodyState(state, ephemeris, i, -1, n, offset)
        const rounding = 4 * 2 ** -52 * Math.hypot(...body.position)
        expect(distance(body.position, state.r)).toBeLessThanOrEqual(rounding)
        expect(distance(body.velocity, state.v)).toBeLessThan(1e-9)
        const parent = bodies.find((other) => other.name === parentBody)
        const [x, y, z] = parent?.position ?? [0, 0, 0]
        const [dx, dy, dz] = body.relativePosition
        const sum = [x + dx, y + dy, z + dz]
        expect(distance(body.position, sum)).toBeLessThanOrEqual(2 * rounding)
        expect(name).toBe(system.bodies[i].name)
      }
    }
  }
})

it('without an instant they are those of the published index', () => {
  const [sol] = worlds
  const { unixMs, bodies } = bodiesView(sol, 0.25)
  expect(unixMs).toBe(utcFromLattice(INDEX + 0.25))
  const state = createStateVector()
  bodyState(state, sol.state.ephemeris, 3, -1, INDEX, 0.25)
  expect(bodies[3]).toMatchObject({ name: 'Earth', parentBody: 'Sun', position: [...state.r] })
  expect(bodies[3].velocity).toEqual([...state.v])
})

it('both ends of the span are held, a millisecond beyond is refused by its name', () => {
  for (const world of worlds) {
    const { fromMs, untilMs } = bodiesView(world, 0)
    for (const ms of [fromMs, untilMs]) expect(bodiesView(world, 0, ms).unixMs).toBe(ms)
    const [from, until] = [fromMs, untilMs].map((ms) => new Date(ms).toISOString())
    for (const ms of [fromMs - 1, untilMs + 1, NaN, 0, 8.64e15]) {
      expect(() => bodiesView(world, 0, ms)).toThrow(EngineError)
      expect(() => bodiesView(world, 0, ms)).toThrow(`from ${from} to ${until}`)
    }
  }
})

it('a body is what its mass, size and parent make it', () => {
  const kinds = worlds.map(({ state: { system } }) =>
    Object.groupBy(system.bodies.keys(), (index) => bodyKind(system, index)),
  )
  const names = (place: number, kind: 'star' | 'planet' | 'minor_planet' | 'moon') =>
    kinds[place][kind]?.map((index) => worlds[place].state.system.bodies[index].name)
  expect(names(0, 'star')).toEqual(['Sun'])
  expect(names(0, 'planet')).toHaveLength(8)
  expect(names(0, 'minor_planet')).toEqual(['Ceres', 'Vesta', 'Pluto', 'Eris'])
  expect(names(0, 'moon')).toHaveLength(21)
  expect(names(1, 'star')).toHaveLength(3)
  expect(names(1, 'planet')).toHaveLength(2)
  expect(names(2, 'star')).toEqual(['TRAPPIST-1'])
  expect(names(2, 'planet')).toHaveLength(7)
})
