/** Which labels are shown, so that none covers another. */

/** A label and where it would stand [px]. */
export interface LabelCandidate {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** higher is placed first */
  readonly priority: number
}

/** Labels on the page at once. */
export const LABELS_MAX = 150

/** Side of the cells in which neighbours are looked for [px]; labels are about that long. */
const CELL = 96

/** Indices of the labels that have room, by falling priority. */
export function placedLabels(
  candidates: readonly LabelCandidate[],
  limit: number = LABELS_MAX,
): readonly number[] {
  const order = [...candidates.keys()].toSorted(
    (a, b) => candidates[b].priority - candidates[a].priority || a - b,
  )
  const cells = new Map<string, LabelCandidate[]>()
  const placed: number[] = []
  for (const i of order) {
    if (placed.length >= limit) break
    const candidate = candidates[i]
    const near = cellsOf(candidate)
    if (near.some((cell) => cells.get(cell)?.some((other) => overlap(candidate, other)))) continue
    for (const cell of near) cells.set(cell, [...(cells.get(cell) ?? []), candidate])
    placed.push(i)
  }
  return placed
}

function cellsOf({ left, top, width, height }: LabelCandidate): string[] {
  const names: string[] = []
  for (let x = Math.floor(left / CELL); x <= Math.floor((left + width) / CELL); x++) {
    for (let y = Math.floor(top / CELL); y <= Math.floor((top + height) / CELL); y++) {
      names.push(`${x} ${y}`)
    }
  }
  return names
}

function overlap(a: LabelCandidate, b: LabelCandidate): boolean {
  return (
    a.left < b.left + b.width &&
    b.left < a.left + a.width &&
    a.top < b.top + b.height &&
    b.top < a.top + a.height
  )
}
