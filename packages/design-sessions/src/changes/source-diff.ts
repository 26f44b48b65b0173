import { OMIT_HEADERS, formatPatch, structuredPatch } from 'diff'

/** Lines of a source; of more, splitting them alone takes long. */
const LINES_MAX = 20_000

/** Lines removed and added, after which two sources are too different to be compared. */
const EDITS_MAX = 600

/** How long a comparison may take; all other requests wait for it. */
const DIFF_MS_MAX = 35

/** Characters of a comparison; longer ones nobody reads. */
const DIFF_MAX = 32_768

const CONTEXT_LINES = 3

/** Two sources line by line, as `diff -u` without its header; undefined when too different. */
export function sourceDiff(before: string, after: string): string | undefined {
  if (lineCount(before) > LINES_MAX || lineCount(after) > LINES_MAX) return undefined
  const patch = structuredPatch('', '', before, after, '', '', {
    context: CONTEXT_LINES,
    maxEditLength: EDITS_MAX,
    timeout: DIFF_MS_MAX,
  })
  const lines = (patch?.hunks ?? []).flatMap((hunk) => hunk.lines)
  const length = lines.reduce((sum, line) => sum + line.length, 0)
  if (!patch || length > DIFF_MAX) return undefined
  return formatPatch(patch, OMIT_HEADERS)
}

function lineCount(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
