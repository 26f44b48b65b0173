import { randomUUID } from 'node:crypto'
import type { Database } from '@orrery/database'
import { expect, it } from 'vitest'
import {
  type NewAccount,
  type Settings,
  accounts,
  addBackup,
  backupContents,
  backups,
  eras,
  factoryReset,
  followConsents,
  presentContents,
  readStorage,
  settings,
  shipOwners,
  snapshots,
} from '../src/index.ts'
import { EPOCH, newAccount, newRenewal } from './journal-batch.ts'

const SETTINGS: Settings = {
  tickRate: 20,
  timeScale: 0.1,
  paused: true,
  timeSyncEnabled: true,
  adaptiveTickRate: false,
  registrationOpen: false,
  talkEnabled: true,
  paceVote: { lowest: 1, highest: 10 },
  clockGoal: 'none',
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
    for (const [name, unflownSince] of [
      ['Ripléy', null],
      ['Kane', new Date(0)],
    ] as const) {
      await accounts(sql).create(newAccount(name, { shipId: randomUUID(), unflownSince }))
    }
    await accounts(sql).addShip((await accounts(sql).list())[1].playerId, randomUUID(), 2)
    await settings(sql).save(SETTINGS)
    const before = await accounts(sql).list()
    const snapshotId = await storeWorld(1, 'backup')
    const first = { snapshotId: await storeWorld(2), physics: 1 }
    const fresh = { ...SETTINGS, tickRate: 1, era: 2 }
    const backupId = await factoryReset(sql, {
      now: new Date(),
      renewal: await newRenewal(sql),
      snapshotId,
      first,
      admin,
      settings: fresh,
    })
    // A name of before the reset, taken by another account since.
    await accounts(sql).create(newAccount('KANE'))
    expect(await backups(sql).list()).toEqual([
      {
        backupId,
        createdAt: expect.any(Date),
        reason: 'reset',
        snapshotId,
        tick: 1,
        gameTime: new Date('2026-03-01T12:00:00.250Z'),
        accountCount: 3,
      },
    ])
    const { backupAges, databaseBytes, writtenBytes } = await readStorage(sql)
    expect(backupAges).toEqual([{ reason: 'reset', seconds: expect.any(Number) }])
    expect(databaseBytes).toBeGreaterThan(1e6)
    await storeWorld(1)
    expect((await readStorage(sql)).writtenBytes).toBeGreaterThan(writtenBytes)
    const era = { era: 3, snapshotId: await storeWorld(3), physics: 2 }
    const presentSnapshotId = await storeWorld(2)
    const restoration = {
      backupId,
      era,
      presentSnapshotId,
      now: new Date(),
      renewal: await newRenewal(sql),
    }
    const restored = await backups(sql).restore(restoration)
    const settingsNow = { ...SETTINGS, era: 3 }
    expect(restored).toEqual({ presentBackupId: expect.any(String), settings: settingsNow })
    expect(await backups(sql).restore(restoration), 'after a lost answer').toEqual(restored)

    const generation = expect.any(Number)
    // The admin was there at the restore; the others were not, so that their tokens are void.
    const since: unknown = expect.any(Date)
    const asBefore = before.map((account) => {
      // Who never flew is not gone at once for the time before the restore.
      const unflownSince = account.username === 'Kane' ? since : null
      return { ...account, generation, tokensFrom: account.isAdmin ? null : since, unflownSince }
    })
    expect(await accounts(sql).list()).toEqual(asBefore)
    expect(await backups(sql).owners(backupId)).toEqual(await shipOwners(sql))
    expect(await settings(sql).load()).toEqual(settingsNow)
    expect(await eras(sql).byNumber(3)).toMatchObject({ ...era, reason: 'backup' })
    const [newest, older, ...others] = await backups(sql).list()
    expect(newest).toMatchObject({
      backupId: restored.presentBackupId,
      reason: 'restore',
      snapshotId: presentSnapshotId,
      tick: 2,
      accountCount: 2,
    })
    expect([older.backupId, others]).toEqual([backupId, []])
    expect((await snapshots(sql).list('backup')).map(({ id }) => id)).toContain(presentSnapshotId)
  })

  it('a restore keeps the consents to be followed that are given now', async () => {
    const { sql } = database
    const [players, consents] = [accounts(sql), followConsents(sql)]
    await players.create(newAccount('Founder', { isAdmin: true }))
    await settings(sql).save(SETTINGS)
    const pilot = async (name: string): Promise<NewAccount & { shipId: string }> => {
      const account = { ...newAccount(name), shipId: randomUUID() }
      await players.create(account)
      return account
    }
    const [kept, withdrawn, given] = [
      await pilot('Kane'),
      await pilot('Lambert'),
      await pilot('Ash'),
    ]
    await consents.give(kept.playerId)
    await consents.give(withdrawn.playerId)
    const { backupId } = await backups(sql).create(await storeWorld(1))
    await consents.withdraw(withdrawn.playerId)
    await consents.give(given.playerId)
    const later = await pilot('Dallas')
    await consents.give(later.playerId)
    await backups(sql).restore({
      backupId,
      era: { era: 2, snapshotId: await storeWorld(2), physics: 1 },
      now: new Date(),
      renewal: await newRenewal(sql),
    })
    expect(await consents.ships(10)).toEqual([given.shipId, kept.shipId])
  })

  it('of backups made on request the newest are kept, and each can be deleted', async () => {
    const { sql } = database
    const admin = newAccount('Founder', { isAdmin: true })
    await accounts(sql).create(admin)
    await settings(sql).save(SETTINGS)
    const records = backups(sql)
    const first = { snapshotId: await storeWorld(2), physics: 1 }
    const fresh = { ...SETTINGS, era: 2 }
    const aside = await factoryReset(sql, {
      now: new Date(),
      renewal: await newRenewal(sql),
      snapshotId: await storeWorld(1, 'backup'),
      first,
      admin,
      settings: fresh,
    })
    const made: string[] = []
    for (let i = 0; i < 3; i++) {
      const backup = await records.create(await storeWorld(2))
      expect(backup).toMatchObject({ reason: 'request', accountCount: 1, tick: 2 })
      made.push(backup.backupId)
    }
    expect(await records.owners(made[0])).toEqual([])
    expect(await records.prune({ keep: 2 })).toEqual([made[0]])
    const ids = async (): Promise<string[]> =>
      (await records.list()).map(({ backupId }) => backupId)
    expect(await ids()).toEqual([made[2], made[1], aside])
    const kept = (await snapshots(sql).list('backup')).length
    // The journal may have been pruned up to it.
    const start = (await records.byId(made[2]))?.snapshotId ?? 0
    await sql`update era set snapshot_id = ${start} where era = 2`
    for (const id of [made[1], made[2], aside]) expect(await records.delete(id)).toBe(true)
    expect([await ids(), kept]).toEqual([[], 3])
    expect(await snapshots(sql).list('backup')).toEqual([])
    expect((await snapshots(sql).list()).map(({ id }) => id)).toContain(start)
    for (const id of [aside, 'none']) expect(await records.delete(id)).toBe(false)
  })

  it('a backup goes to another database with its contents', async () => {
    const { sql } = database
    const player = newAccount('Wanderer', { shipId: randomUUID() })
    await accounts(sql).create(player)
    await settings(sql).save(SETTINGS)
    const id = { backupId: randomUUID(), createdAt: new Date('2026-03-01T12:00:00Z') }
    const present = await presentContents(sql)
    const add = async (): Promise<void> =>
      addBackup(sql, { ...id, ...present }, await storeWorld(0))
    await expect(add()).rejects.toMatchObject({ message: expect.stringMatching(/has no admin/) })
    expect(await snapshots(sql).list()).toEqual([])
    await accounts(sql).create(newAccount('Founder', { isAdmin: true }))
    Object.assign(present, await presentContents(sql))
    await add()
    const added = await backups(sql).byId(id.backupId)
    expect(added).toMatchObject({ ...id, reason: 'import', accountCount: 2 })
    expect(await backupContents(sql, id.backupId)).toEqual(present)
    expect(await backupContents(sql, randomUUID())).toBeUndefined()
    const invalid = { code: 'ERR_BACKUP_INVALID' }
    await expect(add()).rejects.toMatchObject(invalid)
    await sql`truncate account cascade`
    const era = { era: 1, snapshotId: await storeWorld(1), physics: 1 }
    await backups(sql).restore({
      now: new Date(),
      renewal: await newRenewal(sql),
      backupId: id.backupId,
      era,
    })
    expect(await accounts(sql).byUsername('wanderer')).toMatchObject({ shipId: player.shipId })
    const unknown = `[{"key":"tick_rate","value":"fast"}]`
    const bad = { ...id, backupId: randomUUID(), ...present, settings: unknown }
    await addBackup(sql, bad, await storeWorld(0))
    const next = { era: 2, snapshotId: await storeWorld(2), physics: 1 }
    const restoring = backups(sql).restore({
      now: new Date(),
      renewal: await newRenewal(sql),
      backupId: bad.backupId,
      era: next,
    })
    await expect(restoring).rejects.toMatchObject({ code: 'ERR_SETTING_INVALID' })
    expect((await settings(sql).load()).era).toBe(1)
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
      return factoryReset(sql, {
        now: new Date(),
        renewal: await newRenewal(sql),
        snapshotId,
        first,
        admin,
        settings: { ...SETTINGS, era },
      })
    }
    const restore = async (backupId: string): Promise<void> => {
      era += 1
      const next = { era, snapshotId: await storeWorld(era), physics: 1 }
      await backups(sql).restore({
        now: new Date(),
        renewal: await newRenewal(sql),
        backupId,
        era: next,
      })
    }
    const generation = async (playerId: string): Promise<number> =>
      (await players.byId(playerId))?.generation ?? NaN

    await players.updatePassword(admin.playerId, 'a')
    await players.updatePassword(player.playerId, 'a')
    const backupId = await reset()
    const changed = await players.updatePassword(admin.playerId, 'b', 'kept')
    await restore(backupId)
    expect(await generation(admin.playerId)).toBe(2)
    const { tokensFrom, keptToken } = (await players.byId(admin.playerId)) ?? {}
    expect([tokensFrom, keptToken]).toEqual([changed?.tokensFrom, 'kept'])
    const revived = await generation(player.playerId)
    expect(revived).toBeGreaterThan(1)
    const since = (await players.byId(player.playerId))?.tokensFrom
    expect(since?.getTime()).toBeGreaterThan(tokensFrom?.getTime() ?? Infinity)
    await players.updatePassword(player.playerId, 'c')
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
    const backupId = await factoryReset(sql, {
      now: new Date(),
      renewal: await newRenewal(sql),
      snapshotId,
      first,
      admin,
      settings: fresh,
    })
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
      await expect(
        backups(sql).restore({ ...restoration, now: new Date(), renewal: await newRenewal(sql) }),
      ).rejects.toMatchObject({ code })
    }
    expect(await accounts(sql).list()).toEqual(before)
    expect(await settings(sql).load()).toEqual(fresh)
    expect(await backups(sql).list()).toHaveLength(1)
  })
}
