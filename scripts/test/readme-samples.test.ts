// Goal: the samples of READMEs run. Method: each as a program in its package's directory, behind
// the values that its reader has; three of them at night only. Samples of commands, and of clients,
// have tests of their own.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { codeSamples } from '@orrery/testkit/readme-sample'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterAll, expect, test } from 'vitest'

const run = promisify(execFile)
const PACKAGES = new URL('../../packages/', import.meta.url)

const directory = mkdtempSync(join(tmpdir(), 'orrery-samples-'))
const migrations = join(directory, 'migrations')
mkdirSync(migrations)
writeFileSync(join(migrations, '001.do.first.sql'), 'create table thing (id integer)')

afterAll(() => rmSync(directory, { recursive: true }))

/** What a program prints that has a README's sample between two parts. */
async function printed(
  name: string,
  before: string,
  after: string,
  change: (sample: string) => string = (sample) => sample,
): Promise<string> {
  const [sample = ''] = codeSamples(new URL(`${name}/README.md`, PACKAGES))
  const program = [before, change(sample), after].join('\n')
  const args = ['--input-type=module-typescript', '--eval', program]
  const { stdout } = await run(process.execPath, args, {
    cwd: fileURLToPath(new URL(name, PACKAGES)),
  })
  return stdout.trimEnd()
}

test.runIf(IS_NIGHT)('catalog: where Earth is', async () => {
  const before = `
import { readFile } from 'node:fs/promises'
import * as catalog from '@orrery/catalog'
import { massiveStateAt } from '@orrery/sim'
const { bodyIndex, checkpointAtOrBefore, checkpointsUrl, parseCheckpoints, solSystem } = catalog`
  const after = 'console.log(Math.hypot(...state.x.subarray(earth, earth + 3)))'
  const metres = Number(await printed('catalog', before, after))
  expect(metres).toBeGreaterThan(1.46e11)
  expect(metres).toBeLessThan(1.54e11)
})

test('engine: a world ticks, and a ship obeys', async () => {
  const before = `
import { STAR_SYSTEMS, checkpointAtOrBefore, parseCheckpoints } from '@orrery/catalog'
import * as engines from '@orrery/engine'
import { NODE_QUANTA, spheresOfInfluence } from '@orrery/sim'
import { readFileSync } from 'node:fs'
const { createEngine, createPool, createUniverseInSlices, startNode, systemClock, universeAt } =
  engines
// Soon after a checkpoint of each system, in 2030.
const index = (16_384 * 226 + 3) * NODE_QUANTA
const systems = STAR_SYSTEMS.map(({ system, home, startState, checkpointsUrl }) => ({
  system,
  territory: { home, spheres: spheresOfInfluence(system, startState()) },
  start: checkpointAtOrBefore(
    parseCheckpoints(readFileSync(checkpointsUrl)),
    startNode(index),
  ),
}))`
  const after = `
await kept
console.log(actsAt % 4, (await engine.ship(shipId)).name)
await engine.stop()
process.exit()`
  expect(await printed('engine', before, after)).toMatch(/^(?:\d+\n)*0 Nostromo$/)
})

test('database: a server of one directory', async () => {
  const before = "import { migrate, openDatabase } from '@orrery/database'"
  const change = (sample: string): string =>
    sample
      .replace("'.data/game'", JSON.stringify(join(directory, 'game')))
      .replace("'../migrations/', import.meta.url", JSON.stringify(`file://${migrations}/`))
      .replace(/(await database\.sql.*)/, 'console.log(($1).length)')
  expect(await printed('database', before, '', change)).toBe('1')
})

test.runIf(IS_NIGHT)('store: a record of each kind', async () => {
  const before = `
import { migrate, openDatabase } from '@orrery/database'
import * as store from '@orrery/store'
const { accounts, audit, claimSystems, eras, journal, migrations, settings, snapshots } = store
const database = await openDatabase({
  directory: ${JSON.stringify(join(directory, 'store'))},
  schema: 'game',
})
const [playerId, passwordHash, systemId] = [crypto.randomUUID(), 'hash', 'sol']
const [era, tick, lattice, physics, sequence] = [1, 1, 53_000_000_000, 4, 0]
const [header, bytes, sequences, digests] = [{}, new Uint8Array(8), { sol: 1 }, []]
const gameTime = new Date()
const durable = () => Promise.resolve()
const remainder = ['1', '3']
const clock = { lattice, remainder, tick, tickRate: 10, timeScale: 1, paused: false }
const rows = [{ systemId, sequence: 1, lattice, actor: null, command: { kind: 'control' } }]
const replay = (batch) => console.log(batch.map(({ command }) => command.kind).join())`
  const after = `
console.log(Object.keys(player).includes('playerId'), id)
await database.close()`
  expect(await printed('store', before, after)).toBe('control\ntrue 1')
})

test('http: a service that answers', async () => {
  const before = `
import { Hono } from 'hono'
import * as v from 'valibot'
const [host, port, variables, startingMessage] = ['127.0.0.1', 0, 'HOST, PORT', 'Starting']
const shape = ({ code, message }) => ({ code, message })
const logger = kit.createLogger({ level: 'error', destination: 'stderr' })
const openDatabase = async () => ({ close: () => console.log('closed') })`
  const after = `
const headers = { 'content-type': 'application/json' }
const body = JSON.stringify({ text: 'said' })
const answer = await fetch(new URL('/echo', listener.address), { method: 'POST', headers, body })
console.log(await answer.text())
await service.stop()`
  expect(await printed('http', before, after)).toBe('{"text":"said"}\nclosed')
})

test('diagrams-py: a diagram and an icon', async () => {
  const after = 'console.log(name, dot.slice(0, 7), svg.slice(-6))'
  expect(await printed('diagrams-py', '', after)).toBe('shop digraph </svg>')
})

test.runIf(IS_NIGHT)('mermaid-svg: a picture', async () => {
  const change = (sample: string): string =>
    sample.replace("'/fonts/regular.ttf'", 'font400').replace("'/fonts/bold.ttf'", 'font700')
  const before = `
import { createRequire } from 'node:module'
const { resolve } = createRequire(process.cwd() + '/test/picture.ts')
const font400 = resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf')
const font700 = resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf')`
  const after = 'console.log(svg.slice(0, 4))'
  expect(await printed('mermaid-svg', before, after, change)).toBe('<svg')
})
