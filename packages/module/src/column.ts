/**
 * Who sees the values of a column: all in the star system, the account that has the ship, also
 * while it flies another, its pilot, or operators; each sees what those before see, too.
 */
export const VIEWERS = ['system', 'account', 'pilot', 'operator'] as const

export type Viewer = (typeof VIEWERS)[number]

export type ColumnKind = 'f64' | 'i32' | 'u32' | 'bit' | 'row' | 'text'

/** A column of ships or of a table. */
export interface Column<Kind extends ColumnKind = ColumnKind> {
  readonly kind: Kind
  /** SI or a game's own; empty of a number without one */
  readonly unit: string
  /** that a new row has; a reference begins as null, a bit as false, a text empty */
  readonly default: number
  readonly seenBy: Viewer
  /** that a reference is to a row of */
  readonly table?: string
  /** of a text, at most [UTF-16 units] */
  readonly length?: number
}

export type Columns = Readonly<Record<string, Column>>

/** What a module reads and writes in a column. */
export type ValueOf<C extends Column> = C['kind'] extends 'bit'
  ? boolean
  : C['kind'] extends 'text'
    ? string
    : C['kind'] extends 'row'
      ? number | null
      : number

export type Values<C extends Columns> = { -readonly [Name in keyof C]: ValueOf<C[Name]> }

interface ColumnOptions {
  readonly default?: number
  /** the pilot by default: of the ship, or every pilot where the table is */
  readonly seenBy?: Viewer
}

type Options<Key extends keyof ColumnOptions = keyof ColumnOptions> = Pick<ColumnOptions, Key>

/** A double; never NaN, never infinite. */
export function f64(unit: string, options: Options = {}): Column<'f64'> {
  return column('f64', unit, options)
}

/** A whole number from -2^31 up to 2^31 - 1. */
export function i32(unit: string, options: Options = {}): Column<'i32'> {
  return column('i32', unit, options)
}

/** A whole number from 0 up to 2^32 - 1. */
export function u32(unit: string, options: Options = {}): Column<'u32'> {
  return column('u32', unit, options)
}

export function bit(options: Options<'seenBy'> = {}): Column<'bit'> {
  return column('bit', '', options)
}

/** A row of a table of the same module, or null. */
export function row(table: string, options: Options<'seenBy'> = {}): Column<'row'> {
  return { ...column('row', '', options), table }
}

/** A short text of one line. @param length  at most [UTF-16 units], up to 48 */
export function text(length: number, options: Options<'seenBy'> = {}): Column<'text'> {
  return { ...column('text', '', options), length }
}

function column<Kind extends ColumnKind>(
  kind: Kind,
  unit: string,
  { default: first = 0, seenBy = 'pilot' }: Options,
): Column<Kind> {
  return { kind, unit, default: first, seenBy }
}
