// A process that owns the star systems in argv[2] of the database at DATABASE_URL and writes for
// each of them, half of them with accounts, until it reads that another owner has taken it. It
// reports what it was acknowledged. With argv[3] it does not look at claims.
import { setTimeout } from 'node:timers/promises'
import { isAway, openDatabase } from '@orrery/database'
import { claimSystems, journal, maneuverEvents, snapshots } from '../../src/index.ts'
import { EPOCH, newClock, newRow } from '../journal-batch.ts'
import { newManeuverEvent } from '../new-maneuver-event.ts'
import { withoutFence } from '../without-fence.ts'

const [, , names = '', isBlind] = process.argv
const url = process.env['DATABASE_URL'] ?? ''
const database = await openDatabase({ url, directory: '', schema: 'game', transactionIdleMs: 1000 })
const sql = isBlind === undefined ? database.sql : withoutFence(database.sql)
const say = (...words: readonly unknown[]): unknown => process.stdout.write(`${words.join(' ')}\n`)

await Promise.all(
  names.split(',').map(async (systemId, place) => {
    const owner = await claimSystems(database.sql, { systemIds: [systemId] })
    const kept = journal(sql)
    const events = maneuverEvents(sql, owner)
    const stored = snapshots(sql, undefined, owner)
    // Where an owner stands when it is stopped: between statements, or in a transaction.
    const alongside = place % 2 === 0 ? [] : [() => setTimeout(20)]
    for (let sequence = 1; ;) {
      const rows = [newRow(sequence, { systemId })]
      const sequences = { [systemId]: sequence }
      const batch = { era: 1, owner, rows, clock: newClock(sequence), sequences, digests: [] }
      try {
        await kept.append({ ...batch, alongside })
        say('journal', systemId, sequence)
        await events.record([newManeuverEvent({ systemId, lattice: sequence })])
        if (sequence % 10 === place % 10) {
          const image = { header: {}, bytes: new Uint8Array(10), gameTime: new Date() }
          const at = { era: 1, tick: sequence, lattice: EPOCH, physics: 1, sequences }
          await stored.store({ kind: 'admin', ...at, ...image })
          say('snapshot', systemId, sequence)
        }
        sequence += 1
      } catch (error) {
        if (Object(error).code === 'ERR_FENCED') return
        // Without a look at the claim only the number itself is in the way.
        if (Object(error).code === '23505') sequence += 1
        else if (isAway(error)) await setTimeout(10)
        else throw error
      }
      if (isBlind !== undefined && sequence > Number(isBlind)) return
    }
  }),
)
await database.close()
