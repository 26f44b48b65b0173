import type { AdminClient, GameClient } from '@orrery/client'
import type { Chance } from '@orrery/testkit'
import type { Asking } from './asking.ts'
import type { Capture } from './ledger.ts'
import type { Ids } from './sight.ts'

/** Somebody with an account and a ship. */
export interface Person {
  readonly username: string
  readonly playerId: string
  readonly shipId: string
  readonly token: string
}

/** What those who run a game have in mind, over all its starts. */
export interface Office extends Asking {
  readonly random: Chance
  readonly ids: Ids
  /** people who fly */
  pilots: Person[]
  /** snapshots that were acknowledged, by id */
  readonly captures: Map<number, Capture>
  /** accounts whose passwords were changed since they were last tried */
  readonly passwords: Set<string>
  /** for names that were never used before */
  names: number
  /** as far as is known */
  era: number
}

/** A running server, as they reach it. */
export interface Desk {
  readonly office: Office
  readonly random: Chance
  readonly game: GameClient
  readonly admin: AdminClient
  readonly systems: readonly string[]
}

export const PASSWORD = 'a pass that nobody needs'

/** A name that nothing had before. */
export function freshName(office: Office, word: string): string {
  return `${word}_${++office.names}`
}

/** Names of what is surely there and whose id is known, by the beginning of their keys. */
export function standing(
  { ledger, ids }: Office,
  prefix: string,
): { readonly name: string; readonly id: string }[] {
  return ledger.keys(prefix).flatMap((key) => {
    const id = ids.get(key)
    if (id === undefined || !ledger.isCertain(key, true)) return []
    return [{ name: key.slice(key.indexOf(':') + 1), id }]
  })
}

/** The outcome of a restore or a reset is known. */
export function endReplacement(office: Office, hasActed: boolean): void {
  const { replacing } = office.ledger
  office.ledger.endReplacement(hasActed)
  if (!hasActed) return
  office.era++
  if (replacing === 'world') return
  office.captures.clear()
  office.passwords.clear()
}
