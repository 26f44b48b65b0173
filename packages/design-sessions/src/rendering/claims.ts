import type postgres from 'postgres'
import { type Claim, claimRequest, renewClaims } from './render-requests.ts'

/** Renders of one client at a time: it leaves one of our three to others. */
const SHARE = 2

/** The claims of this process, and the controllers that cancel them. */
export class Claims {
  readonly #sql: postgres.Sql
  readonly #held = new Map<Claim, AbortController>()
  /** One at a time, so that no client exceeds its share. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(sql: postgres.Sql) {
    this.#sql = sql
  }

  /** Claims the next request; its signal cancels it. */
  async next(): Promise<{ readonly claim: Claim; readonly signal: AbortSignal } | undefined> {
    const claimed = this.#last.then(() => claimRequest(this.#sql, this.#busyClients()))
    const held = claimed.then((claim) => {
      if (!claim) return undefined
      const superseded = new AbortController()
      this.#held.set(claim, superseded)
      return { claim, signal: superseded.signal }
    })
    // A failure is the caller's.
    this.#last = held.catch(() => undefined)
    return held
  }

  remove(claim: Claim): void {
    this.#held.delete(claim)
  }

  /** Renews all claims and cancels those that are no longer wanted. */
  async renew(): Promise<void> {
    const held = [...this.#held]
    if (held.length === 0) return
    const ordinals = held.map(([{ ordinal }]) => ordinal)
    const wanted = await renewClaims(this.#sql, ordinals)
    for (const [{ ordinal }, superseded] of held) if (!wanted.has(ordinal)) superseded.abort()
  }

  /** Clients that have their share. */
  #busyClients(): readonly string[] {
    return [...Map.groupBy(this.#held.keys(), ({ client }) => client)]
      .filter(([, { length }]) => length >= SHARE)
      .map(([client]) => client)
  }
}
