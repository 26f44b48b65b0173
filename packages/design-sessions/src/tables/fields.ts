import * as v from 'valibot'

/** Characters of long texts. */
const PROSE_MAX = 100_000

/** Bytes of a diagram's or document's source, as UTF-8. */
export const SOURCE_BYTES_MAX = 262_144

const INTEGER_MAX = 2_147_483_647

/** Limits of the checks by code points, for the API document. */
export const codePointsMax: WeakMap<object, number> = new WeakMap()

// PostgreSQL texts hold no NUL, UTF-8 no lone surrogates.
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

const STORABLE = v.check<string, string>(
  isStorable,
  'must hold no NUL and no half of a surrogate pair',
)

/** Limits code points; UTF-16 counts some characters twice. */
function atMost(length: number): v.CheckAction<string, string> {
  const action = v.check<string, string>(
    (text) => text.length <= length || Array.from(text).length <= length,
    `must have at most ${length} characters`,
  )
  codePointsMax.set(action, length)
  return action
}

/** Texts that are shown as they are stored. */
const texts = new WeakSet<v.GenericSchema>()

function asText(schema: v.GenericSchema<string, string>): v.GenericSchema<string, string> {
  texts.add(schema)
  return schema
}

export function text(length: number = PROSE_MAX): v.GenericSchema<string, string> {
  return asText(v.pipe(v.string(), atMost(length), STORABLE))
}

/** A text that is not blank. */
export function filled(length: number = PROSE_MAX): v.GenericSchema<string, string> {
  const isThere = v.check<string, string>((value) => value.trim() !== '', 'must not be blank')
  return asText(v.pipe(text(length), v.minLength(1), isThere))
}

/** A text of one line, without spaces at its ends. */
export function line(length: number = PROSE_MAX): v.GenericSchema<string, string> {
  const isOne = v.regex<string, string>(/^[^\r\n]*$/, 'must be one line')
  return asText(v.pipe(text(length), v.trim(), v.minLength(1), isOne))
}

/** A day such as `2026-05-31`. */
export function date(): v.GenericSchema<string, string> {
  return v.pipe(v.string(), v.isoDate(), v.check(isDay, 'must be a day of the calendar'))
}

function isDay(text: string): boolean {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
}

export function source(): v.GenericSchema<string, string> {
  return asText(v.pipe(v.string(), v.maxBytes(SOURCE_BYTES_MAX), STORABLE))
}

/** A UUID in lower case. */
export function id(): v.GenericSchema<string, string> {
  return v.pipe(v.string(), v.uuid(), v.toLowerCase())
}

/** An integer in the range of PostgreSQL's `integer`. */
export function integer(): v.GenericSchema<number, number> {
  return v.pipe(v.number(), v.integer(), v.minValue(-INTEGER_MAX), v.maxValue(INTEGER_MAX))
}

/** A whole number in a query, from 1. */
export function count(max: number): v.GenericSchema<string, number> {
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(1),
    v.maxValue(max),
  )
}

/**
 * An array. A longer one is refused before its entries are checked: half a million faults would be
 * reported otherwise.
 */
export function arrayOf<Input, Output>(
  entry: v.GenericSchema<Input, Output>,
  { min = 0, max }: { readonly min?: number; readonly max: number },
): v.GenericSchema<Input[], Output[]> {
  const many = v.pipe(v.array(v.unknown()), v.maxLength(max))
  const few = v.pipe(v.array(entry), v.minLength(min), v.maxLength(max))
  const isLong = (value: unknown): boolean => Array.isArray(value) && value.length > max
  return {
    ...few,
    '~run': (dataset, config) => {
      const schema = isLong(dataset.value) ? (many as unknown as typeof few) : few
      return schema['~run'](dataset, config)
    },
  }
}

/** Absent or null on creation is null. */
export function orNull<Input, Output>(
  schema: v.GenericSchema<Input, Output>,
): v.GenericSchema<Input | null | undefined, Output | null> {
  return v.optional(v.nullable(schema), null)
}

/**
 * A JSON object that PostgreSQL can store. Valibot's records accept arrays and drop keys such as
 * `constructor`.
 */
export function jsonObject(): v.GenericSchema<unknown, Record<string, unknown>> {
  return v.pipe(
    v.custom<Record<string, unknown>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be a JSON object',
    ),
    v.check<Record<string, unknown>, string>(
      isStorableJson,
      'must hold no NUL and no half of a surrogate pair',
    ),
  )
}

function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, part]) => isStorable(key) && isStorableJson(part))
}

/** The schema of an answer: texts are shown without the limits of requests. */
export function shownText(schema: v.GenericSchema): v.GenericSchema {
  if (texts.has(schema)) return v.string()
  if (schema.type === 'nullable') {
    return v.nullable(shownText((schema as v.NullableSchema<v.GenericSchema, never>).wrapped))
  }
  if (schema.type !== 'array') return schema
  return v.array(shownText((schema as v.ArraySchema<v.GenericSchema, never>).item))
}
