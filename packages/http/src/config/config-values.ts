import * as v from 'valibot'
import { Secret } from '../logs/secret.ts'

/** Schema of one environment variable: text or nothing in, a value out. */
export type ConfigValue<T> = v.GenericSchema<string | undefined, T>

/** Characters of a refused value that are shown. */
const SHOWN_MAX = 32

interface Piece<T> {
  /** The value of a text; undefined when the text is not valid. */
  readonly read: (text: string) => T | undefined
  /** Completes the sentence "NAME must be ...". */
  readonly expected: string
  /** Whether a refused text may be shown; false for whatever may hold a secret. */
  readonly shown: boolean
  /** Replaces an unset variable; without it the variable is required. */
  readonly fallback: string | undefined
}

function configValue<T>({ read, expected, shown, fallback }: Piece<T>): ConfigValue<T> {
  const schema = v.pipe(
    v.string(),
    v.rawTransform<string, T>(({ dataset, addIssue, NEVER }) => {
      const value = read(dataset.value)
      if (value !== undefined) return value
      const received = shown ? `, not ${JSON.stringify(dataset.value.slice(0, SHOWN_MAX))}` : ''
      addIssue({ message: `must be ${expected}${received}` })
      return NEVER
    }),
  )
  return fallback === undefined ? schema : v.optional(schema, fallback)
}

/** An integer from `min` to `max`. */
export function integer(
  { min, max }: { readonly min: number; readonly max: number },
  fallback?: number,
): ConfigValue<number> {
  return configValue({
    read: (text) => {
      const value = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN
      return value >= min && value <= max ? value : undefined
    },
    expected: `an integer from ${min} to ${max}`,
    shown: true,
    fallback: fallback?.toString(),
  })
}

/** A TCP port; 0 lets the system choose one. */
export function port(fallback?: number): ConfigValue<number> {
  return integer({ min: 0, max: 65_535 }, fallback)
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** A boolean: true, false, 1 or 0. */
export function boolean(fallback?: boolean): ConfigValue<boolean> {
  return configValue({
    read: (text) => BOOLEANS.get(text),
    expected: 'true, false, 1 or 0',
    shown: true,
    fallback: fallback?.toString(),
  })
}

/** One of some words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  fallback?: Word,
): ConfigValue<Word> {
  return configValue({
    read: (value) => words.find((word) => word === value),
    expected: `one of ${words.join(', ')}`,
    shown: false,
    fallback,
  })
}

/** Text of at least one character and at most `lengthMax`, without control characters. */
export function text(
  { lengthMax }: { readonly lengthMax: number },
  fallback?: string,
): ConfigValue<string> {
  return configValue({
    read: (value) =>
      value.length > 0 && value.length <= lengthMax && !/\p{Cc}/u.test(value) ? value : undefined,
    expected: `1 to ${lengthMax} characters, none of them a control character`,
    shown: false,
    fallback,
  })
}

/** Comma-separated texts, trimmed, the empty ones dropped; unset is an empty list. */
export function list(): ConfigValue<readonly string[]> {
  return configValue({
    read: (value): readonly string[] =>
      Object.freeze(
        value
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      ),
    expected: 'a comma-separated list',
    shown: false,
    fallback: '',
  })
}

function isUrl(value: string, protocols: readonly string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol)
}

/** Behind the first of several hosts; a comma before an `@` is of the password. */
const MORE_HOSTS = /^([a-z]+:\/\/(?:[^/?#]*@)?[^,/?#]*)(?:,[^,:/?#]+(?::\d+)?)+/u

/** Origins of browsers, comma-separated. */
export function origins(example: string): ConfigValue<readonly string[]> {
  return v.pipe(
    list(),
    v.check(
      (items) => items.every((item) => URL.parse(item)?.origin === item),
      `must be a comma-separated list of origins such as ${example}`,
    ),
  )
}

/** Host names without scheme and port, comma-separated. */
export function hostNames(example: string): ConfigValue<readonly string[]> {
  return v.pipe(
    list(),
    v.check(
      (items) => items.every((item) => URL.parse(`http://${item}`)?.host === item),
      `must be a comma-separated list of host names such as ${example}`,
    ),
  )
}

/**
 * A URL, as it was written. Use {@link secretUrl} where it may carry a password.
 *
 * @param protocols  those allowed, with colon: `['https:']`
 */
export function url(protocols: readonly string[], fallback?: string): ConfigValue<string> {
  return configValue({
    read: (value) => (isUrl(value, protocols) ? value : undefined),
    expected: `a URL with ${protocols.join(' or ')}`,
    shown: false,
    fallback,
  })
}

/** A URL that may carry a password, such as a database's; several hosts are separated by commas. */
export function secretUrl(protocols: readonly string[]): ConfigValue<Secret> {
  return configValue({
    read: (value) =>
      isUrl(value.replace(MORE_HOSTS, '$1'), protocols) ? new Secret(value) : undefined,
    expected: `a URL with ${protocols.join(' or ')}`,
    shown: false,
    fallback: undefined,
  })
}

/** A secret of at least `bytesMin` bytes of UTF-8. */
export function secret({ bytesMin }: { readonly bytesMin: number }): ConfigValue<Secret> {
  return configValue({
    read: (value) => (Buffer.byteLength(value) >= bytesMin ? new Secret(value) : undefined),
    expected: `at least ${bytesMin} bytes`,
    shown: false,
    fallback: undefined,
  })
}
