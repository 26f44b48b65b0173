import { type FactName, type Facts, FACT_NAMES, choicesOf } from '../records/facts.ts'
import type { Priority } from '../records/suggestion.ts'

/** Answers to facts with which an item is asked; other facts do not matter. */
export type Condition = { readonly [Name in FactName]?: readonly string[] }

/** The conditions of a library's items. */
export type Conditions = (file: string, item: string, priority: Priority) => Condition

interface FileConditions {
  readonly terms: Condition
  /** by how the item begins */
  readonly items: (readonly [beginning: string, terms: Condition])[]
}

const STAGES = Object.keys(choicesOf('stage'))

/**
 * Reads a table of conditions: a line for a file, and lines that begin with a space for items of
 * it. Each has a stage, such as `detail`, and facts, such as `hosting=own/hosted`; a line of an
 * item ends with how the item begins, and goes before that of its file.
 */
export function conditionsOf(table: string): Conditions {
  const files = new Map<string, FileConditions>()
  let current: FileConditions | undefined
  for (const line of table.split('\n')) {
    const words = line.trim().split(/\s+/)
    if (words[0] === '' || words[0].startsWith('#')) continue
    if (/^\s/.test(line)) {
      const [terms, rest] = termsOf(words)
      current?.items.push([rest.join(' '), terms])
    } else {
      current = { terms: termsOf(words.slice(1))[0], items: [] }
      files.set(words[0], current)
    }
  }
  return (file, item, priority) => {
    const found = files.get(file)
    if (priority !== 'critical') {
      const stage = (found?.terms.stage ?? STAGES).filter((name) => name !== STAGES[0])
      return { ...found?.terms, stage }
    }
    const own = found?.items.find(([beginning]) => item.startsWith(beginning))?.[1]
    return { ...found?.terms, ...own }
  }
}

/** The stages from one on. */
export function fromStage(stage: string): readonly string[] {
  return STAGES.slice(STAGES.indexOf(stage))
}

/** Leading words that are terms, and the words after them. */
function termsOf(words: readonly string[]): readonly [terms: Condition, rest: readonly string[]] {
  const terms: Record<string, readonly string[]> = {}
  for (const [i, word] of words.entries()) {
    const [name, values] = word.split('=', 2)
    if (STAGES.includes(word)) terms['stage'] = fromStage(word)
    else if (values !== undefined && isFact(name)) terms[name] = values.split('/')
    else return [terms, words.slice(i)]
  }
  return [terms, []]
}

function isFact(name: string): name is FactName {
  return (FACT_NAMES as readonly string[]).includes(name)
}

/** Why an item is not asked: it does not apply, or it is put off to a later stage. */
export interface Exclusion {
  readonly status: 'na' | 'deferred'
  readonly fact: FactName
  readonly reason: string
}

/** The first fact of a version that excludes an item. */
export function exclusionBy(facts: Facts, condition: Condition): Exclusion | undefined {
  for (const fact of FACT_NAMES) {
    const answer = facts[fact]
    if (answer === undefined || condition[fact]?.includes(answer) !== false) continue
    const reason = `By the fact ${fact}: ${choicesOf(fact)[answer]}`
    if (fact !== 'stage') return { status: 'na', fact, reason: `${reason}.` }
    return {
      status: 'deferred',
      fact,
      reason: `${reason}; asked from \`${condition.stage?.[0]}\` on.`,
    }
  }
  return undefined
}
