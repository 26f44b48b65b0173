// Law: a server that was not given a module of the world claims it never, and names the module.
// Method: real server processes on a real PostgreSQL; the world is upgraded while one follows it.
import type { PostgresServer } from '@orrery/testkit'
import { startGamePostgres } from '@orrery/testkit/prepared-data'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, openOrders } from '../player-client.ts'
import {
  MAIN,
  type ServerProcess,
  dataDirectory,
  environment,
  startServer,
} from '../server-process.ts'
import { ownerOf, until, untilFollowing } from './hosts.ts'

const QUARRY = new URL('../modules/quarry.ts', import.meta.url).pathname
const LACK = 'it cannot own the world: The world has quarry 2, and 1 is given.'

const directory = dataDirectory()
const started: ServerProcess[] = []
let postgres: PostgresServer
let variables: ReturnType<typeof environment>

beforeAll(async () => {
  postgres = await startGamePostgres(MAIN)
  variables = environment(directory.path, { DATABASE_URL: postgres.url, STANDBY: 'true' })
})

afterAll(async () => {
  for (const server of started) await server.kill()
  await postgres.stop()
  directory.remove()
})

async function start(...modules: readonly string[]): Promise<ServerProcess> {
  const server = await startServer({ ...variables, MODULES: modules.join() })
  started.push(server)
  return server
}

function newerQuarry(): string {
  const file = join(dirname(directory.path), 'quarry-2.ts')
  const source = readFileSync(QUARRY, 'utf8')
  writeFileSync(file, source.replace('version: 1,', 'version: 2, from: { 1: {} },'))
  return file
}

/** Lets a host give away what it owns, or own star systems again. */
async function drain(owner: ServerProcess, { url }: ServerProcess, isDrained: boolean) {
  const order = await openOrders(owner)
  const { hosts } = await order('GET', '/api/admin/hosts')
  const { host_id: id } = hosts.find((host: Record<string, string>) => host['url'] === url)
  await order(isDrained ? 'POST' : 'DELETE', `/api/admin/hosts/${id}/drain`)
}

test('one that lacks the new version of a module leaves the world to others', async () => {
  const first = await start(QUARRY)
  await ownerOf([first])
  const lacking = await start(QUARRY)
  await untilFollowing(lacking, first)
  const shows = (text: string): Promise<void> => {
    return until(async () => (await ask(lacking, 'GET', '/health/ready')).text.includes(text))
  }
  const newer = [newerQuarry(), QUARRY]
  const second = await start(...newer)
  await untilFollowing(second, first)
  await drain(first, lacking, true)
  await first.kill()
  await ownerOf([second])
  await shows(LACK)
  await drain(second, lacking, false)
  await shows(`This server stands by: ${LACK}`)
  await second.kill()
  const third = await start(...newer)
  expect(await ownerOf([third, lacking])).toBe(third)
  await shows(LACK)
  expect(lacking.running()).toBe(true)
  expect(lacking.output()).toContain('this server cannot own the world')
})
