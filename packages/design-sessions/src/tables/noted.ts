import type postgres from 'postgres'
import { authorNow } from '../author.ts'

export const ACTIONS = ['create', 'change', 'delete', 'clone', 'import'] as const

type Action = (typeof ACTIONS)[number]

/** Characters of a value in the audit trail. */
const VALUE_MAX = 200

interface Table {
  readonly name: string
  /** columns that requests set */
  readonly sent: readonly string[]
}

/** A call that adds the row `changed` of a statement to the audit trail, in that statement. */
export function noted(
  sql: postgres.ISql,
  table: Table,
  action: Action,
  changes: object = {},
): postgres.Fragment {
  const values = Object.entries(changes)
    .filter(([name]) => table.sent.includes(name))
    .map(([name, value]) => [name, shortened(value)])
  const sent = sql.json(Object.fromEntries(values) as never)
  return sql`
    note_change(${authorNow()}, ${action}, ${table.name}, to_jsonb(changed), ${sent})`
}

function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= VALUE_MAX ? value : `${text.slice(0, VALUE_MAX).toWellFormed()}…`
}

/** What a change of many records at once is noted as: one change of what they belong to. */
export interface Whole {
  readonly kind: string
  /** with the ids of what it belongs to */
  readonly row: { readonly id: string; readonly name: string } & Readonly<Record<string, string>>
}

/** Adds one entry to the audit trail, in the transaction of what it is about. */
export async function note(
  sql: postgres.TransactionSql,
  action: Action,
  { kind, row }: Whole,
): Promise<void> {
  await sql`select note_change(${authorNow()}, ${action}, ${kind}, ${sql.json(row)}, '{}')`
}
