/** Begins a piece of work when all earlier ones have ended or failed. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** A queue that runs one piece of work at a time. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
