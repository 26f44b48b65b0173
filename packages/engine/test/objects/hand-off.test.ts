/**
 * Law: a ship between two systems is in exactly one place: departed, arrived, or back where it
 * left. Goal: rows that replay each system alone; a ship whose target is gone or full comes back
 * without a step aside; one that a stop has left between is refused by name until it is brought
 * in; a thousand at once. Method: two small systems, flown on the calling thread.
 */
import {
  type CommandRow,
  type HandOff,
  type ShipNotice,
  type SystemDigest,
  type SystemSetup,
  type Universe,
  type World,
  addShip,
  applyCommand,
  createReplay,
  createUniverse,
  executeCommand,
  parseKeptCommand,
  shipDifferences,
} from '@orrery/engine/testing'
import { FLYING, FROZEN, SHIP_COLUMNS, createMassiveState } from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { completeHandOffs } from '../../src/commands/execution.ts'
import { shipCount } from '../../src/world/universe.ts'
import { shipView } from '../../src/views/ship-view.ts'
import { pair } from '../busy-world.ts'
import { START_INDEX, globe } from '../globe.ts'
import { testEngine } from '../test-engine.ts'
import { coast, codeOf, flySteered, imageOf, livelySystems, twoSystems } from './two-systems.ts'

const asStored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

const depart = (world: World, shipId: string, to: string): HandOff =>
  applyCommand(world, { kind: 'depart_ship', shipId, to })!

/** Brings in all that are between two systems; returns the rows of that. */
function completed(universe: Universe): CommandRow[] {
  const rows: CommandRow[] = []
  completeHandOffs(universe, (row) => rows.push(row))
  return rows
}

describe('rows', () => {
  it('of both systems hold the ship, to the bit also as text', async () => {
    const universe = livelySystems()
    await flySteered(universe, 3)
    const [alone] = universe.worlds
    for (const { shipId } of alone.roster.byId.values()) {
      const rows: CommandRow[] = []
      const command = { kind: 'transfer_ship', shipId, systemId: 'pair' } as const
      executeCommand(universe, command, { actor: 'admin' }, (row) => rows.push(row))
      const [{ departure, ...departed }, { arrival, ...arrived }] = rows
      expect(departed).toMatchObject({ systemId: 'alone', actor: 'admin', index: alone.index })
      expect(arrived).toMatchObject({ systemId: 'pair', actor: null, index: alone.index })
      expect(departure).toMatchObject({ shipId, from: 'alone', to: 'pair', index: alone.index })
      expect(arrival).toBe(departure)
      expect(asStored(departure)).toStrictEqual(departure)
      const kept = rows.map((row) => row.seal())
      expect(kept.map((one) => parseKeptCommand(asStored(one)))).toStrictEqual(kept)
      expect(kept).toEqual([
        { kind: 'depart_ship', shipId, to: 'pair' },
        { kind: 'arrive_ship', handOff: departure },
      ])
    }
    expect(universe.worlds.map(({ roster }) => roster.byId.size)).toEqual([0, 12])
  })

  it('replay each system alone, to the same digests and ships', async () => {
    const universe = livelySystems()
    const rows: CommandRow[] = []
    const digests: SystemDigest[] = []
    const { engine, clock } = testEngine({
      universe,
      tickRate: 1,
      timeScale: 10,
      journal: { admit: () => undefined, keep: (row) => Promise.resolve(void rows.push(row)) },
      onDigest: (digest) => digests.push(digest),
    })
    for (let tick = 0; tick < 40; tick++) {
      const shipId = `ship-${tick % 12}`
      const { systemId: from } = (await engine.ship(shipId))!
      engine.control(shipId, { thrustLevel: 0.3, pointing: 'prograde' })
      await clock.advance(tick % 3 === 0 ? 1000 : 700)
      const systemId = from === 'pair' ? 'alone' : 'pair'
      await engine.execute({ kind: 'transfer_ship', shipId, systemId })
    }
    const { index, tick } = engine.clock()
    await engine.stop()
    expect(digests.length).toBeGreaterThan(6)
    const twins = livelySystems()
    for (const [place, world] of twins.worlds.entries()) {
      const own = <Row extends { readonly systemId: string }>(all: readonly Row[]): Row[] =>
        all.filter(({ systemId }) => systemId === world.state.system.id)
      const found: SystemDigest[] = []
      const onDigest = (digest: SystemDigest): number => found.push(digest)
      const replay = createReplay({ world, pool: undefined, onDigest })
      for (const row of own(rows)) {
        await replay.apply(asStored({ ...row, command: row.seal() }))
      }
      await replay.flyTo(index, tick)
      expect(found).toEqual(own(digests))
      expect([...shipDifferences(world, universe.worlds[place])]).toEqual([])
      expect([...world.roster.byId]).toEqual([...universe.worlds[place].roster.byId])
    }
  })
})

/** A system whose moon surrounds every spawn orbit: no ship can fly there. */
function solid(): SystemSetup {
  const { system } = pair()
  const [root, moon] = system.bodies
  return {
    system: { ...system, id: 'solid', bodies: [root, { ...moon, radius: 3e8 }] },
    territory: { home: 0, spheres: Float64Array.of(Infinity, 1e7) },
    start: Object.assign(createMassiveState(2), {
      node: 0,
      x: Float64Array.of(0, 0, 0, 1e8, 0, 0),
      v: Float64Array.of(0, 0, 0, 0, 2000, 0),
    }),
  }
}

describe('a ship whose target', () => {
  it('is gone comes back to where it left, and flies on', async () => {
    const universe = livelySystems()
    await flySteered(universe, 3)
    const [world] = universe.worlds
    const { ships } = world.state
    const entries = [...world.roster.byId.values()]
    for (const entry of entries) {
      const { shipId, name } = entry
      const before = shipView(world, entry, 0)
      const { ship } = depart(world, shipId, 'gone')
      expect(completed(universe)).toMatchObject([
        { systemId: 'alone', arrival: { shipId, from: 'alone', to: 'gone' } },
      ])
      const back = world.roster.byId.get(shipId)!
      expect(back).toMatchObject({ name, number: entry.number + 9, slot: entry.slot })
      for (const [column, value] of Object.entries(ship)) {
        if (column === 'referenceBody') continue
        const { components } = SHIP_COLUMNS.find((one) => one.name === column)!
        const row = ships[column as 'fuel'].slice(back.slot * components).slice(0, components)
        expect([...row], `column ${column}`).toEqual([value].flat())
      }
      const after = shipView(world, back, 0)
      expect(after).toMatchObject({ fuel: before.fuel, thrustLevel: 0, frozen: false })
      for (const axis of [0, 1, 2]) {
        // The open step, read between its ends, is within a millimetre of the motion.
        expect(Math.abs(after.position[axis] - before.position[axis])).toBeLessThan(1e-3)
        expect(Math.abs(after.velocity[axis] - before.velocity[axis])).toBeLessThan(1e-3)
      }
    }
    expect([world.departed.size, shipCount(universe)]).toEqual([0, 12])
    await flySteered(universe, 3)
    expect([...ships.condition.subarray(0, 9)]).toEqual(Array(9).fill(FLYING))
  })

  it.each([
    ['is full', globe],
    ['has no room to fly', solid],
  ])('%s comes back, and takes no slot there', async (_, setup) => {
    const other = { ...setup(), system: { ...setup().system, id: 'other' } }
    const systems = [globe(), other]
    const universe = createUniverse({ systems, index: START_INDEX, seed: 'back', shipsMax: 256 })
    const [here, there] = universe.worlds
    addShip(here, 'ship', 'Ship')
    if (setup === globe) for (let i = 0; i < 256; i++) addShip(there, `ship-${i}`, 'Ship')
    const arrival = { worlds: [there], shipsMax: universe.shipsMax }
    const before = imageOf(arrival)
    const rows: CommandRow[] = []
    const notices: ShipNotice[] = []
    const { engine } = testEngine({
      universe,
      paused: true,
      journal: { admit: () => undefined, keep: (row) => Promise.resolve(void rows.push(row)) },
      onEvent: (notice) => notices.push(notice),
    })
    await engine.execute({ kind: 'transfer_ship', shipId: 'ship', systemId: 'other' })
    await engine.stop()
    const notice = { shipId: 'ship', kind: 'returned', index: START_INDEX, body: 'Globe' }
    expect(notices).toEqual([notice])
    expect(rows.map((row) => [row.systemId, row.sequence, row.seal().kind])).toEqual([
      ['alone', 1, 'depart_ship'],
      ['alone', 2, 'arrive_ship'],
    ])
    expect(here.roster.byId.get('ship')).toMatchObject({ number: 2, slot: 0 })
    expect(universe.worlds.map(({ departed }) => departed.size)).toEqual([0, 0])
    expect(imageOf(arrival)).toEqual(before)
    expect(there.intake.sequence).toBe(0)
    await coast(universe, 640)
    expect(here.state.ships.condition[0]).toBe(FLYING)
  })

  it('is gone begins again where its place is now inside a body', () => {
    const universe = livelySystems()
    const world = universe.worlds[1]
    const { ship, ...rest } = depart(world, 'ship-3', 'gone')
    const inside = { ...ship, referenceBody: 'Moon', position: [1000, 0, 0] as const }
    world.departed.set('ship-3', { ...rest, ship: { ...inside, position: [1000, 0, 0] } })
    completed(universe)
    const view = shipView(world, world.roster.byId.get('ship-3')!, 0)
    expect(view).toMatchObject({ referenceBody: 'Globe', frozen: false, fuel: ship.fuel })
  })
})

it('a ship that broke can be moved, and its row is kept', async () => {
  const universe = livelySystems()
  const [world, other] = universe.worlds
  for (const [i, column] of (['endVelocity', 'endGravity', 'endPosition'] as const).entries()) {
    const { slot } = world.roster.byId.get(`ship-${i}`)!
    const { components } = SHIP_COLUMNS.find(({ name }) => name === column)!
    world.state.ships[column][components * slot] = NaN
  }
  await coast(universe, 6400)
  expect([...world.state.ships.condition.subarray(0, 4)]).toEqual([FROZEN, FROZEN, FROZEN, FLYING])
  for (const shipId of ['ship-0', 'ship-1', 'ship-2']) {
    const rows: CommandRow[] = []
    const command = { kind: 'transfer_ship', shipId, systemId: 'pair' } as const
    executeCommand(universe, command, {}, (row) => rows.push(row))
    const [, arrival] = rows.map((row) => row.seal())
    expect(parseKeptCommand(asStored(arrival))).toEqual(arrival)
    expect(shipView(other, other.roster.byId.get(shipId)!, 0).frozen).toBe(false)
  }
})

describe('a ship between two systems', () => {
  it('is refused by name, counted, and brought in by the next start', async () => {
    const universe = livelySystems()
    const { engine } = testEngine({ universe, paused: true })
    const [alone, paired] = universe.worlds
    const departure = depart(alone, 'ship-2', 'pair')
    const refusal = codeOf('ERR_IN_TRANSIT')
    expect(() => engine.control('ship-2', { thrustLevel: 1 })).toThrow(refusal)
    expect(() => engine.shipNumber('ship-2', 'ship-1')).toThrow(refusal)
    for (const command of [
      { kind: 'transfer_ship', shipId: 'ship-2', systemId: 'alone' },
      { kind: 'rename_ship', shipId: 'ship-2', name: 'Other' },
      { kind: 'maneuver_debug', shipId: 'ship-2', enabled: true },
    ] as const) {
      await expect(engine.execute(command), `for ${command.kind}`).rejects.toEqual(refusal)
    }
    const again = { kind: 'create_ship', shipId: 'ship-2', name: 'Again' } as const
    await expect(engine.execute(again)).rejects.toEqual(codeOf('ERR_SHIP_EXISTS'))
    await expect(engine.ship('ship-2')).rejects.toEqual(refusal)
    expect([engine.status().ships, alone.intake.sequence]).toEqual([12, 1])
    await engine.completeHandOffs()
    expect(alone.departed.size).toBe(0)
    expect(await engine.ship('ship-2')).toMatchObject({ systemId: 'pair', name: 'Ship 2' })
    expect(paired.intake.sequence).toBe(1)
    // Once more finds nothing to do.
    await engine.completeHandOffs()
    expect([engine.status().ships, alone.intake.sequence]).toEqual([12, 1])
    expect([paired.intake.sequence, departure.index]).toEqual([1, START_INDEX])
    await engine.stop()
  })
})

it('a thousand ships move between two ticks', async () => {
  const universe = twoSystems()
  const [alone, paired] = universe.worlds
  const { engine, clock } = testEngine({ universe })
  for (let i = 0; i < 1000; i++) addShip(alone, `ship-${i}`, `Ship ${i}`)
  await clock.advance(500)
  const moves = Array.from({ length: 1000 }, (_, i) =>
    engine.execute({ kind: 'transfer_ship', shipId: `ship-${i}`, systemId: 'pair' }),
  )
  await Promise.all(moves)
  expect([alone, paired].map(({ roster }) => roster.byId.size)).toEqual([0, 1000])
  expect([...alone.state.chunk.chunkShips]).toEqual([0, 0, 0, 0])
  expect([alone, paired].map(({ intake }) => intake.sequence)).toEqual([1000, 1000])
  await clock.advance(500)
  expect(engine.status()).toMatchObject({ tick: 10, ships: 1000 })
  expect(paired.state.ships.condition.filter((one) => one === FLYING)).toHaveLength(1000)
  await engine.stop()
})
