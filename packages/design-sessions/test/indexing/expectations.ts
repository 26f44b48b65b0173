// Texts with the words that are expected for them, by section.
import { readFileSync } from 'node:fs'

/** A text and what belongs to it: files of the library, or a pattern and providers. */
export interface Expectation {
  readonly text: string
  readonly words: readonly string[]
}

/**
 * Reads a file of this directory: `# section` begins a section, a line is a text, and an indented
 * line below it holds its words.
 */
export function expectations(name: string): Readonly<Record<string, readonly Expectation[]>> {
  const sections: Record<string, Expectation[]> = {}
  const lines = readFileSync(new URL(name, import.meta.url), 'utf8').split('\n')
  let section: Expectation[] = []
  for (const [i, line] of lines.entries()) {
    if (line.startsWith('# ')) section = sections[line.slice(2)] = []
    else if (line !== '' && !line.startsWith(' ')) {
      const below = lines[i + 1]
      const words = below?.startsWith(' ') ? below.trim().split(' ') : []
      section.push({ text: line, words })
    }
  }
  return sections
}
