// Law: the page is asked for again each time and its files never, all under its policy; without a
// page the server shows how to build one.
import { Hono } from 'hono'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPage } from '../../src/page-files.ts'
import { pageRoutes } from '../../src/routes/page.ts'

const HTML = '<!doctype html><script type="module" src="/assets/index-abc.js"></script>'
const SCRIPT = 'console.log(1)'.repeat(20)

let directory: string
let app: Hono

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-page-'))
  await mkdir(join(directory, 'assets'))
  await writeFile(join(directory, 'index.html'), HTML)
  await writeFile(join(directory, 'admin.html'), HTML)
  await writeFile(join(directory, 'digest'), 'x')
  await writeFile(join(directory, 'assets', 'index-abc.js'), SCRIPT)
  await writeFile(join(directory, 'assets', 'index-abc.js.gz'), gzipSync(SCRIPT))
  await writeFile(join(directory, 'assets', 'stars-d.bin'), Uint8Array.of(1, 2, 255))
  app = new Hono().route('/', pageRoutes(await readPage(directory)))
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

test('without a page, the answer names the command', async () => {
  const bare = new Hono().route('/', pageRoutes(await readPage(join(directory, 'none'))))
  const answer = await bare.request('/')
  expect(answer.headers.get('content-type')).toMatch('text/html')
  expect(await answer.text()).toMatch('npx pnpm page')
  expect((await bare.request('/assets/index-abc.js')).status).toBe(404)
})
