import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string | null>()

/** Who the present request says it is from; null without a name. */
export function authorNow(): string | null {
  return current.getStore() ?? null
}

/** Does work whose changes are recorded under a name. */
export function forAuthor<Result>(author: string | null, work: () => Result): Result {
  return current.run(author, work)
}
