import { randomUUID } from 'node:crypto'
import type { Database } from '@orrery/database'
import { expect, it } from 'vitest'
import {
  type Settings,
  accounts,
  backups,
  eras,
  factoryReset,
  settings,
  snapshots,
} from '../src/index.ts'
import { EPOCH, newAccount } from './journal-batch.ts'

const SETTINGS: Settings = {
  tickRate: 20,
  timeScale: 0.1,
  paused: true,
  timeSyncEnabled: true,
  adaptiveTickRate: false,
  registrationOpen: false,
  worldSeed: 'first light',
  era: 1,
}

export function backupLaws(database: Database): void {
  const storeWorld = (era: number, kind: 'automatic' | 'backup' = 'automatic'): Promise<number> =>
    snapshots(database.sql).store({
      era,
      kind,
      tick: era,
      lattice: EPOCH,
      sequences: { sol: 0 },
      physics: 1,
      gameTime: new Date('2026-03-01T12:00:00.250Z'),
      header: {},
      bytes: new Uint8Array(10),
    })

  it('a backup brings back accounts and settings as they were, in an era of its own', async () => {
    const { sql } = database
    const admin = newAccount('Founder', { isAdmin: true })
    await accounts(sql).create(admin)
    for (const name of ['Ripléy', 'Kane']) {
      await accounts(sql).create(newAccount(name, { shipId: randomUUID() }))
    }
    await settings(sql).save(SETTINGS)
    const before = await accounts(sql).list()
    const snapshotId = await storeWorld(1, 'backup')
    const first = { snapshotId: await storeWorld(2), physics: 1 }
    const fresh = { ...SETTINGS, tickRate: 1, era: 2 }
    const backupId = await factoryReset(sql, { snapshotId, first, admin, settings: fresh })
    // A name of before the reset, taken by another account since.
    await accounts(sql).create(newAccount('KANE'))
    expect(await backups(sql).list()).toEqual([
      {
        backupId,
        createdAt: expect.any(Date),
        snapshotId,
        tick: 1,
        gameTime: new Date('2026-03-01T12:00:00.250Z'),
        accountCount: 3,
      },
    ])
    const era = { era: 3, snapshotId: await storeWorld(3), physics: 2 }
    const presentSnapshotId = await storeWorld(2)
    const present = await backups(sql).restore({ backupId, era, presentSnapshotId })

    const generation = expect.any(Number)
    const asBefore = before.map((account) => ({ ...account, generation }))
    expect(await accounts(sql).list()).toEqual(asBefore)
    expect(await settings(sql).load()).toEqual({ ...SETTINGS, era: 3 })
    expect(await eras(sql).byNumber(3)).toMatchObject({ ...era, reason: 'backup' })
    const [newest, older] = await backups(sql).list()
    expect(newest).toMatchObject({ backupId: present, snapshotId: presentSnapshotId, tick: 2 })
    expect(newest.accountCount).toBe(2)
    expect(older.backupId).toBe(backupId)
    expect((await snapshots(sql).list('backup')).map(({ id }) => id)).toContain(presentSnapshotId)
  })

  it('no token that was void is good again, whichever backup comes back', async () => {
    const { sql } = database
    const players = accounts(sql)
    const admin = newAccount('Founder', { isAdmin: true })
    const player = newAccount('Wanderer')
    await players.create(admin)
    await players.create(player)
    await settings(sql).save(SETTINGS)
    let era = 1
    const reset = async (): Promise<string> => {
      const snapshotId = await storeWorld(era, 'backup')
      era += 1
      const first = { snapshotId: await storeWorld(era), physics: 1 }
      return factoryReset(sql, { snapshotId, first, admin, settings: { ...SETTINGS, era } })
    }
    const restore = async (backupId: string): Promise<void> => {
      era += 1
      const next = { era, snapshotId: await storeWorld(era), physics: 1 }
      await backups(sql).restore({ backupId, era: next })
    }
    const generation = async (playerId: string): Promise<number> =>
      (await players.byId(playerId))?.generation ?? NaN

    await players.updatePassword(admin.playerId, 'a', { raiseGeneration: true })
    await players.updatePassword(player.playerId, 'a', { raiseGeneration: true })
    const backupId = await reset()
    await players.updatePassword(admin.playerId, 'b', { raiseGeneration: true })
    await restore(backupId)
    expect(await generation(admin.playerId)).toBe(2)
    const revived = await generation(player.playerId)
    expect(revived).toBeGreaterThan(1)
    await players.updatePassword(player.playerId, 'c', { raiseGeneration: true })
    await restore(backupId)
    expect(await generation(player.playerId)).toBe(revived + 1)
    expect((await players.byId(player.playerId))?.passwordHash).toBe('a')
  })

  it('a backup that cannot be restored whole changes nothing', async () => {
    const { sql } = database
    const admin = newAccount('Founder', { isAdmin: true })
    await accounts(sql).create(admin)
    await settings(sql).save(SETTINGS)
    const snapshotId = await storeWorld(1, 'backup')
    const first = { snapshotId: await storeWorld(2), physics: 1 }
    const fresh = { ...SETTINGS, era: 2 }
    const backupId = await factoryReset(sql, { snapshotId, first, admin, settings: fresh })
    await accounts(sql).create(newAccount('Newcomer'))
    const before = await accounts(sql).list()
    const opened = { era: 2, snapshotId, physics: 1 }
    const refusals = [
      [{ backupId: randomUUID(), era: opened }, 'ERR_BACKUP_UNKNOWN'],
      [{ backupId: 'none', era: opened }, 'ERR_BACKUP_UNKNOWN'],
      [{ backupId, era: opened }, 'ERR_ERA_EXISTS'],
      [{ backupId, era: { ...opened, era: 3, snapshotId: 0 } }, '23503'],
    ] as const
    for (const [restoration, code] of refusals) {
      await expect(backups(sql).restore(restoration)).rejects.toMatchObject({ code })
    }
    expect(await accounts(sql).list()).toEqual(before)
    expect(await settings(sql).load()).toEqual(fresh)
    expect(await backups(sql).list()).toHaveLength(1)
  })
}
