// Goal: the server does what its interface says, row by row, and what was decided where the
// interface is silent. Method: cases as data, written without a look at the server's code; real
// server processes, asked by fetch and a bare WebSocket: one on an embedded database with the
// login limit out of the way, one as it comes, on a PostgreSQL server that ends before it. Every
// row must have a case. At the end nothing secret stands in what both have written.
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secretsIn } from '../secrets.ts'
import {
  ADMIN,
  STARTING_TEST_MS_MAX,
  type ServerProcess,
  dataDirectory,
  environment,
  randomKey,
  startServer,
} from '../server-process.ts'
import { accountSection } from './admin-accounts.ts'
import { authenticationSection } from './authentication.ts'
import { type Row, type Section, runSection } from './case.ts'
import { DESIGN_ROWS } from './design-rows.ts'
import { eventSection } from './events.ts'
import { controlSection, freshSection } from './game-control.ts'
import { maneuverSection } from './maneuvers.ts'
import { mannersSection } from './manners.ts'
import { playerSection } from './player.ts'
import { publicSection } from './public.ts'
import { resetSection } from './reset.ts'
import { snapshotSection } from './snapshots.ts'
import { ROWS_OF_OTHERS, SPEC_ROWS } from './spec-rows.ts'
import { METRICS_TOKEN, faultSection, strictSection } from './strict-server.ts'
import { PASSWORD, type World, openWorld } from './world.ts'
import { objectSection } from './world-objects.ts'

const OPEN_SERVER: readonly Section[] = [
  freshSection,
  publicSection,
  playerSection,
  accountSection,
  controlSection,
  snapshotSection,
  objectSection,
  maneuverSection,
  authenticationSection,
  eventSection,
  mannersSection,
  resetSection,
]
const STRICT_SERVER: readonly Section[] = [strictSection, faultSection]

test('every row of the interface and every decision has a case', () => {
  const covered = new Set<Row | 'security/secrets'>(['security/secrets'])
  for (const { cases } of [...OPEN_SERVER, ...STRICT_SERVER]) {
    for (const { rows } of cases) for (const row of rows) covered.add(row)
  }
  const rows = Object.keys(SPEC_ROWS)
  const decisions = Object.keys(DESIGN_ROWS).map((row) => `design:${row}`)
  const without = [...rows, ...decisions].filter((row) => !covered.has(row as Row))
  expect([...covered].filter((row) => ![...rows, ...decisions].includes(row))).toEqual([])
  const others = Object.keys(ROWS_OF_OTHERS)
  const count = (all: readonly string[]): string =>
    `${all.filter((row) => !without.includes(row)).length} of ${all.length}`
  console.log(
    `conformance: ${count(rows)} rows of the interface, ${count(decisions)} decisions; ` +
      `${others.length} more rows are for other programs: ${others.join(', ')}`,
  )
  expect(without).toEqual([])
})

/** What must never be written, and what the servers wrote. */
const secrets = new Set<string>([ADMIN.password, PASSWORD, 'not the one', 'brand new 77'])
let output = ''

async function ended(server: ServerProcess | undefined): Promise<void> {
  if (server === undefined) return
  await server.stop()
  output += server.output()
}

describe('a server with the login limit out of the way', () => {
  const directory = dataDirectory()
  const key = randomKey()
  let server: ServerProcess | undefined
  let world: World

  beforeAll(async () => {
    const changes = { JWT_SECRET_KEY: key, SERVER_NAME: 'Conformance', LOG_LEVEL: 'debug' }
    server = await startServer(environment(directory.path, changes))
    world = await openWorld(server, key)
    secrets.add(key).add(world.ida.token).add(world.chief.token)
  }, STARTING_TEST_MS_MAX)

  afterAll(async () => {
    await ended(server)
    directory.remove()
  }, STARTING_TEST_MS_MAX)

  for (const section of OPEN_SERVER) runSection(section, () => world)
})

describe('a server as it comes', () => {
  const directory = dataDirectory()
  const key = randomKey().slice(0, 32)
  let postgres: PostgresServer
  let server: ServerProcess | undefined
  let world: World

  beforeAll(async () => {
    postgres = await startPostgresServer()
    const changes = {
      JWT_SECRET_KEY: key,
      DATABASE_URL: postgres.url,
      LOGIN_ATTEMPTS_PER_MINUTE: undefined,
      TRUST_PROXY: 'true',
      ALLOWED_ORIGINS: 'https://play.example',
      METRICS_TOKEN,
      LOG_LEVEL: 'debug',
    }
    server = await startServer(environment(directory.path, changes))
    world = await openWorld(server, key)
    for (const secret of [key, postgres.url, postgres.password, METRICS_TOKEN]) secrets.add(secret)
    secrets.add(world.ida.token).add(world.chief.token)
  }, STARTING_TEST_MS_MAX)

  afterAll(async () => {
    await ended(server)
    directory.remove()
  }, STARTING_TEST_MS_MAX)

  const [strict, faults] = STRICT_SERVER
  runSection(strict, () => world)
  describe('after its database has ended', () => {
    beforeAll(() => postgres.stop())
    runSection(faults, () => world)
  })
})

test('security/secrets: nothing secret was written, by no server at no level', () => {
  expect(secretsIn(output, secrets)).toEqual([])
})
