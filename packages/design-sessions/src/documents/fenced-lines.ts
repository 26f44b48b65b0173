/** A line of Markdown: in a fenced code block, the opening of one that never closes, or neither. */
export interface Line {
  readonly text: string
  readonly role: 'text' | 'code' | 'unclosed'
}

interface Fence {
  readonly sign: string
  readonly length: number
  /** nothing but the fence: it may close a block, too */
  readonly bare: boolean
}

// No two parts can match the same sign, so that long lines take linear time.
const FENCE = /^ {0,3}(?:(`{3,})([^`]*)|(~{3,})([^]*))$/

function fenceOf(line: string): Fence | undefined {
  if (line.length < 3) return undefined
  const [, ticks, tickInfo = '', tildes = '', tildeInfo = ''] = FENCE.exec(line) ?? []
  const run = ticks ?? tildes
  if (run === '') return undefined
  return { sign: run[0], length: run.length, bare: (tickInfo + tildeInfo).trim() === '' }
}

/** Whether a line would open a fenced code block. */
export function isFence(line: string): boolean {
  return fenceOf(line) !== undefined
}

/** How fences are read. */
export interface FenceOptions {
  /** they count at any indent, as in the items of lists; up to three spaces by default */
  readonly indented?: boolean
  /** one that is never closed takes the rest; by default it opens no block */
  readonly endless?: boolean
}

/**
 * The lines of a Markdown source, read in linear time without parsing the rest of it.
 *
 * @source https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function fencedLines(
  texts: readonly string[],
  { indented = false, endless = false }: FenceOptions = {},
): readonly Line[] {
  const fences = texts.map((text) => fenceOf(indented ? text.trimStart() : text))
  const closable = endless ? undefined : closableFences(fences)
  let open: Fence | undefined
  return texts.map((text, i) => {
    const fence = fences[i]
    if (open) {
      if (fence?.bare && fence.sign === open.sign && fence.length >= open.length) open = undefined
      return { text, role: 'code' }
    }
    if (!fence) return { text, role: 'text' }
    if (closable?.[i] === false) return { text, role: 'unclosed' }
    open = fence
    return { text, role: 'code' }
  })
}

/** Of each fence, whether a later one could close it. */
function closableFences(fences: readonly (Fence | undefined)[]): readonly boolean[] {
  const longest: Record<string, number> = {}
  return fences
    .toReversed()
    .map((fence) => {
      if (!fence) return false
      const closable = (longest[fence.sign] ?? 0) >= fence.length
      if (fence.bare) longest[fence.sign] = Math.max(longest[fence.sign] ?? 0, fence.length)
      return closable
    })
    .toReversed()
}
