/** Between two attempts [ms]. */
const RETRY_MS = 5000

/** Asks the server until it answers; returns how to stop. */
export function untilAnswered<Answer>(
  ask: () => Promise<Answer>,
  onAnswer: (answer: Answer) => void,
): () => void {
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const attempt = (): void => {
    ask().then(
      (answer) => {
        if (!isOver) onAnswer(answer)
      },
      () => {
        if (!isOver) timer = setTimeout(attempt, RETRY_MS)
      },
    )
  }
  attempt()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
