import type { GenericSchema } from 'valibot'
import type { BeatWork, EquatorialOrbit, Load, Mark, ShipEvent, WorldState } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import type { ModuleBody } from '../orders/module-body.ts'
import type { OrderedCommand, Rule, RuleCondition } from '../orders/rule.ts'
import type { Roster, RosterEntry } from './roster.ts'
import type { RuleLists } from './rule-space.ts'

export type { ModuleBody } from '../orders/module-body.ts'
export type { OrderedCommand, Rule, RuleCondition } from '../orders/rule.ts'
export type { RosterEntry } from './roster.ts'

/** A game's own rules, by which worlds and journals name them. */
export interface ModuleName {
  readonly id: string
  readonly version: number
}

/** A command that a module declares, to a ship. */
export interface ModuleCommand {
  readonly kind: 'module_command'
  readonly shipId: string
  readonly module: string
  readonly command: string
  readonly body: ModuleBody
}

/** Who looks: each sees what those before it see, too; an account looks at all of its ships. */
export type ModuleViewer = 'system' | 'account' | 'pilot' | 'operator'

/** Columns of a ship or a row, by name. */
export type ModuleValues = Readonly<Record<string, number | boolean | string | null>>

/** What a module keeps of a ship, for a client that runs it. */
export interface OwnRow {
  readonly module: string
  readonly version: number
  /** that it gives the ship to carry [kg] */
  readonly mass: number
  /** part of its thrust that it leaves the ship, 0 to 1 */
  readonly thrust: number
  /** that its pilot sees; absent where the client does not run it, or it has stopped */
  readonly values?: ModuleValues
}

/** An event that a module sends to a ship's pilot. */
export interface ModuleEvent {
  readonly shipNumber: number
  /** lattice index */
  readonly index: number
  readonly module: string
  readonly name: string
  readonly data: ModuleBody
  /** the same as a sentence */
  readonly text: string
}

/** An event that a module reacts to at a beat. */
export interface DueEvent {
  /** of the core, or `module.event` */
  readonly name: string
  readonly shipNumber: number
  /** lattice index */
  readonly index: number
  /** lattice index of the beat */
  readonly beat: number
  readonly data: ModuleBody
}

/** A module that broke at a beat, and does nothing from there on. */
export interface ModuleFault {
  readonly module: string
  /** lattice index of the beat */
  readonly index: number
  /** which call of the beat broke, and had no effect; the first, 0, by default */
  readonly call?: number
  readonly reason: string
}

/** What modules keep of a ship, by module and column, and in which version. */
export type ModuleCargo = Readonly<Record<string, Readonly<Record<string, number>>>>

/** A command that a rule has ordered, before it acts. */
export interface DueCommand extends Omit<OrderedCommand, 'module'> {
  readonly shipNumber: number
  readonly ruleId: string
  /** lattice index at which the rule has fired */
  readonly index: number
  /** lattice index of the beat at which it acts */
  readonly beat: number
}

/** A module as an image describes what it keeps, which follows as doubles. */
export interface StoredModule extends ModuleName {
  readonly stopped?: { readonly index: number; readonly reason: string }
  /** the last one, where that is past the image since a tick has broken */
  readonly beat?: number
  /** that it has not reacted to yet; absent without any */
  readonly due?: readonly DueEvent[]
  /** that rules have ordered, and that have not acted yet; absent without any */
  readonly ordered?: readonly DueCommand[]
  /** of ships, each a double after the slot */
  readonly columns: readonly string[]
  /** that have other values than the defaults */
  readonly ships: number
  readonly tables: readonly {
    readonly name: string
    /** each a double after the id */
    readonly columns: readonly string[]
    readonly rows: number
    /** id of the next row */
    readonly nextId: number
  }[]
}

/** A module of a world. */
export interface AddedModule extends ModuleName, Pick<StoredModule, 'stopped'> {
  readonly commands: readonly {
    readonly name: string
    readonly summary: string
    readonly may: 'pilot' | 'operator'
    /** of one pilot, where the module bounds it */
    readonly perMinute?: number
    /** valibot's schema of its body */
    readonly body: GenericSchema
  }[]
  /** names of its tables */
  readonly tables: readonly string[]
  /** for pages; neither images nor digests have it */
  readonly panel?: ModulePanel
}

/** A value of the own ship, of the row that it refers to, or of each row of a list. */
export interface PanelField {
  readonly label: string
  readonly column: string
  readonly kind: 'f64' | 'i32' | 'u32' | 'bit' | 'row' | 'text'
  readonly unit: string
  /** what stands for 0, 1 and so on; empty where numbers are shown */
  readonly words: readonly string[]
  /** column of ships that refers to the row which is shown */
  readonly of?: string
  /** that the reference is to */
  readonly table?: string
}

/** A value that a command is given. */
export interface PanelInput {
  /** in the body of the command */
  readonly name: string
  readonly label: string
  readonly kind: 'number' | 'text' | 'bit' | 'row'
  readonly unit: string
  /** one of its rows is chosen */
  readonly table?: string
}

/** A command, with what it is given. */
export interface PanelButton {
  readonly label: string
  readonly command: string
  readonly inputs: readonly PanelInput[]
  /** it is there while this column of the ship is not 0, false or null */
  readonly when?: string
  /** what the body calls the row of a list that the button stands at */
  readonly row?: string
}

/** The rows of a table. */
export interface PanelList {
  readonly label: string
  readonly table: string
  /** name of one row, before its id */
  readonly row: string
  readonly columns: readonly PanelField[]
  readonly buttons: readonly PanelButton[]
  /** whether the map has them; they are on rails */
  readonly marker: boolean
}

/** What players' pages draw of a module, as data. */
export interface ModulePanel {
  readonly title: string
  readonly fields: readonly PanelField[]
  readonly buttons: readonly PanelButton[]
  readonly lists: readonly PanelList[]
}

/** A row of a table on rails. */
export interface RailedRow {
  /** a UUID by which orders name it */
  readonly id: string
  /** as pages have it */
  readonly name: string
  readonly rail: EquatorialOrbit
}

/** What a command of a module changes of its ship in the core. */
export interface ModuleEffect {
  /** that it has from then on [kg] */
  readonly fuel?: number
  /** that it has from then on */
  readonly load?: Load
  readonly isDestroyed?: true
}

/** What a module costs in one process; no part of a world. */
export interface ModuleCost {
  readonly id: string
  /** of its columns and tables */
  readonly bytes: number
  /** calls at full seconds, the wall time that they took [s], and those that broke */
  readonly calls: number
  readonly seconds: number
  readonly breaks: number
  /** the longest of them [s] */
  readonly worst: number
  readonly tables: readonly {
    readonly name: string
    readonly rows: number
    readonly rowsMax: number
  }[]
}

/** A module that may change how a ship flies, which no prediction foresees. */
export interface Influence {
  readonly module: string
  /** by a command of its pilot, as the ship has something aboard; or else by itself or a rule */
  readonly byPilot?: true
  /** marks of a flight, any of which has to come before; absent where none has */
  readonly on?: readonly Mark['kind'][]
}

/** What rules of pilots have of modules. */
export interface ModuleRules {
  /**
   * Requires that a pilot may have a rule, as far as it names modules.
   *
   * @throws {EngineError} 'ERR_MODULE_UNKNOWN', 'ERR_MODULE_BODY', 'ERR_RULE'
   */
  requireRule(rule: Rule): void
  /** Whether a condition on a column holds now; false where the module has stopped. */
  holds(slot: number, condition: RuleCondition): boolean
  /** Whether what a rule orders names a row, which other star systems do not have. */
  namesRow(rule: Rule): boolean
  /** How often rules of modules have changed a ship, which no client foresees. */
  interventions(slot: number): number
}

/** What modules keep of a world, and do in it. */
export interface WorldModules extends BeatWork {
  /** that the world has, in the order in which they were added */
  readonly added: readonly AddedModule[]
  readonly costs: readonly ModuleCost[]
  readonly rules: ModuleRules
  /** rows on rails; one that is not there yet has its place */
  readonly rails: readonly (RailedRow | undefined)[]
  /** @throws {EngineError} as {@link add}, which has nothing to refuse then */
  requireAdd(name: ModuleName, index: number): void
  /**
   * Adds one, or lets it take over from an older version; returns how modules load ships by that,
   * by slot, where it is otherwise.
   *
   * @throws {EngineError} 'ERR_MODULE' when it is not given, there already, or cannot take over
   */
  add(name: ModuleName, index: number): ReadonlyMap<number, Load>
  /**
   * Carries a command out; a refused one has changed nothing.
   *
   * @throws {EngineError} 'ERR_MODULE_UNKNOWN', 'ERR_MODULE_BODY', 'ERR_MODULE_REFUSED',
   *   'ERR_MODULE_STOPPED', 'ERR_MODULE_FAULT' when it is the module that is wrong
   */
  command(ship: RosterEntry, command: ModuleCommand, index: number): ModuleEffect
  /** Stops one until it is started; what it keeps stays. @throws {EngineError} as {@link start} */
  stop(fault: ModuleFault): void
  /** Lets one go on that has stopped. @throws {EngineError} 'ERR_MODULE_UNKNOWN' */
  start(module: string): void
  /** Stops one at a beat that is still to come, as its journal says. */
  expect(fault: ModuleFault): void
  /** Those that broke at a beat since the last call. */
  takeFaults(): readonly ModuleFault[]
  /** Events of ships since the last call, as `takeEvents` of the core, which this one calls. */
  takeFlight(): { readonly events: readonly ShipEvent[]; readonly lost: number }
  /** A ship has entered the world at the published index, from another star system. */
  arrived(ship: RosterEntry, from: string, byGate: boolean): void
  /** Events since the last call, in the order in which they happened, and how many had no room. */
  takeEvents(): { readonly events: readonly ModuleEvent[]; readonly lost: number }
  /** A ship has left its slot. */
  clear(slot: number): void
  /** undefined where all is as at first */
  cargoOf(slot: number): ModuleCargo | undefined
  /** @throws {EngineError} 'ERR_MODULE' when one is of a version that this system has no use for */
  cargoFor(cargo: ModuleCargo): ModuleCargo
  /** Writes the values that a ship brings, see {@link cargoFor}, where there is the column. */
  bring(slot: number, cargo: ModuleCargo): void
  /** A ship goes on in another slot of its star system, with all that modules keep of it. */
  move(from: number, to: number): void
  /** Whether a ship has something of its account. */
  hasAccount(slot: number): boolean
  /** Takes that from it, which leaves what an account begins with. */
  takeAccount(slot: number): ModuleCargo
  /** Adds it to what a ship has. @throws {EngineError} as {@link cargoFor} */
  giveAccount(slot: number, cargo: ModuleCargo): void
  /** What a viewer sees of a ship, by module. */
  shipValues(slot: number, viewer: ModuleViewer): Readonly<Record<string, ModuleValues>>
  /** What may change how a ship flies; a module may be there more than once. */
  influences(slot: number): readonly Influence[]
  /** What a client that runs some modules for its ship goes on from; all, in their order. */
  ownRows(slot: number, run: readonly string[]): readonly OwnRow[]
  /** Another text as soon as such a client cannot know what modules keep of its ship. */
  unforeseen(slot: number, run: readonly string[]): string
  /**
   * What a viewer sees of a table, id 1 first. Those on rails have an `id` that orders name, the
   * body `around` which they run, and `x` to `z` [m] and `vx` to `vz` [m/s] from it at a lattice
   * index.
   *
   * @throws {EngineError} 'ERR_MODULE_UNKNOWN'
   */
  rowValues(
    module: string,
    table: string,
    viewer: ModuleViewer,
    index: number,
  ): readonly ModuleValues[]
  /** What an image of the published index keeps; empty without modules. */
  kept(index: number): { readonly stored: readonly StoredModule[]; readonly doubles: Float64Array }
  /** @throws {EngineError} 'ERR_MODULE' when one is not given, or in another version */
  restore(stored: readonly StoredModule[], doubles: Float64Array, index: number): void
}

/** What modules see of a world. */
export interface ModuleRoom {
  readonly state: WorldState
  readonly roster: Roster
  /** of the world */
  readonly seed: string
  /** Destroys a ship at a beat, up to which its chunk has flown. */
  destroy(slot: number, beat: number): void
  /** Lets it have such a load, likewise. */
  load(slot: number, beat: number, load: Load): void
  /** Lets it have so much fuel [kg], likewise. */
  refuel(slot: number, beat: number, fuel: number): void
  readonly rules: RuleLists
  /** Notes which of the known conditions of rules hold, likewise; bits by the rules' places. */
  noteHeld(slot: number, beat: number, known: number, held: number): void
  /** Disarms rules between ticks, by their bits. */
  disarm(slot: number, index: number, bits: number): void
}

/** The modules that are given to a universe. */
export interface GameModules {
  readonly names: readonly ModuleName[]
  createFor(room: ModuleRoom, index: number): WorldModules
}

/** Doubles that an image has of a module. */
export function moduleDoubles({ columns, ships, tables }: StoredModule): number {
  const rows = tables.map((table) => table.rows * (1 + table.columns.length))
  return rows.reduce((sum, count) => sum + count, ships * (1 + columns.length))
}

/** Modules of a world that something names. @throws {EngineError} 'ERR_MODULE_UNKNOWN' */
export function requireModules(
  { modules }: { readonly modules: WorldModules | undefined },
  module: string,
): WorldModules {
  if (modules) return modules
  throw new EngineError('ERR_MODULE_UNKNOWN', `There is no module ${module}.`)
}

/** Restores modules. @throws {EngineError} 'ERR_MODULE' naming one that is not given */
export function restoreModules(
  { modules }: { readonly modules: WorldModules | undefined },
  stored: readonly StoredModule[],
  doubles: Float64Array,
  index: number,
): void {
  if (modules) return modules.restore(stored, doubles, index)
  if (stored.length === 0) return
  const names = stored.map(({ id, version }) => `${id} ${version}`).join(', ')
  throw new EngineError('ERR_MODULE', `The world has modules that are not given: ${names}.`)
}
