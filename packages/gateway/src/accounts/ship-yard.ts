import { type Engine, EngineError } from '@orrery/engine'
import type { Account, AccountRecords, Alongside } from '@orrery/store'
import { JournalError } from '../journal/journal-error.ts'

/** What makes and removes ships. */
export type ShipYard = Pick<Engine, 'execute'>

/**
 * Makes a ship and, in the transaction that makes that durable, writes whose it is. Where that
 * cannot be written, the ship goes again.
 */
export async function createWithAccount<Result>(
  engine: ShipYard,
  actor: string,
  ship: { readonly shipId: string; readonly name: string },
  write: (records: AccountRecords) => Promise<Result>,
): Promise<Result> {
  const written = Promise.withResolvers<Result>()
  const alongside: Alongside = async (records) => written.resolve(await write(records))
  try {
    await engine.execute({ kind: 'create_ship', ...ship }, { actor, alongside })
  } catch (error) {
    if (isRefusedAlongside(error)) {
      await engine.execute({ kind: 'remove_ship', shipId: ship.shipId }, { actor })
    }
    throw error
  }
  return written.promise
}

/**
 * Takes an account's ship out of the world and, in the transaction that makes that durable, does
 * what is left to do. Where that cannot be written the ship is made again, on its spawn orbit.
 */
export async function removeWithAccount(
  {
    engine,
    change,
  }: { readonly engine: ShipYard; readonly change: (work: Alongside) => Promise<void> },
  actor: string,
  { shipId, username: name }: Account,
  alongside: Alongside,
): Promise<void> {
  if (shipId === null) return change(alongside)
  try {
    await engine.execute({ kind: 'remove_ship', shipId }, { actor, alongside })
  } catch (error) {
    if (error instanceof EngineError && error.code === 'ERR_SHIP_UNKNOWN') return change(alongside)
    if (isRefusedAlongside(error)) {
      await engine.execute({ kind: 'create_ship', shipId, name }, { actor })
    }
    throw error
  }
}

/** Whether a command was acted on and kept, but not what belongs to it. */
function isRefusedAlongside(error: unknown): boolean {
  return !(error instanceof EngineError || error instanceof JournalError)
}
