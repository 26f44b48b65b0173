import type { ModuleBody } from '@orrery/engine/modules'
import type { GenericSchema, InferOutput } from 'valibot'
import type { Column, Columns, Values } from './column.ts'
import type { PanelDeclaration } from './panel-declaration.ts'

/** Rows of a star system that no ship owns. */
export interface Table {
  /** at most; their memory is taken at once */
  readonly rows: number
  /** each has a place on a circular orbit in a body's equatorial plane; orders may name it */
  readonly onRail?: boolean
  readonly columns: Columns
}

export type Tables = Readonly<Record<string, Table>>

export type Bodies = Readonly<Record<string, GenericSchema>>

/** What the core has of a ship, to read. */
export interface ShipFacts {
  readonly number: number
  readonly docked: boolean
  /** id of the station it is docked at */
  readonly station: string | null
  /** 0 to 1 */
  readonly thrust: number
  /** [kg] */
  readonly fuel: number
  /** what its tank holds [kg] */
  readonly fuelCapacity: number
}

/** A ship as its own module sees it. */
export type ShipRow<Ship extends Columns> = Values<Ship> & ShipFacts

/** Columns of a ship without its references to rows, which it leaves behind in its star system. */
export type OwnValues<Ship extends Columns> = {
  readonly [
    Name in keyof Ship as Ship[Name] extends Column<'row'> ? never : Name
  ]: Values<Ship>[Name]
}

/** Between the centres of the ship and a row on a rail. */
export interface Nearness {
  /** [m] */
  readonly distance: number
  /** [m/s] */
  readonly speed: number
}

/** An event of a module's own. */
export interface OwnEvent<Body extends GenericSchema = GenericSchema> {
  /** what its pilot reads; `{name}` stands for a value */
  readonly text: string
  readonly body: Body
}

/** What commands and beats have in common. */
interface Context<Ship extends Columns, T extends Tables, E extends Bodies, A extends Columns> {
  readonly ship: ShipRow<Ship>
  /** of the account that has the ship, as far as it is with this ship */
  readonly account: Values<A>
  /** game time [s since J2000] */
  readonly seconds: number
  /** @throws refusal 'no_row' */
  near(this: void, table: keyof T & string, row: number): Nearness
  /** 0 up to 1; the same wherever and whenever this index is flown */
  random(this: void): number
  /**
   * Destroys the ship, unless what is running breaks or refuses: then, or at the end of the beat,
   * it is back on its spawn orbit, with its fuel and its columns. Its pilot reads the reason.
   */
  destroy(this: void, reason: string): void
  /** Sends an event to the ship's pilot, unless what is running breaks or refuses. */
  emit<Name extends keyof E & string>(this: void, event: Name, data: InferOutput<E[Name]>): void
}

/** What commands and reactions have in common: they are called one after the other. */
interface SerialContext<
  Ship extends Columns,
  T extends Tables,
  E extends Bodies,
  A extends Columns,
> extends Context<Ship, T, E, A> {
  /** A row to read and write, until the call ends. @throws refusal 'no_row' */
  row<Name extends keyof T & string>(
    this: void,
    table: Name,
    row: number,
  ): Values<T[Name]['columns']>
}

export interface CommandContext<
  Ship extends Columns,
  T extends Tables,
  E extends Bodies,
  A extends Columns = Columns,
> extends SerialContext<Ship, T, E, A> {
  /**
   * Adds fuel [kg], or takes it where negative, as far as the tank goes; returns what it added. The
   * ship has it, with `ship.fuel`, once the command has ended.
   */
  refuel(this: void, kg: number): number
}

export interface ReactionContext<
  Ship extends Columns,
  T extends Tables,
  E extends Bodies,
  A extends Columns = Columns,
> extends SerialContext<Ship, T, E, A> {
  /** when it happened [s since J2000], up to a second before `seconds` */
  readonly at: number
}

export interface BeatContext<
  Ship extends Columns,
  T extends Tables,
  E extends Bodies,
  A extends Columns = Columns,
> extends Context<Ship, T, E, A> {
  /**
   * Takes up to `amount` from a row that ships share, once the ship has had its beat, in the order
   * of ship numbers; then `settle` gets what was left for it, and may claim more.
   */
  claim<Name extends keyof T & string>(
    this: void,
    table: Name,
    row: number,
    column: keyof T[Name]['columns'] & string,
    amount: number,
    settle: (got: number) => void,
  ): void
}

/** What the core says of its events, to those that react to them. */
export interface CoreEvents {
  /** id of the station; null when it is gone */
  readonly docked: { readonly station: string | null }
  readonly undocked: { readonly station: string | null }
  /** its tank is full */
  readonly refuelled: { readonly station: string | null }
  /** it ran into a body, and is back on its spawn orbit */
  readonly impact: { readonly body: string }
  /** a module has destroyed it, and why */
  readonly destroyed: { readonly by: string; readonly reason: string }
  /** its pilot's burn has ended; `ship.fuel` is 0 where it has run out of fuel */
  readonly burnEnded: Readonly<Record<string, never>>
  /** its autopilot has gone on to another phase */
  readonly phase: { readonly phase: string; readonly from: string }
  /** what its autopilot was ordered is done */
  readonly completed: { readonly phase: string }
  readonly failed: { readonly reason: string }
  /** it has come through a gate, and from which star system */
  readonly jumped: { readonly from: string }
  /** an operator has moved it here from another star system */
  readonly transferred: { readonly from: string }
}

/** What a module does at the first beat after an event, with the ship that it is of. */
type Reaction<Ship extends Columns, T extends Tables, E extends Bodies, A extends Columns, Data> = (
  ship: ShipRow<Ship>,
  event: Data,
  context: ReactionContext<Ship, T, E, A>,
) => void

/** By the core's names, and by `module.event`, whose values its own module has checked. */
export type Reactions<
  Ship extends Columns,
  T extends Tables,
  E extends Bodies,
  A extends Columns = Columns,
> = {
  readonly [Name in keyof CoreEvents]?: Reaction<Ship, T, E, A, CoreEvents[Name]>
} & { readonly [name: `${string}.${string}`]: Reaction<Ship, T, E, A, ModuleBody> }

/** Where a row of a table on rails is. */
export interface Orbit {
  /** name of the body */
  readonly around: string
  /** [m] */
  readonly radius: number
  /** passed since its node, 0 up to 1 */
  readonly turn?: number
}

/** A star system that has just got the module. */
export interface BeginContext<T extends Tables> {
  readonly systemId: string
  hasBody(this: void, name: string): boolean
  /** Adds a row; returns its id. */
  add<Name extends keyof T & string>(
    this: void,
    table: Name,
    values: Partial<Values<T[Name]['columns']>>,
    orbit?: Orbit,
  ): number
  random(this: void): number
}

/**
 * A ship or a row as an older version has kept it: numbers and texts by column, of a bit 0 or 1, of
 * a reference its id or 0. A ship that comes from another star system has no references.
 */
export type OldValues = Readonly<Record<string, number | string>>

/**
 * How what an older version keeps becomes this one's, at an index of the journal; what breaks here
 * refuses the upgrade, and nothing has changed. Ships and rows keep the columns, and tables the
 * rows, whose names both versions have; it needs no code of the older version, since it gets what
 * images have. Ships that had nothing but defaults begin as new ones.
 */
export interface Upgrade<Ship extends Columns, T extends Tables, A extends Columns = Columns> {
  /** what a ship has otherwise than by its columns' names; of one that arrives later, too */
  readonly ship?: (old: OldValues) => Partial<Values<Ship>>
  /** of what it has of its account, likewise; that alone may come from another star system */
  readonly account?: (old: OldValues) => Partial<Values<A>>
  /** of a row likewise, by this version's tables */
  readonly tables?: {
    readonly [Name in keyof T]?: (old: OldValues) => Partial<Values<T[Name]['columns']>>
  }
  /** adds rows behind those that are kept */
  readonly begin?: (context: BeginContext<T>) => void
}

export interface Command<
  Ship extends Columns,
  T extends Tables,
  E extends Bodies,
  Body extends GenericSchema,
  A extends Columns = Columns,
> {
  /** the ship's own pilot by default */
  readonly may?: 'pilot' | 'operator'
  /** commands of one pilot within a minute, 1 to 600 at most; others are refused before they run */
  readonly perMinute?: number
  /** one sentence, for documents */
  readonly summary?: string
  readonly body: Body
  /** Acts, or throws a refusal, after which nothing has changed. */
  run(this: void, context: CommandContext<Ship, T, E, A>, body: InferOutput<Body>): void
}

export interface Beat<
  Ship extends Columns,
  T extends Tables,
  E extends Bodies,
  A extends Columns = Columns,
> {
  /** column that is not 0, false or null in the ships that have a beat */
  readonly of: keyof Ship & string
  /**
   * Seconds from one beat of a ship to the next, 1 to 3,600; 1 by default. Ships take turns by
   * their numbers, so that each second has as much to do.
   */
  readonly every?: number
  run(this: void, context: BeatContext<Ship, T, E, A>): void
}

/** What a module's author writes. */
export interface Declaration<
  Ship extends Columns,
  T extends Tables,
  B extends Bodies,
  E extends Bodies,
  A extends Columns,
> {
  /** lower case, digits and `_` */
  readonly id: string
  readonly version: number
  /** per ship */
  readonly ship?: Ship
  /**
   * Per account, none of them references to rows. They are with the ship that is flown: one that
   * its account flies next gets what all its ships have, numbers added up. The default of each is
   * what an account begins with, and an account that has lost its last ship.
   */
  readonly account?: A
  /** per star system */
  readonly tables?: T
  readonly begin?: (context: BeginContext<T>) => void
  /** by the older version that a star system has */
  readonly from?: Readonly<Record<number, Upgrade<Ship, T, A>>>
  /**
   * What a ship carries by its columns [kg], from 0 to 1e9, of a new one 0: a part of its mass from
   * the end of the command or the full second that changes them. Masses of all modules add up, and
   * their sum is rounded to 24 bits.
   */
  readonly mass?: (ship: OwnValues<Ship>) => number
  /**
   * Part of the thrust of its class that a ship has by its columns, from 0 to 1, of a new one 1;
   * it acts as `mass` does. Parts of all modules are multiplied, and rounded to 1/200. At 0 orders
   * that take an engine are refused, and maneuvers fail.
   */
  readonly thrustLimit?: (ship: OwnValues<Ship>) => number
  readonly events?: { readonly [Name in keyof E]: OwnEvent<E[Name]> }
  readonly commands?: { readonly [Name in keyof B]: Command<Ship, T, E, B[Name], A> }
  /** at the first full second after an event, in the order of events and ship numbers */
  readonly on?: Reactions<Ship, T, E, A>
  /** at full seconds of game time */
  readonly beat?: Beat<Ship, T, E, A>
  /** what pages show of it; no part of its version */
  readonly panel?: PanelDeclaration
}
