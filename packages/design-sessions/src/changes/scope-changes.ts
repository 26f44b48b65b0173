import { FACT_NAMES } from '../records/facts.ts'
import { type Version, scopeOf } from '../records/versions.ts'
import type { Row } from './compared-rows.ts'
import type { Change } from './differences.ts'
import { fieldChanges } from './field-changes.ts'

/** What two versions are designed for, field by field and fact by fact. */
export function scopeChanges(before: Version, after: Version): Change[] {
  const row = scopeRow(after)
  return fieldChanges([scopeRow(before), row], Object.keys(row))
}

function scopeRow(version: Version): Row {
  const fields = Object.entries(scopeOf(version)).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ])
  const facts = FACT_NAMES.map((name) => [name, version.facts[name] ?? null])
  return Object.fromEntries([...fields, ...facts])
}
