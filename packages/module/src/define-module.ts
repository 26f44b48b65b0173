import type { ModulePanel } from '@orrery/engine/modules'
import type { GenericSchema } from 'valibot'
import { type Column, type Columns, VIEWERS } from './column.ts'
import type {
  Beat,
  BeginContext,
  Bodies,
  Command,
  CoreEvents,
  Declaration,
  OwnEvent,
  OwnValues,
  Reactions,
  Table,
  Tables,
  Upgrade,
} from './declaration.ts'
import { ModuleError, type ModuleErrorCode } from './module-error.ts'
import { checkedPanel } from './panel.ts'

/** A module that has been checked. */
export interface GameModule {
  readonly id: string
  readonly version: number
  readonly ship: Columns
  readonly account: Columns
  readonly tables: Tables
  readonly begin: ((context: BeginContext<Tables>) => void) | undefined
  /** by the older version */
  readonly from: Readonly<Record<number, Upgrade<Columns, Tables>>>
  readonly mass: ((ship: OwnValues<Columns>) => number) | undefined
  readonly thrustLimit: ((ship: OwnValues<Columns>) => number) | undefined
  readonly events: Readonly<Record<string, OwnEvent>>
  readonly commands: Readonly<Record<string, Command<Columns, Tables, Bodies, GenericSchema>>>
  /** by what it reacts to */
  readonly on: Readonly<Record<string, AnyReaction>>
  readonly beat: Beat<Columns, Tables, Bodies> | undefined
  readonly panel: ModulePanel | undefined
  /** its beat and its loads have been seen to end; they need no watchdog */
  readonly isStraight?: boolean
}

/** The same with the types of its commands' bodies, for those who send them. */
export interface TypedModule<B extends Bodies> extends Omit<GameModule, 'commands'> {
  readonly commands: {
    readonly [Name in keyof B]: GameModule['commands'][string] & { readonly body: B[Name] }
  }
}

type AnyReaction = Reactions<Columns, Tables, Bodies>[`${string}.${string}`]

/** Of one game; clients name as many to their server at most. */
export const MODULES_MAX = 16

/** Columns of ships, or of one table. */
export const COLUMNS_MAX = 16

export const TABLES_MAX = 8

/** Characters of a column of texts. */
const TEXT_MAX = 48

/** Commands of one kind by one pilot: ten a second. */
const PER_MINUTE_MAX = 600

/** A command as an author may have written it. */
interface Written {
  readonly run?: unknown
  readonly body?: unknown
  readonly perMinute?: number
}

/** Seconds between two beats of a ship. */
const EVERY_MAX = 3600

/** Rows of one table. */
export const ROWS_MAX = 10_000

const NAME = /^[a-z][a-zA-Z0-9]{0,31}$/
const ID = /^[a-z][a-z0-9_]{0,31}$/
const FOREIGN = /^[a-z][a-z0-9_]{0,31}\.[a-z][a-zA-Z0-9]{0,31}$/

const CORE_EVENTS: Readonly<Record<keyof CoreEvents, true>> = {
  docked: true,
  undocked: true,
  refuelled: true,
  impact: true,
  destroyed: true,
  burnEnded: true,
  phase: true,
  completed: true,
  failed: true,
  jumped: true,
  transferred: true,
}

/** Names that rows have of their own. */
const SHIP_FACTS = 'number docked station thrust fuel fuelCapacity'
const RESERVED = new Set(`${SHIP_FACTS} id around x y z vx vy vz constructor prototype`.split(' '))

/**
 * Declares a game's own rules.
 *
 * @throws {ModuleError} 'ERR_NAME', 'ERR_VERSION', 'ERR_COLUMN', 'ERR_TABLE', 'ERR_COMMAND',
 *   'ERR_EVENT', 'ERR_MASS', 'ERR_THRUST', 'ERR_BOUND' naming what is wrong
 */
export function defineModule<
  const Ship extends Columns = Columns,
  const T extends Tables = Tables,
  B extends Bodies = Bodies,
  E extends Bodies = Bodies,
  const A extends Columns = Columns,
>(declaration: Declaration<Ship, T, B, E, A>): TypedModule<B> {
  const { id, version, begin, beat, panel: declared } = declaration
  const { ship = {}, tables = {}, commands = {}, events = {}, on = {}, from = {} } = declaration
  const { account = {} } = declaration
  if (!ID.test(id)) fail('ERR_NAME', `A module's id is like mining, not ${JSON.stringify(id)}`)
  if (!(Number.isSafeInteger(version) && version >= 1)) {
    fail('ERR_VERSION', `${id} has version ${version}; the first is 1`)
  }
  requireColumns(`${id}: of ships`, ship, tables)
  requireAccount(id, account, ship)
  bounded('ERR_TABLE', `${id}: tables`, Object.keys(tables).length, TABLES_MAX)
  for (const [name, table] of Object.entries<Table>(tables)) {
    requireName('ERR_TABLE', id, name)
    requireColumns(`${id}: of ${name}`, table.columns, {})
    if (!Number.isSafeInteger(table.rows) || table.rows < 1) {
      fail('ERR_BOUND', `${id}: ${name} has ${table.rows} rows`)
    }
    bounded('ERR_BOUND', `${id}: rows of ${name}`, table.rows, ROWS_MAX)
  }
  for (const [name, event] of Object.entries<{ text?: unknown; body?: unknown }>(events)) {
    requireName('ERR_EVENT', id, name)
    if (Object.hasOwn(CORE_EVENTS, name)) fail('ERR_EVENT', `${id}: ${name} is the core's`)
    if (typeof event.text !== 'string' || typeof event.body !== 'object') {
      fail('ERR_EVENT', `${id}: ${name} needs a body and a text`)
    }
  }
  for (const [name, command] of Object.entries<Written>(commands)) {
    requireName('ERR_COMMAND', id, name)
    const { perMinute = 1 } = command
    if (!(Number.isSafeInteger(perMinute) && perMinute >= 1 && perMinute <= PER_MINUTE_MAX)) {
      fail('ERR_BOUND', `${id}: ${name} ${perMinute} times a minute, not 1 to ${PER_MINUTE_MAX}`)
    }
    if (typeof command.run !== 'function' || typeof command.body !== 'object') {
      fail('ERR_COMMAND', `${id}: ${name} needs a body and what it runs`)
    }
  }
  for (const [name, reaction] of Object.entries<unknown>(on)) {
    const isKnown = Object.hasOwn(CORE_EVENTS, name) || FOREIGN.test(name)
    if (!isKnown) fail('ERR_EVENT', `${id}: ${name} is no event of the core, nor module.event`)
    if (typeof reaction !== 'function') fail('ERR_EVENT', `${id}: ${name} needs a function`)
  }
  if (beat && !(beat.of in ship)) fail('ERR_COLUMN', `${id}: no column ${beat.of} for its beat`)
  if (
    beat &&
    Object.entries<Column>(ship).some(([name, { kind }]) => name === beat.of && kind === 'text')
  ) {
    fail('ERR_COLUMN', `${id}: ${beat.of} is a text, which gives no beat`)
  }
  const { every = 1 } = beat ?? {}
  if (!(Number.isSafeInteger(every) && every >= 1 && every <= EVERY_MAX)) {
    fail('ERR_BOUND', `${id}: a beat every ${every} s, not 1 to ${EVERY_MAX} whole ones`)
  }
  for (const older of Object.keys(from)) requireUpgrade({ id, version, tables }, older, from)
  const mass = declaration.mass as GameModule['mass']
  const thrustLimit = declaration.thrustLimit as GameModule['thrustLimit']
  requireNone(id, { mass, thrustLimit }, ship)
  const panel =
    declared && checkedPanel({ id, ship: columnsOf({ ship, account }), tables, commands }, declared)
  const reactions = on as GameModule['on']
  const kept = { id, version, ship, account, tables, events, commands, begin, beat, panel }
  const checked: GameModule = { ...kept, on: reactions, from, mass, thrustLimit }
  return checked as TypedModule<B>
}

/** Commands and panels name columns of ships and accounts alike. */
function requireAccount(id: string, account: Columns, ship: Columns): void {
  const ofShips = new Set(Object.keys(ship).map((name) => name.toLowerCase()))
  for (const [name, { kind }] of Object.entries(account)) {
    if (kind === 'row') fail('ERR_COLUMN', `${id}: ${name} of accounts is a row of a star system`)
    if (ofShips.has(name.toLowerCase())) fail('ERR_COLUMN', `${id}: ships have ${name}, too`)
  }
  requireColumns(`${id}: of accounts`, account, {})
}

function requireUpgrade(
  { id, tables, version }: Pick<GameModule, 'id' | 'tables' | 'version'>,
  older: string,
  from: Readonly<Record<string, object>>,
): void {
  const before = Number(older)
  if (!(Number.isSafeInteger(before) && before >= 1 && before < version)) {
    fail('ERR_VERSION', `${id} ${version} is no upgrade of version ${older}`)
  }
  const {
    ship,
    account,
    begin,
    tables: rows = {},
  } = from[older] as Readonly<Record<string, unknown>>
  const unknown = Object.keys(Object(rows)).find((name) => !Object.hasOwn(tables, name))
  if (unknown !== undefined) fail('ERR_TABLE', `${id}: its upgrade has rows of ${unknown}`)
  const parts = [ship, account, begin, ...Object.values<unknown>(Object(rows))]
  if (parts.some((part) => part !== undefined && typeof part !== 'function')) {
    fail('ERR_VERSION', `${id}: its upgrade of version ${older} needs functions`)
  }
}

/** New ships carry nothing, and have all of their thrust. */
function requireNone(
  id: string,
  { mass, thrustLimit }: Pick<GameModule, 'mass' | 'thrustLimit'>,
  columns: Columns,
): void {
  const own = Object.entries(columns).filter(([, { kind }]) => kind !== 'row')
  const values = own.map(([name, { kind, default: first }]): [string, unknown] => {
    return [name, kind === 'bit' ? false : kind === 'text' ? '' : first]
  })
  const fresh = Object.fromEntries(values) as OwnValues<Columns>
  const kg = mass?.(fresh) ?? 0
  if (kg !== 0) fail('ERR_MASS', `${id}: a new ship carries ${kg} kg, not 0`)
  const part = thrustLimit?.(fresh) ?? 1
  if (part !== 1) fail('ERR_THRUST', `${id}: a new ship has ${part} of its thrust, not 1`)
}

function requireColumns(of: string, columns: Columns, tables: Tables): void {
  bounded('ERR_BOUND', `Columns ${of}`, Object.keys(columns).length, COLUMNS_MAX)
  const lower = new Set<string>()
  for (const [name, column] of Object.entries<Column>(columns)) {
    requireName('ERR_COLUMN', of, name)
    const key = name.toLowerCase()
    if (lower.has(key)) fail('ERR_COLUMN', `${of}: two columns are named ${key}`)
    lower.add(key)
    if (!VIEWERS.includes(column.seenBy)) fail('ERR_COLUMN', `${of}: who sees ${name}?`)
    const { kind, length = 1 } = column
    if (kind === 'text' && !(Number.isInteger(length) && length >= 1 && length <= TEXT_MAX)) {
      fail('ERR_BOUND', `${of}: ${name} has ${length} characters, at most ${TEXT_MAX}`)
    }
    if (!isValue(column, column.default)) {
      fail('ERR_COLUMN', `${of}: ${name} begins as ${column.default}`)
    }
    if (column.kind === 'row' && !Object.hasOwn(tables, column.table ?? '')) {
      fail('ERR_TABLE', `${of}: ${name} refers to a table ${column.table}, which is not declared`)
    }
  }
}

/** Whether a number is one that a column can hold. */
export function isValue({ kind }: Column, value: number): boolean {
  if (kind === 'f64') return Number.isFinite(value)
  if (!Number.isInteger(value)) return false
  if (kind === 'text') return value >= 0 && value < 281_474_976_710_656
  if (kind === 'i32') return value >= -2_147_483_648 && value <= 2_147_483_647
  return value >= 0 && value <= (kind === 'bit' ? 1 : 4_294_967_295)
}

/** Of ships, what they have of their accounts included. */
export function columnsOf({ account, ship }: Pick<GameModule, 'account' | 'ship'>): Columns {
  return { ...ship, ...account }
}

function requireName(code: ModuleErrorCode, of: string, name: string): void {
  if (NAME.test(name) && !RESERVED.has(name)) return
  fail(code, `${of}: ${JSON.stringify(name)} cannot be a name`)
}

function bounded(code: ModuleErrorCode, what: string, count: number, most: number): void {
  if (count > most) fail(code, `${what}: ${count}, at most ${most}`)
}

function fail(code: ModuleErrorCode, message: string): never {
  throw new ModuleError(code, `${message}.`)
}
