import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()

/** The address of the client that the present work is for; empty for work of our own. */
export function clientNow(): string {
  return current.getStore() ?? ''
}

/** Does work for a client: all lines in it give this client its turn. */
export function forClient<Result>(client: string, work: () => Result): Result {
  return current.run(client, work)
}
