/**
 * Law: the events of maneuvers are a function of orders and trajectories alone: the same however
 * time is cut into ticks and wherever a world is stored and restored; every start is followed by
 * exactly one end; and the level selects which events are emitted, never which occur. Method: ships
 * that are ordered about at random, that run into the ground, and whose wheels cannot hold them.
 */
import {
  type EndedManeuver,
  type ManeuverEvent,
  type World,
  addShip,
  createGameClock,
  createUniverse,
  requireManeuver,
  restoreWorld,
} from '@orrery/engine/testing'
import { type Control, POINTINGS, launch, rounds, takeEvents } from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { worldImage } from '../../src/image/image.ts'
import { acceptControl, writeOrders } from '../../src/world/intake.ts'
import { logManeuvers, emitManeuvers } from '../../src/maneuvers/maneuver-log.ts'
import type { ManeuverLevel } from '../../src/world/maneuver.ts'
import { applyCommand } from '../../src/commands/world-command.ts'
import { completeNear } from '../../src/world/world.ts'
import { shipEntry } from '../../src/world/roster.ts'
import { START_INDEX, callingThread, globe, globeWorld } from '../globe.ts'
import { testEngine } from '../test-engine.ts'
import { createChance } from '@orrery/testkit'

const SEED = 4711
const SHIPS = 48
const ORDERS = 400
const SPAN = 38_400

/** So many ships fall to the ground, and so many more have full wheels and an empty tank. */
const FALLING = 4
const SPENT = 4

/** Removed half way, at an index where ticks of all lengths end. */
const LEAVING = 'ship-20'
const HALF = 19_200

const ENDS = ['completed', 'aborted', 'replaced', 'failed']

interface ScriptedOrder {
  readonly index: number
  readonly ship: string
  readonly target: string
  readonly control: Control
}

function script(): ScriptedOrder[] {
  const draw = createChance(SEED).below
  const orders = Array.from({ length: ORDERS }, () => {
    const ship = draw(SHIPS)
    const kind = draw(6)
    const part = (): number => draw(2001) / 1000 - 1
    const control: Control =
      kind === 0
        ? { pointing: 'rest', abort: true }
        : kind === 1
          ? { thrustLevel: draw(2) / 100 }
          : kind === 2
            ? { attitude: [1.1, part(), part(), part()] }
            : { pointing: POINTINGS[draw(POINTINGS.length)] }
    return {
      index: START_INDEX + 4 * (1 + draw(SPAN / 4 - 1)),
      ship: `ship-${ship}`,
      target: `ship-${(ship + 1 + draw(SHIPS - 1)) % SHIPS}`,
      control,
    }
  })
  const spent = Array.from({ length: SPENT }, (_, i) => ({
    index: START_INDEX + 64,
    ship: `ship-${FALLING + i}`,
    target: '',
    control: { pointing: 'normal' } as const,
  }))
  return [...spent, ...orders].toSorted((a, b) => a.index - b.index)
}

function scriptedWorld(level: ManeuverLevel): World {
  const world = globeWorld()
  const { ships } = world.state
  for (let i = 0; i < SHIPS; i++) {
    const { slot } = addShip(world, `ship-${i}`, `Ship ${i}`)
    if (i >= FALLING + SPENT) continue
    if (i < FALLING) {
      ships.position.set([6.371e6 + 1e5 * (i + 1), 100 * i, 0], 3 * slot)
      ships.velocity.fill(0, 3 * slot, 3 * slot + 3)
    } else {
      ships.fuel[slot] = 0
      ships.angularMomentum.fill(4000, 3 * slot, 3 * slot + 3)
    }
    launch(world.flight, slot, world.index)
  }
  applyCommand(world, { kind: 'maneuver_logging', level })
  return world
}

interface Course {
  readonly tickQuanta: number
  readonly level?: ManeuverLevel
  readonly debugged?: string
  /** stored and restored after this tick */
  readonly restoreAfter?: number
}

interface Flown {
  readonly events: readonly ManeuverEvent[]
  /** numbers of ships with a maneuver at the end */
  readonly open: readonly number[]
  /** the last maneuvers of the others, by ship number */
  readonly ended: readonly (readonly [number, EndedManeuver])[]
}

function flown({ tickQuanta, level = 'verbose', debugged, restoreAfter }: Course): Flown {
  let world = scriptedWorld(level)
  if (debugged) applyCommand(world, { kind: 'maneuver_debug', shipId: debugged, enabled: true })
  const orders = script()
  const events: ManeuverEvent[] = []
  for (let tick = 1; world.index < START_INDEX + SPAN; tick++) {
    const target = world.index + tickQuanta
    while (orders.length > 0 && orders[0].index <= target + 256) accept(world, orders.shift()!)
    advance(world, target)
    logManeuvers(world, takeEvents(world.state).events)
    if (target === START_INDEX + HALF) applyCommand(world, { kind: 'remove_ship', shipId: LEAVING })
    emitManeuvers(world.maneuvers, tick, (event) => events.push(event))
    if (tick === restoreAfter) {
      const image = worldImage(world, createGameClock(world.index), tick)
      const room = { system: globe(), shipsMax: 512 }
      world = restoreWorld(structuredClone(image), room).world
    }
  }
  const { open, ended } = world.maneuvers
  return {
    events,
    open: [...open.keys()],
    ended: [...ended].toSorted(([a], [b]) => a - b),
  }
}

function accept(world: World, { index, ship, target, control }: ScriptedOrder): void {
  const { intake, roster } = world
  const entry = roster.byId.get(ship)
  const quarry = roster.byId.get(target)
  if (!entry || (control.pointing === 'target' && !quarry)) return
  const aim = control.pointing === 'target' && quarry ? { target: quarry.number } : {}
  acceptControl(intake, entry, { ...control, ...aim }, index, index - 1)
}

function advance(world: World, target: number): void {
  completeNear(world, target)
  writeOrders(world.intake, world.roster, world.state, target)
  const pool = callingThread(world)
  for (const round of rounds(world, world.index, target, () => undefined)) {
    void pool.advance([round])
  }
  world.index = target
}

function withoutTicks({ events, ...rest }: Flown): object {
  return { events: events.map((event) => ({ ...event, tick: 0 })), ...rest }
}

const whole = flown({ tickQuanta: 640 })

it(`follows every start with exactly one end, each under its own key (seed ${SEED})`, () => {
  const open = new Map<number, ManeuverEvent>()
  const keys = new Set<string>()
  let before = -1
  for (const event of whole.events) {
    const { shipNumber, index, ordinal, eventType, maneuverType } = event
    keys.add(`${index} ${shipNumber} ${ordinal}`)
    if (maneuverType === null) continue
    const begun = open.get(shipNumber)
    expect(event.since, 'since').toBe(eventType === 'started' ? index : begun?.since)
    expect(event.fromPhase, 'from phase').toBe(begun?.phase ?? null)
    expect(index).toBeGreaterThanOrEqual(before)
    before = index
    if (ENDS.includes(eventType)) open.delete(shipNumber)
    else open.set(shipNumber, event)
  }
  expect(keys.size).toBe(whole.events.length)
  expect([...open.keys()].toSorted((a, b) => a - b)).toEqual(whole.open.toSorted((a, b) => a - b))
  const count = (wanted: string): number =>
    whole.events.filter(({ eventType }) => eventType === wanted).length
  const types = ['started', 'phase_changed', ...ENDS]
  expect(types.filter((eventType) => count(eventType) < 4)).toEqual([])
})

it('keeps how the last maneuver of each ship ended, until the next begins', () => {
  const maneuvers = whole.events.filter(({ maneuverType }) => maneuverType !== null)
  const last = new Map(maneuvers.map((event) => [event.shipNumber, event]))
  const ends = [...last.values()].filter(
    ({ shipId, eventType }) => shipId !== LEAVING && ENDS.includes(eventType),
  )
  expect(ends.length).toBeGreaterThan(8)
  expect(new Map(whole.ended)).toEqual(
    new Map(
      ends.map(({ shipNumber, maneuverType, eventType, phase, statusText, since, ...event }) => [
        shipNumber,
        {
          type: maneuverType,
          outcome: eventType,
          phase,
          reason: expect.toSatisfy((reason) => (reason !== null) === (eventType === 'failed')),
          statusText,
          since,
          endedAt: event.index,
          targetId: event.targetId,
          targetBody: null,
        },
      ]),
    ),
  )
})

it('records why a maneuver failed or was aborted, and the distance of a target', () => {
  const texts = new Set(whole.events.map(({ statusText }) => statusText))
  for (const text of [
    'The ship ran into a body',
    'The wheels cannot hold the hull',
    'By its pilot',
    'Let go by its pilot',
  ]) {
    expect(texts).toContain(text)
  }
  const targeted = whole.events.filter(({ pointing }) => pointing === 'target')
  for (const { eventType, distance, targetId } of targeted) {
    expect(targetId).toMatch(/^ship-\d+$/)
    expect([eventType, distance === null]).toEqual([eventType, eventType !== 'completed'])
  }
  const starts = targeted.filter(({ eventType }) => eventType === 'started')
  for (const { phase, details } of starts) {
    expect([phase, details?.angle]).toEqual(['seeking', null])
  }
  const completed = targeted.filter(({ eventType }) => eventType === 'completed')
  expect(completed.length).toBeGreaterThan(2)
  expect(Math.min(...completed.map(({ distance }) => distance ?? NaN))).toBeGreaterThan(1000)
  const turn = whole.events.find(({ attitude, eventType }) => attitude && eventType === 'started')
  expect(turn?.details?.angle).toBeGreaterThan(0)
  expect(turn?.details?.angle).toBeLessThanOrEqual(Math.PI)
})

it('emits the same events in ticks of any length, and across an image', () => {
  for (const tickQuanta of byTier({ gate: [6400], night: [64, 6400] })) {
    expect(withoutTicks(flown({ tickQuanta })), `${tickQuanta}`).toEqual(withoutTicks(whole))
  }
  expect(withoutTicks(flown({ tickQuanta: 640, restoreAfter: 17 }))).toEqual(withoutTicks(whole))
})

it('emits the events of each level, and every event of a debugged ship', () => {
  const plain = whole.events.filter(
    ({ eventType }) => !['phase_changed', 'replaced'].includes(eventType),
  )
  const emitted = (course: Partial<Course>): readonly ManeuverEvent[] =>
    flown({ tickQuanta: 640, ...course }).events
  expect(emitted({ level: 'normal' })).toEqual(plain.map((event) => ({ ...event, details: null })))
  const happenings = plain.filter(({ maneuverType }) => maneuverType === null)
  expect(happenings.map(({ eventType }) => eventType)).toContain('removed')
  expect(emitted({ level: 'off' })).toEqual(happenings)
  const ofOne = whole.events.filter(({ shipId }) => shipId === 'ship-30')
  expect(ofOne.length).toBeGreaterThan(5)
  const others = happenings.filter(({ shipId }) => shipId !== 'ship-30')
  expect(emitted({ level: 'off', debugged: 'ship-30' })).toHaveLength(ofOne.length + others.length)
  const mixed = emitted({ level: 'normal', debugged: 'ship-30', restoreAfter: 1 })
  expect(mixed.filter(({ shipId }) => shipId === 'ship-30')).toEqual(ofOne)
  const plainOthers = plain.filter(({ shipId }) => shipId !== 'ship-30')
  expect(mixed.length).toBe(plainOthers.length + ofOne.length)
})

it('ends when a ship breaks, leaves, is moved, or aborts', async () => {
  const other = { ...globe(), system: { ...globe().system, id: 'other', name: 'Other' } }
  const systems = [globe(), other]
  const universe = createUniverse({ systems, index: START_INDEX, seed: 'test', shipsMax: 512 })
  const events: ManeuverEvent[] = []
  const { engine, clock, world } = testEngine({
    universe,
    onManeuver: (event) => events.push(event),
  })
  const shipIds = ['broken', 'gone', 'moved', 'aborted']
  for (const shipId of shipIds) {
    await engine.execute({ kind: 'create_ship', shipId, name: 'Ship' })
    expect(() => requireManeuver(universe, shipId)).toThrow(/No maneuver/)
    engine.control(shipId, { pointing: 'retrograde' })
    // As soon as it is ordered, and while it is under way.
    expect(requireManeuver(universe, shipId)).toBeUndefined()
  }
  await clock.advance(1000)
  for (const shipId of shipIds) expect(requireManeuver(universe, shipId)).toBeUndefined()
  expect(events.map(({ eventType, tick }) => [eventType, tick])).toEqual(
    shipIds.map(() => ['started', 1]),
  )
  world.state.ships.endVelocity[3 * shipEntry(world, 'broken').slot] = NaN
  engine.control('aborted', { pointing: 'rest', abort: true })
  expect(() => requireManeuver(universe, 'aborted')).toThrow(/No maneuver/)
  await clock.advance(1000)
  await engine.execute({ kind: 'remove_ship', shipId: 'gone' })
  await engine.execute({ kind: 'transfer_ship', shipId: 'moved', systemId: 'other' })
  const at = { systemId: 'alone', tick: 20, index: START_INDEX + 128, referenceBody: 'Globe' }
  const aborted = { eventType: 'aborted', fromPhase: 'turning', since: events[0].index }
  const ofShip = (a: ManeuverEvent, b: ManeuverEvent): number =>
    a.systemId.localeCompare(b.systemId) || a.shipNumber - b.shipNumber
  expect(events.slice(shipIds.length).toSorted(ofShip)).toMatchObject([
    { shipId: 'broken', eventType: 'failed', statusText: 'The ship cannot be flown' },
    { shipId: 'broken', eventType: 'frozen', maneuverType: null, referenceBody: 'Globe' },
    { shipId: 'gone', ...aborted, ...at, statusText: 'The ship has left the world' },
    { shipId: 'gone', eventType: 'removed', ...at },
    { shipId: 'moved', ...aborted, ...at, statusText: 'The ship has been moved to another system' },
    { shipId: 'moved', eventType: 'departed', ...at, systems: { from: 'alone', to: 'other' } },
    { shipId: 'aborted', ...aborted, statusText: 'By its pilot' },
    { shipId: 'moved', eventType: 'arrived', systemId: 'other', systems: { from: 'alone' } },
  ])
  for (const shipId of ['broken', 'moved']) {
    expect(() => requireManeuver(universe, shipId)).toThrow(/No maneuver/)
  }
  expect(() => requireManeuver(universe, 'gone')).toThrow(/No ship/)
  await engine.stop()
})

it('requires a maneuver also while its order acts in a running tick', async () => {
  const world = globeWorld()
  const pool = callingThread(world)
  const inTick: (() => void)[] = []
  const { engine, clock, universe } = testEngine({
    world,
    pool: {
      ...pool,
      advance: (rounds) => {
        for (const look of inTick) look()
        return pool.advance(rounds)
      },
    },
  })
  await engine.execute({ kind: 'create_ship', shipId: 'turning', name: 'Turning' })
  engine.control('turning', { pointing: 'retrograde' })
  let looks = 0
  inTick.push(() => {
    expect(world.intake.due).toHaveLength(1)
    expect(requireManeuver(universe, 'turning')).toBeUndefined()
    looks++
  })
  await clock.advance(100)
  engine.control('turning', { pointing: 'rest', abort: true })
  inTick[0] = () => {
    expect(world.maneuvers.open.size).toBe(1)
    expect(() => requireManeuver(universe, 'turning')).toThrow(/No maneuver/)
    looks++
  }
  await clock.advance(100)
  expect(looks).toBe(2)
})

it('drops the debugging of a ship when it leaves the world', () => {
  const world = globeWorld()
  addShip(world, 'watched', 'Watched')
  applyCommand(world, { kind: 'maneuver_debug', shipId: 'watched', enabled: true })
  expect(world.maneuvers.debugged.size).toBe(1)
  applyCommand(world, { kind: 'remove_ship', shipId: 'watched' })
  expect(world.maneuvers.debugged.size).toBe(0)
})

it('counts an order that is given again as the maneuver that is under way', () => {
  const world = globeWorld()
  const entry = addShip(world, 'steady', 'Steady')
  const events: ManeuverEvent[] = []
  applyCommand(world, { kind: 'maneuver_logging', level: 'verbose' })
  for (const attitude of [1, 1, 1, -1].map((x) => [1, x, 0, 0] as const)) {
    acceptControl(world.intake, entry, { attitude }, world.index, world.index)
    advance(world, world.index + 64)
    logManeuvers(world, takeEvents(world.state).events)
    emitManeuvers(world.maneuvers, 1, (event) => events.push(event))
  }
  expect(events.map(({ eventType }) => eventType)).toEqual(['started', 'replaced', 'started'])
})
