// Goal: an empty database becomes a game with one admin and the default settings, and what is
// stored already is left alone. Method: the records in a real database.
import { systemClock } from '@orrery/engine'
import { accounts as accountRecords, settings } from '@orrery/store'
import { beforeEach, expect, test } from 'vitest'
import { ensureAdmin } from '../src/accounts/environment-admin.ts'
import { createPasswords } from '../src/accounts/passwords.ts'
import { openRecords } from '../src/game-records.ts'
import type { GameConfig } from '../src/game-config.ts'
import type { GameRecords } from '../src/index.ts'
import { CONFIG, applicant, openGameDatabase } from './game-fixture.ts'

const { database, empty } = await openGameDatabase()
const { sql } = database
const accounts = accountRecords(sql)

/** UUID version 5 of 'chief' and 'other' in the game's namespace, by Python's uuid5. */
const CHIEF = '7a4fe5c0-9ad0-5a7f-acf3-7767c50f7b24'
const OTHER = 'baa1e450-3038-5a29-829a-1530f2581f68'

function open(config: Partial<GameConfig> = {}): Promise<GameRecords> {
  const unexpected = (): never => expect.unreachable()
  const logger = { info: unexpected, error: unexpected, fatal: unexpected }
  const watched: Parameters<typeof openRecords>[0]['watched'] = (snapshots) => snapshots
  return openRecords({
    database,
    config: { ...CONFIG, ...config },
    logger,
    clock: systemClock,
    watched,
  })
}

beforeEach(empty)

test('the admin of the environment is made once, and never changed', async () => {
  const { passwords } = await open({ admin: { username: 'CHIEF', password: 'first one' } })
  const made = await accounts.list()
  expect(made).toMatchObject([
    { playerId: CHIEF, username: 'CHIEF', isAdmin: true, shipId: null, generation: 0 },
  ])
  expect(await passwords.verify('first one', made[0].passwordHash, applicant('Chief'))).toBe(true)
  await open({ admin: { username: 'Chief', password: 'another' } })
  await open({ admin: { username: 'Other', password: 'another' } })
  await open({ admin: undefined })
  expect(await accounts.list()).toEqual(made)
  await sql`delete from account`
  await open({ admin: { username: 'Other', password: 'another' } })
  expect(await accounts.list()).toMatchObject([{ playerId: OTHER }])
})

test('servers that start at once make one admin', async () => {
  const passwords = createPasswords(systemClock)
  const start = (): Promise<void> => ensureAdmin(accounts, passwords, CONFIG.admin)
  await Promise.all([start(), start()])
  expect(await accounts.list()).toMatchObject([{ playerId: CHIEF, isAdmin: true }])
})

test('a start is refused without any admin, and where a player holds the name', async () => {
  const refusal = { name: 'EnvironmentAdminError', code: 'ERR_ENVIRONMENT_ADMIN' }
  await expect(open({ admin: undefined })).rejects.toMatchObject({
    ...refusal,
    message: expect.stringContaining('set ADMIN_USERNAME and ADMIN_PASSWORD'),
  })
  await open()
  await sql`update account set is_admin = false`
  await expect(open()).rejects.toMatchObject({
    ...refusal,
    message: 'ADMIN_USERNAME Chief is the name of a player.',
  })
})

test('each opening takes the world: its fence is higher than all before', async () => {
  const { owner } = await open()
  const next = (await open()).owner.claims()
  expect([...next.keys()]).toEqual(['alpha-centauri', 'sol', 'trappist-1'])
  for (const [system, { fence, claim }] of owner.claims()) {
    expect(next.get(system)?.fence).toBeGreaterThan(fence)
    expect(next.get(system)?.claim).not.toBe(claim)
  }
})

const DEFAULTS = {
  clockGoal: 'none',
  tickRate: 1,
  timeScale: 1,
  paused: false,
  timeSyncEnabled: false,
  adaptiveTickRate: false,
  registrationOpen: true,
  talkEnabled: false,
  paceVote: 'off',
  era: 1,
}

test('settings have defaults; the seed of the world and the era are stored at once', async () => {
  const { kept } = await open({ worldSeed: 'first' })
  expect(kept.settings).toEqual({ ...DEFAULTS, worldSeed: 'first' })
  expect(await settings(sql).load()).toEqual({ worldSeed: 'first', era: 1 })
  const again = await open({ worldSeed: 'second' })
  expect(again.kept.settings.worldSeed).toBe('first')
})

test('a change of settings is stored, then in force; a refused one is neither', async () => {
  const { kept } = await open()
  await Promise.all([
    kept.changeSettings({ tickRate: 10, paused: true }),
    kept.changeSettings({ tickRate: 20 }),
  ])
  expect(kept.settings).toEqual({ ...DEFAULTS, worldSeed: 'seed', tickRate: 20, paused: true })
  await expect(kept.changeSettings({ tickRate: 0 })).rejects.toMatchObject({
    code: 'ERR_SETTING_INVALID',
  })
  expect(kept.settings.tickRate).toBe(20)
  expect((await open()).kept.settings).toEqual(kept.settings)
  kept.adopt({ ...kept.settings, timeScale: 5 })
  expect(kept.settings.timeScale).toBe(5)
  expect((await open()).kept.settings.timeScale).toBe(1)
})

test('what another process decides about registration and talk counts at once', async () => {
  const [one, other] = [await open(), await open()]
  for (const registrationOpen of [false, true]) {
    const talkEnabled = !registrationOpen
    await one.kept.changeSettings({ registrationOpen, talkEnabled })
    expect(await other.kept.isRegistrationOpen()).toBe(registrationOpen)
    expect(await other.kept.isTalkEnabled()).toBe(talkEnabled)
    expect(other.kept.settings).toMatchObject({ registrationOpen, talkEnabled })
  }
})
