import { readFileSync } from 'node:fs'
import { tokens } from './tokens.ts'

/** Everyday words and technical terms that mean similar things, one group a line. */
const GROUPS = readFileSync(new URL('related-words.txt', import.meta.url), 'utf8').split('\n')

/** For each stem those that may stand in its place. */
export const RELATED: ReadonlyMap<string, ReadonlySet<string>> = related(GROUPS)

function related(groups: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const group of groups) {
    const stems = tokens(group)
    for (const stem of stems) {
      const others = found.get(stem) ?? new Set()
      for (const other of stems) if (other !== stem) others.add(other)
      found.set(stem, others)
    }
  }
  return found
}
