import { OMIT_HEADERS, formatPatch, structuredPatch } from 'diff'
import type { Extent, Row } from './compared-rows.ts'
import type { Change, Shown } from './differences.ts'
import { FACT_NAMES } from '../records/facts.ts'
import { type Version, scopeOf } from '../records/versions.ts'

/** Length of an excerpt, and how much of it precedes the difference. */
const TEXT_MAX = 2000
const BEFORE_MAX = 200

/** The fields whose values differ. */
export function fieldChanges(
  [before, after]: readonly [Row, Row],
  fields: readonly string[],
): Change[] {
  return fields.flatMap((field) => {
    const [from, to] = [before[field], after[field]]
    if (isExtent(from) || isExtent(to)) {
      const [was, is] = [from, to] as (Extent | null)[]
      return was?.digest === is?.digest ? [] : [{ field, from: sized(was), to: sized(is) }]
    }
    if (from === to) return []
    const at = firstDifference(from, to)
    return [{ field, from: excerpt(from, at), to: excerpt(to, at) }]
  })
}

function isExtent(value: Shown | Extent): value is Extent {
  return typeof value === 'object' && value !== null
}

function sized(extent: Extent | null): string | null {
  return extent && `${extent.bytes} bytes, SHA-256 ${extent.digest.slice(0, 12)}`
}

function firstDifference(from: Shown, to: Shown): number {
  if (typeof from !== 'string' || typeof to !== 'string') return 0
  let at = 0
  while (at < from.length && from[at] === to[at]) at += 1
  return at
}

/**
 * An excerpt of a long text.
 *
 * @param differsAt  index that the excerpt contains
 */
export function excerpt(value: Shown, differsAt: number): Shown {
  if (typeof value !== 'string' || value.length <= TEXT_MAX) return value
  const start = differsAt <= TEXT_MAX / 2 ? 0 : differsAt - BEFORE_MAX
  const part = value.slice(start, start + TEXT_MAX).toWellFormed()
  const ending = start + TEXT_MAX < value.length ? '…' : ''
  return `${start === 0 ? '' : '…'}${part}${ending}`
}

/** Lines of a source; splitting more takes too long. */
const LINES_MAX = 20_000

/** Edits after which two sources are too different to be compared. */
const EDITS_MAX = 600

/** A diff blocks all other requests. */
const DIFF_MS_MAX = 35

/** Characters of a diff; longer ones are not readable. */
const DIFF_MAX = 32_768

const CONTEXT_LINES = 3

/** A unified diff without its header; undefined when the texts are too different. */
export function sourceDiff(before: string, after: string): string | undefined {
  if (lineCount(before) > LINES_MAX || lineCount(after) > LINES_MAX) return undefined
  const patch = structuredPatch('', '', before, after, '', '', {
    context: CONTEXT_LINES,
    maxEditLength: EDITS_MAX,
    timeout: DIFF_MS_MAX,
  })
  const lines = (patch?.hunks ?? []).flatMap((hunk) => hunk.lines)
  const length = lines.reduce((sum, line) => sum + line.length, 0)
  if (!patch || length > DIFF_MAX) return undefined
  return formatPatch(patch, OMIT_HEADERS)
}

function lineCount(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

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
