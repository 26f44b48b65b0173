import type * as v from 'valibot'
import type { BodyIssue } from './http-error.ts'

/** The reason of a field that is required and absent. */
export const MISSING = 'is missing'

const REASONS: ReadonlyMap<string, string> = new Map([
  ['string', 'must be a text'],
  ['number', 'must be a number'],
  ['boolean', 'must be true or false'],
  ['object', 'must be an object'],
  ['strict_object', 'must be an object'],
  ['record', 'must be an object'],
  ['array', 'must be a list'],
  ['tuple', 'must be a list'],
  ['null', 'must be null'],
  ['finite', 'must be a finite number'],
  ['integer', 'must be a whole number'],
  ['safe_integer', 'must be a whole number'],
  ['non_empty', 'must not be empty'],
  ['uuid', 'must be a UUID'],
  ['url', 'must be a URL'],
  ['email', 'must be an e-mail address'],
  ['iso_timestamp', 'must be a time such as 2026-01-01T00:00:00Z'],
  ['iso_date', 'must be a date such as 2026-01-01'],
])

const BOUNDS: ReadonlyMap<string, string> = new Map([
  ['min_value', 'at least'],
  ['max_value', 'at most'],
  ['gt_value', 'above'],
  ['lt_value', 'below'],
  ['multiple_of', 'a multiple of'],
])

const LENGTHS: ReadonlyMap<string, string> = new Map([
  ['length', 'exactly'],
  ['min_length', 'at least'],
  ['max_length', 'at most'],
  ['max_bytes', 'at most'],
])

/**
 * What is wrong with a value, to follow its name, such as `must be a number`: the `message` of a
 * parse, for checks without one of their own.
 */
export function issueReason({
  type,
  path,
  expected,
  input,
  requirement,
}: v.BaseIssue<unknown>): string {
  if (path?.[0]?.origin === 'key') return expected === 'never' ? 'is unknown' : MISSING
  const bound = BOUNDS.get(type)
  if (bound !== undefined) return `must be ${bound} ${String(requirement)}`
  const length = LENGTHS.get(type)
  if (length !== undefined) {
    const unit = typeof input === 'string' ? 'characters' : 'items'
    return `must have ${length} ${String(requirement)} ${type === 'max_bytes' ? 'bytes' : unit}`
  }
  if (type === 'picklist' || type === 'literal') {
    return `must be ${String(expected)
      .replaceAll(/^\(|\)$/g, '')
      .replaceAll(' | ', ' or ')}`
  }
  return REASONS.get(type) ?? 'is not as it must be'
}

/** A whole sentence of an issue: it names the field, unless its own message does. */
export function issueSentence({ path, message }: Pick<BodyIssue, 'path' | 'message'>): string {
  const isReason = /^(?:must|is) /.test(message)
  return isReason && path.length > 0 ? `${path.join('.')} ${message}` : message
}
