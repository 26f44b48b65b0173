/**
 * Law: the classes of ships are a world's data. Goal: a ship is of the class that it was made of,
 * in images, journals, predictions and other systems; a class that cannot be flown, that is not
 * there, or that would change under a world's ships is refused by name, and nothing has changed.
 */
import {
  type HandOff,
  type KeptCommand,
  type SystemCommand,
  type SystemDigest,
  type World,
  addShip,
  addedClasses,
  applyCommand,
  createGameClock,
  createReplay,
  createUniverse,
  createWorld,
  executeCommand,
  parseKeptCommand,
  requireClasses,
  restoreUniverse,
  restoreWorld,
  universeImage,
  worldImage,
} from '@orrery/engine/testing'
import { CLASSES_MAX, COURIER, type ShipClass, shipClassOf } from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { shipView } from '../../src/views/ship-view.ts'
import { pair } from '../busy-world.ts'
import { START_INDEX, globe, universeOf } from '../globe.ts'
import { resealed } from '../image/resealed.ts'
import { CLASSES, TUG } from '../tug.ts'
import { stationWorld } from './station-world.ts'
import { flySteered } from './two-systems.ts'

const refusal = (message: RegExp): unknown =>
  expect.objectContaining({ code: 'ERR_SHIP_CLASS', message: expect.stringMatching(message) })

const world = (classes?: readonly ShipClass[]): World =>
  createWorld({ system: globe(), index: START_INDEX, seed: 'test', shipsMax: 512, classes })

/** A courier, a tug and a ship of the class that a new one has. */
function mixed(): World {
  const made = world(CLASSES)
  addShip(made, 'courier', 'Courier', 'courier')
  addShip(made, 'tug', 'Tug', 'tug')
  addShip(made, 'new', 'New')
  return made
}

const classOf = ({ state, roster }: World, shipId: string): ShipClass =>
  shipClassOf(state, roster.byId.get(shipId)!.slot)

const classesIn = (one: World): string[] =>
  Array.from(one.roster.byId.values(), ({ shipId }) => classOf(one, shipId).name)

async function flown(one: World, ticks = 20): Promise<SystemDigest[]> {
  return flySteered(universeOf(one), ticks)
}

describe('a ship', () => {
  it('is of the class it was made of, tank full, and as its view shows it', () => {
    const made = mixed()
    expect(classesIn(made)).toEqual(['courier', 'tug', 'courier'])
    const { shipClass, fuel, fuelCapacity, mass } = shipView(made, made.roster.byId.get('tug')!, 0)
    expect({ shipClass, fuel, fuelCapacity, mass }).toEqual({
      shipClass: 'tug',
      fuel: TUG.fuelCapacity,
      fuelCapacity: TUG.fuelCapacity,
      mass: TUG.dryMass + TUG.fuelCapacity,
    })
  })

  it('begins at a place by seed and number alone, and nowhere else', () => {
    const make = (made: World, shipId: string, place: object): unknown =>
      applyCommand(
        made,
        parseKeptCommand({
          kind: 'create_ship',
          shipId,
          name: 'A',
          shipClass: 'tug',
          place,
        }) as SystemCommand,
      )
    const orbit = { kind: 'orbit', body: 'moon', altitude: 50_000 }
    const station = { kind: 'station', stationId: 'low' }
    const made = Array.from({ length: 3 }, stationWorld)
    const placed = made.map((one, i) => {
      if (i === 2) addShip(one, 'before', 'Before')
      make(one, 'round', orbit)
      make(one, 'behind', station)
      return ['round', 'behind'].map((id) => shipView(one, one.roster.byId.get(id)!, 0))
    })
    expect(placed[1]).toEqual(placed[0])
    const [, moon] = made[0].state.system.bodies
    for (const [i, altitude] of [50_000, 100_000].entries()) {
      const { relativePosition, ...view } = placed[0][i]
      expect(view).toMatchObject({ referenceBody: 'Moon', fuel: TUG.fuelCapacity })
      expect(Math.hypot(...relativePosition) / (moon.radius + altitude)).toBeCloseTo(1, 4)
      expect(placed[2][i].position).not.toEqual(view.position)
    }
    for (const [place, message] of [
      [{ ...orbit, body: 'Vulcan' }, /No body Vulcan/],
      [{ ...orbit, altitude: -1 }, /no orbit of Moon/],
      [{ ...station, stationId: 'gone' }, /No station gone/],
    ] as const) {
      expect(() => make(made[0], 'third', place)).toThrow(message)
    }
    expect(made[0].roster.byId.size).toBe(2)
  })

  it('of a class that the world lacks is not made', () => {
    const made = mixed()
    const before = worldImage(made, createGameClock(START_INDEX), 1)
    const command = { kind: 'create_ship', shipId: 'a', name: 'A', shipClass: 'barge' } as const
    const make = (): unknown => executeCommand(universeOf(made), command)
    expect(make).toThrow(refusal(/no ship class barge in Alone/))
    expect(worldImage(made, createGameClock(START_INDEX), 1)).toEqual(before)
  })

  it('leaves a slot to a ship of another class', () => {
    const made = mixed()
    const { slot } = made.roster.byId.get('tug')!
    applyCommand(made, { kind: 'remove_ship', shipId: 'tug' })
    expect(addShip(made, 'next', 'Next').slot).toBe(slot)
    expect(classOf(made, 'next')).toEqual(COURIER)
  })
})

describe('an image', () => {
  it('keeps classes and the class of each ship, which fly on to the same digests', async () => {
    const made = mixed()
    await flown(made, 3)
    const image = worldImage(made, createGameClock(made.index), 3)
    const { world: again } = restoreWorld(image, { system: globe(), shipsMax: 512 })
    expect(again.state.classes).toEqual(CLASSES)
    expect(classesIn(again)).toEqual(classesIn(made))
    expect(worldImage(again, createGameClock(made.index), 3)).toEqual(image)
    const digests = await flown(again)
    expect(digests.length).toBeGreaterThan(1)
    expect(digests).toEqual(await flown(made))
  })

  it('of a tick that broke keeps them, too', () => {
    const made = mixed()
    made.settled = made.index + 1
    const image = worldImage(made, createGameClock(START_INDEX), 3)
    const { world: again } = restoreWorld(image, { system: globe(), shipsMax: 512 })
    expect(classesIn(again)).toEqual(classesIn(made))
  })

  it('of the default class alone is as before there were classes', () => {
    const { header } = worldImage(world(), createGameClock(START_INDEX), 3)
    expect(header).not.toHaveProperty('classes')
    expect(header).not.toHaveProperty('classed')
    expect(world().state.classes).toEqual([COURIER])
  })

  it('with classes that do not fit is refused by name', () => {
    const { header, bytes } = worldImage(mixed(), createGameClock(START_INDEX), 3)
    const broken: [object, RegExp][] = [
      [{ classes: [] }, /classes: .*length/],
      [{ classes: [COURIER] }, /class 1 in slot 1, and 1/],
      [{ classes: [COURIER, COURIER] }, /classes.1: there is another of its name/],
      [{ classes: [COURIER, { ...TUG, thrustMax: 0 }] }, /classes.1.thrustMax: .*>0/],
      [{ classed: 2 }, /bytes when its header says/],
    ]
    for (const [changes, message] of broken) {
      const image = resealed({ ...header, ...changes }, bytes)
      const expected = { code: 'ERR_IMAGE', message: expect.stringMatching(message) }
      const open = (): unknown => restoreWorld(image, { system: globe(), shipsMax: 512 })
      expect(open, `${message}`).toThrow(expect.objectContaining(expected))
    }
  })
})

describe('a class that is added', () => {
  const add = { kind: 'add_ship_class', shipClass: TUG } as const
  const make = { kind: 'create_ship', shipId: 'tug', name: 'Tug', shipClass: 'tug' } as const

  it('is a row of the journal of every system, and replays', async () => {
    const universe = createUniverse({
      systems: [globe(), pair()],
      index: START_INDEX,
      seed: 'test',
      shipsMax: 512,
    })
    const rows: (readonly [string, KeptCommand])[] = []
    for (const command of [add, make]) {
      executeCommand(universe, command, {}, (row) => rows.push([row.systemId, row.seal()]))
    }
    expect(rows).toEqual([
      ['alone', add],
      ['pair', add],
      ['alone', make],
    ])
    const twin = createReplay({ world: world(), pool: undefined })
    for (const [i, command] of [add, make].entries()) {
      const kept = parseKeptCommand(JSON.parse(JSON.stringify(command)))
      await twin.apply({ sequence: i + 1, index: START_INDEX, command: kept })
    }
    expect(classesIn(twin.world)).toEqual(['tug'])
    await flySteered(universe, 8)
    await flySteered(universeOf(twin.world), 8)
    const clock = createGameClock(twin.world.index)
    expect(worldImage(twin.world, clock, 8)).toEqual(worldImage(universe.worlds[0], clock, 8))
  })

  it('is in the image of all systems', () => {
    const universe = createUniverse({
      systems: [globe()],
      index: START_INDEX,
      seed: 'test',
      shipsMax: 512,
    })
    executeCommand(universe, add)
    const stored = universeImage(universe, createGameClock(START_INDEX), 1)
    const systems = [globe(), pair()]
    const { worlds } = restoreUniverse(stored, { systems, shipsMax: 512 }).universe
    expect(worlds.map(({ state }) => state.classes)).toEqual([CLASSES, CLASSES])
  })

  it('of a name that there is, or one too many, is refused, and nothing has changed', () => {
    const made = mixed()
    for (let i = CLASSES.length; i < CLASSES_MAX; i++) {
      applyCommand(made, { ...add, shipClass: { ...TUG, name: `tug-${i}` } })
    }
    const before = worldImage(made, createGameClock(START_INDEX), 1)
    for (const [shipClass, message] of [
      [TUG, /length/],
      [{ ...TUG, name: 'tug-64' }, /length/],
    ] as const) {
      expect(() => applyCommand(made, { ...add, shipClass })).toThrow(refusal(message))
    }
    expect(() => applyCommand(mixed(), add)).toThrow(refusal(/tug: there is another/))
    expect(worldImage(made, createGameClock(START_INDEX), 1)).toEqual(before)
  })
})

describe('a hand-off', () => {
  const depart = (from: World): HandOff =>
    applyCommand(from, { kind: 'depart_ship', shipId: 'tug', to: 'pair' })!

  const other = (classes?: readonly ShipClass[]): World =>
    createWorld({ system: pair(), index: START_INDEX, seed: 'test', shipsMax: 512, classes })

  it('carries the class by its name, to another row', () => {
    const handOff = depart(mixed())
    expect(JSON.parse(JSON.stringify(handOff.ship))).toMatchObject({ shipClass: 'tug' })
    const target = other([TUG, COURIER])
    applyCommand(target, { kind: 'arrive_ship', handOff })
    expect(classOf(target, 'tug')).toEqual(TUG)
  })

  it('without a name, as before there were classes, is of the default one', () => {
    const from = world()
    addShip(from, 'tug', 'Not a tug')
    const handOff = depart(from)
    expect(handOff.ship).not.toHaveProperty('shipClass')
    const target = other([TUG, COURIER])
    applyCommand(target, { kind: 'arrive_ship', handOff })
    expect(classOf(target, 'tug')).toEqual(COURIER)
    const lacking = (): unknown =>
      applyCommand(other([TUG]), { kind: 'arrive_ship', handOff: { ...handOff, shipId: 'b' } })
    expect(lacking).toThrow(refusal(/no ship class courier in Pair/))
  })

  it('to a system that lacks the class is refused by name, and the ship is back', () => {
    const universe = universeOf(mixed(), other())
    const [from, target] = universe.worlds
    const lacking = (): unknown =>
      applyCommand(target, { kind: 'arrive_ship', handOff: depart(mixed()) })
    expect(lacking).toThrow(refusal(/no ship class tug in Pair/))
    executeCommand(universe, { kind: 'transfer_ship', shipId: 'tug', systemId: 'pair' })
    expect(classOf(from, 'tug')).toEqual(TUG)
    expect(target.roster.byId.size).toBe(0)
    expect(from.departed.size).toBe(0)
  })
})

describe('classes', () => {
  it('that can be flown are taken', () => {
    expect(() => requireClasses(CLASSES)).not.toThrow()
  })

  it.each<[string, unknown, RegExp]>([
    ['none', [], /length/],
    ['two of one name', [COURIER, TUG, { ...TUG, radius: 5 }], /class tug: there is another/],
    ['no name', [{ ...TUG, name: '' }], /class : name/],
    ['a name in other letters', [{ ...TUG, name: 'Schlepper ä' }], /name/],
    ['a name too long', [{ ...TUG, name: 'x'.repeat(33) }], /name/],
    ['zero thrust', [{ ...TUG, thrustMax: 0 }], /class tug: thrustMax: .*>0.* 0/],
    ['negative mass', [{ ...TUG, dryMass: -1 }], /class tug: dryMass: .*>0.* -1/],
    ['NaN', [COURIER, { ...TUG, exhaustVelocity: NaN }], /class tug: exhaustVelocity: .*NaN/],
    ['infinity', [{ ...TUG, fuelCapacity: Infinity }], /class tug: fuelCapacity: .*Infinity/],
    ['a text', [{ ...TUG, radius: '4' }], /class tug: radius/],
    ['a wheel of nothing', [{ ...TUG, wheelTorque: [1, 0, 1] }], /class tug: wheelTorque: 1: .*>0/],
    ['two wheels', [{ ...TUG, wheelTorque: [1, 1] }], /class tug: wheelTorque/],
    ['an unknown field', [{ ...TUG, paint: 'red' }], /class tug: paint/],
    ['faster than light', [{ ...TUG, exhaustVelocity: 3e8 }], /class tug: exhaustVelocity/],
    ['no rigid body', [{ ...TUG, inertia: [1e5, 5e4, 4e4] }], /class tug: no body has one moment/],
    ['two hundred g', [{ ...TUG, thrustMax: 1.6e7 }], /class tug: the empty hull accelerates/],
    ['a whirl', [{ ...TUG, wheelCapacity: [6e4, 3e3, 2e3] }], /class tug: its wheels turn it at/],
    ['a slow turn', [{ ...TUG, turnSeconds: 60 }], /class tug: its wheels take up to \d+ s/],
  ])('with %s are refused by name', (_, classes, message) => {
    expect(() => requireClasses(classes as ShipClass[])).toThrow(refusal(message))
  })

  it('are only added to those of a world', () => {
    const barge = { ...TUG, name: 'barge' }
    expect(addedClasses([COURIER], CLASSES)).toEqual([TUG])
    expect(addedClasses(CLASSES, [barge, TUG, COURIER])).toEqual([barge])
    expect(() => addedClasses(CLASSES, [COURIER])).toThrow(refusal(/a ship class tug, which/))
    expect(() =>
      addedClasses(CLASSES, [COURIER, { ...TUG, inertia: [3e4, 5e4, 4e4 + 1] }]),
    ).toThrow(
      refusal(/tug is another: inertia is 30000,50000,40000 in the world, and 30000,50000,40001/),
    )
  })
})
