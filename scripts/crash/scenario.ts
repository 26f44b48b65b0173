import type { AdminClient, GameClient } from '@orrery/client'
import type { Chance } from '@orrery/testkit'
import type { RequestLog } from './requests.ts'
import type { Capture } from './model.ts'
import type { Ids } from './observation.ts'

/** An account with a ship. */
export interface Account {
  readonly username: string
  readonly playerId: string
  readonly shipId: string
  readonly token: string
}

/** State of the clients, which survives restarts of the server. */
export interface Scenario extends RequestLog {
  readonly random: Chance
  readonly ids: Ids
  pilots: Account[]
  /** acknowledged snapshots by id */
  readonly captures: Map<number, Capture>
  /** accounts whose changed passwords were not tried yet */
  readonly passwords: Set<string>
  /** count of names, so that each is new */
  names: number
  /** the last known one */
  era: number
}

/** Clients of a running server. */
export interface Session {
  readonly scenario: Scenario
  readonly random: Chance
  readonly game: GameClient
  readonly admin: AdminClient
  readonly systems: readonly string[]
}

export const PASSWORD = 'a password for tests'

/** A name that was not used before. */
export function freshName(scenario: Scenario, word: string): string {
  return `${word}_${++scenario.names}`
}

/** Names of things that certainly exist and whose ids are known, by prefix of their keys. */
export function certainNames(
  { model, ids }: Scenario,
  prefix: string,
): { readonly name: string; readonly id: string }[] {
  return model.keys(prefix).flatMap((key) => {
    const id = ids.get(key)
    if (id === undefined || !model.isCertain(key, true)) return []
    return [{ name: key.slice(key.indexOf(':') + 1), id }]
  })
}

/** Applies the outcome of a restore or a reset. */
export function endReplacement(scenario: Scenario, hasActed: boolean): void {
  const { replacing } = scenario.model
  scenario.model.endReplacement(hasActed)
  if (!hasActed) return
  scenario.era++
  if (replacing === 'world') return
  scenario.captures.clear()
  scenario.passwords.clear()
}
