import { EngineError } from '@orrery/engine'
import {
  type DueEvent,
  type GameModules,
  type ModuleCargo,
  type ModuleCommand,
  type ModuleEffect,
  type ModuleFault,
  type ModuleName,
  type ModuleRoom,
  type ModuleValues,
  type ModuleViewer,
  type OwnRow,
  type RosterEntry,
  type StoredModule,
  type WorldModules,
  moduleDoubles,
} from '@orrery/engine/modules'
import { BLOCK_QUANTA, CHUNK_SLOTS, type ShipEvent, takeEvents, writeLoad } from '@orrery/sim'
import { hasStopped } from './calls/broken.ts'
import type { GameModule } from '../define-module.ts'
import { coreEvent } from './running/core-events.ts'
import { beatAfter } from './events/due-events.ts'
import { DESTROYED } from './events/own-events.ts'
import { GivenModules } from './given-modules.ts'
import { hashOf } from './kept/hash.ts'
import { influencesOn } from './views/influences.ts'
import { ownRow, unforeseenOf } from './views/own-rows.ts'
import { keptModule, restoreModule } from './kept/kept-module.ts'
import { loadOf } from './columns/loads.ts'
import { BeatCalls } from './running/beat-calls.ts'
import { Changed } from './running/changed.ts'
import { RunningModule } from './running/running-module.ts'
import { RuledShips } from './rules/ruled-ships.ts'
import { giveAccount, takeAccount } from './kept/account.ts'
import { bringCargo, cargoFor, cargoOf, clearCargo } from './kept/cargo.ts'
import { upgrade } from './kept/upgrade.ts'
import { moduleCost } from './views/cost.ts'
import { railedRows } from './views/rails.ts'
import { addedModule, rowsOf, valuesOf } from './views/views.ts'

/**
 * Modules as a universe takes them; older versions of one are for what was journalled before it.
 *
 * @throws {EngineError} 'ERR_MODULE' when there are too many, or two have one id and version
 */
export function gameModules(modules: readonly GameModule[]): GameModules {
  const given = new GivenModules(modules)
  return { names: given.names, createFor: (room, index) => new WorldHost(given, room, index) }
}

/** The modules of one star system. */
class WorldHost implements WorldModules {
  readonly rules: RuledShips
  readonly #given: GivenModules
  readonly #room: ModuleRoom
  readonly #running: RunningModule[] = []
  readonly #calls = new BeatCalls()
  /** events of ships that the engine has not taken yet */
  #flight: { readonly events: ShipEvent[]; lost: number } = { events: [], lost: 0 }
  /** some had no room, so no module can know what happened */
  #hasGap = false
  /** the last beat */
  #beat: number
  /** it is under way */
  #isAtBeat = false
  /** numbers of the ships that are at the present beat */
  readonly #destroyed = new Set<number>()
  readonly #changed: Changed
  /** whose events are not taken yet */
  readonly #retired: RunningModule[] = []
  /** lattice index from which on it has flown */
  readonly #opened: number
  #hash: { readonly index: number; readonly lanes: Uint32Array } | undefined

  constructor(given: GivenModules, room: ModuleRoom, index: number) {
    this.#given = given
    this.#room = room
    this.#changed = new Changed(room.state)
    this.rules = new RuledShips(room, this.#running, {
      calls: this.#calls,
      tanks: this.#changed.tanks,
      require: (id) => this.#require(id),
    })
    this.#beat = index
    this.#opened = index
  }

  get added(): WorldModules['added'] {
    return this.#running.map(addedModule)
  }

  get costs(): WorldModules['costs'] {
    return this.#running.map(moduleCost)
  }

  get rails(): WorldModules['rails'] {
    return railedRows(this.#running, this.#room.state.system.id)
  }

  requireAdd(name: ModuleName, index: number): void {
    const before = this.#before(name, index)
    const given = this.#given.require(name)
    if (before) upgrade(this.#made(given), keptModule(before, this.#rows()), this.#room, index)
  }

  add(name: ModuleName, index: number): ReturnType<WorldModules['add']> {
    const before = this.#before(name, index)
    const made = this.#made(this.#given.require(name))
    if (!before) {
      this.#running.push(made)
      made.begin(index)
      return new Map()
    }
    const loaded = upgrade(made, keptModule(before, this.#rows()), this.#room, index)
    this.#running[this.#running.indexOf(before)] = made
    this.#retired.push(before)
    this.rules.disarmUnfit(made, index)
    return new Map(loaded.map((slot) => [slot, loadOf(this.#running, slot)]))
  }

  /** The older version that one is to take over from. */
  #before({ id, version }: ModuleName, index: number): RunningModule | undefined {
    const before = this.#running.find(({ module }) => module.id === id)
    if (!before) return undefined
    const { module, older } = before
    if ((older?.stored.version ?? module.version) >= version) {
      throw new EngineError('ERR_MODULE', `There is a module ${id} already.`)
    }
    // Events since then are for the version that is not given.
    if (older && index > this.#opened) this.#whole()
    return before
  }

  command(
    { slot }: { readonly slot: number },
    command: ModuleCommand,
    index: number,
  ): ModuleEffect {
    const running = this.#require(command.module)
    if (running.stopped) throw hasStopped(command.module, running.stopped.reason)
    const effect = running.command(slot, command.command, command.body, index)
    const isLoaded = this.#changed.loaded.take().length > 0
    return isLoaded ? { ...effect, load: loadOf(this.#running, slot) } : effect
  }

  stop({ module, index, reason }: ModuleFault): void {
    this.#require(module).stopped ??= { index, reason }
  }

  start(module: string): void {
    const running = this.#require(module)
    // What happened until now is not for it.
    this.#note()
    running.due.take(Infinity)
    running.stopped = undefined
  }

  expect(fault: ModuleFault): void {
    this.#require(fault.module)
    this.#calls.expect(fault)
  }

  takeFaults(): readonly ModuleFault[] {
    return this.#calls.takeFaults()
  }

  takeFlight(): ReturnType<WorldModules['takeFlight']> {
    this.#note()
    const { events, lost } = this.#flight
    this.#flight = { events: [], lost: 0 }
    // After a tick that broke, chunks have not flown equally far.
    events.sort((a, b) => a.index - b.index || a.shipNumber - b.shipNumber)
    return { events, lost }
  }

  arrived({ number: shipNumber, slot }: RosterEntry, from: string, byGate: boolean): void {
    this.#whole()
    const index = this.#room.state.ships.stepStart[slot]
    const name = byGate ? 'jumped' : 'transferred'
    this.#announce({ name, shipNumber, index, beat: beatAfter(index), data: { from } })
  }

  takeEvents(): ReturnType<WorldModules['takeEvents']> {
    const taken = [...this.#retired.splice(0), ...this.#running].map(({ events }) => events.take())
    return {
      events: taken.flatMap(({ events }) => events).toSorted((a, b) => a.index - b.index),
      lost: taken.reduce((sum, { lost }) => sum + lost, 0),
    }
  }

  mark(chunkMeets: Uint8Array): boolean {
    this.#note()
    if (
      this.#running.some((running) => running.older ?? (!running.stopped && running.due.isAwaited))
    ) {
      // What happens in any chunk is to be known at the next beat.
      const { chunkShips } = this.#room.state.chunk
      for (const [chunk, ships] of chunkShips.entries()) if (ships > 0) chunkMeets[chunk] = 1
      return true
    }
    return [this.rules, ...this.#running].map((one) => one.mark(chunkMeets)).includes(true)
  }

  at(beat: number): void {
    // A tick that broke is flown again from its beginning.
    if (beat <= this.#beat) return
    this.#whole()
    this.#note()
    this.#beat = beat
    this.#calls.begin(beat)
    if (this.#hasGap) this.#stopForGap()
    this.#isAtBeat = true
    this.rules.obey(beat)
    this.#react()
    this.#calls.beatAll(this.#running)
    this.#react()
    this.#isAtBeat = false
    this.#changed.hand(this.#room, beat, (slot) => loadOf(this.#running, slot))
    this.#destroy(beat)
    this.rules.check(beat)
    if (beat % BLOCK_QUANTA !== 0 || this.#running.length === 0) return
    this.#hash = { index: beat, lanes: hashOf(this.#running, this.#rows()) }
  }

  /** Destroys ships in the order of their numbers, now that nothing looks at them any more. */
  #destroy(beat: number): void {
    const { roster } = this.#room
    for (const number of [...this.#destroyed].toSorted((a, b) => a - b)) {
      const entry = roster.byNumber.get(number)
      if (entry) this.#room.destroy(entry.slot, beat)
    }
    this.#destroyed.clear()
  }

  /** Lets modules react to what is due, and to what they answer, until nothing is left. */
  #react(): void {
    const beat = this.#beat
    for (let answers = 0; ; answers++) {
      const turns = this.#running.map((running) => running.due.take(beat))
      if (turns.every(({ length }) => length === 0)) return
      for (const [i, running] of this.#running.entries()) {
        if (turns[i].length === 0) continue
        this.#calls.call(running, () => running.react(turns[i], beat, answers))
      }
    }
  }

  #stopForGap(): void {
    this.#hasGap = false
    for (const running of this.#running) {
      if (!running.due.isAwaited && !this.rules.isOrdering(running.module.id)) continue
      const reason = 'More has happened within a second than it can be given.'
      this.#calls.call(running, () => (running.stopped = { index: this.#beat, reason }))
    }
  }

  /** Reads what has happened to ships since the last call. */
  #note(): void {
    const { events, lost } = takeEvents(this.#room.state)
    this.#flight.lost += lost
    if (lost > 0) this.#hasGap = true
    for (const event of events) {
      this.#flight.events.push(event)
      const { index, shipNumber } = event
      const beat = beatAfter(index)
      if (event.kind === 'rule' && beat > this.#beat) this.rules.order(event)
      const named = beat > this.#beat ? coreEvent(this.#room, event) : undefined
      if (named) this.#announce({ ...named, shipNumber, index, beat })
    }
  }

  #announce(event: DueEvent): void {
    for (const { due, stopped } of this.#running) if (!stopped) due.add(event)
  }

  hashOf(index: number): Uint32Array | undefined {
    return this.#hash?.index === index ? this.#hash.lanes : undefined
  }

  clear(slot: number): void {
    clearCargo(this.#whole(), slot)
  }

  cargoOf(slot: number): ModuleCargo | undefined {
    return cargoOf(this.#whole(), slot)
  }

  cargoFor(cargo: ModuleCargo): ModuleCargo {
    return cargoFor(this.#whole(), cargo)
  }

  bring(slot: number, cargo: ModuleCargo): void {
    bringCargo(this.#running, slot, cargo)
    writeLoad(this.#room.state.ships, slot, loadOf(this.#running, slot))
  }

  move(from: number, to: number): void {
    for (const running of this.#whole()) {
      for (const { values } of running.ships) values[to] = values[from]
      running.changed()
    }
    writeLoad(this.#room.state.ships, to, loadOf(this.#running, to))
  }

  hasAccount(slot: number): boolean {
    return cargoOf(this.#running, slot, 'account') !== undefined
  }

  takeAccount(slot: number): ModuleCargo {
    return takeAccount(this.#whole(), slot)
  }

  giveAccount(slot: number, cargo: ModuleCargo): void {
    giveAccount(this.#whole(), slot, cargo)
  }

  shipValues(slot: number, viewer: ModuleViewer): Readonly<Record<string, ModuleValues>> {
    return Object.fromEntries(
      this.#running.map(({ columns, module }) => [module.id, valuesOf(columns, slot, viewer)]),
    )
  }

  ownRows(slot: number, run: readonly string[]): readonly OwnRow[] {
    return this.#running.map((running) => ownRow(running, slot, run))
  }

  unforeseen(slot: number, run: readonly string[]): string {
    return this.#running.map((running) => unforeseenOf(running, slot, run)).join(' ')
  }

  influences(slot: number): ReturnType<WorldModules['influences']> {
    return influencesOn(this.#running, this.#room, slot)
  }

  rowValues(...given: Parameters<WorldModules['rowValues']>): readonly ModuleValues[] {
    const [id, name, viewer, index] = given
    const table = this.#require(id).tables.get(name)
    if (!table) throw new EngineError('ERR_MODULE_UNKNOWN', `Module ${id} has no table ${name}.`)
    return rowsOf(id, table, this.#room.state, viewer, index)
  }

  kept(index: number): ReturnType<WorldModules['kept']> {
    this.#note()
    const all = this.#running.map((running) => keptModule(running, this.#rows()))
    const beat = this.#beat > index ? { beat: this.#beat } : {}
    const doubles = Float64Array.from(all.flatMap(({ values }) => values))
    return { stored: all.map((one) => ({ ...one.stored, ...beat })), doubles }
  }

  restore(all: readonly StoredModule[], doubles: Float64Array, index: number): void {
    this.#beat = all[0]?.beat ?? index
    let at = 0
    for (const one of all) {
      const running = this.#made(this.#given.requireHeir(one))
      this.#running.push(running)
      if (running.module.version === one.version) at = restoreModule(running, one, doubles, at)
      else {
        const end = at + moduleDoubles(one)
        running.older = { stored: one, values: [...doubles.subarray(at, end)] }
        at = end
      }
    }
  }

  /** @throws {EngineError} 'ERR_MODULE' where what happens is for a version that is not given */
  #whole(): readonly RunningModule[] {
    const { id, version } = this.#running.find(({ older }) => older)?.older?.stored ?? {}
    if (id === undefined) return this.#running
    const after = `The journal after index ${this.#opened}`
    throw new EngineError('ERR_MODULE', `${after} needs ${id} ${version}, which is not given.`)
  }

  #made(module: GameModule): RunningModule {
    return new RunningModule(module, this.#room, this.#changed, (events) => {
      for (const { data, index, name, shipNumber } of events) {
        const isDestroyed = name === DESTROYED
        const beat = this.#isAtBeat && !isDestroyed ? index : beatAfter(index)
        if (isDestroyed && this.#isAtBeat) this.#destroyed.add(shipNumber)
        const full = isDestroyed ? name : `${module.id}.${name}`
        this.#announce({ name: full, shipNumber, index, beat, data })
      }
    })
  }

  #require(id: string): RunningModule {
    this.#whole()
    const running = this.#running.find(({ module }) => module.id === id)
    if (running) return running
    throw new EngineError('ERR_MODULE_UNKNOWN', `There is no module ${id}.`)
  }

  /** Slots up to the last chunk that has ships. */
  #rows(): number {
    const { chunkShips } = this.#room.state.chunk
    return CHUNK_SLOTS * (chunkShips.findLastIndex((ships) => ships > 0) + 1)
  }
}
