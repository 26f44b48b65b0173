import type { Tool } from './tools.ts'

/** Bytes of an answer: of what was read, and of what was changed or comes next. */
const READ_MAX = 4000
const STEP_MAX = 2000

/** Characters of a text in the record that a change returns. */
const ECHO_MAX = 200

/** Steps that are open, beside the next one. */
const STEPS_MAX = 4

type Entries = Readonly<Record<string, unknown>>

/**
 * An answer of the API as an assistant needs it, from an offset on. Offsets are characters: of a
 * text, or of an answer's longest list as JSON, of which whole entries are shown where they fit. A
 * change is answered by its beginning: going on would repeat it.
 */
export function shortAnswer({ description, method }: Tool, text: string, offset: number): string {
  const isRead = description.annotations?.readOnlyHint === true
  const value = parsed(text)
  if (value === undefined) return part(text, offset, READ_MAX)
  if (description.name === 'read_workflow') return workflowAnswer(value as Workflow, offset)
  if (!isRead) {
    const shown = paged(echoed(value), 0, STEP_MAX)
    return shown.replace(NEXT_OFFSET, '\nThe rest is stored too; read it by a tool that lists.')
  }
  return paged(method === 'GET' ? value : withoutIds(value), offset, READ_MAX)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Workflow {
  readonly next: Entries | null
  readonly steps: readonly {
    readonly rule: number
    readonly title: string
    readonly applicable: boolean
    readonly done: boolean
    readonly todo: readonly { readonly what: string }[]
  }[]
}

/** What comes next; from offset 1 on the whole state. */
function workflowAnswer(workflow: Workflow, offset: number): string {
  if (offset > 0) {
    return paged(workflow, offset - 1, READ_MAX).replace(
      NEXT_OFFSET,
      (_, next: string, end: string) => nextOffset(Number(next) + 1, Number(end) + 1),
    )
  }
  const { length } = JSON.stringify(workflow.steps)
  return JSON.stringify(nextSteps(workflow)) + nextOffset(1, length + 1)
}

function nextSteps({ next, steps }: Workflow): unknown {
  const open = steps.filter(({ applicable, done }) => applicable && !done)
  return {
    next: echoed(next, 2 * ECHO_MAX),
    open: open.slice(0, STEPS_MAX).map(({ rule, title, todo }) => ({
      rule,
      title,
      todos: todo.length,
      first: todo[0]?.what.slice(0, ECHO_MAX / 2),
    })),
    later: open.slice(STEPS_MAX).map(({ rule }) => rule),
  }
}

/** Cuts long texts: the caller has sent them. */
function echoed(value: unknown, max: number = ECHO_MAX): unknown {
  return JSON.parse(JSON.stringify(value), (_, found: unknown) =>
    typeof found === 'string' && found.length > max ? `${found.slice(0, max)}…` : found,
  ) as unknown
}

/** Search results without what only programs use. */
function withoutIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, found: unknown) =>
    ['id', 'matched_terms', 'checklist_item', 'source_type'].includes(key) ? undefined : found,
  ) as unknown
}

const NEXT_OFFSET = /\nNext offset: (\d+) of (\d+)$/

function paged(value: unknown, offset: number, max: number): string {
  const whole = JSON.stringify(value)
  if (offset === 0 && Buffer.byteLength(whole) <= max) return whole
  const [name, list] = longestList(value)
  const withList = (items: readonly unknown[]): unknown =>
    name === undefined ? items : { ...(value as Entries), [name]: items }
  const room = max - Buffer.byteLength(JSON.stringify(withList([])))
  // What repeats on each page must leave room for entries.
  if (list === undefined || room < max / 2) return part(whole, offset, max)
  const entries = placed(list)
  const length = JSON.stringify(list).length
  const first = entries.findIndex(({ end }) => end > offset)
  if (first === -1) return JSON.stringify(withList([]))
  const { start, end: after, text } = entries[first]
  if (offset > start || Buffer.byteLength(text) > room) {
    const from = Math.max(0, offset - start)
    const shown = cut(text, from, max)
    const next = from + shown.length < text.length ? start + from + shown.length : after + 1
    return shown + nextOffset(next, length)
  }
  let last = first
  for (let left = room; last < entries.length; last++) {
    left -= Buffer.byteLength(entries[last].text) + 1
    if (left < 0) break
  }
  const next = last < entries.length ? entries[last].start : length
  return JSON.stringify(withList(list.slice(first, last))) + nextOffset(next, length)
}

interface Placed {
  readonly text: string
  /** in the list as JSON */
  readonly start: number
  readonly end: number
}

function placed(list: readonly unknown[]): readonly Placed[] {
  let start = 1
  return list.map((entry) => {
    const text = JSON.stringify(entry)
    const end = start + text.length
    const found = { text, start, end }
    start = end + 1
    return found
  })
}

function nextOffset(next: number, length: number): string {
  return next < length ? `\nNext offset: ${next} of ${length}` : ''
}

/** The list that takes most of an answer, and its name in it. */
function longestList(
  value: unknown,
): readonly [name?: string | undefined, list?: readonly unknown[]] {
  if (Array.isArray(value)) return [undefined, value]
  if (typeof value !== 'object' || value === null) return []
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  )
  const size = ([, list]: [string, unknown[]]): number => JSON.stringify(list).length
  return lists.toSorted((a, b) => size(b) - size(a))[0] ?? []
}

function part(text: string, offset: number, max: number): string {
  const shown = cut(text, offset, max)
  return shown + nextOffset(offset + shown.length, text.length)
}

/** As many whole characters as fit into some bytes. */
function cut(text: string, offset: number, max: number): string {
  let shown = text.slice(offset, offset + max)
  while (Buffer.byteLength(shown) > max) {
    shown = shown.slice(0, -Math.ceil((Buffer.byteLength(shown) - max) / 4))
  }
  // Half of a surrogate pair.
  return /[\ud800-\udbff]$/.test(shown) ? shown.slice(0, -1) : shown
}
