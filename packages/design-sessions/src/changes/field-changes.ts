import type { Extent } from './version-rows.ts'

/** A value as it is shown: of long texts a part, of sources and data how many bytes. */
export type Shown = string | number | null

/** A field that is not what it was. */
export interface Change {
  readonly field: string
  readonly from: Shown
  readonly to: Shown
  /** of a source, line by line; null when it is too different, or there is too much of it */
  readonly diff?: string | null
}

/** Characters of a text that are shown, and how many of them before what differs. */
const TEXT_MAX = 2000
const BEFORE_MAX = 200

/** What of these fields is not the same before and after. */
export function fieldChanges<Row>(
  [before, after]: readonly [Row, Row],
  fields: readonly (keyof Row & string)[],
): Change[] {
  return fields.flatMap((field) => {
    const [from, to] = [before[field], after[field]] as (Shown | Extent)[]
    if (isExtent(from) || isExtent(to)) {
      const [was, is] = [from, to] as (Extent | null)[]
      return was?.digest === is?.digest ? [] : [{ field, from: sized(was), to: sized(is) }]
    }
    if (from === to) return []
    const at = firstDifference(from, to)
    return [{ field, from: excerpt(from, at), to: excerpt(to, at) }]
  })
}

function isExtent(value: Shown | Extent): value is Extent {
  return typeof value === 'object' && value !== null
}

function sized(extent: Extent | null): string | null {
  return extent && `${extent.bytes} bytes, SHA-256 ${extent.digest.slice(0, 12)}`
}

function firstDifference(from: Shown, to: Shown): number {
  if (typeof from !== 'string' || typeof to !== 'string') return 0
  let at = 0
  while (at < from.length && from[at] === to[at]) at += 1
  return at
}

/**
 * A text, or of a long one a part.
 *
 * @param differsAt  the place that the part shows
 */
export function excerpt(value: Shown, differsAt: number): Shown {
  if (typeof value !== 'string' || value.length <= TEXT_MAX) return value
  const start = differsAt <= TEXT_MAX / 2 ? 0 : differsAt - BEFORE_MAX
  const part = value.slice(start, start + TEXT_MAX).toWellFormed()
  const ending = start + TEXT_MAX < value.length ? '…' : ''
  return `${start === 0 ? '' : '…'}${part}${ending}`
}
