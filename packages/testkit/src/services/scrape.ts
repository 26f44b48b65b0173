/** The metrics of a server at one moment: values by name and labels. */
export type Scrape = ReadonlyMap<string, number>

/** Reads Prometheus' text format. */
export function parseScrape(text: string): Scrape {
  const values = new Map<string, number>()
  for (const line of text.split('\n')) {
    const split = line.lastIndexOf(' ')
    if (split > 0 && !line.startsWith('#')) {
      values.set(line.slice(0, split), Number(line.slice(split + 1)))
    }
  }
  return values
}

/** Two moments. */
export interface Span {
  readonly before: Scrape
  readonly after: Scrape
}

/** What was added to a counter; its labels belong to its name. */
export function growth(name: string, { before, after }: Span): number {
  return (after.get(name) ?? 0) - (before.get(name) ?? 0)
}

/**
 * A quantile of what a histogram was given, straight within a bucket; the end
 * of the last finite bucket when it is beyond, NaN when it was given nothing.
 */
export function quantile(name: string, share: number, { before, after }: Span): number {
  const buckets = [...after]
    .filter(([key]) => key.startsWith(`${name}_bucket{`))
    .map(([key, count]) => ({
      end: Number(/le="([^"]+)"/.exec(key)?.[1]?.replace('+Inf', 'Infinity')),
      count: count - (before.get(key) ?? 0),
    }))
    .toSorted((a, b) => a.end - b.end)
  const total = buckets.at(-1)?.count ?? 0
  if (total === 0) return NaN
  const wanted = share * total
  let low = { end: 0, count: 0 }
  for (const bucket of buckets) {
    if (bucket.count >= wanted) {
      const within = (wanted - low.count) / (bucket.count - low.count || 1)
      return bucket.end === Infinity ? low.end : low.end + within * (bucket.end - low.end)
    }
    low = bucket
  }
  return NaN
}
