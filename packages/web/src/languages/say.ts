/** Texts in the language of the page. They are written in English where they are shown. */
import { LANGUAGE } from './language.ts'

/** A text in another language, or one for each plural that the language has. */
export type Row = string | { readonly [Plural in Intl.LDMLPluralRule]?: string }

export interface Table {
  /** by their English texts */
  readonly texts: Readonly<Record<string, Row>>
  /** of bodies, by their English names */
  readonly names: Readonly<Record<string, string>>
}

/** Of places in a text, such as `n` in `{n} ships`. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never

type Values<Text extends string> = [Names<Text>] extends [never]
  ? [values?: Readonly<Record<string, string | number>>]
  : [values: Readonly<Record<Names<Text>, string | number>>]

const ENGLISH: Table = { texts: {}, names: {} }

const TABLES = { de: async (): Promise<Table> => (await import('./de.ts')).GERMAN }

// Before anything is drawn: texts of modules are read once, when they are loaded.
const { texts, names } = LANGUAGE === 'en' ? ENGLISH : await TABLES[LANGUAGE]().catch(() => ENGLISH)

const plurals = new Intl.PluralRules(LANGUAGE)

/** A text, with values at its `{places}`. */
export function say<Text extends string>(text: Text, ...[values]: Values<Text>): string {
  const row = texts[text]
  return filled(typeof row === 'string' ? row : text, values)
}

/** A text for a number of things, which stands at its `{n}`. The table has the second one. */
export function sayCount(n: number, one: string, other: string): string {
  const row = texts[other]
  const plural = plurals.select(n)
  const said = typeof row === 'object' ? (row[plural] ?? row.other) : row
  return filled(said ?? (plural === 'one' ? one : other), { n: n.toLocaleString(LANGUAGE) })
}

/** The name of a body. */
export function sayName(name: string): string {
  return names[name] ?? name
}

function filled(text: string, values?: Readonly<Record<string, string | number>>): string {
  if (!values) return text
  return text.replaceAll(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place))
}

/** A text inside a sentence; German nouns keep their capitals. */
export function lowerFirst(text: string): string {
  return LANGUAGE === 'de' ? text : text.charAt(0).toLowerCase() + text.slice(1)
}
