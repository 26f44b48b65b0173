// Law: stations and gates are where their names state, on rails that no restart moves; what cannot
// be is refused by name and changes nothing. Method: all systems of the catalog, as a new world
// begins, and the commands that make and remove objects.
import { CATALOG_OBJECTS, bodyIndex, solSystem } from '@orrery/catalog'
import {
  type Universe,
  type WorldCommand,
  createGameClock,
  createUniverse,
  executeCommand,
  jumpgateViews,
  restoreUniverse,
  restoreWorld,
  stationViews,
  systemSummaries,
  worldImage,
} from '@orrery/engine/testing'
import { bodyState, createStateVector } from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { describe, expect, it } from 'vitest'
import { completeNear } from '../../src/world/world.ts'
import { CATALOG_INDEX, catalogSystems, wasmKernels } from '../catalog-systems.ts'
import { resealed } from '../image/resealed.ts'
import { imageOf } from './two-systems.ts'

const INDEX = CATALOG_INDEX
const systems = catalogSystems()
/** As worlds are restored into. */
const room = { systems, shipsMax: 256, ...wasmKernels }

/** The catalog's systems as they begin. */
function newUniverse(): Universe {
  const made = createUniverse({ ...room, index: INDEX, seed: 'objects' })
  for (const command of CATALOG_OBJECTS) executeCommand(made, command)
  return made
}

const universe = newUniverse()

/** The same bodies without any objects. */
const bareUniverse = (): Universe => ({
  ...universe,
  worlds: universe.worlds.map((world) => ({ ...world, stations: new Map(), jumpgates: new Map() })),
})

const stationsOf = ({ worlds }: Universe, offset: number) =>
  worlds.flatMap((world) => stationViews(world, offset))
const gatesOf = ({ worlds }: Universe, offset: number) =>
  worlds.flatMap((world) => jumpgateViews(world, offset))

type CreateStation = Extract<WorldCommand, { kind: 'create_station' }>
type CreateJumpgate = Extract<WorldCommand, { kind: 'create_jumpgate' }>

const station = (changes: Partial<CreateStation> = {}): CreateStation => ({
  kind: 'create_station',
  stationId: 'new',
  name: 'New',
  parentBody: 'Earth',
  placement: { kind: 'orbit', altitude: 1e6 },
  ...changes,
})
const gate = (changes: Partial<CreateJumpgate> = {}): CreateJumpgate => ({
  kind: 'create_jumpgate',
  jumpgateId: 'new',
  name: 'New',
  primaryBody: 'Sun',
  secondaryBody: 'Earth',
  lagrangePoint: 4,
  ...changes,
})

function body(name: string): Float64Array {
  for (const { state: world } of universe.worlds) {
    const { ephemeris } = world
    const index = ephemeris.system.bodies.findIndex((one) => one.name === name)
    if (index < 0) continue
    const state = createStateVector()
    bodyState(state, ephemeris, index, -1, INDEX, 0)
    return state.r
  }
  throw new Error(`No body ${name}`)
}

/** Their centre of mass. */
function earthAndMoon(): Float64Array {
  const [earth, moon] = [body('Earth'), body('Moon')]
  const { gm } = solSystem.bodies[bodyIndex(solSystem, 'Moon')]
  const share = gm / (gm + solSystem.bodies[bodyIndex(solSystem, 'Earth')].gm)
  return earth.map((x, axis) => x + share * (moon[axis] - x))
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

describe('a new world', () => {
  it('has stations low over Earth, Moon and Mars', () => {
    const stations = stationsOf(universe, 0)
    const heights = [
      ['Earth', 6_371_008.4 + 420_000],
      ['Moon', 1_737_400 + 100_000],
      ['Mars', 3_389_500 + 400_000],
    ] as const
    expect(stations.map(({ parentBody }) => parentBody)).toEqual(heights.map(([name]) => name))
    for (const [i, [name, height]] of heights.entries()) {
      expect(stations[i]).toMatchObject({ systemId: 'sol', mass: 420_000, radius: 55 })
      // Earth is at 1.5e11 m, whose last bit is 3e-5 m.
      expect(distance(stations[i].position, body(name))).toBeCloseTo(height, 3)
    }
  })

  it('has gates in every system, as far from both bodies as they are apart', () => {
    const gates = gatesOf(universe, 0)
    expect(gates.map(({ systemId, parentBody }) => [systemId, parentBody])).toEqual([
      ['sol', 'Sun'],
      ['sol', 'Sun'],
      ['sol', 'Earth'],
      ['sol', 'Earth'],
      ['alpha-centauri', 'Proxima Centauri'],
      ['alpha-centauri', 'Proxima Centauri'],
      ['trappist-1', 'TRAPPIST-1'],
      ['trappist-1', 'TRAPPIST-1'],
    ])
    // The Earth counts with its moon.
    const secondaries = [earthAndMoon(), body('Moon'), body('Proxima b'), body('TRAPPIST-1 e')]
    for (const [i, { parentBody, position }] of gates.entries()) {
      const secondary = secondaries[Math.floor(i / 2)]
      const apart = distance(body(parentBody), secondary)
      expect(distance(position, body(parentBody)) / apart).toBeCloseTo(1, 10)
      expect(distance(position, secondary) / apart).toBeCloseTo(1, 10)
    }
  })

  it('is summed up by system', () => {
    expect(systemSummaries(universe)).toMatchObject([
      { id: 'sol', name: 'Sol', starBody: 'Sun', position: [0, 0, 0], bodyCount: 34, shipCount: 0 },
      { id: 'alpha-centauri', starBody: 'Alpha Centauri A', bodyCount: 5 },
      { id: 'trappist-1', starBody: 'TRAPPIST-1', bodyCount: 8 },
    ])
  })
})

describe('objects on rails', () => {
  it('move by their velocities, between quanta too', () => {
    const [a, b] = [stationsOf(universe, 0), stationsOf(universe, 0.5)]
    const gates = [gatesOf(universe, 0), gatesOf(universe, 0.5)]
    const steps = [[a, b], gates] as const
    for (const [before, after] of steps) {
      for (const [i, { position, velocity }] of before.entries()) {
        const moved = distance(after[i].position, position) * 128
        // Some last bits of the distance from the barycentre, over half a quantum.
        const rounding = 16 * Math.hypot(...position) * 2 ** -53 * 128
        expect(Math.abs(moved - Math.hypot(...velocity))).toBeLessThan(rounding + 1e-3)
      }
    }
  })

  it('come back from an image where they were, and go on alike', () => {
    const first = newUniverse()
    executeCommand(
      first,
      station({ parentBody: 'io', placement: { kind: 'orbit', altitude: 1e5 } }),
    )
    executeCommand(
      first,
      station({
        stationId: 'l2',
        placement: { kind: 'lagrange', secondaryBody: 'moon', point: 2 },
      }),
    )
    const { header, bytes } = imageOf(first)
    const image = { header: JSON.parse(JSON.stringify(header)), bytes }
    const { universe: second } = restoreUniverse(image, room)
    expect(stationsOf(second, 0.25)).toEqual(stationsOf(first, 0.25))
    for (const world of [...first.worlds, ...second.worlds]) {
      world.index += byTier({ gate: 1_000_001, night: 10_000_001 })
      completeNear(world, world.index)
    }
    expect(stationsOf(second, 0)).toEqual(stationsOf(first, 0))
    expect(gatesOf(second, 0)).toEqual(gatesOf(first, 0))
    expect(
      stationsOf(second, 0)
        .map(({ stationId }) => stationId)
        .slice(3),
    ).toEqual(['new', 'l2'])
  })

  it('are refused when an image puts them at unknown bodies', () => {
    const { header, bytes } = worldImage(universe.worlds[0], createGameClock(INDEX), 0)
    for (const change of [
      { rail: { kind: 'lagrange', parent: 0, secondary: 34, point: 4 } },
      { rail: { kind: 'lagrange', parent: 0, secondary: 3, point: 6 } },
      { rail: { kind: 'orbit', parent: 0 } },
      // Both gates of the system on one rail.
      { row: 9 },
      { row: 1024 },
    ]) {
      const jumpgates = header.jumpgates.map((one) => ({ ...one, ...change }))
      const broken = resealed({ ...header, jumpgates }, bytes)
      expect(() => restoreWorld(broken, { system: systems[0], shipsMax: 256 })).toThrow(
        expect.objectContaining({
          code: 'ERR_IMAGE',
          message: expect.stringMatching(/is at body|jumpgates|on rail/),
        }),
      )
    }
  })
})

describe('commands', () => {
  const codes = (...commands: WorldCommand[]): (string | undefined)[] =>
    commands.map((command) => {
      try {
        executeCommand(universe, command)
      } catch (error) {
        return (error as { code: string }).code
      }
      return undefined
    })
  const orbit = (parentBody: string, altitude: number): WorldCommand =>
    station({ parentBody, placement: { kind: 'orbit', altitude } })
  const pairOf = (parentBody: string, secondaryBody: string): WorldCommand =>
    station({ parentBody, placement: { kind: 'lagrange', secondaryBody, point: 1 } })

  it('find bodies in all systems, whatever the case, and answer in the catalog\u2019s', () => {
    const made = bareUniverse()
    for (const [i, name] of ['MOON', 'pRoxima B', 'trappist-1 H'].entries()) {
      executeCommand(
        made,
        station({
          stationId: `${i}`,
          parentBody: name,
          placement: { kind: 'orbit', altitude: 1e6 },
        }),
      )
    }
    expect(stationsOf(made, 0).map(({ systemId, parentBody }) => [systemId, parentBody])).toEqual([
      ['sol', 'Moon'],
      ['alpha-centauri', 'Proxima b'],
      ['trappist-1', 'TRAPPIST-1 h'],
    ])
  })

  it('refuse what is unknown, no pair, or too near and too far', () => {
    const before = imageOf(universe)
    expect(
      codes(
        orbit('Vulcan', 1e6),
        station({ systemId: 'vega' }),
        station({ systemId: 'trappist-1' }),
        orbit('Earth', 0),
        orbit('Earth', -5),
        orbit('Earth', NaN),
        orbit('Earth', Infinity),
        orbit('Earth', 4.7e8),
        // Its sphere of influence is inside.
        orbit('Phobos', 1),
        orbit('Sun', 1e13),
        pairOf('Sun', 'Moon'),
        pairOf('Moon', 'Earth'),
        pairOf('Earth', 'Earth'),
        pairOf('Earth', 'Proxima b'),
        gate({ secondaryBody: 'Moon' }),
        gate({ primaryBody: 'Nothing' }),
        { kind: 'remove_station', stationId: 'new' },
        { kind: 'remove_jumpgate', jumpgateId: 'new' },
      ),
    ).toEqual([
      'ERR_BODY_UNKNOWN',
      'ERR_SYSTEM_UNKNOWN',
      'ERR_BODY_UNKNOWN',
      ...Array<string>(7).fill('ERR_ALTITUDE'),
      ...Array<string>(3).fill('ERR_PAIR'),
      'ERR_BODY_UNKNOWN',
      'ERR_PAIR',
      'ERR_BODY_UNKNOWN',
      'ERR_STATION_UNKNOWN',
      'ERR_JUMPGATE_UNKNOWN',
    ])
    expect(imageOf(universe)).toEqual(before)
  })

  it('allow orbits up to half the sphere of influence', () => {
    const made = bareUniverse()
    for (const [i, [name, altitude]] of (
      [
        ['Earth', 4.5e8],
        ['Sun', 1.4e12],
        ['Neptune', 4e10],
        ['Charon', 1e6],
      ] as const
    ).entries()) {
      executeCommand(
        made,
        station({ stationId: `${i}`, parentBody: name, placement: { kind: 'orbit', altitude } }),
      )
    }
    expect(stationsOf(made, 0).length).toBe(4)
  })

  it('refuse an id that is taken, and take it again when it is free', () => {
    expect(codes(station(), station(), gate(), gate())).toEqual([
      undefined,
      'ERR_STATION_EXISTS',
      undefined,
      'ERR_JUMPGATE_EXISTS',
    ])
    expect(
      codes(
        { kind: 'remove_station', stationId: 'new' },
        { kind: 'remove_jumpgate', jumpgateId: 'new' },
      ),
    ).toEqual([undefined, undefined])
    expect(codes(station(), { kind: 'remove_station', stationId: 'new' })).toEqual([
      undefined,
      undefined,
    ])
  })

  it('stop at a thousand objects', () => {
    const made = bareUniverse()
    for (let i = 0; i < 999; i++) executeCommand(made, station({ stationId: `${i}` }))
    executeCommand(made, gate())
    for (const command of [station(), gate({ jumpgateId: 'other' })]) {
      expect(() => executeCommand(made, command)).toThrow(
        expect.objectContaining({ code: 'ERR_WORLD_OBJECTS' }),
      )
    }
  })
})
