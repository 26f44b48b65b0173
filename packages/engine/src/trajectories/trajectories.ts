import {
  CHUNK_SLOTS,
  EMPTY,
  POWERED_QUANTA,
  isPowered,
  type ARC_COLUMNS,
  HULL_COLUMNS,
  type ColumnViews,
} from '@orrery/sim'
import { hasBroken } from '../image/image.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { type HullRows, isCovered, readHull, restsAsSent } from './hull-record.ts'
import { type MassiveAnchor, massiveAnchor } from './massive-anchor.ts'
import { type Ships, createOpenStep, readOpenStep } from './open-step.ts'
import { type ShipCheck, type ShipSeed, ownShipCheck, shipSeed } from './own-ship.ts'
import { Publication } from './publication.ts'
import { addBurn, addStep, copyHull, writeArc } from './records.ts'
import { Rehearsals } from './rehearsals.ts'
import { table } from './rows.ts'
import { SentSteps } from './sent-steps.ts'
import { type Whereabouts, whereabouts } from './whereabouts.ts'

const AHEAD_SHIPS_MAX = 64

/** What a ship does until a step begins that has been sent already. */
interface Meanwhile {
  /** lattice index at which its open step begins */
  readonly start: number
  /** one row: its hull as it was sent before */
  readonly hull: HullRows
}

/** What a client without modules cannot foresee of its ship, and the text of it. */
interface Unforeseen {
  readonly payload: number
  readonly cut: number
  readonly ruled: number
  readonly text: string
}

const step = createOpenStep()
const fresh = table(HULL_COLUMNS, 1)

/**
 * What has to be sent of the ships of one world, so that clients can evaluate their trajectories:
 * a record of each step when it begins. To be used while no tick runs.
 */
export class Trajectories {
  /** by slot: the last publication with a record */
  readonly changedAt: Uint32Array
  /** by slot: the one before it, on whose record one of a step or burn builds */
  readonly changedBefore: Uint32Array
  readonly #world: World
  /** by slot: 1 from when a client was sent its ship */
  readonly #followed: Uint8Array
  readonly #steps: SentSteps
  readonly #hulls: HullRows
  readonly #publication: Publication
  readonly #changed = new Int32Array(CHUNK_SLOTS)
  readonly #shipsBefore: Int32Array
  /** slots whose open step began at the published index, where it can still be changed */
  #recent: number[] = []
  readonly #expected = new Map<number, Meanwhile>()
  readonly #rehearsals: Rehearsals
  /** by slot, since a text that is asked for each tick is nearly always the same */
  readonly #unforeseen = new Map<number, Unforeseen>()

  /**
   * Begins with the open steps of the ships it follows and that are shown as if they were sent in
   * one more publication.
   *
   * @param publication  number of the last one of this star system; 0 before the first
   * @param isWhole      whether it follows every ship, as in `publish`
   */
  constructor(world: World, publication: number, isWhole = true) {
    const { chunks, slots } = world.state
    this.#world = world
    this.#rehearsals = new Rehearsals(world)
    this.changedAt = new Uint32Array(slots)
    this.changedBefore = new Uint32Array(slots)
    this.#followed = new Uint8Array(slots)
    this.#steps = new SentSteps(slots)
    this.#hulls = table(HULL_COLUMNS, slots)
    this.#shipsBefore = new Int32Array(chunks)
    this.#publication = new Publication(publication)
    this.#publication.begin(world.index)
    if (!isWhole) return
    // A held ship is published once it is shown.
    for (const { slot } of world.roster.byId.values()) if (!this.#isHeld(slot)) this.#follow(slot)
  }

  /** The last publication. */
  get publication(): Publication {
    return this.#publication
  }

  /** Ships that `ahead` flies at a time. */
  get aheadMax(): number {
    return AHEAD_SHIPS_MAX
  }

  /** By slot: ships whose last record begins later than their open step. */
  get expected(): ReadonlyMap<number, unknown> {
    return this.#expected
  }

  /** A ship at the published index, by which a client flies it itself. */
  seed(ship: RosterEntry): ShipSeed {
    return shipSeed(this.#world, ship)
  }

  /**
   * What a client does not know that flies it from its last seed, as a text that changes with it.
   *
   * @param runs  ids of the modules that it runs
   */
  unforeseen({ slot }: RosterEntry, runs: readonly string[]): string {
    const { modules, state } = this.#world
    const ruled = modules?.rules.interventions(slot) ?? 0
    if (modules && runs.length > 0) return `${modules.unforeseen(slot, runs)} ${ruled}`
    const payload = state.ships.payload[slot]
    const cut = state.ships.thrustCut[slot]
    const last = this.#unforeseen.get(slot)
    if (last?.payload === payload && last.cut === cut && last.ruled === ruled) return last.text
    const text = `${payload} ${cut} ${ruled}`
    this.#unforeseen.set(slot, { payload, cut, ruled, text })
    return text
  }

  /** A digest of what such a client should have. */
  check(ship: RosterEntry): ShipCheck {
    return ownShipCheck(this.#world, ship)
  }

  /** The massive bodies before all open steps, by which a client integrates them on. */
  anchor(): MassiveAnchor {
    return massiveAnchor(this.#world)
  }

  /**
   * Makes a record of each ship that it follows whose open step is not the one that was sent.
   *
   * @param isWhole  whether it follows every ship from now on; else those of `arcOf` and `hullOf`
   */
  publish(isWhole = true): Publication {
    const { index, state } = this.#world
    const { chunk, chunks, ships } = state
    this.#publication.begin(index)
    const followed = isWhole ? undefined : this.#followed
    const recent = this.#recent
    this.#recent = []
    for (const slot of this.#expected.keys()) if (!this.#isHeld(slot)) this.#meet(slot)
    for (const slot of recent) {
      if (this.#isHeld(slot)) this.#recent.push(slot)
      else this.#compare(slot)
    }
    for (let c = 0; c < chunks; c++) {
      const isEmpty = chunk.chunkShips[c] === 0 && this.#shipsBefore[c] === 0
      this.#shipsBefore[c] = chunk.chunkShips[c]
      if (isEmpty) continue
      const begin = CHUNK_SLOTS * c
      const count = this.#steps.changed(this.#changed, ships, begin, followed)
      for (let i = 0; i < count; i++) {
        if (!this.#isHeld(this.#changed[i])) this.#update(this.#changed[i])
      }
    }
    return this.#publication
  }

  /**
   * Makes a record of what ships will do by the next order that waits for each, where that acts
   * within the open step. Undefined when there is none.
   *
   * @param shipNumbers  the first `aheadMax` are read
   */
  ahead(shipNumbers: readonly number[]): Publication | undefined {
    const { index, roster } = this.#world
    const { number: before } = this.#publication
    if (hasBroken(this.#world)) return undefined
    for (const shipNumber of shipNumbers.slice(0, AHEAD_SHIPS_MAX)) {
      const entry = roster.byNumber.get(shipNumber)
      if (!entry || this.#isHeld(entry.slot) || !this.#isSent(entry.slot)) continue
      const rehearsal = this.#rehearsals.fly(entry)
      if (!rehearsal) continue
      readOpenStep(step, rehearsal, rehearsal.slot)
      const { slot } = entry
      // Clients keep one record that is to come.
      if (this.#expected.has(slot) && this.#steps.columns.start[slot] !== step.start) continue
      if (this.#publication.number === before) this.#publication.begin(index)
      this.#expect(slot)
      this.#addArc(slot)
      this.#addHull(rehearsal, rehearsal.slot, slot)
      this.#mark(slot)
    }
    return this.#publication.number > before ? this.#publication : undefined
  }

  /** Writes the open step of a ship to a row. */
  arcOf(out: ColumnViews<typeof ARC_COLUMNS>, row: number, slot: number): void {
    if (this.#followed[slot] === 0) this.#follow(slot)
    if (!this.#isSent(slot)) this.#forget(slot)
    readOpenStep(step, this.#world, slot)
    writeArc(out, row, step)
  }

  /** About where each ship is, see `whereabouts`. */
  whereabouts(before: Whereabouts | undefined): Whereabouts {
    return whereabouts(this.#world, before)
  }

  /** Writes attitude and engine of a ship in its open step to a row. */
  hullOf(out: HullRows, row: number, slot: number): void {
    if (this.#followed[slot] === 0) this.#follow(slot)
    const meanwhile = this.#expected.get(slot)
    if (!this.#isSent(slot)) {
      this.#forget(slot)
      readHull(out, row, this.#world, slot)
    } else if (meanwhile) copyHull(out, row, meanwhile.hull, 0)
    else copyHull(out, row, this.#hulls, slot)
  }

  #follow(slot: number): void {
    this.#followed[slot] = 1
    readOpenStep(step, this.#world, slot)
    this.#steps.note(slot, step, false)
    readHull(this.#hulls, slot, this.#world, slot)
    this.#mark(slot)
    if (step.start === this.#world.index) this.#recent.push(slot)
  }

  /** Whether what a ship does is not shown yet. */
  #isHeld(slot: number): boolean {
    const { held, state } = this.#world
    return held.byNumber.size > 0 && held.byNumber.has(state.ships.shipNumber[slot])
  }

  /** Whether clients know the open step of a ship. */
  #isSent(slot: number): boolean {
    const meanwhile = this.#expected.get(slot)
    readOpenStep(step, this.#world, slot)
    if (!meanwhile) return this.#steps.isSent(slot, step)
    const { condition, number } = this.#steps.columns
    if (number[slot] !== step.number || condition[slot] !== step.condition) return false
    return step.start === meanwhile.start
  }

  /** Looks whether a ship is in a step that was sent ahead. */
  #meet(slot: number): void {
    if (this.#isSent(slot)) return
    this.#expected.delete(slot)
    if (this.#isSent(slot)) this.#compare(slot)
    else this.#forget(slot)
  }

  /** Looks whether a ship was changed at the index at which its step began. */
  #compare(slot: number): void {
    if (!this.#isSent(slot)) {
      // Steps that have ended are found in any case.
      if (step.start === this.#steps.columns.start[slot]) this.#forget(slot)
      return
    }
    if (this.#addHull(this.#world, slot, slot)) this.#mark(slot)
    if (step.start === this.#world.index) this.#recent.push(slot)
  }

  /** Lets the next record of a ship be a whole one. */
  #forget(slot: number): void {
    this.#expected.delete(slot)
    this.#steps.columns.start[slot] = NaN
    this.#hulls.number[slot] = 0
  }

  #update(slot: number): void {
    const { index, state } = this.#world
    const { ships } = state
    if (this.#expected.has(slot)) return
    if (ships.condition[slot] === EMPTY) {
      this.#steps.clear(slot)
      this.#hulls.number[slot] = 0
      return
    }
    this.#followed[slot] = 1
    readOpenStep(step, this.#world, slot)
    const link = this.#steps.link(slot, step)
    const isShort = step.end - step.start <= POWERED_QUANTA
    if (link === 'acceleration') {
      addStep(this.#publication.steps, step, index)
      this.#steps.note(slot, step, false)
    } else if (link === 'motion' && isShort && isPowered(ships, slot)) {
      addBurn(this.#publication.burns, step, index)
      this.#steps.note(slot, step, true)
    } else this.#addArc(slot)
    this.#addHull(this.#world, slot, slot)
    this.#mark(slot)
    if (step.start === index) this.#recent.push(slot)
  }

  #addArc(slot: number): void {
    const { arcs } = this.#publication
    const row = arcs.add()
    writeArc(arcs.columns, row, step)
    this.#steps.note(slot, step, false)
  }

  /** Adds a record of a hull in `step`, unless what was sent covers it; returns whether it did. */
  #addHull(from: Ships, fromSlot: number, slot: number): boolean {
    if (restsAsSent(this.#hulls, slot, from, fromSlot)) return false
    readHull(fresh, 0, from, fromSlot)
    if (isCovered(this.#hulls, slot, fresh, 0, step.end)) return false
    const { hulls } = this.#publication
    copyHull(this.#hulls, slot, fresh, 0)
    const row = hulls.add()
    copyHull(hulls.columns, row, fresh, 0)
    return true
  }

  /** Keeps what a ship does until the step in `step`. */
  #expect(slot: number): void {
    if (this.#expected.has(slot)) return
    const hull = table(HULL_COLUMNS, 1)
    copyHull(hull, 0, this.#hulls, slot)
    this.#expected.set(slot, { start: this.#world.state.ships.stepStart[slot], hull })
  }

  #mark(slot: number): void {
    this.changedBefore[slot] = this.changedAt[slot]
    this.changedAt[slot] = this.#publication.number
  }
}

export function createTrajectories(
  ...args: ConstructorParameters<typeof Trajectories>
): Trajectories {
  return new Trajectories(...args)
}
