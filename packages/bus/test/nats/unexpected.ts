/** Reports that no test expects, which then fails. */
export const unexpected = {
  onAway: (reason: string): void => {
    throw new Error(`away: ${reason}`)
  },
  onBack: (): void => undefined,
  onError: (error: unknown): void => {
    throw error
  },
}
