// Goal: modules are compiled once, at the installation, and no thread of a server loads Node's
// compiler of TypeScript. Method: where threads look; at night a cache of its own, and what Node
// logs of it.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const run = promisify(execFile)

/** A thread that prints where it looks for compiled modules. */
const THREAD = `
  const { env } = process
  console.log(env.NODE_COMPILE_CACHE, require('node:module').getCompileCacheDir())`
const PROGRAM = `
  const { Worker } = require('node:worker_threads')
  new Worker(${JSON.stringify(THREAD)}, { eval: true })`

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-compiled-'))
})

afterAll(() => rm(directory, { recursive: true }))

test.runIf(IS_NIGHT)('a first start compiles no TypeScript, in no thread', async () => {
  const cache = { NODE_COMPILE_CACHE: join(directory, 'compiled') }
  await run(process.execPath, ['scripts/install/compile.ts'], {
    cwd: ROOT,
    env: { ...process.env, ...cache },
  })
  const path = join(directory, 'log')
  const log = await open(path, 'w')
  // Into a file: what Node logs of its cache is lost when a pipe is full.
  const server = spawn(
    process.execPath,
    [fileURLToPath(import.meta.resolve('@orrery/gateway/main'))],
    {
      stdio: ['ignore', log.fd, log.fd],
      env: {
        ...process.env,
        ...cache,
        NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
        DATA_DIR: join(directory, 'data'),
        PORT: '0',
        JWT_SECRET_KEY: 'a key of the tests, at least 32 bytes',
        ADMIN_USERNAME: 'admin',
        ADMIN_PASSWORD: 'a password of the tests',
      },
    },
  )
  try {
    for (const said of ['listens on', '/server/worker.mjs']) {
      await expect.poll(() => readFile(path, 'utf8')).toContain(said)
    }
    const ended = once(server, 'exit')
    server.kill()
    expect(await ended).toEqual([0, null])
  } finally {
    server.kill('SIGKILL')
    await log.close()
  }
  const text = await readFile(path, 'utf8')
  expect(text).toMatch(/transpile cache for StrippedTypeScript \S+main\.ts\.\.\.success/)
  expect(text).not.toMatch(/writing cache for StrippedTypeScript/)
})

test.each(['start', 'serve'])('%s gives its cache to threads and children', async (name) => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const options = scripts[name].split(' ').filter((word: string) => word.startsWith('--'))
  const { stdout } = await run(process.execPath, [...options, '--eval', PROGRAM], {
    cwd: ROOT,
    env: { ...process.env, NODE_COMPILE_CACHE: '' },
  })
  const [inherited, used] = stdout.trim().split(' ')
  expect(inherited).toBe(join(ROOT, 'node_modules', '.cache', 'compiled'))
  expect(used).toContain(join(inherited, 'v'))
})
