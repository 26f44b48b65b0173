/**
 * Law: a ship that jumps leaves the paired gate as it came to its own: same place and speed beside
 * it, same attitude, spin and fuel. A refused jump changes nothing; a gate that goes away sends the
 * ship back. Method: small systems with gates, and those of the catalog, on the calling thread.
 */
import { CATALOG_OBJECTS } from '@orrery/catalog'
import {
  type CommandRow,
  type ShipNotice,
  type SystemDigest,
  type SystemSetup,
  type Universe,
  type World,
  type WorldCommand,
  applyCommand,
  createReplay,
  createUniverse,
  executeCommand,
  findShip,
  gatePairs,
  parseKeptCommand,
  shipDifferences,
} from '@orrery/engine/testing'
import { describe, expect, it } from 'vitest'
import type { Passage } from '../../src/world/hand-off.ts'
import { passage } from '../../src/objects/jump.ts'
import { departShip } from '../../src/objects/transit.ts'
import { shipView } from '../../src/views/ship-view.ts'
import { pair } from '../busy-world.ts'
import { CATALOG_INDEX, catalogSystems, wasmKernels } from '../catalog-systems.ts'
import { START_INDEX } from '../globe.ts'
import { testEngine } from '../test-engine.ts'
import { codeOf, imageOf } from './two-systems.ts'

/** A globe and its moon of a system of their own. */
function system(id: string): SystemSetup {
  const setup = pair()
  const bodies = setup.system.bodies.map((body) => ({ ...body, name: `${body.name} ${id}` }))
  return { ...setup, system: { ...setup.system, id, bodies } }
}

const gate = (
  jumpgateId: string,
  id: string,
  lagrangePoint: 1 | 4 | 5,
  pairedWith?: string,
): WorldCommand => ({
  kind: 'create_jumpgate',
  jumpgateId,
  name: jumpgateId,
  primaryBody: `Globe ${id}`,
  secondaryBody: `Moon ${id}`,
  lagrangePoint,
  ...(pairedWith !== undefined && { pairedWith }),
})

/** Two systems with a pair of gates, and one gate that leads nowhere. */
function gated(): Universe {
  const systems = [system('a'), system('b')]
  const universe = createUniverse({ systems, index: START_INDEX, seed: 'jump', shipsMax: 256 })
  executeCommand(universe, gate('gate a', 'a', 4))
  executeCommand(universe, gate('gate b', 'b', 1, 'gate a'))
  executeCommand(universe, gate('closed', 'a', 5))
  return universe
}

const BESIDE: Passage = { jumpgateId: 'gate a', offset: [60, -80, 40], velocity: [3, 0, -4] }

/** Puts a ship that tumbles, with a part of its fuel, beside a gate. */
function place(world: World, shipId: string, beside: Passage = BESIDE): void {
  const handOff = {
    shipId,
    name: shipId,
    from: 'elsewhere',
    to: world.state.system.id,
    index: world.index,
    debugged: false,
    ship: {
      referenceBody: '',
      position: [0, 0, 0],
      positionLow: [0, 0, 0],
      velocity: [0, 0, 0],
      velocityLow: [0, 0, 0],
      attitude: [0.5, 0.5, -0.5, 0.5],
      angularMomentum: [30, -20, 10],
      wheelMomentum: [1, 2, 3],
      fuel: 321.25,
    },
    passage: beside,
  } as const
  const { ship, ...rest } = JSON.parse(JSON.stringify(handOff))
  applyCommand(world, { kind: 'arrive_ship', handOff: { ...rest, ship } })
}

/** Where a ship is beside a gate of its system, and how its hull is. */
function beside(universe: Universe, shipId: string, jumpgateId: string) {
  const { world, entry } = findShip(universe, shipId)!
  const view = shipView(world, entry, 0)
  const ship = {
    referenceBody: view.referenceBody,
    position: view.relativePosition,
    velocity: view.relativeVelocity,
  }
  const { offset, velocity } = passage(world, { entry: jumpgateId, exit: '' }, ship as never)
  return { view, offset, velocity, system: world.state.system.id }
}

const jump = (shipId: string, jumpgateId: string): WorldCommand => ({
  kind: 'jump_ship',
  shipId,
  jumpgateId,
})

const near = (values: readonly number[], digits: number): unknown =>
  values.map((value) => expect.closeTo(value, digits))

describe('a ship beside a gate', () => {
  it('leaves the paired gate as it came, there and back', () => {
    const universe = gated()
    place(universe.worlds[0], 'ship')
    const before = beside(universe, 'ship', 'gate a')
    expect(before).toMatchObject({ offset: near(BESIDE.offset, 6), system: 'a' })
    executeCommand(universe, jump('ship', 'gate a'))
    const there = beside(universe, 'ship', 'gate b')
    const same = (): object => ({
      offset: near(BESIDE.offset, 6),
      velocity: near(BESIDE.velocity, 9),
    })
    expect(there).toMatchObject({ ...same(), system: 'b' })
    // The first point of the pair is inside the moon's sphere of influence.
    expect(there.view.referenceBody).toBe('Moon b')
    const { attitude, angularVelocity, fuel, mass } = before.view
    const hull = { attitude, angularVelocity, fuel, mass, thrustLevel: 0, frozen: false }
    expect(there.view).toMatchObject(hull)
    executeCommand(universe, jump('ship', 'gate b'))
    expect(beside(universe, 'ship', 'gate a')).toMatchObject({ ...same(), system: 'a' })
    expect(universe.worlds.map(({ departed }) => departed.size)).toEqual([0, 0])
  })

  it('is refused elsewhere, too far, too fast, or where the gate leads nowhere', () => {
    const universe = gated()
    const [here] = universe.worlds
    place(here, 'ship')
    place(here, 'far', { ...BESIDE, offset: [0, 200.01, 0] })
    place(here, 'fast', { ...BESIDE, velocity: [0, 0, 20.01] })
    place(here, 'lost', { ...BESIDE, jumpgateId: 'closed' })
    const [before, rows] = [imageOf(universe), here.intake.sequence]
    for (const [command, code, message] of [
      [jump('ship', 'gate b'), 'ERR_JUMPGATE_UNKNOWN', /^No jump gate gate b in Pair\.$/],
      [jump('ship', 'nothing'), 'ERR_JUMPGATE_UNKNOWN', /nothing/],
      [jump('ship', 'closed'), 'ERR_JUMP', /^closed leads nowhere\.$/],
      [
        jump('lost', 'gate a'),
        'ERR_JUMP',
        /^The ship is too far: 173,100 km from gate a, at most 200 m\.$/,
      ],
      [jump('lost', 'closed'), 'ERR_JUMP', /leads nowhere/],
      [jump('far', 'gate a'), 'ERR_JUMP', /^The ship is too far: 200 m from gate a, at most 200 m/],
      [jump('fast', 'gate a'), 'ERR_JUMP', /^The ship is too fast: 20\.01 m\/s past gate a/],
      [jump('no ship', 'gate a'), 'ERR_SHIP_UNKNOWN', /no ship/],
    ] as const) {
      const refusal = expect.objectContaining({ code, message: expect.stringMatching(message) })
      expect(() => executeCommand(universe, command)).toThrow(refusal)
    }
    expect(imageOf(universe)).toEqual(before)
    expect(here.intake.sequence).toBe(rows)
    // As far and as fast as can be.
    place(here, 'edge', { ...BESIDE, offset: [0, 199.99, 0], velocity: [0, 0, 19.99] })
    executeCommand(universe, jump('edge', 'gate a'))
    expect(findShip(universe, 'edge')?.world).toBe(universe.worlds[1])
  })

  it('comes back when the paired gate goes meanwhile, and goes nowhere then', async () => {
    const universe = gated()
    const [here, there] = universe.worlds
    place(here, 'ship')
    const before = beside(universe, 'ship', 'gate a')
    const through = { entry: 'gate a', exit: 'gate b' }
    departShip(here, findShip(universe, 'ship')!.entry, 'b', through)
    executeCommand(universe, { kind: 'remove_jumpgate', jumpgateId: 'gate b' })
    const notices: ShipNotice[] = []
    const { engine } = testEngine({
      universe,
      paused: true,
      onEvent: (notice) => notices.push(notice),
    })
    await engine.completeHandOffs()
    expect(notices).toMatchObject([{ shipId: 'ship', kind: 'returned', body: 'Globe a' }])
    const back = beside(universe, 'ship', 'gate a')
    expect(back).toMatchObject({ offset: near(before.offset, 6), system: 'a' })
    expect(back.view).toMatchObject({ fuel: before.view.fuel, attitude: before.view.attitude })
    await expect(engine.execute(jump('ship', 'gate a'))).rejects.toEqual(codeOf('ERR_JUMP'))
    // A new gate opens the way again.
    await engine.execute(gate('gate c', 'b', 5, 'gate a'))
    const index = await engine.execute(jump('ship', 'gate a'))
    expect(index).toBe(START_INDEX)
    const systems = { from: 'a', to: 'b' }
    expect(notices.at(-1)).toEqual({
      shipId: 'ship',
      kind: 'jumped',
      index,
      body: 'Globe b',
      systems,
    })
    expect(findShip(universe, 'ship')?.world).toBe(there)
    await engine.stop()
  })

  it('jumps from a dock, and its slot is free for another', async () => {
    const universe = gated()
    const [here, there] = universe.worlds
    executeCommand(universe, {
      kind: 'create_station',
      stationId: 'station',
      name: 'Station',
      parentBody: 'Globe a',
      placement: { kind: 'lagrange', secondaryBody: 'Moon a', point: 4 },
    })
    const rest: Passage = { ...BESIDE, offset: [30, -20, 10], velocity: [0, 0, 0] }
    place(here, 'ship', rest)
    place(here, 'other', rest)
    const { engine, clock } = testEngine({ universe })
    const order = { maneuver: 'dock', stationId: 'station', timeout: 1000, params: [] } as const
    for (const shipId of ['ship', 'other']) engine.control(shipId, { maneuver: order })
    await clock.advance(30_000)
    expect(await engine.ship('ship')).toMatchObject({ dockedAt: 'station', maneuver: null })
    const { fuel } = (await engine.ship('ship'))!
    await engine.execute(jump('ship', 'gate a'))
    const after = (await engine.ship('ship'))!
    expect(after).toMatchObject({ systemId: 'b', dockedAt: null })
    expect(after.fuel).toBeCloseTo(fuel, 9)
    await engine.execute({ kind: 'remove_ship', shipId: 'other' })
    await engine.execute({ kind: 'create_ship', shipId: 'new', name: 'New' })
    await clock.advance(30_000)
    expect(await engine.ship('new')).toMatchObject({ dockedAt: null, fuel: 10_000, frozen: false })
    expect((await engine.ship('ship'))!.fuel).toBeCloseTo(fuel, 9)
    expect(findShip(universe, 'ship')?.world).toBe(there)
    await engine.stop()
  })

  it('is moved to the bit by the rows of each system alone', async () => {
    const universe = gated()
    const twins = gated()
    for (const { worlds } of [universe, twins]) {
      for (let i = 0; i < 4; i++) {
        place(worlds[0], `ship-${i}`, { ...BESIDE, offset: [10 * i, 5, 0], velocity: [0, 0.1, i] })
      }
    }
    const rows: CommandRow[] = []
    const digests: SystemDigest[] = []
    const { engine, clock } = testEngine({
      universe,
      tickRate: 1,
      timeScale: 1,
      journal: { admit: () => undefined, keep: (row) => Promise.resolve(void rows.push(row)) },
      onDigest: (digest) => digests.push(digest),
    })
    for (let i = 0; i < 12; i++) {
      const shipId = `ship-${i % 4}`
      const { systemId } = (await engine.ship(shipId))!
      engine.control(shipId, { thrustLevel: 0.01, pointing: 'rest' })
      await clock.advance(700)
      await engine.execute(jump(shipId, systemId === 'a' ? 'gate a' : 'gate b'))
    }
    await clock.advance(250_000)
    const { index, tick } = engine.clock()
    await engine.stop()
    expect(digests.length).toBeGreaterThan(2)
    for (const [at, world] of twins.worlds.entries()) {
      const own = <Row extends { readonly systemId: string }>(all: readonly Row[]): Row[] =>
        all.filter(({ systemId }) => systemId === world.state.system.id)
      const found: SystemDigest[] = []
      const onDigest = (digest: SystemDigest): number => found.push(digest)
      const replay = createReplay({ world, pool: undefined, onDigest })
      for (const row of own(rows)) {
        const command = JSON.parse(JSON.stringify(row.seal()))
        expect(parseKeptCommand(command)).toEqual(row.seal())
        await replay.apply({ ...row, command })
      }
      await replay.flyTo(index, tick)
      expect(found).toEqual(own(digests))
      expect([...shipDifferences(world, universe.worlds[at])]).toEqual([])
    }
  })
})

describe('pairs of gates', () => {
  it('are symmetric, between two systems, and of two gates only', () => {
    const universe = gated()
    const pairs = (): string[][] =>
      Array.from(gatePairs(universe), ([id, other]) => [id, other.gate.jumpgateId])
    const both = [
      ['gate b', 'gate a'],
      ['gate a', 'gate b'],
    ]
    expect(pairs()).toEqual(both)
    for (const [command, code] of [
      [gate('new', 'b', 4, 'gate a'), 'ERR_JUMPGATE_PAIRED'],
      [gate('new', 'a', 4, 'gate b'), 'ERR_JUMPGATE_PAIRED'],
      [gate('new', 'a', 4, 'closed'), 'ERR_JUMPGATE_PAIR'],
      [gate('new', 'a', 4, 'new'), 'ERR_JUMPGATE_PAIR'],
      [gate('new', 'a', 4, 'nothing'), 'ERR_JUMPGATE_PAIR'],
    ] as const) {
      expect(() => executeCommand(universe, command)).toThrow(codeOf(code))
    }
    expect(pairs()).toEqual(both)
    executeCommand(universe, { kind: 'remove_jumpgate', jumpgateId: 'gate a' })
    expect(pairs()).toEqual([])
  })

  it('lead from Sol to each other system and back', () => {
    const setup = { systems: catalogSystems(), index: CATALOG_INDEX, ...wasmKernels }
    const universe = createUniverse({ ...setup, seed: 'jump', shipsMax: 256 })
    for (const command of CATALOG_OBJECTS) executeCommand(universe, command)
    const [sol, ...others] = universe.worlds
    expect([...sol.jumpgates.keys()]).toHaveLength(4)
    for (const [i, jumpgateId] of [...sol.jumpgates.keys()].entries()) {
      place(sol, jumpgateId, { ...BESIDE, jumpgateId })
      executeCommand(universe, jump(jumpgateId, jumpgateId))
      const { gate: exit, world } = gatePairs(universe).get(jumpgateId)!
      expect(world).toBe(others[i % 2])
      const there = beside(universe, jumpgateId, exit.jumpgateId)
      // The last bit of an astronomical unit is 3e-5 m.
      expect(there).toMatchObject({ offset: near(BESIDE.offset, 3), system: world.state.system.id })
      executeCommand(universe, jump(jumpgateId, exit.jumpgateId))
      const back = beside(universe, jumpgateId, jumpgateId)
      expect(back).toMatchObject({ offset: near(BESIDE.offset, 3), system: 'sol' })
      expect(back.view.referenceBody).toBe(i < 2 ? 'Sun' : 'Earth')
    }
  })
})
