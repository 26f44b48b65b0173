// Goal: each command does what it says on a real server, leaves no admin route without a command,
// and answers mistakes in one sentence with the right exit code. Method: one server process that
// logs its requests; commands run in this process, and one of its own at night for each exit code,
// by day for one.
import { adminLoginResponse, clockResponse, resetResponse } from '@orrery/protocol'
import { QUICK_PASSWORDS, type ServiceProcess, WITHOUT_LIMITS, startService } from '@orrery/testkit'
import { exactAnswer } from '@orrery/testkit/exact-answer'
import { prepareData } from '@orrery/testkit/prepared-data'
import { lineShape, readmeSample } from '@orrery/testkit/readme-sample'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonAnswers } from './json-answers.ts'
import { MINING, moduleCommands } from './module-commands.ts'
import {
  type Ended,
  MAIN,
  type Run,
  UNTOUCHED,
  UUID,
  downloadsPiped,
  registered,
  requestsIn,
  runHere,
  runProcess,
  runProcessByNight,
  words,
} from './terminal.ts'
import { WRONG, ownAccountCommands } from './own-account-commands.ts'
import { worldCommands } from './world-commands.ts'

const SERVER = import.meta.resolve('@orrery/gateway/main')
const PASSWORD = 'admin-pass-9d1f'

const directory = mkdtempSync(join(tmpdir(), 'orrery-cli-'))
let server: ServiceProcess
let url: string

interface Changes {
  readonly input?: string
  readonly variables?: Readonly<Record<string, string>>
}

/** Runs a command for the server of this file. */
function orrery(
  args: readonly string[],
  changes: Changes = {},
  run: (run: Run) => Promise<Ended> = runHere,
): Promise<Ended> {
  const variables = { XDG_CONFIG_HOME: directory, ORRERY_URL: url, ...changes.variables }
  return run({ args, ...changes, variables })
}

/** Runs a command that succeeds; its standard output. */
async function done(args: string, input?: string): Promise<string> {
  const { code, stdout, stderr } = await orrery(words(args), input === undefined ? {} : { input })
  expect([args, code, stderr]).toEqual([args, 0, ''])
  return stdout.trimEnd()
}

/** JSON whose shape a test has still to check. */
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any

/** The same as JSON. */
async function json(args: string, input?: string): Promise<Loose> {
  return JSON.parse(await done(`${args} --json`, input))
}

async function startServer(): Promise<void> {
  server = startService({
    main: SERVER,
    variables: {
      DATA_DIR: join(directory, 'data'),
      PORT: url === undefined ? '0' : new URL(url).port,
      JWT_SECRET_KEY: key,
      ADMIN_USERNAME: 'Chief_1',
      ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: 'debug',
      MAX_SHIPS: '2000',
      WORKERS: '1',
      MODULES: MINING,
      ...QUICK_PASSWORDS,
      ...WITHOUT_LIMITS,
    },
  })
  url = await server.ready
}

/** The goal of game time. */
let goal: string

const key = randomBytes(48).toString('base64url')

beforeAll(async () => {
  await prepareData(join(directory, 'data'), SERVER)
  await startServer()
})

afterAll(async () => {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
})

describe('signed out', () => {
  test('a command names what is missing, and a wrong password is one sentence', async () => {
    const status = await orrery(['status'], {}, runProcess)
    expect(status).toMatchObject({ code: 4, stdout: '' })
    expect(status.stderr).toBe(`orrery: Not signed in at ${url}. Sign in: orrery login\n`)
    for (const [args, input] of [
      [['login', 'Chief_1'], 'wrong password\n'],
      [['login', 'Stranger'], `${PASSWORD}\n`],
    ] as const) {
      const refused = await orrery(args, { input })
      expect(refused.code).toBe(4)
      expect(refused.stderr).toBe(
        'orrery: Name or password is wrong, or the account is no admin.\n',
      )
    }
    expect(await orrery(['login', 'Chief_1'])).toMatchObject({ code: 2 })
  })

  test('a void token, and a server that is not there, each have an exit code', async () => {
    const variables = { ORRERY_TOKEN: 'a.void.token' }
    expect(await orrery(['pause'], { variables })).toMatchObject({ code: 4 })
    const away = await orrery(['status', '--url', 'http://127.0.0.1:9'], {}, runProcessByNight)
    expect(away.code).toBe(3)
    expect(away.stderr).toMatch(/^orrery: No answer from http:\/\/127\.0\.0\.1:9: .*\n$/)
  })
})

describe('signed in', () => {
  test('the token is kept for its owner alone, and no password', async () => {
    // As some editors store a file with a password.
    expect(await done('login Chief_1', `\u{feff}${PASSWORD}\r\n`)).toBe(
      `Signed in at ${url} as Chief_1.`,
    )
    const login = await json('login Chief_1', `${PASSWORD}\n`)
    await exactAnswer(adminLoginResponse, { token: 'not shown', ...login })
    const tokens = join(directory, 'orrery', 'tokens')
    expect(readdirSync(tokens)).toEqual([encodeURIComponent(url)])
    const file = join(tokens, encodeURIComponent(url))
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const token = readFileSync(file, 'utf8').trim()
    expect(token).not.toContain(PASSWORD)
    const variables = { ORRERY_TOKEN: token, XDG_CONFIG_HOME: join(directory, 'none') }
    expect(await orrery(['systems'], { variables })).toMatchObject({ code: 0 })
    const other = url.replace('127.0.0.1', 'localhost')
    const elsewhere = await orrery(['status', '--url', `${other}/admin`])
    expect(elsewhere.code).toBe(4)
    expect(elsewhere.stderr).toMatch(
      new RegExp(`^orrery: Not signed in at ${other}\\. .*: ${url}\n$`),
    )
  })

  test.each(['../README.md', '../../../README.md'])(
    'the samples of %s are as printed',
    async (path) => {
      const readme = new URL(path, import.meta.url)
      const printed = (await done('status')).split('\n').map(lineShape)
      const shown = readmeSample(readme, 'scripts/orrery admin status').map(lineShape)
      expect(printed.slice(0, shown.length)).toEqual(shown)
      expect(shown.length).toBeGreaterThan(4)
      if (path !== '../README.md') return
      const [sample = ''] = readmeSample(readme, 'scripts/orrery admin snapshot create')
      expect(lineShape(await done('snapshot create'))).toBe(lineShape(sample))
    },
  )

  test('the clock is paused, resumed and changed', async () => {
    expect(await done('pause')).toMatch(/^Paused at tick \d+\.$/)
    expect(await done('status')).toMatch(/^state +paused$/m)
    expect(await done('resume')).toMatch(/^Running from tick \d+\.$/)
    expect(await done('tick-rate set 3.14159265')).toBe('Tick rate 3.141593 Hz, before 1 Hz.')
    expect(await done('tick-rate set 5')).toBe('Tick rate 5 Hz, before 3.141593 Hz.')
    const refused = await orrery(['tick-rate', 'set', '500'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('E015: Tick rate must be')
    expect(await done('tick-rate get')).toMatch(/^5 Hz, [\d.]+ Hz measured$/)
    expect(await done('time-scale set 2')).toBe('Time scale 2, before 1.')
    expect(await done('time-scale get')).toBe('2, 2 in force')
    expect(await done('time-scale set 1')).toBe('Time scale 1, before 2.')
    expect(await done('time-sync on')).toBe('Time sync is on.')
    expect(await done('adaptive on')).toBe('The adaptive tick rate is on.')
    expect(await done('adaptive off')).toBe('The adaptive tick rate is off.')
    expect(await done('talk on')).toBe('Talk is on.')
    expect(await done('pace-vote on 1 10')).toBe('Pilots may vote for 1 to 10; 0 of 0 have.')
    const { game_time } = await json('status')
    const goal = new Date(Date.parse(game_time) + 7_200_000).toISOString()
    expect(await done(`clock ${goal} --yes`)).toMatch(/^Game time was .*; it is there\.$/)
    expect((await json('status')).game_time >= goal).toBe(true)
    const back = await orrery(['clock', 'now', '--yes'], {}, runProcessByNight)
    expect(back).toMatchObject({ code: 1, stdout: '' })
    expect(back.stderr).toContain('E001: game_time must be later than it is')
    expect(await done('registrations close')).toBe('Registration is closed.')
    expect(await done('registrations')).toBe('Registration is closed.')
    expect(await done('registrations open')).toBe('Registration is open.')
    const switches = { time_sync_enabled: true, adaptive_tick_rate: false, talk_enabled: true }
    const wanted = { server_name: 'Orrery', tick_rate: 5, registration_open: true, ...switches }
    expect(await json('status')).toMatchObject(wanted)
  })

  test('players are found, changed and deleted', async () => {
    const ida = await registered(url, 'Ida', PASSWORD)
    const jo = await registered(url, 'Jo_1', PASSWORD)
    expect(await done('players list --search iDA')).toContain(`Ida   ${ida.player_id}`)
    const page = await json('players list --limit 1')
    expect(await done(`players list --limit 1 --after ${page.next}`)).toContain('Ida')
    expect(await done(`players show ${ida.player_id}`)).toMatch(/^system_id +sol$/m)
    expect(await done('players show iDA')).toContain(ida.player_id)
    expect(await done('players list')).toMatch(/^Chief_1 .* admin$/m)
    for (const [line, sentence] of [
      ['players list --limit 0', 'E001: limit must be a whole number from 1 to 500.'],
      ['players list --limit 501', 'E001: limit must be a whole number from 1 to 500.'],
      ['players list --after ""', 'E001: after must be `next` of the answer before.'],
      ['players show Ida_2', 'No account has the name or id "Ida_2".'],
      ['players delete "id a"', 'No account has the name or id "id a".'],
      ['transfer Chief_1 sol', 'Chief_1 has no ship.'],
      ['transfer Ida Sirius', 'No star system has the name or id "Sirius".'],
      ['admins delete Ida', 'No admin has the name or id "Ida".'],
    ] as const) {
      const ended = await orrery(words(line))
      expect(ended).toEqual({ code: 1, stdout: '', stderr: `orrery: ${sentence}\n` })
    }
    expect(await done('change Ida --fuel 250 --body Moon --altitude 9000')).toMatch(/changed\.$/)
    const { new_system } = await json('transfer Ida "Alpha Centauri"')
    expect(new_system).toBe('alpha-centauri')
    expect(await done(`players reset-password ${jo.player_id}`, 'another pass\n')).toMatch(/\.$/)
    expect(await done(`players role Jo_1 admin`)).toBe('The role of Jo_1 is admin.')
    const refused = await orrery(['players', 'delete', jo.player_id], {}, runProcessByNight)
    expect(refused.code).toBe(5)
    expect(refused.stderr).toContain(`Delete the admin "Jo_1" (${jo.player_id}) with ship and`)
    expect(await done('players delete jo_1 --yes')).toBe('Jo_1 is deleted.')
    expect(await done(`debug ${ida.ship_id} on`)).toBe('Debug of the ship is on.')
    expect(await done('debug Ida')).toBe('Debug of the ship is on.')
    expect(await done('log-level verbose')).toBe('Maneuvers are logged: verbose.')
    expect(await done('log-level')).toBe('Maneuvers are logged: verbose.')
    expect(await done(`maneuvers --ship ${ida.ship_id}`)).toBe('No maneuver is logged.')
    expect(await done('maneuvers --ship Ida --type started')).toBe('No maneuver is logged.')
    expect(await orrery(['maneuvers', '--ship', ''])).toMatchObject({ code: 1 })
  })

  test('admins are made, given a ship and a password, and deleted', async () => {
    const made = await done('admins create Chief_2', `${PASSWORD}\n`)
    const [id] = UUID.exec(made) ?? []
    expect(await done('admins list')).toContain(`Chief_2  ${id}`)
    const audit = await done('audit --limit 5')
    expect(audit).toMatch(new RegExp(` Chief_1 +127\\.0\\.0\\.1 .* Chief_2 \\(${id}\\) +\\w`))
    expect(audit).not.toMatch(/[{}"]/)
    expect(await done('players assign-ship Chief_2')).toMatch(UUID)
    const changed = 'Chief_2: The password is changed. All sessions have ended.'
    expect(await done('admins password Chief_2', 'another pass\n')).toBe(changed)
    const asked = await orrery(['admins', 'delete', 'Chief_2'])
    expect(asked).toMatchObject({ code: 5, stdout: '' })
    expect(asked.stderr).toContain(`Delete the admin "Chief_2" (${id}), with a ship`)
    expect(await done(`admins delete ${id} --yes`)).toBe('The admin Chief_2 is deleted.')
  })

  worldCommands({ orrery, done })
  moduleCommands({ orrery, done, url: () => url })
  jsonAnswers(json)

  test('a snapshot is made, shown and restored; one that is gone is a sentence', async () => {
    const id = String((await json('snapshot create')).snapshot_id)
    await done('stations create "Since" Earth --altitude 900000')
    expect(await done('snapshot list')).toMatch(new RegExp(`^${id} `, 'm'))
    expect(await done('snapshot list --all')).toMatch(/ admin +yes$/m)
    expect(await done(`snapshot show ${id}`)).toContain('stations that disappear: Since')
    expect(await orrery(['snapshot', 'restore', id])).toMatchObject({ code: 5 })
    expect(await done(`snapshot restore ${id} --yes`)).toMatch(/^Restored: tick \d+/)
    const gone = await orrery(['snapshot', 'restore', '4711', '--yes'])
    expect(gone).toMatchObject({ code: 1, stdout: '' })
    expect(gone.stderr).toMatch(/^orrery: E016: [^\n]+\n$/)
    const asked = await orrery(['snapshot', 'delete', id])
    expect(asked).toMatchObject({ code: 5, stdout: '' })
    expect(asked.stderr).toMatch(/Delete snapshot \d+, game time 20.*Z, made 20.*Z\? Nothing/)
    expect(await done(`snapshot delete ${id} --yes`)).toBe(`Snapshot ${id} is deleted.`)
    expect(await orrery(['snapshot', 'delete', id, '--yes'])).toMatchObject({ code: 1 })
    const [{ id: newest }] = (await json('snapshot list --all')).snapshots
    const needed = await orrery(['snapshot', 'delete', String(newest), '--yes'])
    expect(needed.stderr).toMatch(/^orrery: E003: Snapshot \d+ is needed: [^\n]+\n$/)
  })

  test('a paused game keeps where its clock goes to, and says so', async () => {
    await done('pause')
    const { game_time } = await json('status')
    const far = new Date(Date.parse(game_time) + 30 * 86_400_000).toISOString().slice(0, 19)
    // A zone of the machine counts for nothing.
    const changes = { variables: { TZ: 'Asia/Kolkata' } }
    const asked = await orrery(['clock', far.replace('T', ' ')], changes)
    expect(asked).toMatchObject({ code: 5, stdout: '' })
    expect(asked.stderr).toMatch(/^orrery: Game time is 20.*Z\. Let it hurry to 20.*Z, 30 d later/)
    await exactAnswer(clockResponse, await json(`clock ${far}Z --yes`))
    const held = await orrery(['clock', far, '--yes'], changes)
    expect(held.stdout).toBe(
      `Game time hurries to ${far}.000Z. The game is paused: it hurries once it is resumed.\n`,
    )
    goal = far
    for (const command of ['status', 'load']) {
      expect(await done(command)).toMatch(new RegExp(`^state +paused, will hurry to ${far}`, 'm'))
    }
    expect(await json('status')).toMatchObject({ faulted: false, overloaded: false })
  })

  test.runIf(IS_NIGHT)('a watch goes on over a restart of the server', async () => {
    const env = { ...process.env, XDG_CONFIG_HOME: directory, ORRERY_URL: url }
    const child = spawn(process.execPath, [MAIN, 'status', '--watch', '--json'], { env })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => void (text += part))
    const shown = (what: RegExp): Promise<void> =>
      expect.poll(() => text.slice(text.lastIndexOf('\n', text.length - 2) + 1)).toMatch(what)
    await shown(/"current_tick"/)
    await server.stop()
    requests.push(...requestsIn(server.output().stderr))
    await shown(/"error":"No answer/)
    await startServer()
    await shown(/"current_tick"/)
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
  })

  test('a hurry is ended, at night after a restart', async () => {
    expect(await done('clock stop')).toMatch(
      new RegExp(`^The hurry to ${goal}\\.\\d+Z ended at 20`),
    )
    expect(await done('clock stop')).toBe('Game time did not hurry.')
    await done('resume')
  })

  test('a backup is made, downloaded, restored and deleted', async () => {
    const [backup = ''] = UUID.exec(await done('backup create')) ?? []
    const file = join(directory, 'monday.backup')
    const download = ['backup', 'download', backup, file]
    const input = `${PASSWORD}\n`
    expect(await orrery(download, { input: 'guessed\n' })).toMatchObject(WRONG)
    const [, bytes] = /, (\d+) bytes/.exec(await done(download.join(' '), input)) ?? []
    expect(await stat(file)).toMatchObject({ size: Number(bytes), mode: 0o100600 })
    expect(readFileSync(file, 'latin1')).toMatch(/^orreryB\n/)
    expect(await orrery(download, { input })).toMatchObject({
      code: 2,
      stderr: `orrery: ${file} cannot be written: file already exists.\n`,
    })
    const none = ['backup', 'download', 'none', `${file}-2`]
    expect(await orrery(none, { input })).toMatchObject({ code: 1 })
    expect(existsSync(`${file}-2`)).toBe(false)
    const variables = { XDG_CONFIG_HOME: directory, ORRERY_URL: url }
    if (IS_NIGHT) await downloadsPiped(backup, file, { input, variables })
    expect(await orrery(['backup', 'restore', backup])).toMatchObject({ code: 5 })
    expect(await done(`backup restore ${backup} --yes`)).toMatch(/^Restored: tick \d+, .*backup/)
    expect(await done('backup list')).toMatch(/ restore /)
    const asked = await orrery(['backup', 'delete', backup])
    expect(asked).toMatchObject({ code: 5, stdout: '' })
    expect(asked.stderr).toMatch(/Delete backup \S+ \(made 20.*Z by request, .*, \d+ accounts\)\?/)
    await done(`backup delete ${backup} --yes`)
    const { code, stderr } = await orrery(['backup', 'delete', backup, '--yes'])
    expect([code, stderr]).toEqual([1, 'orrery: E002: Backup not found.\n'])
  })

  test('a reset needs to be confirmed, and its backup is listed', async () => {
    const stderr = expect.stringContaining('ADMIN_USERNAME and ADMIN_PASSWORD')
    expect(await orrery(['reset'])).toMatchObject({ code: 5, stderr })
    const { backup_id: backup } = await exactAnswer(resetResponse, await json('reset --yes'))
    expect(await done('backup list')).toMatch(new RegExp(`^${backup} .* reset `, 'm'))
    expect(await done('audit --limit 3')).toMatch(/ reset /)
    expect(await done('metrics')).toMatch(/^orrery_/m)
    expect(await done('load')).toMatch(/^recomputed +\d+ chunks of ships, 0 differ$/m)
    expect(await done('version')).toMatch(/^Node +v\d+\.\d+\.\d+$/m)
    expect(await done('hosts')).toMatch(/^http:.* owner .* sol/m)
    expect(await done('history hour')).toMatch(/^20.*Z +\d/m)
    expect(await done('logout')).toBe(`Signed out of ${url}.`)
    expect(await orrery(['backup', 'list'])).toMatchObject({ code: 4 })
  })

  ownAccountCommands({ orrery, done, url: () => url }, PASSWORD)

  test('no admin route is without a command', async () => {
    const { paths } = (await (await fetch(`${url}/api/openapi.json`)).json()) as Loose
    const routes = Object.entries<object>(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((name) => ['get', 'post', 'put', 'delete'].includes(name))
        .map((method) => ({ method: method.toUpperCase(), path })),
    )
    const admin = routes.filter(({ path }) => path.startsWith('/api/admin/'))
    expect(admin.length).toBeGreaterThan(35)
    const seen = new Set([...requests, ...requestsIn(server.output().stderr)])
    const untouched = admin.filter(({ method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      return ![...seen].some((line) => pattern.test(line))
    })
    expect(untouched.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(UNTOUCHED)
  })
})

const requests: string[] = []
