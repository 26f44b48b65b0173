// Law: a replay of a stored journal gives the same bits on any machine; a change of the journal is
// found; a factory reset can be reverted, also elsewhere. Method: a real server under pilots and an
// admin, which is reset and stopped; then the commands of an operator: by night, where one that
// refuses, a replay and a restore are processes, each starts the server's PostgreSQL; by day they
// find a copy at a URL.
import { type AdminClient, type GameSocket, connectSocket, createGameClient } from '@orrery/client'
import { type Database, openDatabase } from '@orrery/database'
import { unpackJournal } from '@orrery/engine/testing'
import { backupEntry, backupsResponse } from '@orrery/protocol'
import { BLOCK_QUANTA } from '@orrery/sim'
import {
  type PostgresServer,
  QUICK_PASSWORDS,
  type ServiceProcess,
  startPostgresServer,
  startService,
} from '@orrery/testkit'
import { exactAnswer } from '@orrery/testkit/exact-answer'
import { prepareData } from '@orrery/testkit/prepared-data'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { lineShape, readmeSample } from '@orrery/testkit/readme-sample'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../replay/comparison.ts'
import { type Outcome, runHere } from './command-here.ts'

/** A command starts Node and PostgreSQL on a busy machine. */
const COMMAND_MS_MAX = 150_000
const COMMANDS_TEST_MS_MAX = 3 * COMMAND_MS_MAX

/** A first start makes a database and days of ephemeris on a busy machine. */
const STARTING_TEST_MS_MAX = 150_000

const PASSWORD = 'correct horse 7b'
const ADMIN = { username: 'Chief_1', password: 'admin-pass-9d1f' }

const data = mkdtempSync(join(tmpdir(), 'orrery-replay-data-'))
const workplace = mkdtempSync(join(tmpdir(), 'orrery-replay-'))
const variables = {
  PORT: '0',
  JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_PASSWORD: ADMIN.password,
  MAX_SHIPS: '2000',
  WORKERS: '1',
  ...QUICK_PASSWORDS,
}
const file = join(workplace, 'era.journal')
const present = join(workplace, 'present.backup')
const carried = join(workplace, 'reset.backup')
const elsewhere = join(workplace, 'elsewhere')

/** By day, since most of what a command costs is a start of PostgreSQL. */
let postgres: PostgresServer | undefined
let server: ServiceProcess
let url: string
/** an auditor beside the server, at night */
let follower: ServiceProcess | undefined
let backupId: string
/** of commands while the server had the database */
let refused: Outcome
let written: Outcome
/** of the era that the reset has ended */
let whole: Report

/** A start of Node is most of what a short command costs. */
const asProcessByNight = (...args: Parameters<typeof runHere>): Promise<Outcome> =>
  IS_NIGHT ? asProcess(...args) : runHere(...args)

/** A command of an operator outside the repository, here or as a process. */
function command(
  name: 'replay' | 'backup',
  args: readonly string[],
  directory = data,
  run: typeof runHere = runHere,
): Promise<Outcome> {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const surroundings = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE }
  const DATABASE_URL = databaseOf(directory)
  const place = DATABASE_URL === undefined ? { DATA_DIR: directory } : { DATABASE_URL }
  const env = { ...surroundings, ...place, MAX_SHIPS: variables.MAX_SHIPS }
  return run(new URL(`../${name}.ts`, import.meta.url), args, { directory: workplace, env })
}

/** Of what was copied; any other directory has an embedded one, or none. */
function databaseOf(directory: string): string | undefined {
  const names: Readonly<Record<string, string>> = { [data]: 'orrery', [elsewhere]: 'elsewhere' }
  const name = names[directory]
  return postgres && name && String(new URL(`/${name}`, postgres.url))
}

const asProcess: typeof runHere = (script, args, { directory, env }) => {
  const options = { cwd: directory, env, timeout: COMMAND_MS_MAX }
  return new Promise((resolve) => {
    execFile(process.execPath, [fileURLToPath(script), ...args], options, (error, out, err) => {
      const code = typeof error?.code === 'number' ? error.code : error ? -1 : 0
      resolve({ code, stdout: out, stderr: err })
    })
  })
}

async function reportOf(
  args: readonly string[],
  directory?: string,
  run?: typeof runHere,
): Promise<Report> {
  const { code, stdout, stderr } = await command('replay', [...args, '--json'], directory, run)
  expect(`${code} ${stderr}`, `replay ${args.join(' ')}`).toBe('0 ')
  // Names are spelt as in the API.
  expect(stdout).not.toMatch(/"\w*[A-Z]\w*":/)
  return JSON.parse(stdout) as Report
}

function openStored(directory: string): Promise<Database> {
  const url = databaseOf(directory)
  return openDatabase({ ...(url && { url }), directory: join(directory, 'game'), schema: 'game' })
}

async function gameSeconds(socket: GameSocket, seconds: number): Promise<void> {
  let from: number | undefined
  await new Promise<void>((resolve) => {
    const stop = socket.on('tick', ({ game_time: gameTime }) => {
      from ??= Date.parse(gameTime)
      if (Date.parse(gameTime) - from < 1000 * seconds) return
      stop()
      resolve()
    })
  })
}

async function startServer(directory: string): Promise<void> {
  server = startService({
    main: import.meta.resolve('@orrery/gateway/main'),
    variables: { ...variables, DATA_DIR: directory },
  })
  url = await server.ready
}

/** Pilots and an admin send commands of all kinds, for some blocks of game time. */
async function fly(admin: AdminClient, names: readonly string[]): Promise<void> {
  const game = createGameClient({ url })
  await admin.game.changeTickRate(10)
  await admin.game.changeTimeScale(100)
  const pilots = await Promise.all(names.map((name) => game.register(name, PASSWORD)))
  const sockets = pilots.map(({ token }) => connectSocket({ url, token }))
  await Promise.all(sockets.map((socket) => socket.opened))
  const [first, second, third] = sockets
  await first.rename(`${names[0]}'s own`)
  await second.control({ thrust_level: 0.5, pointing: 'prograde' })
  await third.control({ pointing: 'target', target_ship_id: pilots[0].ship_id })
  await gameSeconds(first, 130)
  await admin.stations.create({ name: 'Halfway', parent_body: 'Earth', altitude: 400_000 })
  await admin.snapshots.create()
  await first.control({ attitude: { w: 0.1, x: 0.7, y: 0.2, z: 0.3 }, thrust_level: 1 })
  await gameSeconds(first, 130)
  for (const socket of sockets) socket.close()
}

beforeAll(async () => {
  await prepareData(data, import.meta.resolve('@orrery/gateway/main'))
  await startServer(data)
  const game = createGameClient({ url })
  const { token } = await game.adminLogin(ADMIN.username, ADMIN.password)
  const admin = game.admin(token)
  if (IS_NIGHT) {
    follower = startService({
      main: new URL('../replay.ts', import.meta.url).href,
      args: ['--follow'],
      variables: { DATA_DIR: data },
    })
    await follower.announced(/(following era 1)/)
  }
  await fly(admin, ['Dallas', 'Kane', 'Lambert'])
  ;({ backup_id: backupId } = await admin.game.reset())
  await game.register('Ripley', PASSWORD)
  refused = await command('backup', ['create'], data, asProcessByNight)
  written = await command('backup', ['export', present])
  await server.stop()
  if (IS_NIGHT) return
  postgres = await startPostgresServer(tmpdir(), join(data, 'game'))
  const stored = await openStored(data)
  await stored.sql.unsafe('create database elsewhere template orrery')
  await stored.close()
  const copied = await openStored(elsewhere)
  await copied.sql`drop schema game cascade`
  await copied.close()
}, STARTING_TEST_MS_MAX)

afterAll(async () => {
  await postgres?.stop()
  rmSync(data, { recursive: true, force: true })
  rmSync(workplace, { recursive: true, force: true })
})

test.runIf(IS_NIGHT)('an auditor has proved the running server, and ends at SIGINT', async () => {
  await follower!.announced(/(the database is away)/)
  process.kill(follower!.pid ?? NaN, 'SIGINT')
  expect(await follower!.ended).toBe(0)
  const { stdout } = follower!.output()
  expect(stdout).toMatch(/sol: equal\n[^]*following era 2 [^]*behind by 0 rows/)
  expect(stdout).not.toContain('DIFFERS')
})

test('a command fails with one line while a server uses the embedded database', () => {
  const { code, stdout, stderr } = refused
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  const holder = `"orrery game .* pid ${server.pid} .*".*`
  expect(stderr).toMatch(new RegExp(`^backup: The directory \\S+/game is in use by ${holder}\\n$`))
})

test(
  'a replayed era has the stored digests and snapshots, also after a reset',
  async () => {
    whole = await reportOf(['--era', '1', '--verify'], data, asProcessByNight)
    expect(whole).toMatchObject({ era: 1, ships: 3, differences: 0 })
    expect(whole.digests_compared).toBeGreaterThanOrEqual(2)
    expect(whole.snapshots.length).toBeGreaterThanOrEqual(1)
    expect(whole.commands).toBeGreaterThanOrEqual(8)
    expect(whole.game_seconds).toBeGreaterThan(200)
  },
  COMMANDS_TEST_MS_MAX,
)

test(
  'an exported part is replayed without a database and contains no names',
  async () => {
    const [first] = whole.digests
    const end = String(first.index + BLOCK_QUANTA)
    const span = ['--era', '1', '--from', whole.from.utc, '--to', end]
    const { code, stderr } = await command('replay', ['--export', file, ...span])
    expect(code, `stderr: ${stderr}`).toBe(0)
    const part = await reportOf(['--import', file], join(workplace, 'nowhere'))
    expect([part.from, String(part.to.index)]).toEqual([whole.from, end])
    expect(part.digests).toEqual([first])
    expect(part.commands).toBeLessThan(whole.commands)
    expect(readdirSync(workplace)).toEqual(['era.journal', 'present.backup'])
    const { image, records } = await unpackJournal(readFileSync(file))
    const text = JSON.stringify([image.header, ...records]) + String(Buffer.from(image.bytes))
    for (const name of ['Dallas', 'Kane', 'Lambert']) expect(text).not.toContain(name)
  },
  COMMANDS_TEST_MS_MAX,
)

test('a damaged file is refused', async () => {
  const flipped = readFileSync(file)
  flipped[flipped.length >> 1] ^= 4
  const broken = join(workplace, 'broken.journal')
  writeFileSync(broken, flipped)
  const { code, stdout, stderr } = await command('replay', ['--import', broken, '--json'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/it is damaged: its checksum is [0-9a-f]{64} when [0-9a-f]{64} is exp/)
})

test(
  'a changed journal row is found, and its ship named',
  async () => {
    const { sql, close } = await openStored(data)
    const [{ ship }] = await sql<[{ ship: number }]>`
      update journal set command = jsonb_set(command, '{control,thrustLevel}', '0.6')
      where era = 1 and command #>> '{control,thrustLevel}' = '0.5'
      returning (command ->> 'ship')::int as ship`
    await close()
    const { code, stdout } = await command('replay', ['--era', '1', '--verify'])
    expect(code).toBe(1)
    const named = new RegExp(`^  ship ${ship} \\([0-9a-f-]{36}\\): .*fuel.*thrustLevel`, 'gm')
    expect(stdout.match(named)?.length, `stdout: ${stdout}`).toBe(whole.snapshots.length)
    expect(stdout).toMatch(/  [0-9a-f]{32}  DIFFERS in sol: [0-9a-f]{32} is stored\n/)
    expect(stdout).toMatch(/compared: \d+ DIFFER\n$/)
  },
  COMMANDS_TEST_MS_MAX,
)

function carry(path: string): Promise<Outcome> {
  return command('backup', ['import', path, '--json'], elsewhere)
}

test(
  'a file of a backup is restored in a new database, with its accounts and ships',
  async () => {
    const { code, stderr } = await command('backup', ['export', carried, backupId])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await carry(carried)).toMatchObject({ code: 0, stderr: '' })
    expect(statSync(carried).mode & 0o777).toBe(0o600)
    const restored = await command('backup', ['restore', backupId, '--json'], elsewhere)
    expect(JSON.parse(restored.stdout)).toMatchObject({ era: 1, accounts: 4, ships: 3 })
    // Made beside the running server.
    expect(written).toMatchObject({ code: 0, stderr: '' })
  },
  COMMANDS_TEST_MS_MAX,
)

test.runIf(IS_NIGHT)(
  'a restored backup has its accounts and world, and the present ones become a backup',
  async () => {
    const restored = await command('backup', ['restore', backupId, '--json'], data, asProcess)
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    const done = JSON.parse(restored.stdout) as { present_backup_id: string }
    expect(done).toEqual({
      backup_id: backupId,
      era: 3,
      present_backup_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      accounts: 4,
      ships: 3,
      tick_number: expect.any(Number),
      game_time: expect.stringMatching(/^20.*Z$/),
    })
    const created = await command('backup', ['create', '--json'])
    const made = await exactAnswer(backupEntry, JSON.parse(created.stdout))
    expect(made).toMatchObject({ reason: 'request', accounts: 4 })
    expect((await command('backup', ['delete', backupId])).stdout).toMatch(/ is deleted\.\n$/)
    expect((await command('backup', ['restore', backupId])).code).toBe(1)
    const listed = await command('backup', ['list', '--json'])
    const { backups } = await exactAnswer(backupsResponse, JSON.parse(listed.stdout))
    expect(backups.map(({ backup_id: id }) => id)).toEqual([made.backup_id, done.present_backup_id])
    const { stdout: list } = await command('backup', ['list'])
    const ids = Array.from(list.matchAll(/^\S+/gm), ([id]) => id)
    expect(ids, `list: ${list}`).toEqual([made.backup_id, done.present_backup_id])
    const page = new URL('../../packages/gateway/deploy/backups.md', import.meta.url)
    const [shown = ''] = readmeSample(page, 'scripts/orrery backup list')
    expect(list.split('\n').map(lineShape)).toContain(lineShape(shown))
  },
  STARTING_TEST_MS_MAX + COMMANDS_TEST_MS_MAX,
)

test.runIf(IS_NIGHT)(
  'a file is imported once, also beside a restored one, whose accounts log in',
  async () => {
    const again = await carry(carried)
    expect(again).toMatchObject({ code: 2, stdout: '' })
    expect(again.stderr).toBe(`backup: The backup ${backupId} is here already.\n`)
    // The world since the reset, and its two accounts.
    expect(JSON.parse((await carry(present)).stdout)).toMatchObject({ accounts: 2 })
    await startServer(elsewhere)
    const game = createGameClient({ url })
    const { token } = await game.login('Dallas', PASSWORD)
    const { name } = await game.player(token).ship()
    expect(name).toBe("Dallas's own")
    await expect(game.login('Ripley', PASSWORD)).rejects.toMatchObject({ status: 401 })
    expect(await server.stop()).toBe(0)
  },
  STARTING_TEST_MS_MAX + COMMANDS_TEST_MS_MAX,
)

test(
  'a file that is damaged, of a newer release or missing is refused in a sentence',
  async () => {
    const whole = readFileSync(carried)
    const changed = (at: number, to: number): string => {
      const path = join(workplace, `changed-${at}.backup`)
      writeFileSync(path, Buffer.from(whole).fill(to, at, at + 1))
      return path
    }
    const cases = [
      [changed(whole.length >> 1, (whole[whole.length >> 1] ?? 0) ^ 4), /it is damaged: /],
      [changed(8, 9), /it is of version 9 when this program reads version 1\.\n$/],
      [file, /it is no backup file: /],
      [join(workplace, 'none'), / cannot be read: there is no such file or folder\.\n$/],
    ] as const
    const tried: readonly (readonly [string, RegExp])[] = IS_NIGHT ? cases : cases.slice(0, 2)
    const places = [join(workplace, 'new')]
    for (const [path, reason] of tried) {
      const { code, stdout, stderr } = await command('backup', ['import', path], places.pop())
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(reason)
      expect(stderr.split('\n')).toHaveLength(2)
    }
    const { stderr } = await command('backup', ['export', carried])
    expect(stderr).toBe(`backup: ${carried} cannot be written: it exists already.\n`)
  },
  COMMANDS_TEST_MS_MAX,
)
