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

/**
 * The lines of a Markdown source. A fence that nothing closes opens no block here, so that what
 * follows it is still seen.
 *
 * @source https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function fencedLines(source: string): readonly Line[] {
  const texts = source.split('\n')
  const fences = texts.map(fenceOf)
  const closable = closableFences(fences)
  let open: Fence | undefined
  return texts.map((text, i) => {
    const fence = fences[i]
    if (open) {
      if (fence?.bare && fence.sign === open.sign && fence.length >= open.length) open = undefined
      return { text, role: 'code' }
    }
    if (!fence) return { text, role: 'text' }
    if (!closable[i]) return { text, role: 'unclosed' }
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
