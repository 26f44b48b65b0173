// Law: a server runs the bundle of its installation only while that has been made of the present
// sources. Method: a bundle of stand-in sources, each of which is changed; at night the real one,
// started.
import { type BundledSources, SOURCES_FILE, currentBundle, fileStamp } from '@orrery/http/bundle'
import { startService } from '@orrery/testkit'
import { prepareData } from '@orrery/testkit/prepared-data'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleService } from '../../install/bundle.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'orrery-bundle-'))
})

afterEach(() => rmSync(root, { recursive: true }))

/** Writes what a bundle is made of, in its root. */
function note(made: Partial<BundledSources>): void {
  writeFileSync(join(root, SOURCES_FILE), JSON.stringify(made))
}

test('a source of another time, another size, or none: the bundle is not run', () => {
  const path = join(root, 'source.ts')
  const current = (): string | undefined => currentBundle(root, root)
  writeFileSync(path, 'one')
  expect(current()).toBeUndefined()
  note({ root, stamps: { 'source.ts': fileStamp(path) } })
  expect(current()).toMatch(/program\.mjs$/)
  utimesSync(path, 0, 0)
  expect(current()).toBeUndefined()
  note({ root, stamps: { 'source.ts': fileStamp(path) } })
  expect(current()).toBeDefined()
  writeFileSync(path, 'three')
  utimesSync(path, 0, 0)
  expect(current()).toBeUndefined()
  rmSync(path)
  expect(current()).toBeUndefined()
})

test('the bundle of another place is not run', () => {
  note({ root: '/elsewhere', stamps: {} })
  expect(currentBundle(root, root)).toBeUndefined()
  expect(currentBundle(root, '/elsewhere')).toBeDefined()
})

test.runIf(IS_NIGHT)('the bundle serves, and notes each source that it is made of', async () => {
  const bundle = join(root, 'server')
  await bundleService('server', bundle)
  const { stamps }: BundledSources = JSON.parse(readFileSync(join(bundle, SOURCES_FILE), 'utf8'))
  const packages = new Set(Object.keys(stamps).map((path) => path.split('/').slice(0, 3).join('/')))
  const names = ['database', 'engine', 'game', 'gateway', 'http', 'protocol', 'sim', 'store']
  expect([...packages]).toEqual(expect.arrayContaining(names.map((name) => `packages/${name}/src`)))
  const files = readdirSync(bundle)
  const texts = files.map((file) => readFileSync(join(bundle, file), 'utf8'))
  const threads = texts.flatMap((text) => [...text.matchAll(/new URL\(.([a-z-]+\.mjs)./g)])
  expect(files).toEqual(expect.arrayContaining(threads.map(([, file]) => file)))
  expect(threads).not.toEqual([])
  const main = join(root, 'main.mjs')
  writeFileSync(main, `await (await import('${currentBundle(bundle)}')).serve()`)
  const data = join(root, 'data')
  await prepareData(data, import.meta.resolve('@orrery/gateway/main'))
  const server = startService({
    main: pathToFileURL(main).href,
    variables: {
      DATA_DIR: data,
      PORT: '0',
      JWT_SECRET_KEY: 'a key of the tests, at least 32 bytes',
      ADMIN_USERNAME: 'Chief_1',
      ADMIN_PASSWORD: 'a password of the tests',
    },
  })
  const status = await fetch(`${await server.ready}/api/status`)
  expect(await status.json()).toMatchObject({ paused: false })
  expect(await server.stop()).toBe(0)
})
