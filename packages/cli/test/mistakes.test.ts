// Goal: a wrong address, a damaged file and a full device are one sentence and an exit code, never
// a stack. Method: commands in this process, without a server or with one that is starting.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters, styleText } from 'node:util'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { serverAddress } from '../src/address.ts'
import { keepToken, keptToken } from '../src/token-file.ts'
import { plannedText, stateText } from '../src/world-state.ts'
import { type Ended, MAIN, runHere, words } from './terminal.ts'

const directory = mkdtempSync(join(tmpdir(), 'orrery-cli-'))
const tokens = join(directory, 'orrery', 'tokens')
afterEach(() => vi.unstubAllEnvs())
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** An address where nothing listens. */
const UNUSED_URL = 'http://127.0.0.1:9'

function orrery(line: string, variables: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runHere({ args: words(line), variables: { XDG_CONFIG_HOME: directory, ...variables } })
}

test.each([
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
  ['localhost:23000', 'http://localhost:23000'],
  ['[::1]:23000/admin', 'http://[::1]:23000'],
  ['HTTPS://Orrery.Example:443/admin/#log', 'https://orrery.example'],
  ['https://host.example/game/admin?x=1', 'https://host.example/game'],
])('the address %s is that of %s', (given, address) => {
  expect(serverAddress(given)).toBe(address)
})

test.each([
  ['notaurl', 'write it as https://notaurl.'],
  ['', 'write it as https://orrery.example.'],
  ['orrery.example:8443', 'write it as https://orrery.example:8443.'],
  ['ftp://orrery.example', 'write it as https://orrery.example.'],
  ['https://me:secret@orrery.example', 'it has a name or a password.'],
])('the address "%s" is refused with one that works', async (given, sentence) => {
  const ended = await runHere({ args: ['status', `--url=${given}`], variables: {} })
  const stderr = `orrery: "${given}" is no address of a server: ${sentence}\n`
  expect(ended).toEqual({ code: 2, stdout: '', stderr })
})

test('a damaged token counts as missing, and a file in the way is named', async () => {
  mkdirSync(tokens, { recursive: true })
  const file = join(tokens, encodeURIComponent(UNUSED_URL))
  writeFileSync(file, '{"half": ')
  expect(await orrery(`pause --url ${UNUSED_URL}`)).toMatchObject({
    code: 4,
    stderr: `orrery: Not signed in at ${UNUSED_URL}. Sign in: orrery login\n`,
  })
  expect(await orrery('pause --url http://localhost:9')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('No answer from http://localhost:9: '),
  })
  const variables = { XDG_CONFIG_HOME: file }
  for (const line of ['pause', 'logout']) {
    const { code, stderr } = await orrery(`${line} --url ${UNUSED_URL}`, variables)
    expect([code, stderr.split(':', 2)[1]]).toEqual([2, ' The file of tokens cannot be used'])
  }
})

test('logins at the same time all keep their tokens, and no draft remains', async () => {
  const urls = Array.from({ length: 20 }, (_, i) => `https://host-${i}.example`)
  vi.stubEnv('XDG_CONFIG_HOME', directory)
  await Promise.all(urls.map((url) => keepToken(url, `token of ${url}`)))
  const kept = await Promise.all(urls.map(keptToken))
  expect(kept).toEqual(urls.map((url) => `token of ${url}`))
  expect(readdirSync(tokens).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a token of the environment cannot be signed out', async () => {
  const file = join(tokens, encodeURIComponent(UNUSED_URL))
  writeFileSync(file, 'kept')
  const ended = await orrery(`logout --url ${UNUSED_URL}`, { ORRERY_TOKEN: 'given' })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain('ORRERY_TOKEN goes on working')
  expect(existsSync(file)).toBe(true)
  expect(await orrery(`logout --url ${UNUSED_URL}`)).toMatchObject({ code: 0 })
  expect(existsSync(file)).toBe(false)
})

test('a starting server is exit code 3, a refusal 1, each with one full stop', async () => {
  const answers = [
    [503, { code: 'E008', message: 'The server is starting' }, { 'retry-after': '1' }],
    [404, { code: 'E002', message: 'No body "x"\u001b[31m.' }, {}],
  ] as const
  const left = [...answers]
  const server = createServer((_, response) => {
    const [status, error, headers] = left.shift() ?? answers[0]
    response.writeHead(status, headers).end(JSON.stringify({ error }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const variables = { ORRERY_TOKEN: 'token' }
  expect(await orrery(`pause --url ${url}`, variables)).toEqual({
    code: 3,
    stdout: '',
    stderr: 'orrery: E008: The server is starting. Try again in 1 s.\n',
  })
  const stderr = 'orrery: E002: No body "x".\n'
  expect(await orrery(`pause --url ${url}`, variables)).toEqual({ code: 1, stdout: '', stderr })
  server.close()
})

test('a server without modules has a sentence for what they cost and what they keep', async () => {
  const ship_id = randomUUID()
  const server = createServer((_, response) =>
    response.end(JSON.stringify({ modules: [], ship_id, ship_values: {} })),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const [line, stdout] of [
    ['modules', 'There are no modules.\n'],
    [`modules ship ${ship_id}`, 'Modules keep nothing.\n'],
  ] as const) {
    const ended = await orrery(`${line} --url ${url}`, { ORRERY_TOKEN: 'token' })
    expect(ended).toEqual({ code: 0, stdout, stderr: '' })
  }
  server.close()
})

test('a full device has a sentence and an exit code', async () => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [MAIN, '--help'], { stdio: ['ignore', full, 'pipe'] })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
  expect(await once(child, 'close')).toEqual([6, null])
  expect(stderr).toMatch(/^orrery: The output cannot be written: ENOSPC[^\n]*\n$/)
  if (!IS_NIGHT) return
  const mute = spawn(process.execPath, [MAIN, 'bogus'], { stdio: ['ignore', 'ignore', full] })
  expect(await once(mute, 'close')).toEqual([2, null])
})

test.each([
  [{ faulted: true, paused: true }, 'red', /^broken: a tick failed/],
  [{ stopped_systems: [{ system_id: 'sol', reason: 'refused' }] }, 'red', /^sol: no commands/],
  [{ paused: true }, 'yellow', /^paused$/],
  [{ paused: true, clock_goal: '2027-03-07T00:00:00Z' }, 'yellow', /^paused, .*2027-03-07/],
  [{ clock_goal: '2027-03-07T00:00:00Z', overloaded: true }, 'yellow', /^hurries.*, overloaded$/],
  [{ overloaded: true }, 'yellow', /^running, overloaded$/],
  [{}, 'green', /^running$/],
] as const)('the state of %o is %s and %s', (found, colour, text) => {
  const running = { paused: false, faulted: false, overloaded: false, clock_goal: null }
  const world = { ...running, stopped_systems: [], ...found }
  vi.stubEnv('FORCE_COLOR', '1')
  const shown = stateText(world)
  expect(shown.startsWith('\u001b[')).toBe(true)
  expect(stripVTControlCharacters(shown)).toMatch(text)
  expect(shown).toBe(styleText(colour, stripVTControlCharacters(shown)))
})

test.each([
  ['tick-rate set fast', 'A decimal number is expected.'],
  ['tick-rate set 0x10', 'A decimal number is expected.'],
  ['time-scale set 1e2', 'A decimal number is expected.'],
  ['audit --limit Infinity', 'A decimal number is expected.'],
  ['snapshot show 0b11', 'A decimal number is expected.'],
  ['time-sync maybe', '`on` or `off` is expected.'],
  ['players role x captain', '`admin` or `player` is expected.'],
  ['snapshot lst', 'Did you mean list?'],
  ['log-level loud', 'The level is'],
  ['maneuvers --type nonsense', 'The type is one of started, '],
  ['clock yesterday --yes', 'A time such as'],
])('the mistake in "%s" is named before a request is made', async (line, sentence) => {
  const { code, stdout, stderr } = await orrery(`${line} --url ${UNUSED_URL}`)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(sentence)
  expect(stderr).not.toContain('    at ')
})

test('what is planned of the clock has its moment', () => {
  const from = '2027-03-07T00:00:00Z'
  const planned = { effective_at_index: 1, game_time: from, tick_rate: 5, time_scale: 10 }
  expect(plannedText({ ...planned, paused: true })).toBe(`paused from ${from}`)
  expect(plannedText({ ...planned, paused: false })).toBe(`time scale 10, 5 Hz from ${from}`)
})
