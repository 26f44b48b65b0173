// Goal: the packed client works outside this repository. Method: its tarball is installed into an
// empty project, without a registry; one program is checked there, then plays on a real server
// under every Node on the path and, bundled, in a browser.
import { type ServiceProcess, startService } from '@orrery/testkit'
import { CHROMIUM_RUNS_HERE, type OpenPage, openPage } from '@orrery/testkit/browser-page'
import { prepareData } from '@orrery/testkit/prepared-data'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'

const PROGRAM = `
import { ClientError, type ShipState, connectSocket, createGameClient } from '@orrery/client'

export async function play(url: string, username: string): Promise<string> {
  const game = createGameClient({ url })
  const { token, ship_id: shipId } = await game.register(username, 'correct horse 7b')
  const socket = connectSocket({ url, token })
  const own = new Promise<ShipState>((resolve) => {
    socket.on('tick', ({ ships }) => {
      const ship = ships.find((one) => one.ship_id === shipId)
      if (ship !== undefined) resolve(ship)
    })
  })
  await socket.opened
  await socket.control({ thrust_level: 0.5 })
  const refused = socket.control({ thrust_level: 2 })
  const answer = await refused.catch(code)
  const { reference_body: body } = await own
  socket.close()
  return [answer, body].join(' ')
}

const code = (error: ClientError): string => error.code

export async function asking(url: string): Promise<string> {
  return createGameClient({ url }).status().then(() => 'answered', code)
}

export async function opening(url: string): Promise<string> {
  return connectSocket({ url, token: 'a.b.c' }).opened.then(() => 'opened', code)
}
`

const FLIGHT_PROGRAM = `
import { connectSocket, createGameClient } from '@orrery/client'
import { type Flight, createShipState, openFlight } from '@orrery/client/flight'

let flown: Flight | undefined
let receive: (time: number) => Promise<void>

export async function embark(url: string, username: string): Promise<void> {
  const game = createGameClient({ url })
  const { token } = await game.register(username, 'correct horse 7b')
  const socket = connectSocket({ url, token, wire: 'binary' })
  const { clock, ship } = (flown = openFlight({ socket }))
  receive = async (time) => {
    while (Date.parse((await game.status()).game_time) < clock.utc(time)) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await socket.ping()
  }
  await new Promise<void>((resolve) => {
    ship.on('mode', ({ mode }) => mode === 'flown' && resolve())
  })
}

export const now = (): number => flown?.clock.serverNow() ?? NaN

/** Waits until a tick from a time on has come. */
export const received = (time: number): Promise<void> => receive(time)

export function look(names: readonly string[], bodies: readonly string[], time: number): number[] {
  const state = createShipState()
  const { world } = flown!
  const shown = names.flatMap((name) => world.ships().filter((ship) => ship.name === name))
  return [
    ...shown.map(({ id }) => world.shipAt(state, id, time) && [...state.r, ...state.v]),
    ...bodies.map((body) => world.bodyAt(state, body, time) && [...state.r, ...state.v]),
  ].flatMap((place) => place || [NaN])
}

export async function foresee(url: string, username: string, worker?: URL): Promise<string> {
  const game = createGameClient({ url })
  const { token, ship_id: shipId } = await game.register(username, 'correct horse 7b')
  const socket = connectSocket({ url, token, wire: 'binary' })
  const flight = openFlight({ socket, ...(worker && { forecastWorker: worker }) })
  await new Promise<void>((resolve) => {
    flight.ship.on('mode', ({ mode }) => mode === 'flown' && resolve())
  })
  const order = { type: 'control', thrust_level: 1, delta_v: 10 } as const
  const { deltaV, end, from, isExact, stateAt, to } = await flight.forecast(shipId, {
    hours: 2,
    orders: [{ after: 60, order }],
  })
  const out = { r: new Float64Array(3), v: new Float64Array(3), body: '', reference: -1 }
  const isThere = stateAt(out, (from + to) / 2)
  flight.close()
  socket.close()
  return [end, isExact, isThere, out.body, Math.round(deltaV)].join(' ')
}
`

const FORESEEN = 'asked true true Earth 10'

const OPTIONS = {
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
  },
  files: ['program.ts', 'flight-program.ts'],
}

/** A first start makes a database and days of ephemeris on a busy machine. */
const STARTING_MS_MAX = 150_000

const run = promisify(execFile)
const pathOf = (place: string): string => fileURLToPath(new URL(place, import.meta.url))

let project: string
let data: string
let printed: string
let service: ServiceProcess
let browser: OpenPage | undefined
let strict: StrictSite

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'orrery-project-'))
  data = await mkdtemp(join(tmpdir(), 'orrery-data-'))
  if (CHROMIUM_RUNS_HERE) browser = await openPage()
  strict = await openStrictSite(project)
  const main = import.meta.resolve('@orrery/gateway/main')
  await prepareData(data, main)
  service = startService({
    main,
    variables: {
      DATA_DIR: data,
      PORT: '0',
      JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
      ADMIN_USERNAME: 'Chief_1',
      ADMIN_PASSWORD: 'admin-pass-9d1f',
      ALLOWED_ORIGINS: `${strict.origin}${browser ? `,${browser.origin}` : ''}`,
      WORKERS: '1',
    },
  })
  printed = (await run(process.execPath, [pathOf('../pack-client.ts'), project])).stdout
  // Both from files: the project needs no registry.
  await npm('pack', '--ignore-scripts', pathOf('../../packages/client/node_modules/valibot'))
  const tarballs = (await readdir(project)).filter((name) => name.endsWith('.tgz'))
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await npm('install', '--offline', '--no-audit', '--no-fund', ...tarballs)
  await writeFile(join(project, 'program.ts'), PROGRAM)
  await writeFile(join(project, 'flight-program.ts'), FLIGHT_PROGRAM)
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(OPTIONS))
  await service.ready
}, STARTING_MS_MAX)

afterAll(async () => {
  await Promise.all([(service as ServiceProcess | undefined)?.stop(), browser?.close()])
  strict.close()
  for (const directory of [project, data]) await rm(directory, { recursive: true })
})

async function npm(...args: readonly string[]): Promise<void> {
  await run('npm', [...args], { cwd: project, shell: process.platform === 'win32' })
}

interface StrictSite {
  readonly origin: string
  close(): void
}

/** Serves the scripts of a project to pages that may run nothing else, and talk to any server. */
async function openStrictSite(root: string): Promise<StrictSite> {
  const policy = "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src *"
  const site = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html'
    response.setHeader('content-type', type).setHeader('content-security-policy', policy)
    if (type === 'text/html') response.end('<!doctype html>')
    else
      createReadStream(join(root, pathname))
        .on('error', () => response.end())
        .pipe(response)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => void site.close() }
}

/** Every major version of Node on the path, by its executable. */
async function nodes(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const directory of [
    dirname(process.execPath),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]) {
    const node = join(directory, 'node')
    const version = await run(node, ['--version']).then(
      ({ stdout }) => stdout,
      () => undefined,
    )
    const major = version?.match(/\d+/)?.[0]
    if (major !== undefined && !found.has(major)) found.set(major, node)
  }
  return found
}

test('a page loads at most 14.1 kB for it, and 60 kB to fly with it', () => {
  const [plain, page] = [...printed.matchAll(/^(\d+) bytes/gm)].map(([, bytes]) => Number(bytes))
  console.log(printed)
  expect(plain).toBeLessThan(14_100)
  expect(page).toBeLessThan(60_000)
})

test('a typed program compiles with ES2022 and plays under every Node', async () => {
  const compiler = pathOf('../node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '--project', project])
  const url = await service.ready
  for (const [major, node] of await nodes()) {
    const script = `import { play } from './program.js'
      console.log(await play('${url}', 'Node_${major}'))`
    const options = major === '20' ? ['--experimental-websocket', '--no-warnings'] : []
    const args = [...options, '--input-type=module', '--eval', script]
    const { stdout } = await run(node, args, { cwd: project })
    expect(stdout, `Node ${major}`).toBe('E001 Earth\n')
    const flight = `import { foresee } from './flight-program.js'
      console.log(await foresee('${url}', 'Seer_${major}'))`
    const seen = await run(node, [...args.slice(0, -1), flight], { cwd: project })
    expect(seen.stdout, `Node ${major}`).toBe(`${FORESEEN}\n`)
  }
})

test.runIf(CHROMIUM_RUNS_HERE)(
  'under a strict policy a page shows, flies and foresees as Node does',
  async () => {
    const { page } = browser!
    await using bundle = await rolldown({
      input: join(project, 'flight-program.js'),
      platform: 'browser',
      onLog: (_, log) => expect.fail(log.message),
    })
    await bundle.write({ dir: join(project, 'page'), format: 'es' })
    await page.goto(`${strict.origin}/`)
    const url = await service.ready
    const seen = await page.evaluate<string>(
      `import('/page/flight-program.js').then(({ foresee }) => foresee('${url}', 'Seer',
      new URL('/node_modules/@orrery/client/forecast-worker.js', location.href)))`,
    )
    expect(seen).toBe(FORESEEN)

    // Two pilots: each flies one of the ships, and is told of the other.
    const here = await import(join(project, 'flight-program.js'))
    const there = <Result>(call: string): Promise<Result> =>
      page.evaluate<Result>(`import('/page/flight-program.js').then((program) => program.${call})`)
    await here.embark(url, 'Ripley')
    await there(`embark('${url}', 'Parker')`)
    const looked = [
      ['Ripley', 'Parker'],
      ['Sun', 'Earth', 'Moon', 'Titan'],
    ]
    for (let i = 0; i < 3; i++) {
      const time = Math.floor(here.now()) + 0.25
      // Later than its step a ship is only told as well as it coasts.
      await here.received(time)
      await there(`received(${time})`)
      const places = here.look(...looked, time)
      expect(places).toHaveLength(6 * looked.flat().length)
      expect(await there(`look(...${JSON.stringify(looked)}, ${time})`)).toEqual(places)
    }
    await page.goto(`${browser!.origin}/`)
  },
)

test.runIf(CHROMIUM_RUNS_HERE)('it plays in a browser, and names a refused origin', async () => {
  const { page, origin } = browser!
  await using bundle = await rolldown({
    input: join(project, 'program.js'),
    platform: 'browser',
    onLog: (_, log) => expect.fail(log.message),
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'program' })
  const url = await service.ready
  const evaluate = (call: string): Promise<string> =>
    page.evaluate<string>(`${output[0].code}; program.${call}`)
  expect(await evaluate(`play('${url}', 'Browser')`)).toBe('E001 Earth')
  expect(await evaluate("asking('http://127.0.0.1:1')")).toBe('network')

  await page.goto(origin.replace('127.0.0.1', 'localhost'))
  expect(await evaluate(`asking('${url}')`)).toBe('origin_refused')
  expect(await evaluate(`opening('${url}')`)).toBe('origin_refused')
  expect(await evaluate("asking('http://127.0.0.1:1')")).toBe('network')
})

test('two constants of the core do not bring the rest of it', async () => {
  const entry = join(project, 'constants.js')
  const core = JSON.stringify(fileURLToPath(import.meta.resolve('@orrery/sim')))
  await writeFile(entry, `export { EVENT_KINDS, POINTINGS } from ${core}`)
  await using bundle = await rolldown({ input: entry })
  const { output } = await bundle.generate({ minify: true })
  expect(output[0].code.length).toBeLessThan(1000)
})
