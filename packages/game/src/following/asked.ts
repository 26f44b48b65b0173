/** Something that was asked and may never be answered. */
export interface Asked<Answer> {
  /** undefined before there is one */
  answer(): Promise<Answer> | undefined
}

export function asking<Answer>(asked: Promise<Answer>, onAnswer: () => void): Asked<Answer> {
  let answer: Promise<Answer> | undefined
  const answered = (): void => {
    answer = asked
    onAnswer()
  }
  asked.then(answered, answered)
  return { answer: () => answer }
}
