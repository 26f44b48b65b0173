import { findShip } from '@orrery/engine'
import type { Account, AccountRecords, Accounts, Actor } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import type { SerialQueue } from '../serial-queue.ts'
import { type Refusal, asRefusal, refusal } from '../refusal.ts'
import { requireAdmin, target } from './account-checks.ts'
import {
  type NewShip,
  type ShipCommands,
  createWithAccount,
  gatherAccount,
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
   * Gives an account one more ship, which coasts.
   *
   * @param shipClass  name of its class; that of new accounts when left out
   * @throws {Refusal} 401 E005 without the account, 404 E006 where it flies no ship, 409 E003 where
   *   it has as many as it may, E008; what `requireTaker` refuses
   */
  addOwnShip(actor: Actor, shipClass?: string): Promise<Account>
  /**
   * Makes a ship of an account the one that is flown, with what modules keep of the account; the
   * other flies on without a pilot.
   *
   * @throws {Refusal} 404 E006 for a ship that is not the account's, and what the engine refuses
   */
  flyShip(actor: Actor, shipId: string): Promise<Account>
  /**
   * Removes a ship of an account that coasts.
   *
   * @throws {Refusal} 404 E006 for a ship that is not the account's, 409 E003 for the one that is
   *   flown, E008
   */
  giveUpShip(actor: Actor, shipId: string): Promise<Account>
  /**
   * Makes a ship that no account has; returns its id.
   *
   * @throws {Refusal} 400 E001 for an unknown class, 409 E003 where it cannot begin beside the
   *   other, 404 E006 where there is no such other one, E008
   */
  addShip(actor: Actor, ship: UnownedShip, byService: ByService): Promise<string>
  /**
   * Takes a ship from an account, which stays; undefined where no account has that ship.
   *
   * @throws {Refusal} E008
   */
  takeShip(actor: Actor, shipId: string, byService: ByService): Promise<string | undefined>
}

interface ShipChangesOptions extends OfferedShips {
  readonly accounts: Accounts
  readonly change: <Result>(work: (records: AccountRecords) => Promise<Result>) => Promise<Result>
  readonly engine: ShipCommands
  /** ships that an account may have */
  readonly shipsPerPlayer: number
}

export function shipChanges(options: ShipChangesOptions, enqueue: SerialQueue): ShipChanges {
  const { accounts, change, engine } = options
  return {
    assignShip: (actor, playerId, shipClass, byService) =>
      enqueue(() => assignShip(options, actor, { playerId, shipClass, byService })),
    addOwnShip: async (actor, shipClass) => {
      // Who has too many takes no place in the queue.
      await requireRoom(options, actor)
      return enqueue(() => addOwnShip(options, actor, shipClass))
    },
    // Not in the queue, which a player could fill with these.
    flyShip: (actor, shipId) => flyShip(options, actor, shipId),
    giveUpShip: (actor, shipId) => enqueue(() => giveUpShip(options, actor, shipId)),
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
        const account = found.accounts.find(
          (one) => one.shipId === shipId || one.coastingShips.includes(shipId),
        )
        if (!account) return undefined
        const others = shipsOf(account).filter((one) => one !== shipId)
        if (others.length > 0) await gatherAccount(engine, actor.playerId, others[0], [shipId])
        const taken = { shipId, username: account.username }
        await removeWithAccount({ engine, change }, actor.playerId, taken, async (records) => {
          await records.accounts.dropShip(shipId)
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

/** An account that may have one more ship. */
async function requireRoom(
  { accounts, shipsPerPlayer }: Pick<ShipChangesOptions, 'accounts' | 'shipsPerPlayer'>,
  { playerId }: Actor,
): Promise<Account> {
  const account = await accounts.byId(playerId)
  if (!account) throw refusal('E005')
  if (account.shipId === null) throw refusal('E006')
  if (account.coastingShips.length + 1 >= shipsPerPlayer) throw tooMany(shipsPerPlayer)
  return account
}

function tooMany(most: number): Refusal {
  return refusal('E003', `An account has at most ${most} ships here`, 409)
}

async function addOwnShip(
  options: ShipChangesOptions,
  actor: Actor,
  shipClass = options.newShips,
): Promise<Account> {
  const { engine, shipsPerPlayer } = options
  const account = await requireRoom(options, actor)
  const { playerId, isAdmin } = account
  requireTaker(options, shipClass, { isAdmin, isGiven: false })
  const shipId = randomUUID()
  const name = freeName(options, account)
  const ship = newShip(options, { shipId, name, shipClass })
  return createWithAccount(engine, playerId, ship, async (records) => {
    const changed = await records.accounts.addShip(playerId, shipId, shipsPerPlayer)
    if (!changed) throw tooMany(shipsPerPlayer)
    const detail = { ship_id: shipId, ...(shipClass && { ship_class: shipClass }) }
    await records.audit.record({ actor, action: 'add_ship', subject: playerId, detail })
    return changed
  })
}

async function flyShip(
  { accounts, engine }: Pick<ShipChangesOptions, 'accounts' | 'engine'>,
  { playerId }: Actor,
  shipId: string,
): Promise<Account> {
  const before = await accounts.byId(playerId)
  const ships = before ? shipsOf(before) : []
  if (!ships.includes(shipId)) throw refusal('E006')
  const others = ships.filter((one) => one !== shipId)
  try {
    await gatherAccount(engine, playerId, shipId, others)
  } catch (error) {
    throw asRefusal(error)
  }
  const account = await accounts.flyShip(playerId, shipId)
  if (!account) throw refusal('E006')
  return account
}

/** The one that is flown first. */
function shipsOf({ coastingShips, shipId }: Account): readonly string[] {
  return shipId === null ? [] : [shipId, ...coastingShips]
}

async function giveUpShip(
  { accounts, change, engine }: ShipChangesOptions,
  actor: Actor,
  shipId: string,
): Promise<Account> {
  const account = await accounts.byId(actor.playerId)
  if (account?.shipId === shipId) throw refusal('E003', 'The ship is the one that is flown', 409)
  if (!account?.coastingShips.includes(shipId)) throw refusal('E006')
  const { playerId: subject, shipId: flown, username } = account
  if (flown !== null) await gatherAccount(engine, subject, flown, [shipId])
  const left = Promise.withResolvers<Account>()
  await removeWithAccount({ engine, change }, subject, { shipId, username }, async (records) => {
    const changed = await records.accounts.dropShip(shipId)
    if (!changed) throw refusal('E006')
    const detail = { ship_id: shipId }
    await records.audit.record({ actor, action: 'give_up_ship', subject, detail })
    left.resolve(changed)
  })
  return left.promise
}

/** The name of an account's next ship, which none of its others has. */
function freeName(
  { engine }: Pick<ShipChangesOptions, 'engine'>,
  { username, shipId, coastingShips }: Account,
): string {
  const ids = [shipId ?? '', ...coastingShips]
  const names = new Set(ids.map((id) => findShip(engine.universe, id)?.entry.name))
  let count = 2
  while (names.has(`${username} ${count}`)) count++
  return `${username} ${count}`
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
