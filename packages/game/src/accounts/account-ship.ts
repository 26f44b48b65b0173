import { type Engine, EngineError, findShip, shipClassAt } from '@orrery/engine'
import type { Account, AccountRecords, Alongside } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import { JournalError } from '../journal/journal-error.ts'
import type { Place } from './ship-offers.ts'

/** Executes the commands that create and remove ships. */
export type ShipCommands = Pick<Engine, 'execute' | 'universe'> & {
  readonly followed: Pick<Engine['followed'], 'has'>
}

/** A ship that an account gets. */
export interface NewShip {
  readonly shipId: string
  readonly name: string
  /** name of its class; the world's first when left out */
  readonly shipClass?: string
  /** where it begins; on its spawn orbit when left out */
  readonly place?: Place
}

/**
 * Creates a ship and writes its account in the transaction that makes the command durable. Where
 * the account cannot be written, the ship is removed.
 */
export async function createWithAccount<Result>(
  engine: ShipCommands,
  actor: string,
  ship: NewShip,
  write: (records: AccountRecords) => Promise<Result>,
): Promise<Result> {
  const written = Promise.withResolvers<Result>()
  const alongside: Alongside = async (records) => written.resolve(await write(records))
  try {
    await engine.execute({ kind: 'create_ship', ...ship }, { actor, alongside })
  } catch (error) {
    await whenRefusedAlongside(error, () =>
      engine.execute({ kind: 'remove_ship', shipId: ship.shipId }, { actor }),
    )
    throw error
  }
  return written.promise
}

/**
 * Removes an account's ship and runs `alongside` in the transaction that makes the command durable,
 * or after it where another process owns the star system of the ship. Where that fails, the ship is
 * created again, on its spawn orbit.
 */
export async function removeWithAccount(
  {
    engine,
    change,
  }: { readonly engine: ShipCommands; readonly change: (work: Alongside) => Promise<void> },
  actor: string | null,
  { shipId, username: name }: Pick<Account, 'shipId' | 'username'>,
  alongside: Alongside,
): Promise<void> {
  if (shipId === null) return change(alongside)
  const place = findShip(engine.universe, shipId)
  const shipClass = place && shipClassAt(place.world, place.entry).name
  const isElsewhere = engine.followed.has(shipId)
  try {
    const by = { actor, ...(!isElsewhere && { alongside }) }
    await engine.execute({ kind: 'remove_ship', shipId }, by)
    if (isElsewhere) await change(alongside)
  } catch (error) {
    if (error instanceof EngineError && error.code === 'ERR_SHIP_UNKNOWN') return change(alongside)
    await whenRefusedAlongside(error, () =>
      engine.execute(
        { kind: 'create_ship', shipId, name, ...(shipClass && { shipClass }) },
        { actor },
      ),
    )
    throw error
  }
}

/**
 * Gives a ship what modules keep of its account in the account's other ships. Of a ship that no
 * system has, it stays where it is until the next time.
 */
export async function gatherAccount(
  engine: ShipCommands,
  actor: string,
  taker: string,
  others: readonly string[],
): Promise<void> {
  for (const shipId of others) {
    const place = findShip(engine.universe, shipId)
    if (!place?.world.modules?.hasAccount(place.entry.slot)) continue
    if (!findShip(engine.universe, taker)) return
    const pass = { kind: 'pass_account', shipId, taker, passId: randomUUID() } as const
    await engine.execute(pass, { actor })
  }
}

/**
 * Undoes a command that was acted on and kept where what belongs to it was not, even if that turns
 * out only after the answer.
 */
async function whenRefusedAlongside(reason: unknown, undo: () => Promise<unknown>): Promise<void> {
  if (reason instanceof EngineError) return
  if (!(reason instanceof JournalError)) return void (await undo())
  const late = async (): Promise<void> => {
    try {
      await reason.outcome
    } catch {
      await undo()
    }
  }
  // A journal that has ended refuses the undoing, too; then the next start repairs it.
  late().catch(() => undefined)
}
