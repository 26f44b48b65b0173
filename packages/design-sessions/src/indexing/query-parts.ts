import { tokens } from './tokens.ts'

/** Words of a part at least; fewer say too little of what is meant. */
const PART_WORDS_MIN = 10

/** Parts at most: for each, every chunk is looked at. */
const PARTS_MAX = 8

/** After a sentence or a clause, and between lines. */
const ENDS = /(?<=[.!?;:])\s+|\n+/u

/**
 * What a text asks: itself and, where it is long, each of its parts.
 *
 * The description of a project speaks of twenty things, and their mean is near none of them.
 *
 * @returns the text, then its parts in order if there are several
 */
export function queryParts(text: string): readonly string[] {
  const sentences = text.split(ENDS).map((words) => ({ words, count: tokens(words).length }))
  const total = sentences.reduce((sum, { count }) => sum + count, 0)
  const least = Math.max(PART_WORDS_MIN, total / PARTS_MAX)
  const parts: string[] = []
  let part: string[] = []
  let size = 0
  for (const { words, count } of sentences) {
    part.push(words)
    size += count
    if (size < least) continue
    parts.push(part.join(' '))
    part = []
    size = 0
  }
  if (size > 0) parts.push(part.join(' '))
  return parts.length > 1 ? [text, ...parts] : [text]
}
