// Law: the data of an earlier release are brought up to this one, with their owner and hand-offs.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { migrate } from '@orrery/database'
import { openFreshDatabase } from '@orrery/testkit'
import { expect, test } from 'vitest'
import { claimSystems, journal, migrations } from '../src/index.ts'
import { collected, keyOf, newBatch } from './journal-batch.ts'

test('a journal with one fence for the world goes on with one for each system', async () => {
  const database = await openFreshDatabase({ schema: 'game' })
  const { sql } = database
  const folder = await mkdtemp(join(tmpdir(), 'orrery-migrations-'))
  for (const file of ['001.do.game.sql', '002.do.invitations.sql'])
    await cp(new URL(file, migrations), join(folder, file))
  await migrate(database, new URL(`${pathToFileURL(folder).href}/`))
  await sql`update world_owner set fence = 8`
  await sql`
    insert into journal (era, system, sequence, lattice, command)
    values (1, 'sol', 9, 0, '{}'), (2, 'sol', 4, 0, '{}')`
  await sql`
    insert into clock (era, system, sequence, lattice, remainder, denominator, tick, tick_rate,
      time_scale, paused, refused)
    select era, system, sequence, 0, '0', '1', 0, 1, 1, false, '{}' from journal`
  await sql`
    insert into hand_off (era, system, lattice, ship_id, ship, checksum, arrived)
    values (2, 'sol', 0, 'ida', '{}', '', true), (2, 'sol', 0, 'max', '{}', '', false)`
  await migrate(database, migrations)
  const handOffs = await sql`select ship_id, state from hand_off order by ship_id`
  expect(handOffs.map(({ state }) => state)).toEqual(['arrived', 'departed'])
  const owner = await claimSystems(sql, { systemIds: ['sol', 'alpha'] })
  expect(owner.claims().get('sol')?.fence).toBe(9)
  expect([...owner.claims().values()].map(({ sequence }) => sequence)).toEqual([0, 4])
  await journal(sql).append(newBatch(5, 6, { era: 2, owner }))
  const batches = await collected(journal(sql).batches(keyOf(2), 0))
  expect(batches.map(({ clock }) => clock.sequence)).toEqual([4, 6])
  await database.close()
  await rm(folder, { recursive: true })
})
