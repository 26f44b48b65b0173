/** What the parts of a recovery take, one after the other, in a process that does nothing else. */
import { openDatabase } from '@orrery/database'
import { createPool, createReplay, inside } from '@orrery/engine/testing'
import { openStored } from '@orrery/game'
import { journal, snapshots } from '@orrery/store'
import { join } from 'node:path'

/** Each of the first four in milliseconds. */
export interface RecoveryParts {
  /** Node's start, and reading the code */
  readonly code: number
  readonly database: number
  readonly snapshot: number
  readonly replay: number
  readonly commands: number
  readonly gameSeconds: number
}

async function recover(dataDirectory: string, workers: number): Promise<RecoveryParts> {
  const laps = [performance.now()]
  const lap = (): void => void laps.push(performance.now())
  const database = await openDatabase({ directory: join(dataDirectory, 'game'), schema: 'game' })
  lap()
  const snapshot = await snapshots(database.sql).newest()
  if (!snapshot) throw new Error('There is no snapshot.')
  const universe = inside((await openStored(snapshot, { shipsMax: 1 })).universe)
  const pool = createPool(universe, workers, console.error)
  lap()
  let commands = 0
  for (const [place, world] of universe.worlds.entries()) {
    const replay = createReplay({ world, pool, place })
    const systemId = world.state.system.id
    const batches = journal(database.sql).batches(
      { era: snapshot.era, systemId },
      snapshot.sequences[systemId],
    )
    for await (const { rows, clock } of batches) {
      for (const { sequence, lattice: index, command } of rows) {
        await replay.apply({ sequence, index, command })
        commands++
      }
      await replay.flyTo(clock.lattice, clock.tick)
    }
  }
  lap()
  await pool.close()
  await database.close()
  const [code, opened, restored, flown] = laps
  return {
    code,
    database: opened - code,
    snapshot: restored - opened,
    replay: flown - restored,
    commands,
    gameSeconds: (universe.worlds[0].index - snapshot.lattice) / 64,
  }
}

const [, , dataDirectory, workers] = process.argv
console.log(JSON.stringify(await recover(dataDirectory, Number(workers))))
process.exit(0)
