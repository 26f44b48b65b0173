/** Of the longest prediction, and of a flight to its end [ms]. */
const MS_MAX = 120_000
const TO_END_MS = 600_000

interface Asked {
  readonly hours: number
  readonly to_end?: boolean
}

/** How much longer than other answers that of a prediction may take: it waits, then flies. */
export function predictionWaitMs({ hours, to_end: toEnd }: Asked): number {
  if (toEnd) return TO_END_MS
  const waitMs = Math.ceil(30_000 + 250 * hours)
  // What is no number of hours is refused by the server.
  return waitMs < MS_MAX ? waitMs : MS_MAX
}
