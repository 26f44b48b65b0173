import type { Decision, Relation } from './relations.ts'

export interface Spot {
  readonly decision: Decision
  readonly column: number
  readonly row: number
}

const SWEEPS = 4

/** Places of related decisions: each to the right of all earlier ones that it relates to. */
export function layoutOf(relations: readonly Relation[]): readonly Spot[] {
  const related = [...new Set(relations.flatMap(({ from, to }) => [from, to]))].toSorted(
    (a, b) => a.adr_number - b.adr_number,
  )
  const columns = new Map<Decision, number>()
  for (const one of related) {
    const before = relations
      .filter(({ to }) => to === one)
      .map(({ from }) => columns.get(from) ?? 0)
    columns.set(one, Math.max(-1, ...before) + 1)
  }
  const layers = [...Map.groupBy(related, (one) => columns.get(one) ?? 0)]
    .toSorted(([a], [b]) => a - b)
    .map(([, layer]) => layer)
  return uncrossed(layers, relations).flatMap((layer, column) =>
    layer.map((decision, row) => ({ decision, column, row })),
  )
}

/** Orders each column by the mean place of what its decisions relate to. */
function uncrossed(
  layers: readonly (readonly Decision[])[],
  relations: readonly Relation[],
): readonly (readonly Decision[])[] {
  let ordered = layers
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const rows = new Map(ordered.flatMap((layer) => layer.map((one, row) => [one, row] as const)))
    const mean = (one: Decision): number => {
      const others = relations.flatMap(({ from, to }) =>
        from === one ? [to] : to === one ? [from] : [],
      )
      const places = others.map((other) => rows.get(other) ?? 0)
      return places.reduce((sum, place) => sum + place, 0) / places.length
    }
    ordered = ordered.map((layer) => layer.toSorted((a, b) => mean(a) - mean(b)))
  }
  return ordered
}
