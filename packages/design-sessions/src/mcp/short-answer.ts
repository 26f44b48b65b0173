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
 * An answer of the API as an assistant needs it, from an offset on: whole entries of its longest
 * list, or characters of a text.
 */
export function shortAnswer({ description, method }: Tool, text: string, offset: number): string {
  const isRead = description.annotations?.readOnlyHint === true
  const value = parsed(text)
  if (value === undefined) return part(text, offset, READ_MAX)
  if (description.name === 'read_workflow') return JSON.stringify(nextSteps(value as Workflow))
  if (!isRead) return paged(echoed(value), offset, STEP_MAX)
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

function paged(value: unknown, offset: number, max: number): string {
  const whole = JSON.stringify(value)
  if (offset === 0 && Buffer.byteLength(whole) <= max) return whole
  const [name, list] = longestList(value)
  if (list === undefined) return part(whole, offset, max)
  const withList = (items: readonly unknown[]): unknown =>
    name === undefined ? items : { ...(value as Entries), [name]: items }
  let bytes = Buffer.byteLength(JSON.stringify(withList([])))
  let end = offset
  while (end < list.length) {
    bytes += Buffer.byteLength(JSON.stringify(list[end])) + 1
    if (bytes > max && end > offset) break
    end++
  }
  const shown = JSON.stringify(withList(list.slice(offset, end)))
  const rest = end < list.length ? `\nNext offset: ${end} of ${list.length}` : ''
  return Buffer.byteLength(shown) > max ? part(shown, 0, max) + rest : shown + rest
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
  let end = Math.min(text.length, offset + max)
  for (let excess = 1; excess > 0; end -= Math.ceil(Math.max(0, excess) / 4)) {
    excess = Buffer.byteLength(text.slice(offset, end)) - max
  }
  const rest = end < text.length ? `\nNext offset: ${end} of ${text.length}` : ''
  return text.slice(offset, end) + rest
}
