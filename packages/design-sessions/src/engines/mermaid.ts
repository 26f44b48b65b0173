import { collectedIcon } from '@orrery/diagrams-py'
import { MermaidSourceError, mermaidSvg } from '@orrery/mermaid-svg'
import { plainText } from '../plain-text.ts'
import type { Engine } from './drawing.ts'
import { SANS, fontFile } from '../pictures/fonts.ts'
import { unknownIcon } from '../pictures/pictures.ts'
import { sourceError } from '../render-error.ts'
import { takenForEnds } from './unexpected-names.ts'
import { wideSigns } from '../pictures/wide-signs.ts'

/** How much wider a wide sign is drawn than the missing glyph that is measured [em]. */
const EXTRA_WIDTH = 0.4

const font = {
  family: SANS,
  regular: fontFile('regular'),
  bold: fontFile('bold'),
  extraWidth: (words: string) => wideSigns(words) * EXTRA_WIDTH,
}

/** A picture of a Mermaid source; equal sources make equal pictures. */
export const mermaid: Engine = async (source, { embedded, notes }) => {
  const next = randomNumbers(1)
  try {
    const svg = await mermaidSvg(source, {
      font,
      random: () => (next() + 1) / 2,
      icon: collectedIcon,
      unknownIcon: (name) => unknownIcon(name, notes.size),
      pictureSize: embedded,
      note: (sentence) => notes.add(sentence),
    })
    for (const note of takenForEnds(source)) notes.add(note)
    return [{ svg, name: 'diagram' }]
  } catch (error) {
    if (error instanceof MermaidSourceError) throw sourceError(plainText(error.message))
    throw error
  }
}

/** Deterministic pseudorandom numbers in [-1, 1) (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1
  }
}
