/** The operators' console in headless Chromium, and what it costs the server. */
import { openDatabase, migrate } from '@orrery/database'
import { migrations } from '@orrery/store'
import { progress } from '@orrery/testkit/progress'
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { growth } from '@orrery/testkit/scrape'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN, type LoadServer, startLoadServer } from './load/server.ts'
import { mapFrames } from './page/console-map.ts'
import { sizes } from './page/first-visit.ts'
import { type OpenPage, type Visit, withBrowser } from './page/open-page.ts'
import { note } from './progress.ts'

export interface ConsoleOptions {
  /** that a search goes through */
  readonly accounts: number
  /** how long it stays open, in its own time */
  readonly minutes: number
  /** that move on the map */
  readonly ships: number
}

const RATE_HZ = 10
const VISITS = 7
const SEARCHES = 200
/** How long the server's work is measured, with and without a console [s]. */
const SECONDS = 60

export async function operatorsConsole({
  accounts,
  minutes,
  ships,
}: ConsoleOptions): Promise<Row[]> {
  const server = await startLoadServer({
    pilots: 0,
    rateHz: RATE_HZ,
    hasPage: true,
    prepare: (directory) => seedAccounts(directory, accounts),
  })
  const rows: Row[] = []
  try {
    progress.at('searches')
    rows.push(...(await searches(server, accounts)))
    await withBrowser(async (visit) => {
      progress.at('visits')
      rows.push(...(await visits(server, visit)))
      rows.push(...(await cost(server, visit)))
    })
  } finally {
    await server.stop()
  }
  rows.push(...(await map(ships)))
  note(rows)
  return [...rows, ...(await longVisit(minutes))]
}

async function longVisit(minutes: number): Promise<Row[]> {
  const server = await startLoadServer({ pilots: 0, rateHz: RATE_HZ, hasPage: true })
  try {
    return await withBrowser((visit) => openForLong(server, visit, minutes))
  } finally {
    await server.stop()
  }
}

/** The map beside a server that flies all of its ships. */
async function map(ships: number): Promise<Row[]> {
  const server = await startLoadServer({ pilots: ships, rateHz: RATE_HZ, hasPage: true })
  try {
    const rows = [...(await sizes(server.url, '/admin'))]
    await withBrowser(async (visit) => {
      progress.at('frames of the map')
      rows.push(...(await mapFrames(await openConsole(server, visit), ships)))
    })
    return rows
  } finally {
    await server.stop()
  }
}

/** Stores accounts that have no ship. */
async function seedAccounts(directory: string, count: number): Promise<void> {
  const database = await openDatabase({ directory: join(directory, 'game'), schema: 'game' })
  try {
    await migrate(database, migrations)
    await database.sql`
      insert into account (player_id, username, username_key, password_hash)
      select gen_random_uuid(), 'Pilot_' || i, 'pilot_' || i, 'none'
      from generate_series(1, ${count}::int) as i`
  } finally {
    await database.close()
  }
}

async function searches({ admin }: LoadServer, accounts: number): Promise<Row[]> {
  const times: number[] = []
  for (let i = 0; i < SEARCHES; i++) {
    const search = i % 4 === 0 ? '' : String((i * 7919) % accounts)
    const startMs = performance.now()
    await admin.players.list({ search, limit: 50 })
    times.push(performance.now() - startMs)
  }
  return rowsOf(`search among ${accounts} accounts`, [
    ['p50', percentile(times, 0.5), 'ms'],
    ['p95', percentile(times, 0.95), 'ms', { max: 100 }],
  ])
}

/** Opens the console of an admin who is signed in. */
async function openConsole({ url }: LoadServer, visit: Visit): Promise<OpenPage> {
  const opened = await visit({ url: `${url}/admin` })
  const { page } = opened
  await page.locator('input[name=username]').fill(ADMIN.username)
  await page.locator('input[name=password]').fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.card', { timeout: 0 })
  return opened
}

async function visits(server: LoadServer, visit: Visit): Promise<Row[]> {
  const { page } = await openConsole(server, visit)
  const times: number[] = []
  for (let i = 0; i < VISITS; i++) {
    // The token stays in the tab; scripts are loaded again.
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.clearBrowserCache')
    await devtools.detach()
    await page.reload({ waitUntil: 'commit' })
    await page.waitForSelector('.card', { timeout: 0 })
    times.push(await page.evaluate(() => performance.now()))
  }
  await page.context().close()
  return rowsOf('a visit', [['interactive', percentile(times, 0.5), 'ms', { max: 500 }]])
}

async function cost(server: LoadServer, visit: Visit): Promise<Row[]> {
  progress.at('cost')
  const alone = await busyShare(server)
  const { page } = await openConsole(server, visit)
  // Its charts and first answers are no part of what it costs for days.
  await sleep(10_000)
  const watched = await busyShare(server)
  await page.context().close()
  return rowsOf('a console that is open', [
    ['of a core of the server', (watched - alone) * 100, '%', { max: 0.5 }],
  ])
}

/** Share of a core that the server works, over a minute. */
async function busyShare(server: LoadServer): Promise<number> {
  const before = await server.scrape()
  const startMs = performance.now()
  await sleep(SECONDS * 1000)
  const after = await server.scrape()
  const seconds = (performance.now() - startMs) / 1000
  return growth('process_cpu_seconds_total', { before, after }) / seconds
}

/** When all of these are answered, the console waits for the next second. */
const QUESTIONS = ['/api/status', '/api/admin/status', '/api/admin/load'] as const

async function answerOf({ page }: Pick<OpenPage, 'page'>, path: string): Promise<void> {
  const answer = await page.waitForResponse((each) => new URL(each.url()).pathname === path)
  await answer.finished()
}

/** Lets the page's clock run as fast as the server answers. */
async function openForLong(server: LoadServer, visit: Visit, minutes: number): Promise<Row[]> {
  const opened = await openConsole(server, visit)
  const { page } = opened
  await page.clock.install()
  await page.reload()
  await page.waitForSelector('.card', { timeout: 0 })
  let firstBytes = NaN
  for (let second = 0; second < minutes * 60; second++) {
    progress.at('seconds open', second, minutes * 60)
    const answered = Promise.all(QUESTIONS.map((path) => answerOf(opened, path)))
    await page.clock.fastForward(1000)
    await answered
    // Until caches are full.
    if (second === 300) firstBytes = await opened.heapBytes()
  }
  const lastBytes = await opened.heapBytes()
  await page.context().close()
  return rowsOf(`open for ${minutes} min of its own time`, [
    ['heap', lastBytes / 1e6, 'MB'],
    ['heap_growth', (lastBytes - firstBytes) / 1e6, 'MB', { max: 5 }],
  ])
}
