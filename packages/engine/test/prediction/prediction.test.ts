/**
 * Law: what is predicted is what is flown, to the bit, when nothing interferes. Goal: ships of two
 * classes, some with a payload, that coast, burn, turn, chase another, leave a sphere of influence
 * or fall to the ground, under orders that wait and orders that are only supposed; every record is
 * compared with the flight.
 */
import { addShip, createWorld } from '@orrery/engine/testing'
import {
  type Control,
  type Prediction,
  RECORDS_MAX,
  RECORD_DOUBLES,
  createStateVector,
  loadShip,
  rounds,
  segmentState,
  shipClassOf,
} from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { acceptControl, writeOrders } from '../../src/world/intake.ts'
import { Foresight } from '../../src/prediction/foresight.ts'
import { createPredictor } from '../../src/prediction/predictor.ts'
import type { PredictionRequest } from '../../src/prediction/prediction-request.ts'
import { predictionTask } from '../../src/prediction/request.ts'
import { flownAhead } from '../../src/prediction/trajectory.ts'
import type { Rule, RuleCondition } from '../../src/orders/rule.ts'
import { applyCommand } from '../../src/commands/world-command.ts'
import { removeShip } from '../../src/objects/fleet.ts'
import { type World, completeNear, extendHorizon } from '../../src/world/world.ts'
import { pair, relaunch } from '../busy-world.ts'
import { START_INDEX, callingThread, universeOf } from '../globe.ts'
import { imageOf } from '../objects/two-systems.ts'
import { testEngine } from '../test-engine.ts'
import { CLASSES } from '../tug.ts'

const HOURS = 3600
/** Of the predictions that are compared with the flight [s]. */
const SECONDS = byTier({ gate: 2.5 * HOURS, night: 3 * HOURS })
const MOON_SPHERE = 1.7e7

const TURN: Control = { attitude: [1, 0.4, -0.2, 0.3] }
const BURN: Control = { thrustLevel: 0.7 }
const CUT: Control = { thrustLevel: 0 }

const world = pairWorld()

/** Of the ships in these slots the prediction is compared; the orders wait or are supposed. */
const CASES: readonly {
  readonly name: string
  readonly slot: number
  readonly waiting?: readonly Control[]
  readonly supposed?: readonly [after: number, control: Control][]
}[] = [
  { name: 'coasts', slot: 3 },
  { name: 'turns and burns', slot: 260, waiting: [TURN, BURN], supposed: [[61.3, CUT]] },
  {
    name: 'burns along its way until the tank is empty',
    slot: 5,
    supposed: [
      [0, { pointing: 'prograde' }],
      [200, { thrustLevel: 1 }],
    ],
  },
  {
    name: 'chases one that chases a third',
    slot: 7,
    waiting: [{ pointing: 'target', target: numberIn(262) }],
    supposed: [
      [90, { thrustLevel: 0.02 }],
      [3000, { pointing: 'target', target: numberIn(15) }],
    ],
  },
  { name: 'leaves the sphere of the moon', slot: 9 },
  {
    name: 'escapes by its autopilot',
    slot: 11,
    supposed: [[30, { maneuver: { maneuver: 'escape', timeout: 1e5, params: [] } }]],
  },
  {
    name: 'changes its orbit by its autopilot',
    slot: 17,
    waiting: [{ maneuver: { maneuver: 'set_orbit', timeout: 1e5, params: [8e6, 0, -2] } }],
  },
  {
    name: 'flies to a ship by its autopilot',
    slot: 23,
    supposed: [
      [5, { maneuver: { maneuver: 'rendezvous', ship: numberIn(21), timeout: 1e5, params: [] } }],
    ],
  },
  { name: 'obeys its rules', slot: 25 },
  { name: 'falls to the ground', slot: 270 },
]

function pairWorld(): World {
  const index = START_INDEX + 1234
  const world = createWorld({
    system: pair(),
    index,
    seed: 'ahead',
    shipsMax: 300,
    classes: CLASSES,
  })
  for (let i = 0; i < 300; i++) addShip(world, `ship-${i}`, `Ship ${i}`, CLASSES[i % 2].name)
  // The first chunk and the second have a few ships each.
  for (const entry of world.roster.byId.values()) {
    if (entry.slot % 256 > 30) removeShip(world, entry, 'test')
  }
  relaunch(world, 9, 1, [1.05 * MOON_SPHERE, 0, 9], [1500, 20, 0])
  relaunch(world, 11, 1, [3e6, 0, 9], [0, 1278, 0])
  relaunch(world, 25, 0, [7.1e6, 0, 0], [0, 7800, 0])
  relaunch(world, 28, 0, [7.1e6, 0, 1e6], [0, 7500, 0])
  relaunch(world, 23, 0, [7e6, 0, 0], [0, 7546, 0])
  relaunch(world, 21, 0, [7e6, 2e5, 0], [-210, 7543, 0])
  relaunch(world, 270, 0, [6.371e6 + 4e5, 0, 0], [-90, 7300, 0])
  for (const slot of [5, 17, 260]) loadShip(world.flight, slot, index, { payload: 3210.7 })
  loadShip(world.flight, 21, index, { payload: 0, thrust: 0.3 })
  return world
}

function rule(condition: RuleCondition, order: Control): Rule {
  const name = JSON.stringify(condition)
  return { ruleId: name, name, once: false, armed: true, condition, order, source: '' }
}

applyCommand(world, {
  kind: 'set_rules',
  shipId: entryOf(25).shipId,
  rules: [
    rule({ kind: 'altitude', above: 9e5 }, { thrustLevel: 0.01, pointing: 'prograde' }),
    rule({ kind: 'altitude', below: 8e5 }, { thrustLevel: 0 }),
    rule(
      { kind: 'distance', above: 1.5e6, ship: numberIn(28) },
      { pointing: 'target', target: numberIn(28) },
    ),
  ],
})
accept(262, { pointing: 'target', target: numberIn(19), thrustLevel: 0.01 })
await fly(world.index + 3333)

function accept(slot: number, control: Control, shown = world.index): void {
  acceptControl(world.intake, entryOf(slot), control, shown, world.settled)
}

function entryOf(slot: number) {
  return [...world.roster.byId.values()].find((entry) => entry.slot === slot)!
}

function numberIn(slot: number): number {
  return entryOf(slot).number
}

function predicted(request: Omit<PredictionRequest, 'shipId'>, slot: number): Prediction {
  const { shipId } = entryOf(slot)
  const task = predictionTask(universeOf(world), { shipId, ...request })
  return flownAhead(structuredClone(task))
}

async function fly(to: number): Promise<void> {
  completeNear(world, to)
  writeOrders(world.intake, world.roster, world.state, to)
  for (const round of rounds(world, world.index, to, () => undefined)) {
    await callingThread(world).advance([round])
  }
  world.index = to
  world.settled = to
}

/** Every record with its body, by index. */
function recordsOf({ legs }: Prediction): [body: string, record: Float64Array][] {
  return legs.flatMap(({ body, records }) =>
    Array.from({ length: records.length / RECORD_DOUBLES }, (_, i): [string, Float64Array] => [
      body,
      records.subarray(i * RECORD_DOUBLES, (i + 1) * RECORD_DOUBLES),
    ]),
  )
}

/** State of a ship as published, as a record with its body. */
function flownRecord(slot: number): [string, Float64Array] {
  const at = createStateVector()
  const { state, index } = world
  segmentState(at, state.ships, slot, shipClassOf(state, slot), index, 0)
  const body = state.system.bodies[state.ships.reference[slot]].name
  return [body, Float64Array.of(index, ...at.r, ...at.v)]
}

const predictions = new Map<number, Prediction>()
/** What the flight found where records are. */
const found = new Map<string, [string, Float64Array]>()
await flyAllCases()

async function flyAllCases(): Promise<void> {
  for (const { slot, waiting = [] } of CASES) for (const order of waiting) accept(slot, order)
  for (const { slot, supposed = [] } of CASES) {
    const orders = supposed.map(([after, control]) => ({ after, control }))
    predictions.set(slot, predicted({ seconds: SECONDS, orders }, slot))
  }
  const now = world.index
  for (const { slot, supposed = [] } of CASES) {
    for (const [after, control] of supposed) accept(slot, control, now + 1 + 64 * after)
  }
  const indices = [...predictions.values()].flatMap((prediction) =>
    recordsOf(prediction).map(([, [index]]) => index),
  )
  for (const index of new Set(indices.toSorted((a, b) => a - b))) {
    // An impact is seen on the step before it.
    if (index > world.index) await fly(index)
    for (const { slot } of CASES) found.set(`${slot} ${index}`, flownRecord(slot))
  }
}

it.each(CASES)('a ship that $name flies as predicted', ({ slot }) => {
  const prediction = predictions.get(slot)!
  const records = recordsOf(prediction)
  const isLast = (i: number): boolean => i === records.length - 1
  for (const [i, [body, record]] of records.entries()) {
    // The flight has no record of the old body where legs meet, and none after an impact.
    if (records[i + 1]?.[1][0] === record[0]) continue
    if (isLast(i) && prediction.end === 'impact') continue
    expect([i, body, record]).toEqual([i, ...found.get(`${slot} ${record[0]}`)!])
  }
  expect(records.length).toBeGreaterThan(20)
  expect(records.length).toBeLessThanOrEqual(RECORDS_MAX)
})

it('marks what happens on the way', () => {
  const kinds = (slot: number) => predictions.get(slot)!.marks.map(({ kind }) => kind)
  expect(kinds(3).filter((kind) => kind.endsWith('apsis')).length).toBeGreaterThanOrEqual(2)
  expect(kinds(260)).toEqual(expect.arrayContaining(['burn_begin', 'burn_end', 'locked']))
  expect(kinds(7)).toEqual(expect.arrayContaining(['sighted', 'locked', 'burn_begin']))
  expect(kinds(25)).toEqual(expect.arrayContaining(['rule', 'sighted', 'burn_begin', 'burn_end']))
  expect(predictions.get(9)!.marks).toContainEqual(
    expect.objectContaining({ kind: 'sphere', fromBody: 'Moon', body: 'Globe' }),
  )
  const fall = predictions.get(270)!
  expect(fall.end).toBe('impact')
  expect(fall.marks.at(-1)).toMatchObject({ kind: 'impact', body: 'Globe', index: fall.to })
})

it('marks the phases of a maneuver and its end', () => {
  const marksOf = (slot: number) => predictions.get(slot)!.marks
  const phases = marksOf(11).flatMap((mark) => mark.phase ?? [])
  expect(phases).toEqual(expect.arrayContaining(['turning', 'burning']))
  const completed = expect.objectContaining({ kind: 'maneuver_completed' })
  expect(marksOf(17)).toContainEqual(completed)
})

it('counts fuel and Δv', () => {
  const { deltaV, fuel, marks } = predictions.get(5)!
  expect(fuel).toBe(0)
  const { dryMass, exhaustVelocity, fuelCapacity } = shipClassOf(world.state, 5)
  expect(deltaV).toBeCloseTo(exhaustVelocity * Math.log(1 + fuelCapacity / dryMass), 6)
  const burns = marks.flatMap((mark) => mark.deltaV ?? [])
  expect(burns).toEqual([deltaV])
})

const bad: [string, Partial<PredictionRequest>][] = [
  ['ERR_PREDICTION', { seconds: Number.NaN }],
  ['ERR_PREDICTION', { seconds: 0 }],
  ['ERR_PREDICTION', { seconds: 15 * 24 * HOURS }],
  ['ERR_PREDICTION', { orders: [{ after: -1, control: CUT }] }],
  ['ERR_PREDICTION', { orders: [{ after: HOURS + 1, control: CUT }] }],
  ['ERR_PREDICTION', { orders: Array.from({ length: 17 }, () => ({ after: 0, control: CUT })) }],
  ['ERR_CONTROL', { orders: [{ after: 0, control: { thrustLevel: 1.1 } }] }],
  ['ERR_BODY_UNKNOWN', { target: { body: 'Nibiru' } }],
  ['ERR_SHIP_UNKNOWN', { target: { shipId: 'no ship' } }],
  ['ERR_SHIP_UNKNOWN', { shipId: 'no ship' }],
]

it.each(bad)('refuses with %s: %j', (code, request) => {
  const whole = { shipId: 'ship-3', seconds: HOURS, ...request }
  expect(() => predictionTask(universeOf(world), whole)).toThrow(expect.objectContaining({ code }))
})

it('changes nothing of the world', () => {
  const before = imageOf(universeOf(world))
  for (const { slot, supposed = [] } of CASES) {
    const orders = supposed.map(([after, control]) => ({ after, control }))
    predicted({ seconds: HOURS, orders }, slot)
  }
  expect(imageOf(universeOf(world))).toEqual(before)
})

it('ends where the massive bodies are not computed yet', () => {
  const { end, from, to } = predicted({ seconds: 14 * 24 * HOURS }, 3)
  expect(end).toBe('ephemeris')
  expect(to - from).toBeGreaterThan(23 * HOURS * 64)
})

it('waits for the massive bodies of a new world, or refuses with a time to ask again', async () => {
  const { engine, world: ticked } = testEngine()
  addShip(ticked, 'one', 'One')
  const soon = new Foresight(engine).reach({ shipId: 'one', seconds: 14 * 24 * HOURS }, 0)
  await expect(soon).rejects.toMatchObject({
    code: 'ERR_HORIZON',
    message: expect.stringMatching(/again in 5 s/),
  })
  const predictor = createPredictor(engine, (error) => expect.fail(String(error)))
  const request = { shipId: 'one', seconds: 48 * HOURS }
  expect(await predictor.predict(request, '::1')).toMatchObject({ end: 'asked' })
  await predictor.close()
  await engine.stop()
})

it('a thread predicts, one trajectory of a ship at a time', async () => {
  const { engine, world: ticked } = testEngine()
  addShip(ticked, 'one', 'One')
  addShip(ticked, 'other', 'Other')
  const predictor = createPredictor(engine, (error) => expect.fail(String(error)))
  const request = { shipId: 'one', seconds: HOURS }
  const first = predictor.predict(request, '::1')
  await expect(predictor.predict(request, '::1')).rejects.toMatchObject({
    code: 'ERR_PREDICTIONS_PENDING',
  })
  const other = await predictor.predict({ ...request, shipId: 'other' }, '::1')
  const alone = flownAhead(predictionTask(engine.universe, request))
  expect(await first).toEqual({ ...alone, modulesLeftOut: [] })
  expect(other.shipId).toBe('other')
  await expect(predictor.predict({ ...request, seconds: 0 }, '::1')).rejects.toThrow('0 s')
  expect(await predictor.predict(request, '::1')).toMatchObject({ end: 'asked' })
  await predictor.close()
  await engine.stop()
})

it('what runs or waits when it closes is refused as at a stop', async () => {
  const { engine, world: ticked } = testEngine()
  while (extendHorizon(ticked));
  const ids = ['one', 'two']
  for (const id of ids) addShip(ticked, id, id)
  const predictor = createPredictor(engine, (error) => expect.fail(String(error)))
  const asked = ids.map((shipId) =>
    predictor.predict({ shipId, seconds: 14 * 24 * HOURS }, '::1').catch(codeOf),
  )
  await engine.whenSettled(() => undefined)
  await predictor.close()
  expect(await Promise.all(asked)).toEqual(['ERR_STOPPED', 'ERR_STOPPED'])
  const late = predictor.predict({ shipId: 'one', seconds: HOURS }, '::1')
  expect(await late.catch(codeOf)).toBe('ERR_STOPPED')
  await engine.stop()
})

const codeOf = (error: unknown): unknown => Object(error).code

/** Of the predictions beside which short ones are answered [s]. */
const LONG = byTier({ gate: 8, night: 24 }) * HOURS

it('long predictions keep no short one waiting; an address has sixteen at most', async () => {
  const { engine, world: ticked } = testEngine()
  while (extendHorizon(ticked));
  const ids = Array.from({ length: 20 }, (_, i) => `ship-${i}`)
  for (const id of ids) addShip(ticked, id, id)
  addShip(ticked, 'honest', 'Honest')
  const predictor = createPredictor(engine, (error) => expect.fail(String(error)))
  const short = { shipId: 'honest', seconds: 2 * HOURS }
  // A thread takes longer to start than all of the long predictions to make.
  await predictor.predict(short, '192.0.2.2')
  const ended: string[] = []
  const long = ids.map((shipId) =>
    predictor
      .predict({ shipId, seconds: LONG }, '192.0.2.1')
      .then(() => void ended.push(shipId), codeOf),
  )
  for (const address of ['192.0.2.2', '192.0.2.1']) {
    const { end } = await predictor.predict(short, address)
    expect(end).toBe('asked')
  }
  // The first may be over; the line of the others is not.
  expect(ended.length).toBeLessThan(ids.length / 2)
  const refused = (await Promise.all(long)).filter(Boolean)
  expect(new Set(refused)).toEqual(new Set(['ERR_PREDICTIONS_PENDING']))
  expect(refused).toHaveLength(4)
  await predictor.close()
  await engine.stop()
})
