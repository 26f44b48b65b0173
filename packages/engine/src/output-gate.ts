import type { CommandJournal, CommandRow } from './commands/command-row.ts'
import type { SystemCommand } from './commands/world-command.ts'
import type { ShipNotice } from './views/ship-view.ts'
import { type ShownShip, shownShip } from './views/shown-ship.ts'
import { type HeldShip, heldShip, isListedOtherwise } from './world/held-ships.ts'
import type { PendingControl } from './world/intake.ts'
import type { RosterEntry } from './world/roster.ts'
import { type Universe, findShip, worldNamed } from './world/universe.ts'
import type { WallClock } from './time/wall-clock.ts'
import type { World } from './world/world.ts'

/** Events that are kept of a held ship, the newest. */
const EVENTS_MAX = 64

/** So long a publication waits for commits, and at most so much of the time between two [ms]. */
const WAIT_MS = 10
const PERIOD_SHARE = 0.5

/** A ship as it was shown before a command. */
export interface ShipBefore extends ShownShip {
  readonly world: World
  readonly entry: RosterEntry
}

export interface OutputGateOptions {
  /** holds nothing where it does not know what is durable */
  readonly journal: CommandJournal
  readonly universe: () => Universe
  /** quanta past the published index that are shown */
  readonly offset: () => number
  readonly whenSettled: (act: () => void) => Promise<void>
  readonly onEvent: (event: ShipNotice) => void
  readonly onFault: (error: unknown) => void
}

/**
 * Lets nothing out that depends on a command before that is durable: a ship is shown as it was
 * before, with all that watch it, and its events wait. Nothing that was shown is undone by a crash.
 */
export class OutputGate {
  readonly #options: OutputGateOptions
  /** control commands that have not acted, in the order in which they came */
  readonly #ordered = new WeakMap<World, PendingControl[]>()
  readonly #events = new Map<Readonly<HeldShip>, ShipNotice[]>()
  /** held since the last publication */
  readonly #young = new Set<HeldShip>()
  #waiting: (() => void)[] = []
  #ticksUnshown = 0

  constructor(options: OutputGateOptions) {
    this.#options = options
  }

  get isActive(): boolean {
    return this.#options.journal.durableUpTo !== undefined
  }

  /** Journals a command; what depends on it is shown once it is durable. */
  keep(row: CommandRow): Promise<void> {
    const kept = this.#options.journal.keep(row)
    if (!this.isActive) return kept
    const release = (): void => this.#release()
    return kept.then(release, (error: unknown) => {
      void outcomeOf(error).then(release)
      throw error
    })
  }

  /** Acts between ticks when rows are durable; at once where nothing is held. */
  onceDurable(kept: readonly Promise<void>[], act: () => void): void {
    if (!this.isActive) return act()
    const { onFault, whenSettled } = this.#options
    void Promise.all(kept.map((one) => one.catch(outcomeOf)))
      .then(() => whenSettled(act))
      .catch(onFault)
  }

  /** Ticks that another had overtaken when they were to be published: it published all of them. */
  get ticksUnshown(): number {
    return this.#ticksUnshown
  }

  /** Publishes when what the last flight has changed is durable, or after a while. */
  onceFlown(clock: WallClock, periodMs: number, isLast: () => boolean, publish: () => void): void {
    // What has become durable during the flight.
    this.#release()
    if (this.#young.size === 0) return publish()
    const act = (): void => {
      this.#young.clear()
      if (isLast()) publish()
      else this.#ticksUnshown++
    }
    const { onFault, whenSettled } = this.#options
    const waitMs = Math.min(WAIT_MS, PERIOD_SHARE * periodMs)
    const late = new Promise<void>((resolve) => void clock.after(waitMs, resolve))
    void Promise.race([this.#until(() => this.#young.size === 0), late])
      .then(() => whenSettled(act))
      .catch(onFault)
  }

  /** A control command was accepted. */
  ordered(world: World, pending: PendingControl): void {
    if (!this.isActive) return
    const ordered = this.#ordered.get(world)
    if (!ordered) this.#ordered.set(world, [pending])
    else if (ordered.at(-1) !== pending) ordered.push(pending)
  }

  /** What is shown of the ship that a structural command is about. */
  before(shipId: string | undefined): ShipBefore | undefined {
    const { offset, universe } = this.#options
    const place = this.isActive && shipId !== undefined && findShip(universe(), shipId)
    return place ? { ...place, ...shownShip(place.world, place.entry, offset()) } : undefined
  }

  /** A structural command has acted in one system. */
  acted({ systemId, sequence }: CommandRow, command: SystemCommand, before?: ShipBefore): void {
    if (!this.isActive) return
    const world = worldNamed(this.#options.universe(), systemId)
    if (command.kind === 'create_ship' || command.kind === 'arrive_ship') {
      const { shipId } = command.kind === 'arrive_ship' ? command.handOff : command
      const entry = world.roster.byId.get(shipId)
      if (entry) this.#hold(world, entry, undefined, sequence)
    } else if (before?.world === world) this.#hold(world, before.entry, before, sequence)
  }

  /** Holds the ships of which the coming flight would show what is not durable. */
  beforeFlight(worlds: readonly World[], to: number): void {
    if (!this.isActive) return
    for (const world of worlds) {
      this.#holdOrdered(world, to)
      if (world.held.byNumber.size > 0) this.#holdWatchers(world)
    }
  }

  /** Lets an event out, or keeps it while its ship is held. */
  event(notice: ShipNotice): void {
    const ship = heldShip(this.#options.universe(), notice.shipId)
    if (!ship) return this.#options.onEvent(notice)
    const events = this.#events.get(ship) ?? []
    events.push(notice)
    if (events.length > EVENTS_MAX) events.shift()
    this.#events.set(ship, events)
  }

  /** Resolves when all orders of some ships are durable; undefined when they are. */
  shipsReleased(world: World, numbers: readonly number[]): Promise<void> | undefined {
    const isReleased = (): boolean => {
      const durable = this.#options.journal.durableUpTo?.(world.state.system.id) ?? Infinity
      const waits = this.#ordered.get(world) ?? []
      return numbers.every(
        (number) =>
          !world.held.byNumber.has(number) &&
          !waits.some(({ sequence, ship }) => ship.number === number && sequence > durable),
      )
    }
    return isReleased() ? undefined : this.#until(isReleased)
  }

  /** Shows what has become durable. */
  #release(): void {
    const { journal, onEvent, universe } = this.#options
    for (const world of universe().worlds) {
      const { held } = world
      if (held.byNumber.size === 0) continue
      const durable = journal.durableUpTo?.(world.state.system.id) ?? Infinity
      for (const ship of held.byNumber.values()) {
        if (ship.sequence > durable) continue
        held.byNumber.delete(ship.number)
        held.byId.delete(ship.shipId)
        this.#young.delete(ship)
        if (isListedOtherwise(world, ship)) held.listing++
        for (const event of this.#events.get(ship) ?? []) onEvent(event)
        this.#events.delete(ship)
      }
    }
    const waiting = this.#waiting
    this.#waiting = []
    for (const look of waiting) look()
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => void this.#waiting.push(resolve))
  }

  #holdOrdered(world: World, to: number): void {
    const ordered = this.#ordered.get(world)
    if (!ordered || ordered.length === 0) return
    const durable = this.#options.journal.durableUpTo?.(world.state.system.id) ?? Infinity
    const waiting = ordered.filter(({ sequence }) => sequence > durable)
    for (const { index, sequence, ship } of waiting) {
      if (index <= to) this.#holdNow(world, ship.number, sequence)
    }
    this.#ordered.set(
      world,
      waiting.filter(({ index }) => index > to),
    )
  }

  /** Ships that watch a held one, those that watch these, and so on. */
  #holdWatchers(world: World): void {
    const { held, state } = world
    const { ships, sightings } = state
    for (let hasGrown = true; hasGrown;) {
      hasGrown = false
      // Most rows are free.
      for (let row = 0; row < sightings.watcher.length; row++) {
        const slot = sightings.watcher[row]
        const watched = slot < 0 ? undefined : held.byNumber.get(sightings.watchedNumber[row])
        if (!watched) continue
        const number = ships.shipNumber[slot]
        if ((held.byNumber.get(number)?.sequence ?? -1) >= watched.sequence) continue
        hasGrown = this.#holdNow(world, number, watched.sequence) || hasGrown
      }
    }
  }

  /** Holds a ship as it is shown now; false when there is no such ship. */
  #holdNow(world: World, number: number, sequence: number): boolean {
    const entry = world.roster.byNumber.get(number)
    if (!entry) return false
    const isHeld = world.held.byNumber.has(number)
    const shown = isHeld ? undefined : shownShip(world, entry, this.#options.offset())
    this.#hold(world, entry, shown, sequence)
    return true
  }

  /** @param shown  of a ship that was there and is not held yet */
  #hold(
    world: World,
    { number, shipId, ...rest }: RosterEntry,
    shown: ShownShip | undefined,
    sequence: number,
  ): void {
    const { held } = world
    const known = held.byNumber.get(number)
    const entry = shown && { number, shipId, ...rest }
    const ship = known ?? { number, shipId, entry, shown, sequence }
    ship.sequence = Math.max(ship.sequence, sequence)
    held.byNumber.set(number, ship)
    held.byId.set(shipId, ship)
    this.#young.add(ship)
    if (isListedOtherwise(world, ship)) held.listing++
  }
}

/** Settles when it is known whether a command is durable, after all; see `CommandJournal.keep`. */
async function outcomeOf(reason: unknown): Promise<void> {
  try {
    await Object(reason).outcome
  } catch {
    // It is known, too.
  }
}
