/** A line of Markdown: in a fenced code block, the opening of one that never closes, or neither. */
export interface Line {
  readonly text: string
  readonly role: 'text' | 'code' | 'unclosed'
}

interface Fence {
  readonly sign: string
  readonly length: number
  /** only the fence: it can close a block */
  readonly bare: boolean
}

// No two parts match the same character, so that long lines take linear time.
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

export interface FenceOptions {
  /** at any indent, as in list items; by default up to three spaces */
  readonly indented?: boolean
  /** an unclosed fence takes the rest; by default it opens no block */
  readonly endless?: boolean
}

/**
 * The lines of a Markdown source and whether they are code, in linear time.
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

/** For each fence, whether a later one can close it. */
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
