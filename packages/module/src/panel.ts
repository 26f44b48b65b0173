import type { ModulePanel, PanelButton, PanelField } from '@orrery/engine/modules'
import type { GenericSchema } from 'valibot'
import type { Column, Columns } from './column.ts'
import type { Table, Tables } from './declaration.ts'
import { ModuleError, type ModuleErrorCode } from './module-error.ts'
import type { ButtonDeclaration, FieldDeclaration, PanelDeclaration } from './panel-declaration.ts'

/** What a panel shows parts of. */
interface Shown {
  readonly id: string
  readonly ship: Columns
  readonly tables: Tables
  readonly commands: Readonly<
    Record<string, { readonly may?: string | undefined; readonly body: GenericSchema }>
  >
}

/** Of one kind in one panel. */
const PARTS_MAX = 32

const TEXT_LENGTH_MAX = 64

/** @throws {ModuleError} 'ERR_COLUMN', 'ERR_COMMAND', 'ERR_TABLE', 'ERR_NAME', 'ERR_BOUND' */
export function checkedPanel(shown: Shown, declared: PanelDeclaration): ModulePanel {
  const { title, fields = [], buttons = [], lists = [] } = declared
  return {
    title: text(shown, title),
    fields: parts(shown, fields).map((field) => shipField(shown, field)),
    buttons: parts(shown, buttons).map((button) => checkedButton(shown, button)),
    lists: parts(shown, lists).map(({ label, table, row, columns, marker = false, ...rest }) => {
      const { columns: known, onRail = false } = tableOf(shown, table)
      if (marker && !onRail) fail(shown, 'ERR_TABLE', `rows of ${table} are on no map`)
      return {
        label: text(shown, label),
        table,
        row: text(shown, row),
        columns: parts(shown, columns).map((field) => checkedField(shown, known, field)),
        buttons: parts(shown, rest.buttons ?? []).map((button) => {
          return checkedButton(shown, button, button.row)
        }),
        marker,
      }
    }),
  }
}

function shipField(shown: Shown, field: FieldDeclaration): PanelField {
  const { of } = field
  if (of === undefined) return checkedField(shown, shown.ship, field)
  const { table } = columnOf(shown, shown.ship, of)
  if (table === undefined) fail(shown, 'ERR_COLUMN', `${of} refers to no row`)
  return { ...checkedField(shown, tableOf(shown, table).columns, field), of, table }
}

function checkedField(
  shown: Shown,
  columns: Columns,
  { label, column, words = [] }: FieldDeclaration,
): PanelField {
  const { kind, unit, table } = columnOf(shown, columns, column)
  if (kind === 'text' && words.length > 0) {
    fail(shown, 'ERR_COLUMN', `${column} is a text, which needs no words`)
  }
  return {
    label: text(shown, label),
    column,
    kind,
    unit: words.length > 0 ? '' : text(shown, unit),
    words: parts(shown, words).map((word) => text(shown, word)),
    ...(table !== undefined && { table }),
  }
}

function checkedButton(
  shown: Shown,
  { label, command, inputs = {}, when }: ButtonDeclaration,
  row?: string,
): PanelButton {
  const { commands, ship } = shown
  if (!Object.hasOwn(commands, command)) fail(shown, 'ERR_COMMAND', `no command ${command}`)
  const { body, may = 'pilot' } = commands[command]
  if (may !== 'pilot') fail(shown, 'ERR_COMMAND', `pilots may not ${command}`)
  if (when !== undefined && columnOf(shown, ship, when).kind === 'text') {
    fail(shown, 'ERR_COLUMN', `${when} is a text, and never 0, false or null`)
  }
  const names = [...Object.keys(inputs), ...(row === undefined ? [] : [row])]
  requireFilled(shown, command, body, names)
  return {
    label: text(shown, label),
    command,
    inputs: parts(shown, Object.entries(inputs)).map(([name, { kind, table, ...input }]) => {
      if (table !== undefined) tableOf(shown, table)
      return {
        name,
        label: text(shown, input.label),
        kind: table === undefined ? (kind ?? 'number') : 'row',
        unit: text(shown, input.unit ?? ''),
        ...(table !== undefined && { table }),
      }
    }),
    ...(when !== undefined && { when }),
    ...(row !== undefined && { row }),
  }
}

/** What a body needs is given, and nothing that it does not have. */
function requireFilled(
  shown: Shown,
  command: string,
  body: GenericSchema,
  given: readonly string[],
): void {
  if (!('entries' in body)) return
  const entries = Object.entries(body.entries as Readonly<Record<string, GenericSchema>>)
  const names = new Set(entries.map(([name]) => name))
  const unknown = given.find((name) => !names.has(name))
  if (unknown !== undefined) fail(shown, 'ERR_COMMAND', `${command} is not given ${unknown}`)
  const lacking = entries.find(([name, { type }]) => {
    return !given.includes(name) && !/optional|nullish|undefinedable/.test(type)
  })
  if (lacking) fail(shown, 'ERR_COMMAND', `${command} needs ${lacking[0]}`)
}

function columnOf(shown: Shown, columns: Columns, name: string): Column {
  if (!Object.hasOwn(columns, name)) fail(shown, 'ERR_COLUMN', `no column ${name}`)
  const column = columns[name]
  if (column.seenBy === 'operator') fail(shown, 'ERR_COLUMN', `pilots do not see ${name}`)
  return column
}

function tableOf(shown: Shown, name: string): Table {
  if (Object.hasOwn(shown.tables, name)) return shown.tables[name]
  return fail(shown, 'ERR_TABLE', `no table ${name}`)
}

function parts<Part>(shown: Shown, all: readonly Part[]): readonly Part[] {
  if (all.length <= PARTS_MAX) return all
  return fail(shown, 'ERR_BOUND', `${all.length} parts, at most ${PARTS_MAX}`)
}

function text(shown: Shown, given: string): string {
  const isText = typeof given === 'string' && given.isWellFormed() && !/\p{Cc}/u.test(given)
  if (isText && given.length <= TEXT_LENGTH_MAX) return given
  return fail(shown, 'ERR_NAME', `${JSON.stringify(given)} cannot be shown`)
}

function fail({ id }: Shown, code: ModuleErrorCode, message: string): never {
  throw new ModuleError(code, `${id}: its panel: ${message}.`)
}
