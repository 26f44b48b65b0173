import * as v from 'valibot'
import { date as day } from '../tables/fields.ts'
import type { Adr } from '../records/adrs.ts'
import { type FrontMatter, unquoted } from './decision-file.ts'

/** The date and the people of a decision, and the metadata that have no field. */
export interface Metadata {
  readonly date: string | null
  readonly makers: string[]
  readonly others: FrontMatter
  /** the text below the title */
  readonly preamble: string
}

const DATE = ['date']
const MAKERS = ['decision-makers', 'deciders']

/** A line below the title, as in files of Nygard and of older MADR. */
const LINE = /^[ \t]*(?:[-*+][ \t]+)?\**([a-z-]+)\**:\**[ \t]*(\S[^]*)$/i

/** Reads the front matter, then the lines below the title. */
export function metadataOf(matter: FrontMatter, preamble: string): Metadata {
  const lines = new Map(matter.lines)
  let below = preamble.split('\n')
  const taken = <Value>(
    names: readonly string[],
    valueOf: (entry: readonly string[]) => Value | undefined,
  ): Value | undefined => {
    for (const name of names) {
      const [first, ...rest] = matter.lines.get(name) ?? []
      const value = first && valueOf([first.slice(first.indexOf(':') + 1), ...rest])
      if (value) {
        lines.delete(name)
        return value
      }
    }
    for (const line of below) {
      const [, name = '', text = ''] = LINE.exec(line) ?? []
      const value = names.includes(name.toLowerCase()) ? valueOf([text]) : undefined
      if (value) {
        below = below.filter((one) => one !== line)
        return value
      }
    }
    return undefined
  }
  return {
    date: taken(DATE, dateOf) ?? null,
    makers: taken(MAKERS, makersOf) ?? [],
    others: { ...matter, lines },
    preamble: below.join('\n').trim(),
  }
}

/** Front matter from which {@link metadataOf} reads equal values. */
export function metadataLines(adr: Pick<Adr, 'date' | 'decision_makers'>): readonly string[] {
  const makers = adr.decision_makers.map((name) => `  - ${yaml(name)}`)
  return [
    ...(adr.date === null ? [] : [`date: ${adr.date}`]),
    ...(makers.length === 0 ? [] : ['decision-makers:', ...makers]),
  ]
}

const PLAIN = /^(?!(?:true|false|null|yes|no|on|off)$)\p{L}[\p{L}\p{N} .'-]*$/iu

function yaml(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text)
}

function dateOf([text, ...more]: readonly string[]): string | undefined {
  const given = unquoted(text)
  return more.length === 0 && v.is(day(), given) ? given : undefined
}

const FLOW = /^\[([^]*)\]$/
const NAMES = /"(?:[^"\\]|\\.)*"|[^\s,][^,]*/g

/** A list of names, in one line or below; undefined for other text and for none. */
function makersOf([text, ...more]: readonly string[]): string[] | undefined {
  const given = unquoted(text)
  const names =
    given === ''
      ? more.map((line) => unquoted(/^[ \t]*-[ \t]+([^]*)$/.exec(line)?.[1] ?? ''))
      : ((FLOW.exec(given)?.[1] ?? given).match(NAMES) ?? []).map((name) => unquoted(name))
  const isList = names.length > 0 && !names.includes('') && (given === '' || more.length === 0)
  return isList ? names : undefined
}
