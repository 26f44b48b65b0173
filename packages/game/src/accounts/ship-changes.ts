import type { AccountRecords, Accounts, Actor } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import type { SerialQueue } from '../serial-queue.ts'
import { refusal } from '../refusal.ts'
import { requireAdmin, target } from './account-checks.ts'
import {
  type NewShip,
  type ShipCommands,
  createWithAccount,
  removeWithAccount,
} from './account-ship.ts'
import { type OfferedShips, homeOf, requireTaker } from './ship-offers.ts'

/** What is written with a change that a service token makes, in place of an admin's entry. */
export type ByService = (records: AccountRecords, shipId: string) => Promise<void>

/** A ship without an account, such as one of a game's master. */
export interface UnownedShip {
  readonly name: string
  /** that of new accounts when left out */
  readonly shipClass?: string | undefined
  /** id of the ship it begins behind */
  readonly beside?: string | undefined
}

/** Makes ships, gives accounts theirs, and takes them. */
export interface ShipChanges {
  /**
   * Gives an account a new ship.
   *
   * @param shipClass  name of its class; that of new accounts when left out
   * @throws {Refusal} 404 E009, 409 E003, E008; what `requireTaker` refuses
   */
  assignShip(
    actor: Actor,
    playerId: string,
    shipClass?: string,
    byService?: ByService,
  ): Promise<{ readonly playerId: string; readonly shipId: string }>
  /**
   * Makes a ship that no account has; returns its id.
   *
   * @throws {Refusal} 400 E001 for an unknown class, 409 E003 where it cannot begin beside the
   *   other, 404 E006 where there is no such other one, E008
   */
  addShip(actor: Actor, ship: UnownedShip, byService: ByService): Promise<string>
  /**
   * Takes its ship from an account, which stays; undefined where no account has that ship.
   *
   * @throws {Refusal} E008
   */
  takeShip(actor: Actor, shipId: string, byService: ByService): Promise<string | undefined>
}

interface ShipChangesOptions extends OfferedShips {
  readonly accounts: Accounts
  readonly change: <Result>(work: (records: AccountRecords) => Promise<Result>) => Promise<Result>
  readonly engine: ShipCommands
}

export function shipChanges(options: ShipChangesOptions, enqueue: SerialQueue): ShipChanges {
  const { accounts, change, engine } = options
  return {
    assignShip: (actor, playerId, shipClass, byService) =>
      enqueue(() => assignShip(options, actor, { playerId, shipClass, byService })),
    addShip: (actor, { name, shipClass = options.newShips, beside }, byService) =>
      enqueue(async () => {
        const shipId = randomUUID()
        const ship = {
          ...newShip(options, { shipId, name, shipClass }),
          ...(beside !== undefined && { beside }),
        }
        await createWithAccount(engine, actor.playerId, ship, async (records) => {
          await records.serviceShips.add({ shipId, name })
          await byService(records, shipId)
        })
        return shipId
      }),
    takeShip: (actor, shipId, byService) =>
      enqueue(async () => {
        const found = await accounts.page({ search: shipId, limit: 2 })
        const account = found.accounts.find((one) => one.shipId === shipId)
        if (!account) return undefined
        await removeWithAccount({ engine, change }, actor.playerId, account, async (records) => {
          await records.accounts.updateShip(account.playerId, null)
          await byService(records, shipId)
        })
        return account.playerId
      }),
  }
}

async function assignShip(
  options: ShipChangesOptions,
  actor: Actor,
  {
    playerId,
    shipClass = options.newShips,
    byService,
  }: {
    readonly playerId: string
    readonly shipClass: string | undefined
    readonly byService: ByService | undefined
  },
): Promise<{ playerId: string; shipId: string }> {
  const { accounts, engine } = options
  if (!byService) await requireAdmin({ accounts }, actor)
  const account = await target({ accounts }, playerId, 'any')
  if (account.shipId !== null) throw refusal('E003', 'The account has a ship', 409)
  const { playerId: subject, username, isAdmin } = account
  requireTaker(options, shipClass, { isAdmin, isGiven: true })
  const shipId = randomUUID()
  const ship = newShip(options, { shipId, name: username, shipClass })
  await createWithAccount(engine, actor.playerId, ship, async (records) => {
    await records.accounts.updateShip(subject, shipId)
    if (byService) return byService(records, shipId)
    const detail = { username, ship_id: shipId, ...(shipClass && { ship_class: shipClass }) }
    await records.audit.record({ actor, action: 'assign_ship', subject, detail })
  })
  return { playerId: subject, shipId }
}

/** A ship that begins where those of its class do. */
export function newShip(
  offered: OfferedShips,
  { shipClass, ...ship }: Pick<NewShip, 'shipId' | 'name'> & { shipClass: string | undefined },
): NewShip {
  if (shipClass === undefined) return ship
  const place = homeOf(offered, shipClass)
  return { ...ship, shipClass, ...(place && { place }) }
}
