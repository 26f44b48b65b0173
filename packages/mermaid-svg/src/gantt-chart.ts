import { INITIAL_STYLE, type WordsBox } from './font.ts'

/** A mark of an axis, with its place and its date. */
const TICK =
  /<g class="tick"[^<>]*translate\(([^,]+),[^<>]*><line[^>]*><\/line>(<text[^<>]*>([^<]*)<\/text>)/g

/** Of a date below an axis, and between two of them [px]. */
const SIZE = 10
const GAP = 6

/** The line of the day of the drawing. */
const TODAY = /<g class="today">.*?<\/g>/s

/** In a source that asks for this line. */
const TODAY_MARKER = /^\s*todayMarker\s/m

/**
 * A Gantt chart with dates that do not touch, and with the day of the drawing only where its source
 * asks for that: equal sources make equal pictures.
 */
export function readableGantt(svg: string, source: string, wordsBox: WordsBox): string {
  const style = { ...INITIAL_STYLE, size: SIZE }
  let last = Infinity
  let end = -Infinity
  const chart = svg.replaceAll(TICK, (tick, place: string, text: string, date: string) => {
    const x = Number(place)
    const half = wordsBox(date, style).width / 2
    // A second axis begins at the left again.
    if (x < last) end = -Infinity
    last = x
    if (x - half < end + GAP) return tick.replace(text, '')
    end = x + half
    return tick
  })
  return TODAY_MARKER.test(source) ? chart : chart.replace(TODAY, '')
}

const SECTION = /^\s*section\s+(.+)$/gm

/** Of the names of sections; around them; of their column [px]. */
const SECTION_SIZE = 11
const MARGIN = 10
const [LEAST, MOST] = [75, 250]

/** Width of the column of sections, which bars would cover otherwise [px]. */
export function sectionsWidth(source: string, wordsBox: WordsBox): number {
  const style = { ...INITIAL_STYLE, size: SECTION_SIZE }
  const lines = [...source.matchAll(SECTION)].flatMap(([, name]) => name.split(/<br\s*\/?>/))
  const widths = lines.map((line) => wordsBox(line.trim(), style).width + 2 * MARGIN)
  return Math.min(MOST, Math.max(LEAST, ...widths))
}
