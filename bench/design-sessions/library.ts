/** A generated knowledge library of the size and shape of a large real one. */
import { createChance } from '@orrery/testkit/chance'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FILES = 450
const ITEMS_PER_FILE = 19
/** With the first one ninth section of some files: 12,500 chunks in all. */
const SECTIONS_PER_FILE = 8
const FILES_WITH_ONE_MORE = 350

export const CHUNKS: number = FILES * (ITEMS_PER_FILE + SECTIONS_PER_FILE) + FILES_WITH_ONE_MORE

const WORDS = 7500
const TOPICS = 40
const WORDS_PER_TOPIC = 400

const ITEM_WORDS = 26
const SECTION_WORDS = 95

const PRIORITIES = ['Critical', 'Recommended', 'Optional'] as const

/** Word number n: a row of syllables that belongs to no other number. */
function word(n: number): string {
  const syllables: string[] = []
  for (let rest = n + 70; rest > 0; rest = Math.floor(rest / 70)) {
    syllables.push('bdfgklmnprstvz'[rest % 14] + 'aeiou'[Math.floor((rest % 70) / 14)])
  }
  return syllables.join('')
}

/**
 * Writes the library.
 *
 * Words come by Zipf's law, two of three from the file's own topic.
 *
 * @returns some of its items, as queries
 */
export function writeLibrary(root: string, seed: number): string[] {
  const next = createChance(seed).share
  const zipf = (size: number): number => Math.floor(size ** next()) - 1
  const topics = Array.from({ length: TOPICS }, () =>
    Array.from({ length: WORDS_PER_TOPIC }, () => Math.floor(next() * WORDS)),
  )
  const queries: string[] = []
  for (let file = 0; file < FILES; file++) {
    const topic = topics[file % TOPICS]
    const text = (words: number): string =>
      Array.from({ length: words }, () =>
        word(next() < 2 / 3 ? topic[zipf(WORDS_PER_TOPIC)] : zipf(WORDS)),
      ).join(' ')
    const lines = [`# ${text(3)}`, '', '## Checklist', '']
    for (let item = 0; item < ITEMS_PER_FILE; item++) {
      const question = text(ITEM_WORDS)
      lines.push(`- [ ] **[${PRIORITIES[item % 3]}]** ${question}`)
      if (item === 0) queries.push(question)
    }
    const sections = SECTIONS_PER_FILE + (file < FILES_WITH_ONE_MORE ? 1 : 0)
    for (let s = 0; s < sections; s++) lines.push('', `## ${text(2)}`, '', text(SECTION_WORDS))
    const path = join(root, 'general', `topic-${String(file).padStart(3, '0')}.md`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${lines.join('\n')}\n`)
  }
  return queries
}
