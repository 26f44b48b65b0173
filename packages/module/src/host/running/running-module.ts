import type {
  DueEvent,
  ModuleBody,
  ModuleEffect,
  ModuleEvent,
  ModuleRoom,
} from '@orrery/engine/modules'
import { FROZEN, QUANTA_PER_SECOND, isDocked, shipClassOf } from '@orrery/sim'
import type {
  BeatContext,
  Bodies,
  CommandContext,
  ReactionContext,
  Tables,
} from '../../declaration.ts'
import type { Columns } from '../../column.ts'
import type { GameModule } from '../../define-module.ts'
import { ModuleRefusal } from '../../module-error.ts'
import { beginning, generator, tableOf } from '../columns/beginning.ts'
import { reasonOf, refusedOrBroken } from '../calls/broken.ts'
import type { CallCost } from '../calls/call-cost.ts'
import { givenCommand } from '../calls/given-command.ts'
import { Claims } from '../columns/claims.ts'
import { DueEvents } from '../events/due-events.ts'
import { guarded } from '../calls/time-limit.ts'
import {
  type Aim,
  BrokenModule,
  type ColumnMemory,
  columnMemories,
  rowView,
} from '../columns/memory.ts'
import { Writes, placesIn } from '../columns/writes.ts'
import { Loads } from '../columns/loads.ts'
import type { Changed } from './changed.ts'
import { type Beating, beatingBy } from './beating.ts'
import { nearness } from './nearness.ts'
import { DESTROYED, type OnKept, OwnEvents } from '../events/own-events.ts'
import { stationOf } from './station.ts'
import { type KeptModule, TableRows } from '../columns/table.ts'
import { DueCommands } from '../rules/due-commands.ts'

/** Events may answer events of the same beat so often. */
const ANSWERS_MAX = 8

const NO_SLOTS = new Int32Array(0)

/** A ship as commands, beats and reactions are given it. */
type Here = BeatContext<Columns, Record<string, never>, Bodies>

/** A module in one star system: what it keeps there, and how it is called. */
export class RunningModule {
  readonly module: GameModule
  /** what its author has declared, and what it keeps */
  readonly columns: readonly ColumnMemory[]
  /** those of accounts */
  readonly account: readonly ColumnMemory[]
  readonly ships: readonly ColumnMemory[]
  readonly loads: Loads
  readonly tables: ReadonlyMap<string, TableRows>
  readonly events: OwnEvents
  readonly due: DueEvents
  readonly ordered: DueCommands = new DueCommands()
  /** by slot: how often something happened that its pilot's client cannot foresee */
  readonly surprises: Map<number, number> = new Map()
  stopped: { readonly index: number; readonly reason: string } | undefined
  /** what an older version has kept, whose code is not given, until this one takes it over */
  older: KeptModule | undefined
  readonly cost: CallCost = { calls: 0, seconds: 0, worst: 0, breaks: 0 }
  readonly #room: ModuleRoom
  readonly #writes = new Writes()
  /** the slot of the ship that is called for */
  readonly #here: Aim = { place: -1 }
  readonly #beating: Beating | undefined
  readonly #context: Here
  readonly #reaction: ReactionContext<Columns, Tables, Bodies>
  readonly #onKept: OnKept
  readonly #changed: Changed
  readonly #rows: Aim[] = []
  #index = 0
  /** of the present beat */
  #failure: { readonly error: unknown } | undefined
  /** what the ship's chance is of, beside it */
  #chance = ''
  /** events of this beat that the present one answers, one through another */
  #answers = 0
  /** lattice index of the present event */
  #happened = 0
  #random: (() => number) | undefined
  readonly #claims = new Claims()
  /** that was named last */
  #table: TableRows | undefined

  constructor(module: GameModule, room: ModuleRoom, changed: Changed, onKept: OnKept) {
    const { slots, ships } = room.state
    this.module = module
    this.#room = room
    this.#onKept = onKept
    this.#changed = changed
    this.due = new DueEvents(Object.keys(module.on))
    const own = columnMemories(module.ship, slots)
    this.account = columnMemories(module.account, slots)
    this.columns = [...own, ...this.account]
    this.loads = new Loads(module, own, slots)
    this.ships = [...this.columns, ...this.loads.memories]
    this.events = new OwnEvents(module)
    this.tables = new Map(
      Object.entries(module.tables).map(([name, table]) => [name, new TableRows(name, table)]),
    )
    const isRow = (table: string | undefined, id: number): boolean => tableOf(this, table).has(id)
    const here = this.#here
    const ship = rowView(here, own, this.#writes, isRow, {
      number: (slot) => ships.shipNumber[slot],
      docked: (slot) => isDocked(ships, slot),
      station: (slot) => stationOf(room, slot),
      thrust: (slot) => ships.thrustLevel[slot],
      fuel: (slot) => changed.tanks.at(slot, this.#index),
      fuelCapacity: (slot) => shipClassOf(room.state, slot).fuelCapacity,
    })
    this.#beating = beatingBy(module.beat, own, ships.shipNumber)
    const seconds = (): number => this.#index / QUANTA_PER_SECOND
    const shared = {
      ship: ship as Here['ship'],
      account: rowView(here, this.account, this.#writes, isRow) as Here['account'],
      near: (table: string, row: number) => {
        const rail = this.#requireRow(table, row).rail(row)
        return nearness(this.#room.state, here.place, rail, this.#index)
      },
      random: () => {
        const number = room.state.ships.shipNumber[here.place]
        this.#random ??= this.#generator(`ship ${number}${this.#chance}`)
        return this.#random()
      },
      emit: (name: string, data: unknown) => {
        this.#requireAnswer()
        this.events.emit(ships.shipNumber[here.place], this.#index, name, data)
      },
      destroy: (reason: string) => {
        this.#requireAnswer()
        if (ships.condition[here.place] === FROZEN) return
        this.events.destroy(ships.shipNumber[here.place], this.#index, reason)
        this.surprise(here.place)
      },
    }
    this.#context = Object.freeze({
      ...shared,
      get seconds() {
        return seconds()
      },
      claim: this.#claim.bind(this),
    } satisfies Here)
    const happenedAt = (): number => this.#happened / QUANTA_PER_SECOND
    this.#reaction = Object.freeze({
      ...shared,
      get seconds() {
        return seconds()
      },
      get at() {
        return happenedAt()
      },
      row: this.#row.bind(this) as ReactionContext<Columns, Tables, Bodies>['row'],
    })
  }

  /** Fills the tables of a star system that has just got the module. */
  begin(index: number): void {
    const writes = new Writes()
    const undo = (): void => {
      writes.undo()
      for (const table of this.tables.values()) table.count = 0
    }
    try {
      const context = beginning(this, this.#room, writes, index)
      guarded(() => this.module.begin?.(context), { ships: 0, undo })
      writes.keep()
    } catch (error) {
      undo()
      this.stopped = { index, reason: reasonOf(error) }
    }
  }

  /**
   * Carries out a command of a ship; returns what it changes in the core.
   *
   * @param chance  what sets it apart from others of the index
   * @throws {EngineError} after which nothing has changed
   */
  command(
    slot: number,
    name: string,
    given: ModuleBody,
    index: number,
    chance?: string,
  ): ModuleEffect {
    const { id } = this.module
    const { output, run } = givenCommand(this.module, name, given)
    this.#aim(slot, index, chance)
    let added: number | undefined
    const context = Object.freeze({
      ...this.#context,
      refuel: (kg: number): number => {
        if (typeof kg !== 'number' || kg - kg !== 0) throw new BrokenModule(`It refuels ${kg}.`)
        const fuel = this.#changed.tanks.at(slot, index) + (added ?? 0)
        const { fuelCapacity } = shipClassOf(this.#room.state, slot)
        const got = Math.max(-fuel, Math.min(kg, fuelCapacity - fuel))
        added = (added ?? 0) + got
        return got
      },
      row: this.#row.bind(this),
    })
    const undo = (): void => {
      this.undoCall()
      added = undefined
    }
    try {
      guarded(
        () => {
          run(context as unknown as CommandContext<Columns, never, Bodies>, output)
          this.loads.weigh(this.#writes)
        },
        { ships: 1, undo },
      )
      const isDestroyed = this.#keep().some((event) => event.name === DESTROYED)
      return {
        ...(added !== undefined && {
          fuel: Math.max(0, this.#changed.tanks.at(slot, index) + added),
        }),
        ...(isDestroyed && { isDestroyed }),
      }
    } catch (error) {
      this.undoCall()
      throw refusedOrBroken(id, name, error)
    } finally {
      this.#end()
    }
  }

  /**
   * Reacts to events of one turn, in their order; where one breaks, nothing of the turn has
   * happened, and it has stopped.
   *
   * @param answers  events of this beat that these answer, one through another
   */
  react(events: readonly DueEvent[], index: number, answers: number): RunningModule['stopped'] {
    const { byNumber } = this.#room.roster
    this.#answers = answers
    return this.#unlessBroken(index, events.length, () => {
      for (const [place, { data, index: happened, name, shipNumber }] of events.entries()) {
        const entry = byNumber.get(shipNumber)
        if (!entry) continue
        this.#aim(entry.slot, index, ` ${answers} ${place}`)
        this.#happened = happened
        this.module.on[name](this.#context.ship, data, this.#reaction)
      }
      for (const slot of placesIn(this.columns)) this.surprise(slot)
    })
  }

  /** Slots of the ships that have a beat at a full second, in the order of ship numbers. */
  beating(index: number): Int32Array {
    return (!this.stopped && this.#beating?.slots(index)) || NO_SLOTS
  }

  /** One beat of all ships, of which nothing is kept before `endBeat`. */
  runBeat(index: number): void {
    const slots = this.beating(index)
    const { condition } = this.#room.state.ships
    const drawAgain = (): void => void (this.#random = undefined)
    this.#failure = undefined
    try {
      // No beat reads shared rows: claims are as if they were settled behind the last one.
      for (let i = 0; i < slots.length; i++) {
        const slot = slots[i]
        if (condition[slot] === FROZEN) continue
        this.#aim(slot, index)
        this.module.beat?.run(this.#context)
        if (!this.#claims.settle(this.#writes, drawAgain)) this.surprise(slot)
        this.loads.weigh(this.#writes)
      }
    } catch (error) {
      this.#failure = { error }
    }
  }

  /** Keeps the beat; where it has broken, nothing of it has happened, and it has stopped. */
  endBeat(index: number): RunningModule['stopped'] {
    if (this.#failure) return this.broken(index, this.#failure.error)
    this.#keep()
    this.#end()
    return undefined
  }

  /** A call at a beat; where it breaks, nothing of it has happened, and it has stopped. */
  #unlessBroken(index: number, ships: number, call: () => void): RunningModule['stopped'] {
    try {
      guarded(
        () => {
          call()
          this.loads.weigh(this.#writes)
        },
        { ships, undo: () => this.undoCall() },
      )
      this.#keep()
      return undefined
    } catch (error) {
      return this.broken(index, error)
    } finally {
      this.#end()
    }
  }

  /** A call at a beat has broken, of which nothing has happened. */
  broken(index: number, error: unknown): RunningModule['stopped'] {
    this.undoCall()
    this.#end()
    this.stopped = { index, reason: reasonOf(error) }
    return this.stopped
  }

  /** Columns have changed by another way than the module. */
  changed(): void {
    this.#beating?.changed()
  }

  /** Chunks of the ships that have beats. */
  mark(chunkMeets: Uint8Array): boolean {
    return !this.stopped && (this.#beating?.mark(chunkMeets) ?? false)
  }

  #keep(): readonly ModuleEvent[] {
    for (const { undo } of this.loads.memories) {
      for (let at = 0; at < undo.count; at++) this.#changed.loaded.add(undo.places[at])
    }
    this.#writes.keep()
    const events = this.events.keep()
    this.#onKept(events)
    return events
  }

  /** Something that its pilot's client cannot foresee. */
  surprise(slot: number): void {
    this.surprises.set(slot, (this.surprises.get(slot) ?? 0) + 1)
  }

  /** Puts back what the present call has changed. */
  undoCall(): void {
    this.#writes.undo()
    this.events.undo()
    this.#claims.drop()
  }

  #aim(slot: number, index: number, chance = ''): void {
    this.#here.place = slot
    this.#index = index
    this.#chance = chance
    this.#random = undefined
  }

  #requireAnswer(): void {
    if (this.#answers < ANSWERS_MAX) return
    throw new BrokenModule(`It answers an event that is ${ANSWERS_MAX} answers deep.`)
  }

  /** Nothing that a call was given can be used after it. */
  #end(): void {
    this.#claims.drop()
    this.#answers = 0
    this.#aim(-1, this.#index)
    for (const row of this.#rows.splice(0)) row.place = -1
  }

  #row(table: string, row: number): object {
    const { memories } = this.#requireRow(table, row)
    const aim = { place: row - 1 }
    this.#rows.push(aim)
    return rowView(aim, memories, this.#writes, () => false)
  }

  #claim(
    table: string,
    row: number,
    column: string,
    amount: number,
    settle: (got: number) => void,
  ): void {
    const memory = this.#requireRow(table, row).column(column)
    this.#claims.add(memory, row - 1, amount, settle)
  }

  #requireRow(name: string, row: number): TableRows {
    const table = this.#table?.name === name ? this.#table : tableOf(this, name)
    this.#table = table
    if (table.has(row)) return table
    throw new ModuleRefusal('no_row', { table: name, row })
  }

  #generator(what: string): () => number {
    return generator(this.#room, this.module.id, this.#index, what)
  }
}
