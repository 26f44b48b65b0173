/** Of the longest prediction [ms]. */
const MS_MAX = 120_000

/** How much longer than other answers that of a prediction may take: it waits, then flies. */
export function predictionWaitMs({ hours }: { readonly hours: number }): number {
  const waitMs = 30_000 + 250 * hours
  // What is no number of hours is refused by the server.
  return waitMs < MS_MAX ? waitMs : MS_MAX
}
