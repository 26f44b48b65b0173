import { percentile } from '@orrery/testkit/report'

/** A line through samples that outliers do not move, and how certain it is. */
export interface Trend {
  readonly level: number
  /** from the first block to the last [ms] */
  readonly lengthMs: number
  /** per hour */
  readonly slope: number
  /** half of the interval that holds the slope with 95 % [per hour] */
  readonly noise: number
  /** by how much the samples rise at least in that time; 0 when they may not rise */
  readonly rise: number
}

export interface Sample {
  readonly atMs: number
  readonly value: number
}

/** Neighbours in a saw-tooth depend on each other, blocks of them hardly. */
const BLOCKS = 24

const HOUR_MS = 3_600_000

/** Two-sided 95 % of the normal distribution [standard deviations]. */
const DEVIATIONS = 1.96

/**
 * Median of the slopes between all blocks of samples; NaN for fewer than two samples.
 *
 * @param one  the value of a block, such as its median or its least
 * @source P. K. Sen, J. Am. Stat. Assoc. 63 (1968) 1379
 */
export function trend(
  samples: readonly Sample[],
  one: (values: readonly number[]) => number = median,
): Trend {
  const points = blocks(samples).map((block) => ({
    atMs: median(block.map(({ atMs }) => atMs)),
    value: one(block.map(({ value }) => value)),
  }))
  const slopes = points
    .flatMap((a, i) =>
      points.slice(i + 1).map((b) => ((b.value - a.value) / (b.atMs - a.atMs)) * HOUR_MS),
    )
    .toSorted((a, b) => a - b)
  const count = points.length
  const spread = DEVIATIONS * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18)
  const ranked = (rank: number): number =>
    slopes[Math.max(0, Math.min(slopes.length - 1, Math.round(rank)))] ?? NaN
  const low = ranked((slopes.length - spread) / 2 - 1)
  const high = ranked((slopes.length + spread) / 2)
  const lengthMs = (points.at(-1)?.atMs ?? NaN) - (points[0]?.atMs ?? NaN)
  return {
    level: median(points.map(({ value }) => value)),
    lengthMs,
    slope: median(slopes),
    noise: (high - low) / 2,
    rise: (Math.max(0, low) * lengthMs) / HOUR_MS,
  }
}

export function least(values: readonly number[]): number {
  return Math.min(...values)
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5) ?? NaN
}

/** Neighbours together, in blocks of nearly the same size. */
function blocks(samples: readonly Sample[]): Sample[][] {
  const count = Math.min(BLOCKS, samples.length)
  const edge = (i: number): number => Math.round((i * samples.length) / count)
  return Array.from({ length: count }, (_, i) => samples.slice(edge(i), edge(i + 1)))
}
