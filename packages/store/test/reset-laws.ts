import { randomUUID } from 'node:crypto'
import type { Database } from '@orrery/database'
import { expect, it } from 'vitest'
import {
  type NewAccount,
  type NewBeginning,
  type Settings,
  accounts,
  audit,
  factoryReset,
  settings,
  snapshots,
} from '../src/index.ts'

const BEGINNING: Settings = {
  tickRate: 1,
  timeScale: 1,
  paused: false,
  timeSyncEnabled: false,
  adaptiveTickRate: false,
  registrationOpen: true,
  worldSeed: 'second light',
  era: 8,
}

function newAccount(username: string, isAdmin: boolean): NewAccount {
  const shipId = isAdmin ? null : randomUUID()
  return { playerId: randomUUID(), username, passwordHash: 'hash', isAdmin, shipId }
}

async function storeWorld(sql: Database['sql'], kind: 'admin' | 'backup'): Promise<number> {
  return snapshots(sql).store({
    era: 7,
    kind,
    tick: 5,
    lattice: 53_000_000_001,
    gameTime: new Date('2026-03-01T12:00:00.250Z'),
    header: {},
    bytes: new Uint8Array(10),
  })
}

/** The last of the laws to run: nothing of the others is left behind it. */
export function resetLaws(database: () => Database): void {
  it('a factory reset keeps a backup, the audit trail, and no account but the admin', async () => {
    const { sql } = database()
    const admin = newAccount('Founder', true)
    const player = newAccount('Wanderer', false)
    await accounts(sql).create(admin)
    await accounts(sql).create(player)
    await accounts(sql).updatePassword(admin.playerId, 'newer', { raiseGeneration: true })
    await settings(sql).save({ tickRate: 20, registrationOpen: false })
    await audit(sql).record({ action: 'before the flood' })
    await storeWorld(sql, 'admin')
    const snapshotId = await storeWorld(sql, 'backup')

    const backupId = await factoryReset(sql, { snapshotId, admin, settings: BEGINNING })

    const left = await accounts(sql).list()
    expect(left).toMatchObject([{ playerId: admin.playerId, passwordHash: 'hash', generation: 1 }])
    expect(await settings(sql).load()).toEqual(BEGINNING)
    const kept = await snapshots(sql).list()
    expect(kept.map(({ id, kind }) => ({ id, kind }))).toContainEqual({
      id: snapshotId,
      kind: 'backup',
    })
    expect(kept.every(({ kind }) => kind === 'backup')).toBe(true)
    expect((await audit(sql).list({ limit: 1 }))[0].action).toBe('before the flood')
    const [backup] = await sql`select * from backup where backup_id = ${backupId}`
    expect(backup).toMatchObject({ snapshot_id: String(snapshotId) })
    expect(backup?.['accounts']).toContainEqual(
      expect.objectContaining({ username: 'Wanderer', ship_id: player.shipId }),
    )
    expect(backup?.['settings']).toContainEqual({ key: 'tick_rate', value: 20 })
  })

  it('a factory reset revives no token of an admin who was deleted before', async () => {
    const { sql } = database()
    const admin = newAccount('Phoenix', true)
    const reset = async (): Promise<number> => {
      const snapshotId = await storeWorld(sql, 'backup')
      await factoryReset(sql, { snapshotId, admin, settings: BEGINNING })
      return (await accounts(sql).byId(admin.playerId))?.generation ?? NaN
    }
    await accounts(sql).create(admin)
    await accounts(sql).updatePassword(admin.playerId, 'newer', { raiseGeneration: true })
    await accounts(sql).delete(admin.playerId)
    const revived = await reset()
    expect(revived).toBeGreaterThan(1)
    expect(await reset()).toBe(revived)
  })

  it('a factory reset that cannot be stored whole changes nothing', async () => {
    const { sql } = database()
    const before = await accounts(sql).list()
    const impossible: NewBeginning = {
      snapshotId: await storeWorld(sql, 'backup'),
      admin: newAccount('Founder', true),
      settings: { ...BEGINNING, tickRate: 0 },
    }
    await expect(factoryReset(sql, impossible)).rejects.toMatchObject({
      code: 'ERR_SETTING_INVALID',
    })
    await expect(
      factoryReset(sql, { ...impossible, settings: BEGINNING, snapshotId: 0 }),
    ).rejects.toThrow(/foreign key/)
    expect(await accounts(sql).list()).toEqual(before)
  })
}
