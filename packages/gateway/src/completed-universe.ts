import type { Engine, WorldCommand } from '@orrery/engine'
import { type GameRecords, JournalError, reconciliation } from '@orrery/game'
import { shipOwners } from '@orrery/store'

/** Commands that wait to become durable at a time: the journal takes some thousands. */
const TOGETHER = 5000

/** Gives the universe what it lacks, and every ship that belongs in it. */
export async function completeUniverse(
  engine: Engine,
  lacking: readonly WorldCommand[],
  sql: GameRecords['sql'],
): Promise<void> {
  for (const command of lacking) await known(engine.execute(command))
  // What ships bring may be for a module that has just been given.
  await engine.completeHandOffs()
  const commands = reconciliation(engine.universe, await shipOwners(sql))
  for (let at = 0; at < commands.length; at += TOGETHER) {
    const some = commands.slice(at, at + TOGETHER)
    await Promise.all(some.map((command) => known(engine.execute(command))))
  }
}

/** The outcome of a command, however long it takes: only clients do not wait. */
async function known(execution: Promise<unknown>): Promise<void> {
  try {
    await execution
  } catch (error) {
    if (!(error instanceof JournalError && error.outcome)) throw error
    await error.outcome
  }
}
