/** Begins a piece of work when all given before it have ended, well or badly. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** A line in which one piece of work waits for the other. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
