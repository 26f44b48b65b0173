// Law: what modules cost is shown by star system, and what an operator stops there goes on when it
// is started. Method: one server process with a module; commands run in this process.
import { QUICK_PASSWORDS, type ServiceProcess, WITHOUT_LIMITS, startService } from '@orrery/testkit'
import { prepareData } from '@orrery/testkit/prepared-data'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registered, runHere, words } from './terminal.ts'

const SERVER = import.meta.resolve('@orrery/gateway/main')
const MINING = fileURLToPath(new URL('../../module/src/mining.ts', import.meta.url))
const PASSWORD = 'admin-pass-9d1f'

const directory = mkdtempSync(join(tmpdir(), 'orrery-cli-modules-'))
let server: ServiceProcess
let url: string

beforeAll(async () => {
  await prepareData(join(directory, 'data'), SERVER)
  server = startService({
    main: SERVER,
    variables: {
      DATA_DIR: join(directory, 'data'),
      PORT: '0',
      JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
      ADMIN_USERNAME: 'Chief_1',
      ADMIN_PASSWORD: PASSWORD,
      MAX_SHIPS: '2000',
      WORKERS: '1',
      MODULES: MINING,
      ...QUICK_PASSWORDS,
      ...WITHOUT_LIMITS,
    },
  })
  url = await server.ready
  await done('login Chief_1', `${PASSWORD}\n`)
})

afterAll(async () => {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
})

function orrery(args: string, input?: string): ReturnType<typeof runHere> {
  const variables = { XDG_CONFIG_HOME: directory, ORRERY_URL: url }
  return runHere({ args: words(args), variables, ...(input !== undefined && { input }) })
}

async function done(args: string, input?: string): Promise<string> {
  const { code, stdout, stderr } = await orrery(args, input)
  expect([args, code, stderr]).toEqual([args, 0, ''])
  return stdout.trimEnd()
}

/** The line of the module in Sol. */
async function line(): Promise<string> {
  const [found] = /^mining .* sol .*$/m.exec(await done('modules')) ?? []
  return found ?? ''
}

test('a module is stopped in a star system, and started', async () => {
  expect(await line()).toMatch(/^mining +5 +sol +[\d.]+ KiB .* ms +0 +asteroid 36\/64 +-$/)
  expect(await done('modules stop mining Sol --reason "It is repaired."')).toBe(
    'mining has stopped in sol.',
  )
  expect(await line()).toMatch(/ \d{4}-\d\d-\d\dT\S+Z: It is repaired\.$/)
  const again = await orrery('modules stop mining sol')
  expect(again).toMatchObject({
    code: 1,
    stderr: 'orrery: E003: Module mining has stopped in Sol already.\n',
  })
  expect(await done('modules start mining Sol')).toBe('mining runs in sol.')
  expect(await line()).toMatch(/-$/)
})

test('what modules keep of a ship is shown by column', async () => {
  await registered(url, 'Digger_1', 'digger-pass-9d1f')
  const shown = await done('modules ship Digger_1')
  expect(shown.split('\n').slice(1)).toEqual([
    expect.stringMatching(/^mining +ore +0$/),
    expect.stringMatching(/^mining +drill +-$/),
    expect.stringMatching(/^mining +full +false$/),
    expect.stringMatching(/^mining +tank +0$/),
    expect.stringMatching(/^mining +credits +0$/),
  ])
})

test('an operator gives a ship a command of a module', async () => {
  await registered(url, 'Digger_2', 'digger-pass-9d1f')
  expect(await done('modules command Digger_2 mining stop')).toMatch(/^mining +drill +-$/m)
  const far = await orrery(`modules command Digger_2 mining drill '{"asteroid":1}'`)
  expect([far.code, far.stderr]).toEqual([1, expect.stringContaining('mining drill: too_far')])
  const wrong = await orrery("modules command Digger_2 mining drill '{'")
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('{ is no JSON object.')])
})
