// Law: the page is asked for again each time and its files never, all under its policy; until a
// page is built, the server shows one that loads itself again.
import { Hono } from 'hono'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtPage } from '../../src/page-files.ts'
import { pageRoutes } from '../../src/routes/page.ts'

const HTML = '<!doctype html><script type="module" src="/assets/index-abc.js"></script>'
const SCRIPT = 'console.log(1)'.repeat(20)

let directory: string
let app: Hono

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-page-'))
  await build(directory, SCRIPT)
  await writeFile(join(directory, 'assets', 'index-abc.js.gz'), gzipSync(SCRIPT))
  await writeFile(join(directory, 'assets', 'stars-d.bin'), Uint8Array.of(1, 2, 255))
  app = new Hono().route('/', pageRoutes(builtPage(directory)))
})

afterAll(() => rm(directory, { recursive: true }))

test('the page is asked for again, and comes only when it is another', async () => {
  const first = await app.request('/')
  expect(first.status).toBe(200)
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(first.headers.get('cache-control')).toBe('no-cache')
  expect(await first.text()).toBe(HTML)
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  const again = await app.request('/', { headers })
  expect(again.status).toBe(304)
  const policies = [first, again].map((answer) => answer.headers.get('content-security-policy'))
  expect(policies[0]).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
  expect(policies[0]).not.toMatch(/unsafe|data:|\*/)
  expect(policies[1]).toBe(policies[0])
})

test('files are kept for a year, and come compressed to those who take that', async () => {
  const plain = await app.request('/assets/index-abc.js')
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await plain.text()).toBe(SCRIPT)
  const headers = { 'accept-encoding': 'br, gzip' }
  const small = await app.request('/assets/index-abc.js', { headers })
  expect(small.headers.get('content-encoding')).toBe('gzip')
  expect(small.headers.get('vary')).toBe('Accept-Encoding')
  expect(gunzipSync(await small.arrayBuffer()).toString()).toBe(SCRIPT)
  const stars = await app.request('/assets/stars-d.bin', { headers })
  expect(new Uint8Array(await stars.arrayBuffer())).toEqual(Uint8Array.of(1, 2, 255))
})

test.each([
  '/index.html',
  '/digest',
  '/assets/',
  '/assets/index-abc.js.gz',
  '/assets/none.js',
  '/assets/..%2fdigest',
  '/assets/..%2findex.html',
])('%s is no file of it', async (path) => {
  expect((await app.request(path)).status).toBe(404)
})

test('until the page is built, another loads itself again and names the command', async () => {
  const unbuilt = join(directory, 'unbuilt')
  const waiting = new Hono().route('/', pageRoutes(builtPage(unbuilt)))
  const answer = await waiting.request('/')
  expect(answer.headers.get('content-type')).toMatch('text/html')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.text()).toMatch(/http-equiv="refresh" content="2"[^]*scripts\/orrery page/)
  expect((await waiting.request('/assets/index-abc.js')).status).toBe(404)
  await build(unbuilt, 'first')
  await expect.poll(async () => (await waiting.request('/')).text()).toBe(HTML)
  expect(await (await waiting.request('/assets/index-abc.js')).text()).toBe('first')
})

test('a page that is built again is shown without a restart, and never half', async () => {
  const replaced = join(directory, 'replaced')
  await build(replaced, 'first')
  const page = builtPage(replaced)
  const script = async (): Promise<string> =>
    String(Buffer.from((await page())?.get('/assets/index-abc.js')?.bytes ?? []))
  expect(await script()).toBe('first')
  // As a build does between taking the former away and putting its own there.
  await rename(replaced, `${replaced}-former`)
  await new Promise((resolve) => setTimeout(resolve, 1100))
  expect(await script()).toBe('first')
  await build(replaced, 'second')
  await expect.poll(script).toBe('second')
})

/** Writes a page whose digest comes last, as a build does. */
async function build(path: string, script: string): Promise<void> {
  await mkdir(join(path, 'assets'), { recursive: true })
  await writeFile(join(path, 'index.html'), HTML)
  await writeFile(join(path, 'admin.html'), HTML)
  await writeFile(join(path, 'assets', 'index-abc.js'), script)
  await writeFile(join(path, 'digest'), script)
}
