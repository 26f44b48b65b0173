import type { AccountHandOff } from '../world/hand-off.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'

/** Takes from a ship what it has of its account, for another one of the account. */
export interface DepartAccount {
  readonly kind: 'depart_account'
  readonly shipId: string
  /** id of the other ship */
  readonly taker: string
  /** id of its system */
  readonly to: string
  /** a UUID that nothing else has */
  readonly passId: string
}

/** Takes it out of the world at the published index. @throws {EngineError} 'ERR_MODULE' */
export function departAccount(
  { departed, index, modules, state }: World,
  { shipId: giver, slot }: RosterEntry,
  { passId, taker, to }: DepartAccount,
): AccountHandOff {
  const cargo = modules?.takeAccount(slot) ?? {}
  const from = state.system.id
  const handOff = { shipId: passId, giver, taker, from, to, index, modules: cargo }
  departed.set(passId, handOff)
  return handOff
}

/**
 * Adds it to what the ship has that it is for, or the one that gave it; without either it is gone.
 *
 * @throws {EngineError} 'ERR_MODULE'
 */
export function arriveAccount({ departed, modules, roster }: World, handOff: AccountHandOff): void {
  const { giver, modules: cargo, shipId, taker } = handOff
  const entry = roster.byId.get(taker) ?? roster.byId.get(giver)
  if (entry) modules?.giveAccount(entry.slot, cargo)
  departed.delete(shipId)
}
