// Goal: the server does what its interface says, row by row, and what was decided where the
// interface is silent. Method: cases as data, written without the server's code; a real server
// process with the default limits, which a proxy names another address in each request; at night
// one without the login limit, and one on a PostgreSQL server that ends before it. Every row must
// have a case. At the end nothing secret is in what they have written.
import { type PostgresServer, QUICK_PASSWORDS, startPostgresServer } from '@orrery/testkit'
import { prepareData } from '@orrery/testkit/prepared-data'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  MAIN,
  type ServerEnvironment,
  type ServerProcess,
  dataDirectory,
  environment,
  errorLines,
  randomKey,
  startServer,
} from '../server-process.ts'
import { accountSection } from './admin-accounts.ts'
import { authenticationSection } from './authentication.ts'
import { type Row, type Section, runSection } from './case.ts'
import { eventSection } from './events.ts'
import { controlSection, freshSection } from './game-control.ts'
import { maneuverSection } from './maneuvers.ts'
import { mannersSection } from './manners.ts'
import { playerSection } from './players.ts'
import { DESIGN_ROWS, ROWS_OF_OTHERS, SPEC_ROWS } from './rows.ts'
import { METRICS_TOKEN, faultSection, strictSection } from './strict-server.ts'
import { type World, openWorld } from './world.ts'
import { objectSection } from './world-objects.ts'
import { replacementSection, resetSection } from './world-replacement.ts'

const OPEN_SERVER: readonly Section[] = [
  freshSection,
  playerSection,
  accountSection,
  controlSection,
  replacementSection,
  objectSection,
  maneuverSection,
  authenticationSection,
  eventSection,
  mannersSection,
]
const STRICT_SERVER: readonly Section[] = [strictSection, faultSection]

test('every row of the interface and every decision has a case', () => {
  const covered = new Set<Row | 'security/secrets'>(['security/secrets'])
  for (const { cases } of [...OPEN_SERVER, ...STRICT_SERVER, resetSection]) {
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

/** What must never be logged, and the output of all servers. */
const secrets = new Set<string>(['not the one', 'brand new 77', METRICS_TOKEN])
let output = ''

/** A server for the tests of a suite, stopped after them. */
function usedWorld(key: string, changes: () => Promise<ServerEnvironment>): () => World {
  const directory = dataDirectory()
  let server: ServerProcess | undefined
  let world: World
  beforeAll(async () => {
    const variables = { JWT_SECRET_KEY: key, LOG_LEVEL: 'debug', ...(await changes()) }
    if (!('DATABASE_URL' in variables)) await prepareData(directory.path, MAIN)
    server = await startServer(environment(directory.path, variables))
    world = await openWorld(server, key)
  })
  afterAll(async () => {
    await server?.stop()
    directory.remove()
    output += server?.output()
    for (const secret of world.secrets) secrets.add(secret)
  })
  return () => world
}

/** A server as its users have it, behind a proxy. */
const DEFAULTS: ServerEnvironment = {
  LOGIN_ATTEMPTS_PER_MINUTE: undefined,
  TRUST_PROXY: 'true',
  ALLOWED_ORIGINS: 'https://play.example',
  METRICS_TOKEN,
}

/** One character less is too short. */
const KEY = randomKey().slice(0, 32)

const [strict, faults] = STRICT_SERVER

describe('a server, at night with the login limit out of the way', () => {
  const world = usedWorld(KEY, async () => ({
    SERVER_NAME: 'Conformance',
    ...QUICK_PASSWORDS,
    ...(!IS_NIGHT && DEFAULTS),
  }))
  for (const section of OPEN_SERVER) runSection(section, world)
  if (!IS_NIGHT) runSection(strict, world)
  runSection(resetSection, world)

  test('it stops with 0 and has logged no error', async () => {
    expect(await world().server.stop()).toBe(0)
    expect(errorLines(world().server.output())).toEqual([])
  })
})

describe.runIf(IS_NIGHT)('a server with the defaults', () => {
  let postgres: PostgresServer
  const world = usedWorld(KEY, async () => {
    postgres = await startPostgresServer()
    for (const secret of [postgres.url, postgres.password]) secrets.add(secret)
    return { ...DEFAULTS, DATABASE_URL: postgres.url }
  })

  runSection(strict, world)
  describe('after its database has ended', () => {
    beforeAll(() => postgres.stop())
    runSection(faults, world)
  })
})

/** Parts of an output that are, or look like, a secret. */
function secretsIn(text: string): readonly string[] {
  const kinds = text.match(/.{0,80}(?:argon2|eyJ[\w-]{8}|[Bb]earer [\w-]{8}).{0,9}/g) ?? []
  // Without the whole secret: a failure prints this.
  const found = Array.from(secrets).flatMap((secret) => {
    const at = text.indexOf(secret)
    return at < 0 ? [] : [`${secret.slice(0, 9)}… after ${text.slice(Math.max(0, at - 150), at)}`]
  })
  return [...kinds, ...found]
}

test('security/secrets: no server writes a secret at any level', () => {
  expect(output).toMatch(/"level":"debug".*"path":"\/api\//)
  expect(secrets.size).toBeGreaterThan(50)
  expect(secretsIn(output)).toEqual([])
})
