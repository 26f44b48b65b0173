// Goal: the listener speaks TLS with the given pair and no other, warns of a certificate out of its
// time, and before the world is open it is live, not ready. Method: the listener alone, on free
// ports, with certificates made here; its log is kept.
import { StartError, createLogger } from '@orrery/http'
import { Hono } from 'hono'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { gatewayConfig } from '../../src/config.ts'
import { type GameListener, openGameListener } from '../../src/listener.ts'
import { type Pair, selfSigned } from './certificate.ts'
import { type Answer, ask, refusedHandshake } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { randomKey } from '../server-process.ts'

const DAY_MS = 86_400_000

const directory = mkdtempSync(join(tmpdir(), 'orrery-listener-'))
const open: GameListener[] = []
let lines: string[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((door) => door.close()))
  lines = []
})
afterAll(() => rmSync(directory, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

async function door(variables: Readonly<Record<string, string>>): Promise<GameListener> {
  const config = gatewayConfig({ PORT: '0', JWT_SECRET_KEY: randomKey(), ...variables })
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => lines.push(line) },
  })
  const opened = await openGameListener(config, logger)
  open.push(opened)
  return opened
}

function variables({ key, certificate }: Pair): { SSL_KEYFILE: string; SSL_CERTFILE: string } {
  return {
    SSL_KEYFILE: file('secret-place.pem', key),
    SSL_CERTFILE: file('certificate.pem', certificate),
  }
}

/** The status of a request over TLS, by default to a server with a valid certificate. */
function secureStatus(address: URL, ca: string, { checked = true } = {}): Promise<unknown> {
  const options = { ca, agent: false, rejectUnauthorized: checked }
  return new Promise((resolve, reject) => {
    request(new URL('/there', address), options, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

// A day more than a warning needs.
const good = selfSigned({ untilMs: Date.now() + 15 * DAY_MS })

test('with a pair it serves HTTPS, and no plain HTTP', async () => {
  const opened = await door(variables(good))
  const { address } = opened
  opened.open(new Hono().get('/there', (context) => context.text('served')))
  expect(address.protocol).toBe('https:')
  expect(await secureStatus(address, good.certificate)).toBe(200)
  await expect(secureStatus(address, selfSigned().certificate)).rejects.toThrow(/self-signed/)
  await expect(fetch(address.href.replace('https', 'http'))).rejects.toThrow('fetch failed')
  expect(await secureStatus(address, good.certificate)).toBe(200)
  expect(Math.abs((opened.certificateEndMs() ?? 0) - Date.now() - 15 * DAY_MS)).toBeLessThan(DAY_MS)
  expect(lines).toEqual([])
})

test('a renewed pair serves later connections; half of one, or none, changes nothing', async () => {
  const opened = await door(variables(good))
  opened.open(new Hono().get('/there', (context) => context.text('served')))
  const renewed = selfSigned({ untilMs: Date.now() + 90 * DAY_MS })
  await opened.renew()
  expect(lines).toEqual([])
  file('certificate.pem', renewed.certificate)
  await opened.renew()
  expect(lines.join()).toContain('the renewed certificate cannot be used yet')
  expect(lines.join()).not.toContain('secret-place')
  expect(await secureStatus(opened.address, good.certificate)).toBe(200)
  file('secret-place.pem', renewed.key)
  await opened.renew()
  expect(lines.at(-1)).toContain('the certificate is renewed')
  expect(await secureStatus(opened.address, renewed.certificate)).toBe(200)
  await expect(secureStatus(opened.address, good.certificate)).rejects.toThrow(/self-signed/)
  const days = ((opened.certificateEndMs() ?? 0) - Date.now()) / DAY_MS
  expect(Math.round(days)).toBe(90)
})

describe('a certificate is served, and warned about, that', () => {
  const nowMs = Date.now()
  test.each([
    ['has expired', { fromMs: nowMs - 9 * DAY_MS, untilMs: nowMs - DAY_MS }],
    ['is not valid yet', { fromMs: nowMs + DAY_MS, untilMs: nowMs + 99 * DAY_MS }],
    ['expires soon', { untilMs: nowMs + 13 * DAY_MS }],
  ])('%s', async (what, wanted) => {
    const pair = selfSigned(wanted)
    const { address } = await door(variables(pair))
    expect(await secureStatus(address, pair.certificate, { checked: false })).toBe(503)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(new RegExp(`"level":"warn".*the certificate ${what}`))
  })
})

describe('it does not open with', () => {
  const refused: [string, () => Readonly<Record<string, string>>][] = [
    ['the key of another certificate', () => variables({ ...good, key: selfSigned().key })],
    ['a locked key', () => variables(selfSigned({ passphrase: 'open sesame' }))],
    ['an invalid key', () => variables({ ...good, key: 'key' })],
    ['an invalid certificate', () => variables({ ...good, certificate: 'certificate' })],
    ['an empty certificate', () => variables({ ...good, certificate: '' })],
    ['the two exchanged', () => variables({ key: good.certificate, certificate: good.key })],
  ]
  test.each(refused)('%s, and names both variables in one line', async (_, pair) => {
    const reason: unknown = await door(pair()).catch((error: unknown) => error)
    expect(reason).toBeInstanceOf(StartError)
    const { message } = reason as StartError
    expect(message).toMatch(/^SSL_KEYFILE, SSL_CERTFILE: .+$/)
    expect(message).not.toContain('secret-place')
  })

  test('a missing file, and does not show its path', async () => {
    const pair = variables(good)
    for (const name of ['SSL_KEYFILE', 'SSL_CERTFILE']) {
      const reason = door({ ...pair, [name]: join(directory, 'nowhere.pem') })
      await expect(reason).rejects.toThrow(`${name}: cannot read the file (ENOENT)`)
    }
  })
})

test('until there is a game, it is live, not ready, and refuses the rest', async () => {
  const opened = await door({})
  const { address } = opened
  const answer = (path: string): Promise<Answer> => ask({ url: address.origin }, 'GET', path)
  expect(await answer('/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await answer('/health/ready')).toMatchObject({
    status: 503,
    body: { status: 'unavailable', reason: 'The server is starting' },
  })
  for (const path of ['/api/status', '/metrics', '/nowhere']) {
    const refused = await answer(path)
    expect(refusalOf(refused)).toBe('503 E008')
    expect(refused.headers.get('retry-after')).toBe('1')
  }
  const handshake = await refusedHandshake({ url: address.origin }, {})
  expect(handshake).toMatchObject({ status: 503, body: { error: { code: 'E008' } } })
  opened.open(new Hono().get('/api/status', (context) => context.json('served')))
  expect(await answer('/api/status')).toMatchObject({ status: 200, body: 'served' })
})
