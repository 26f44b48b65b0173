// Law: a gateway has the modules of the world that it mirrors: its documents describe their
// commands, and what they refuse comes through it as data, over the bus and without one.
// Method: two real server processes on one PostgreSQL; with a NATS server, until that ends, too.
import { startGamePostgres } from '@orrery/testkit/prepared-data'
import { NATS_SERVER, startNatsServer } from '@orrery/testkit/nats-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, openOrders, register } from '../player-client.ts'
import { until } from '../recovery/hosts.ts'
import {
  MAIN,
  type ServerProcess,
  dataDirectory,
  environment,
  startServer,
} from '../server-process.ts'
import { modulesRefuseWithData, socketRefusesWithData } from './refused-commands.ts'

const QUARRY = new URL('quarry.ts', import.meta.url).pathname
const directory = dataDirectory()
let owner: ServerProcess
let gateway: ServerProcess
let endBus: (() => Promise<void>) | undefined
const ends: (() => unknown)[] = [() => directory.remove()]

beforeAll(async () => {
  const postgres = await startGamePostgres(MAIN)
  ends.push(() => postgres.stop())
  const nats = NATS_SERVER ? await startNatsServer() : undefined
  if (nats) ends.push((endBus = () => nats.stop()))
  const variables = environment(directory.path, {
    DATABASE_URL: postgres.url,
    MODULES: QUARRY,
    ...(nats && { NATS_URL: nats.url }),
  })
  owner = await startServer(variables)
  ends.push(() => owner.kill())
  gateway = await startServer({ ...variables, ROLES: 'gateway' })
  ends.push(() => gateway.kill())
  await until(async () => (await ask(gateway, 'GET', '/api/status')).status === 200)
})

afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

test('a gateway has the documents of the owner', async () => {
  for (const [path, named] of [
    ['/api/openapi.json', '"quarry.dig"'],
    ['/api/asyncapi.json', '"module_command.quarry.dig"'],
  ]) {
    const [here, there] = await Promise.all([gateway, owner].map((one) => ask(one, 'GET', path)))
    expect(here.text).toContain(named)
    expect(here.text).toBe(there.text)
  }
})

test('what a module refuses comes through a gateway as data', async () => {
  const pilot = await register(gateway, 'Digger')
  await modulesRefuseWithData({ url: gateway.url, order: await openOrders(gateway) }, pilot)
  // Without the bus commands go over HTTP.
  await endBus?.()
  await socketRefusesWithData(gateway, pilot.token)
  expect(gateway.output()).not.toContain('unexpected')
})
