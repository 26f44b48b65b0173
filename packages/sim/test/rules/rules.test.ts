/**
 * Laws of rules: a rule fires at the first beat at which its condition holds and did not at the
 * beat before, whatever the ticks, and wherever its thread is stopped; what it does can make
 * another fire at the next beat at the earliest.
 */
import {
  BEAT_QUANTA,
  type Flight,
  type RoundsOf,
  type ShipEvent,
  type ShipKernel,
  advanceChunk,
  createFlight,
  createIntegration,
  createMassiveState,
  createStateVector,
  flyTo,
  rounds,
  segmentFraction,
  segmentFuel,
  segmentState,
  shipKernel,
  takeEvents,
} from '@orrery/sim'
import { createChance } from '@orrery/testkit/chance'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { GM, RADIUS, launchAt, twoBodyFlight } from '../field/two-body-field.ts'
import { type TestRule, setRules } from './rule-fixture.ts'

const SECONDS = 3200
const END = 64 * SECONDS
const RADIUS_MAX = 7.2e6

const RULES: readonly TestRule[] = [
  { kind: 'altitude', above: 8.32e5 },
  { kind: 'altitude', below: 7e5, target: 'body' },
  { kind: 'distance', below: 6.9e6, once: true, thrustLevel: 0.2, pointing: 'prograde' },
  { kind: 'speed', above: 7600 },
  { kind: 'fuel', below: 0.95, thrustLevel: 0 },
  { kind: 'apsis', above: 0 },
  { kind: 'apsis', below: 0 },
  { kind: 'time', above: 64 * 777 - 20 },
  { kind: 'distance', above: 2e5, target: 'ship', ship: 256, once: true },
  { kind: 'speed', above: 190, target: 'ship', ship: 256, once: true },
]

/** Lattice index at which the rules are given, within a step and between two beats. */
const BEGIN = 672

interface Ruled {
  readonly flight: Flight
  readonly world: RoundsOf
  readonly events: ShipEvent[]
  readonly digests: string[]
}

/** Two ships near their apoapsis; the first has rules, two of which watch the other. */
function ruled(): Ruled {
  const flight = twoBodyFlight(SECONDS + 64)
  const { state } = flight
  const speed = 0.97 * Math.sqrt(GM / RADIUS_MAX)
  launchAt(flight, 0, [RADIUS_MAX, 0, 0], [100, speed, 0])
  launchAt(flight, 256, [RADIUS_MAX, 1e4, 2e4], [0, speed, -130])
  for (const slot of [0, 256]) state.ships.shipNumber[slot] = slot + 1
  const integration = createIntegration(state.system, createMassiveState(1))
  const world = { state, integration, since: 0 }
  const made = { flight, world, events: [], digests: [] }
  fly(made, 0, BEGIN)
  setRules(flight, 0, RULES, BEGIN)
  return made
}

function fly({ flight, world, events, digests }: Ruled, from: number, to: number): void {
  flyTo(flight, world, from, to, ({ digest }) => digests.push(digest))
  events.push(...takeEvents(world.state).events)
}

function outcome({ events, digests, world }: Ruled): object {
  const { position, velocity, fuel, attitude, ruleArmed, ruleHeld } = world.state.ships
  const end = [position, velocity, fuel, attitude, ruleArmed, ruleHeld].join(';')
  return { events, digests, end }
}

function flown(tickQuanta: number): object {
  const made = ruled()
  for (let n = BEGIN; n < END; n += tickQuanta) fly(made, n, Math.min(END, n + tickQuanta))
  return outcome(made)
}

it('fires at the same beats with the same bits in ticks of any length', () => {
  const whole = ruled()
  fly(whole, BEGIN, END)
  const fired = whole.events.filter(({ kind }) => kind === 'rule')
  const bits = fired.reduce((all, { distance }) => all | distance, 0)
  expect(bits.toString(2), 'each rule has fired').toBe('1'.repeat(RULES.length))
  expect(whole.world.state.ships.fuel[0] / whole.flight.state.classes[0].fuelCapacity).toBeCloseTo(
    0.95,
    2,
  )
  for (const tick of byTier({ gate: [149], night: [37, 640] })) {
    expect(flown(tick), `ticks of ${tick} quanta`).toEqual(outcome(whole))
  }
})

it('fires with the same bits when its thread is stopped in any call to the kernel', () => {
  const whole = ruled()
  const end = byTier({ gate: END / 4, night: END })
  fly(whole, BEGIN, end)
  for (const seed of byTier({ gate: [1], night: [1, 2] })) {
    const stopped = ruled()
    const chance = createChance(seed)
    let stopCount = 0
    const stops = (): void => {
      if (chance.share() > 0.1) return
      stopCount++
      throw new Error('stopped')
    }
    for (let n = BEGIN; n < end; n += 6400) {
      flyStopped(stopped, stops, n, Math.min(end, n + 6400))
    }
    expect(stopCount).toBeGreaterThan(100)
    expect(outcome(stopped), `seed ${seed}`).toEqual(outcome(whole))
  }
})

/** Flies on after each stop with fresh scratch, as a pool does. */
function flyStopped(made: Ruled, stops: () => void, from: number, to: number): void {
  const { flight, world, digests, events } = made
  const { state } = world
  const rest = { ...shipKernel }
  const kernel: ShipKernel = {
    pull: (...given) => (stops(), rest.pull(...given)),
    place: (...given) => (stops(), rest.place(...given)),
    step: (...given) => (stops(), rest.step(...given)),
    bounds: (...given) => (stops(), rest.bounds(...given)),
    turn: (...given) => (stops(), rest.turn(...given)),
  }
  const thread = (): Flight => createFlight(state, flight.territory, kernel)
  let flying = thread()
  for (const { target } of rounds(world, from, to, ({ digest }) => digests.push(digest))) {
    for (const chunk of [0, 1]) {
      for (let done = false; !done;) {
        try {
          advanceChunk(flying, chunk, target)
          done = true
        } catch (error) {
          if (String(error) !== 'Error: stopped') throw error
          flying = thread()
        }
      }
    }
  }
  events.push(...takeEvents(state).events)
}

it('fires where the trajectory as flown says, rule by rule', () => {
  const made = ruled()
  const { state } = made.world
  const [ship] = state.classes
  const at = createStateVector()
  const other = createStateVector()
  const held: boolean[][] = []
  /** The conditions of `RULES` on the open steps at n, which is a beat or where rules begin. */
  const conditions = (n: number): boolean[] => {
    segmentState(at, state.ships, 0, ship, n, 0)
    segmentState(other, state.ships, 256, ship, n, 0)
    const distance = Math.hypot(...at.r)
    const speed = Math.hypot(...at.v)
    const climb = at.r[0] * at.v[0] + at.r[1] * at.v[1] + at.r[2] * at.v[2]
    const fuel = segmentFuel(state.ships, 0, segmentFraction(state.ships, 0, n, 0))
    const between = Math.hypot(...at.r.map((x, axis) => x - other.r[axis]))
    const closing = Math.hypot(...at.v.map((x, axis) => x - other.v[axis]))
    return [
      distance - RADIUS >= 8.32e5,
      distance - RADIUS <= 7e5,
      distance <= 6.9e6,
      speed >= 7600,
      fuel / ship.fuelCapacity <= 0.95,
      climb >= 0,
      climb <= 0,
      n >= 64 * 777 - 20,
      between >= 2e5,
      closing >= 190,
    ]
  }
  held.push(conditions(BEGIN))
  // A ship that is not seen yet counts as if the condition held.
  held[0][8] = true
  held[0][9] = true
  const expected: [number, number][] = []
  const first = BEAT_QUANTA * Math.ceil(BEGIN / BEAT_QUANTA)
  fly(made, BEGIN, first - 1)
  for (let beat = first; beat <= END; beat += BEAT_QUANTA) {
    // The open steps before the beat are not cut yet.
    const now = conditions(beat)
    const before = held[held.length - 1]
    let bits = 0
    for (const [place, holds] of now.entries()) {
      const isSpent = RULES[place].once && expected.some(([, fired]) => (fired & (1 << place)) > 0)
      if (holds && !before[place] && !isSpent) bits += 2 ** place
    }
    if (bits > 0) expected.push([beat, bits])
    held.push(now)
    fly(made, beat - 1, Math.min(END, beat + BEAT_QUANTA - 1))
  }
  const fired = made.events.filter(({ kind }) => kind === 'rule')
  expect(fired.map(({ index, distance }) => [index, distance])).toEqual(expected)
})

it('lets what a rule does fire another at the next beat, and each once per beat', () => {
  const made = ruled()
  // The tank is full when they are given, so the last one holds already.
  const chain: TestRule[] = [
    { kind: 'time', above: BEGIN + 200, thrustLevel: 1 },
    { kind: 'fuel', below: 0.9999, thrustLevel: 0 },
    { kind: 'fuel', below: 1, thrustLevel: 1 },
  ]
  setRules(made.flight, 0, chain, BEGIN)
  fly(made, BEGIN, END)
  const beat = BEAT_QUANTA * Math.ceil((BEGIN + 200) / BEAT_QUANTA)
  const fired = made.events.filter(({ kind }) => kind === 'rule')
  expect(fired.map(({ index, distance }) => [index, distance])).toEqual([
    [beat, 1],
    [beat + BEAT_QUANTA, 2],
  ])
})
