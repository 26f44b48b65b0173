/** Work that pauses every few milliseconds. */
export type Sliced<Result> = Generator<void, Result>

/** Does all of it at once. */
export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** Does it bit by bit: this thread goes on with its other work meanwhile. */
export async function inSlices<Result>(work: Sliced<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
}
