import { randomUUID } from 'node:crypto'
import type { Database } from '@orrery/database'
import { expect, it } from 'vitest'
import {
  type NewBeginning,
  type Settings,
  accounts,
  audit,
  eras,
  factoryReset,
  journal,
  maneuverEvents,
  settings,
  snapshots,
} from '../src/index.ts'
import { claimed, keyOf, newAccount, newBatch, newRenewal } from './journal-batch.ts'
import { newManeuverEvent } from './new-maneuver-event.ts'

const BEGINNING: Settings = {
  tickRate: 1,
  timeScale: 1,
  paused: false,
  timeSyncEnabled: false,
  adaptiveTickRate: false,
  registrationOpen: true,
  talkEnabled: false,
  paceVote: 'off',
  clockGoal: 'none',
  worldSeed: 'second light',
  era: 8,
}

async function storeWorld(
  sql: Database['sql'],
  kind: 'admin' | 'automatic' | 'backup',
  era: number = 7,
): Promise<number> {
  return snapshots(sql).store({
    era,
    kind,
    tick: 5,
    lattice: 53_000_000_001,
    sequences: { sol: 1 },
    physics: 1,
    gameTime: new Date('2026-03-01T12:00:00.250Z'),
    header: {},
    bytes: new Uint8Array(10),
  })
}

export function resetLaws(database: Database): void {
  it('a factory reset keeps a backup, the audit trail, and no account but the admin', async () => {
    const { sql } = database
    const admin = newAccount('Founder', { isAdmin: true })
    const player = newAccount('Wanderer', { shipId: randomUUID() })
    await accounts(sql).create(admin)
    await accounts(sql).create(player)
    await accounts(sql).updatePassword(admin.playerId, 'newer', 'kept')
    await settings(sql).save({ tickRate: 20, registrationOpen: false })
    await audit(sql).record({ action: 'before the flood' })
    const begun = await storeWorld(sql, 'automatic')
    await eras(sql).open({ era: 7, reason: 'new', snapshotId: begun, physics: 1 })
    await journal(sql).append(newBatch(2, 3, { era: 7, owner: await claimed(sql) }))
    await storeWorld(sql, 'admin')
    const snapshotId = await storeWorld(sql, 'backup')
    const first = { snapshotId: await storeWorld(sql, 'automatic', 8), physics: 1 }

    const backupId = await factoryReset(sql, {
      now: new Date(),
      renewal: await newRenewal(sql),
      snapshotId,
      first,
      admin,
      settings: BEGINNING,
    })

    const left = await accounts(sql).list()
    const tokens = { generation: 1, tokensFrom: expect.any(Date), keptToken: 'kept' }
    expect(left).toMatchObject([{ playerId: admin.playerId, passwordHash: 'hash', ...tokens }])
    expect(await settings(sql).load()).toEqual(BEGINNING)
    const kept = await snapshots(sql).list()
    expect(kept.map(({ id }) => id)).toEqual([first.snapshotId, snapshotId, begun])
    expect(await eras(sql).list()).toMatchObject([
      { era: 7, snapshotId: begun },
      { era: 8, reason: 'reset', ...first },
    ])
    const counts: number[] = []
    for await (const { rows } of journal(sql).batches(keyOf(7), 1)) counts.push(rows.length)
    expect(counts).toEqual([2])
    expect((await audit(sql).list({ limit: 1 }))[0].action).toBe('before the flood')
    const [backup] = await sql`select * from backup where backup_id = ${backupId}`
    expect(backup).toMatchObject({ snapshot_id: String(snapshotId) })
    expect(backup?.['accounts']).toContainEqual(
      expect.objectContaining({ username: 'Wanderer', ship_id: player.shipId }),
    )
    expect(backup?.['settings']).toContainEqual({ key: 'tick_rate', value: 20 })
  })

  it('a factory reset deletes maneuver events and settings of a later release', async () => {
    const { sql } = database
    const admin = newAccount('Forgetful', { isAdmin: true })
    await accounts(sql).create(admin)
    await maneuverEvents(sql).record([newManeuverEvent()])
    await sql`insert into setting values ('of_a_later_release', '1')`
    const snapshotId = await storeWorld(sql, 'backup')
    const era = 20
    const first = { snapshotId: await storeWorld(sql, 'automatic', era), physics: 1 }
    await factoryReset(sql, {
      now: new Date(),
      renewal: await newRenewal(sql),
      snapshotId,
      first,
      admin,
      settings: { ...BEGINNING, era },
    })
    expect(await maneuverEvents(sql).list({ limit: 1 })).toEqual([])
    expect(await sql`select 1 from setting where key = 'of_a_later_release'`).toHaveLength(0)
  })

  it('a factory reset revives no token of an admin who was deleted before', async () => {
    const { sql } = database
    const admin = newAccount('Phoenix', { isAdmin: true })
    let era = BEGINNING.era
    const reset = async (): Promise<number> => {
      const snapshotId = await storeWorld(sql, 'backup')
      era += 1
      const first = { snapshotId: await storeWorld(sql, 'automatic', era), physics: 1 }
      await factoryReset(sql, {
        now: new Date(),
        renewal: await newRenewal(sql),
        snapshotId,
        first,
        admin,
        settings: { ...BEGINNING, era },
      })
      return (await accounts(sql).byId(admin.playerId))?.generation ?? NaN
    }
    await accounts(sql).create(admin)
    await accounts(sql).updatePassword(admin.playerId, 'newer')
    await accounts(sql).delete(admin.playerId)
    const revived = await reset()
    expect(revived).toBeGreaterThan(1)
    expect(await reset()).toBe(revived)
  })

  it('a factory reset that cannot be stored whole changes nothing', async () => {
    const { sql } = database
    const before = await accounts(sql).list()
    const impossible: NewBeginning = {
      now: new Date(),
      renewal: await newRenewal(sql),
      snapshotId: await storeWorld(sql, 'backup'),
      first: { snapshotId: await storeWorld(sql, 'automatic', 30), physics: 1 },
      admin: newAccount('Founder', { isAdmin: true }),
      settings: { ...BEGINNING, era: 30, tickRate: 0 },
    }
    await expect(factoryReset(sql, impossible)).rejects.toMatchObject({
      code: 'ERR_SETTING_INVALID',
    })
    await expect(
      factoryReset(sql, { ...impossible, settings: BEGINNING, snapshotId: 0 }),
    ).rejects.toThrow(/foreign key/)
    const { era } = BEGINNING
    await eras(sql).open({ era, reason: 'new', snapshotId: impossible.snapshotId, physics: 1 })
    await expect(factoryReset(sql, { ...impossible, settings: BEGINNING })).rejects.toMatchObject({
      code: 'ERR_ERA_EXISTS',
    })
    expect(await accounts(sql).list()).toEqual(before)
  })
}
