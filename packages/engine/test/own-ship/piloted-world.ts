/** A small star system whose ships are flown by their pilots' clients too, over a slow wire. */
import { createShipSample } from '@orrery/client/flight'
import { type OwnOrder, type OwnPlace, OwnShip } from '@orrery/client/own-ship'
import { type Seed, readSeed } from '@orrery/client/seed'
import { type World, addShip, applyCommand, shipSeed } from '@orrery/engine/testing'
import {
  type BurnNode,
  type Control,
  type StagePlace,
  NODE_QUANTA,
  anchorAt,
  attachEphemeris,
  createIntegration,
  createRails,
  createStateVector,
  ephemerisLength,
  extendEphemeris,
  flyTo,
  loadShip,
  plainControl,
  segmentState,
  shipClassOf,
  shipCheck,
  writeRail,
  writtenOrder,
} from '@orrery/sim'
import { steerShip } from '../../src/commands/steering.ts'
import { writeOrders } from '../../src/world/intake.ts'
import { EngineError } from '../../src/engine-error.ts'
import { removeShip } from '../../src/objects/fleet.ts'
import { type RosterEntry, placesIn } from '../../src/world/roster.ts'
import { completeNear } from '../../src/world/world.ts'
import { relaunch } from '../busy-world.ts'
import { START_INDEX } from '../globe.ts'
import { beside, stationWorld } from '../objects/station-world.ts'
import { CLASSES } from '../tug.ts'

/** Quanta between two published indices: 1 Hz. */
export const TICK = 64

/** The client's clock leads the server's by so much [quanta]. */
export const LEAD = 24

/** What is the same for every ship's client. */
export function placeOf({ flight, integration, state, stations }: World): OwnPlace {
  const { classes, system } = state
  // As a server sends it: some nodes back, to be integrated on here.
  const start = anchorAt(integration, Math.floor(START_INDEX / NODE_QUANTA))
  const nodes = new Float64Array(ephemerisLength(system, 64))
  const ephemeris = attachEphemeris(system, nodes, new Float64Array(2))
  const own = createIntegration(system, start)
  const rails = createRails()
  for (const { row, rail } of stations.values()) writeRail(rails, row, rail)
  const place: StagePlace = { ephemeris, rails, territory: flight.territory, classes }
  return {
    ...place,
    reach: (time) => {
      extendEphemeris(own, ephemeris, Math.max(own.head.node, Math.floor(time / NODE_QUANTA) + 2))
      return true
    },
  }
}

/** As it is read from a frame. */
export function seedOf(world: World, entry: RosterEntry): Seed {
  const blocks = Object.entries(shipSeed(world, entry))
    .filter(([, { count }]) => count > 0)
    .map(([name, { count, columns }]) => ({ name, rows: count, columns }))
  const known = { bodies: 2, classes: world.state.classes.length }
  const seed = readSeed(blocks as unknown as Parameters<typeof readSeed>[0], known)
  if (typeof seed !== 'object') throw new Error(`${entry.shipId} has no seed: ${seed}`)
  return seed
}

/** What the server answers to an order, when it gets to the client. */
interface Answer {
  readonly at: number
  readonly own: OwnOrder
  /** undefined for a refused one */
  readonly index: number | undefined
}

/** A check of the server, when it gets to the client. */
interface Check {
  readonly at: number
  readonly start: number
  readonly check: Uint32Array
}

/** A ship, its pilot's client, and what is on its way between the client and the server. */
export class Piloted {
  readonly entry: RosterEntry
  readonly #world: World
  own: OwnShip
  /** of all orders and seeds [m] */
  readonly corrections: number[] = []
  readonly verdicts: string[] = []
  refused = 0
  /** client's time when it docked */
  #dockedAt = Infinity
  /** orders that act at another index than they were sent for */
  moved = 0
  /** published states that differ from what was shown at that index */
  wrong = 0
  #uplink: { at: number; own: OwnOrder; control: Control; wanted: number }[] = []
  #answers: Answer[] = []
  #checks: Check[] = []
  readonly #shown = new Map<number, string>()

  constructor(world: World, place: OwnPlace, entry: RosterEntry) {
    this.#world = world
    this.entry = entry
    this.own = new OwnShip(place, seedOf(world, entry))
  }

  /**
   * The pilot orders something at the client's time, which the server has so much later; returns
   * whether the ship takes it.
   */
  order(control: Control, clock: number, delay: number): boolean {
    // What docked ships refuse, and others; the server sees that later.
    const isDocked = clock - this.#dockedAt > LEAD + TICK
    if (this.own.isDocked !== isDocked || (control.undock ?? false) !== isDocked) return false
    const places = { ...placesIn(this.#world.roster), slotOf: () => -1 }
    const row = writtenOrder(plainControl(control), places)
    const own = this.own.order(row, Math.floor(clock / 4) * 4)
    // Messages do not overtake each other.
    const at = Math.max(clock - LEAD + delay, this.#uplink.at(-1)?.at ?? 0)
    this.#uplink.push({ at, own, control, wanted: own.index })
    return true
  }

  /** Takes what has arrived at the server's time. */
  serve(shown: number): void {
    const due = this.#uplink.filter(({ at }) => at <= shown)
    this.#uplink = this.#uplink.filter(({ at }) => at > shown)
    for (const { own, control, wanted } of due) {
      let index: number | undefined
      try {
        index = steerShip(this.#world, this.entry, control, shown, wanted).index
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        this.refused++
      }
      if (index !== undefined && index !== wanted) this.moved++
      this.#answers.push({ at: shown + 30, own, index })
    }
  }

  /** Sends a check of the ship as published. */
  sendCheck(shown: number): void {
    const check = new Uint32Array(2)
    shipCheck(check, this.#world.state, this.entry.slot)
    const start = this.#world.state.ships.stepStart[this.entry.slot]
    this.#checks.push({ at: shown + 12, start, check })
  }

  /** Takes what has arrived at the client, and shows the ship there. */
  show(clock: number): void {
    const shown = clock - LEAD
    for (const { own, index } of this.#answers.filter(({ at }) => at <= shown)) {
      const metres = this.own.settle(own, index)
      if (index !== undefined) this.corrections.push(metres)
    }
    this.#answers = this.#answers.filter(({ at }) => at > shown)
    const later: Check[] = []
    for (const one of this.#checks) {
      const verdict = one.at <= shown ? this.own.verify(one.start, one.check) : 'early'
      if (verdict === 'early') later.push(one)
      else this.verdicts.push(verdict)
    }
    this.#checks = later
    const state = createShipSample()
    if (!this.own.stateAt(state, clock)) throw new Error(`${this.entry.shipId} is not flown`)
    this.#dockedAt = this.own.isDocked ? Math.min(this.#dockedAt, clock) : Infinity
    if (clock % TICK === 0) this.#shown.set(clock, [...state.r, ...state.v].join())
  }

  /** Compares what was shown with what is published. */
  compare(): void {
    const { index, state } = this.#world
    const found = this.#shown.get(index)
    this.#shown.delete(index)
    if (found === undefined) return
    const { slot } = this.entry
    segmentState(now, state.ships, slot, shipClassOf(state, slot), index, 0)
    if (found !== [...now.r, ...now.v].join()) this.wrong++
  }

  /** The server's ship at once, as after a difference. */
  reseed(): number {
    return this.own.reseed(seedOf(this.#world, this.entry))
  }
}

const now = createStateVector()

/** Flies the server's ships to an index, and publishes it. */
export function tick(world: World, to: number): void {
  completeNear(world, to)
  world.settled = to
  writeOrders(world.intake, world.roster, world.state, to)
  flyTo(world.flight, world, world.index, to, () => undefined)
  world.index = to
}

/** Ships in every mode, some time after they were ordered into it; in two chunks. */
export function modesWorld(): { readonly world: World; readonly ships: RosterEntry[] } {
  const world = stationWorld()
  const ships = MODES.map(([mode], i) => {
    if (i === 5) fillChunk(world)
    return added(world, mode)
  })
  for (const entry of world.roster.byId.values()) {
    if (entry.name === FILLER) removeShip(world, entry, 'test')
  }
  const order = (isTurn: boolean): void => {
    for (const [i, [mode, control]] of MODES.entries()) {
      if (control && TURNS.has(mode) === isTurn) steerShip(world, ships[i], control, world.index)
    }
  }
  order(false)
  tick(world, START_INDEX + 70 * TICK)
  // A turn takes some seconds only.
  order(true)
  tick(world, START_INDEX + 77 * TICK)
  for (const { slot } of ships) {
    const load = { payload: 777.7 * slot, thrust: slot % 2 === 0 ? 1 : 0.45 }
    loadShip(world.flight, slot, world.index, load)
  }
  return { world, ships }
}

function added(world: World, mode: string): RosterEntry {
  if (mode === 'docked' || mode === 'holding') return beside(world, mode, 'low')
  const entry = addShip(world, mode, mode, CLASSES[mode.length % 2].name)
  const { slot } = entry
  if (mode === 'falling') relaunch(world, slot, 0, [6.371e6 + 3e5, 0, 0], [-900, 5000, 0])
  if (mode === 'leaving') relaunch(world, slot, 1, [1.69e7, 0, 9], [1500, 20, 0])
  if (mode === 'ruled') {
    relaunch(world, slot, 0, [7.1e6, 0, 0], [900, 7300, 0])
    setRules(world, mode)
  }
  return entry
}

const FILLER = 'Filler'

/** Ships to come are then in another chunk, with another phase. */
function fillChunk(world: World): void {
  for (let i = 0; i < 256; i++) addShip(world, `filler-${i}`, FILLER)
}

const TURNS = new Set(['thrusting', 'turning'])

const DOCK: Control = {
  maneuver: { maneuver: 'dock', stationId: 'low', timeout: 1e6, params: [] },
}

/** The first while ships are looked at, the second some time later. */
function burns(): BurnNode[] {
  const timed = { index: START_INDEX + 130 * TICK + 5, anchor: 'center', throttle: 0.5 } as const
  return [
    { ...timed, frame: 'prograde', body: 1, vector: [40, 3, 0] },
    { ...timed, index: START_INDEX + 900 * TICK, pointing: 'normal', seconds: 8 },
  ]
}

const MODES: readonly (readonly [mode: string, control?: Control])[] = [
  ['coasting'],
  ['thrusting', { thrustLevel: 0.3, pointing: 'prograde' }],
  ['turning', { attitude: [1, 0.4, -0.2, 0.3], unloading: false }],
  ['spinning', { angularRate: [0.01, -0.02, 0.005] }],
  ['tumbling', { pointing: 'loose' }],
  ['burning', { thrustLevel: 0.6, seconds: 100 }],
  ['aiming', { pointing: 'target', stationId: 'far' }],
  ['docked', DOCK],
  [
    'holding',
    { maneuver: { maneuver: 'hold_station', stationId: 'low', timeout: 1e6, params: [] } },
  ],
  ['maneuvering', { maneuver: { maneuver: 'set_orbit', timeout: 1e6, params: [8e6, 0.01, -2] } }],
  ['ruled'],
  ['falling'],
  ['leaving'],
  ['planned', { maneuver: { maneuver: 'plan', timeout: 1e6, params: [], nodes: burns() } }],
]

function setRules(world: World, shipId: string): void {
  const rest = { once: false, armed: true, source: '' }
  applyCommand(world, {
    kind: 'set_rules',
    shipId,
    rules: [
      {
        ...rest,
        ruleId: 'high',
        name: 'High',
        condition: { kind: 'altitude', above: 9e5 },
        order: { thrustLevel: 0.2, pointing: 'retrograde' },
      },
      {
        ...rest,
        ruleId: 'near',
        name: 'Near',
        condition: { kind: 'altitude', below: 8.5e5 },
        order: { thrustLevel: 0, pointing: 'normal' },
      },
      { ...rest, ruleId: 'end', name: 'End', condition: { kind: 'fuel', below: 0.97 } },
    ],
  })
}
