// Goal: the packed client works outside this repository. Method: its tarball is installed into an
// empty project, without a registry; one program is checked there, then plays on a real server
// under this Node; at night under every Node on the path and, bundled, in a browser.
import { createGameClient } from '@orrery/client'
import { sharedPageServer } from '@orrery/page-kit/page-server'
import { type ServiceProcess, startService } from '@orrery/testkit'
import { CHROMIUM_RUNS_HERE, type OpenPage, openPage } from '@orrery/testkit/browser-page'
import { prepareData } from '@orrery/testkit/prepared-data'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BARE_PROGRAM, FLIGHT_PROGRAM, PROGRAM, WS_PROGRAM } from './client-programs.ts'

const PASSWORD = 'correct horse 7b'
const HAS_BROWSER = IS_NIGHT && CHROMIUM_RUNS_HERE
const FORESEEN = 'asked true true Earth 10'

/** What each kind of program is checked with. */
const PROGRAMS = {
  page: { lib: ['es2022', 'dom'], types: [], files: ['program.ts', 'flight-program.ts'] },
  node: { lib: ['es2022'], types: ['node'], files: ['ws-program.ts'] },
  // Neither the types of the DOM nor those of Node.
  bare: { lib: ['es2022'], types: [], files: ['bare-program.ts'] },
} as const

const CHECKS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  module: 'nodenext',
  target: 'es2022',
}

/** A first start makes a database and days of ephemeris on a busy machine. */
const STARTING_MS_MAX = 150_000

const run = promisify(execFile)
const pathOf = (place: string): string => fileURLToPath(new URL(place, import.meta.url))

let project: string
let printed: string
let url: string
/** of the night */
let service: ServiceProcess | undefined
let browser: OpenPage | undefined
let strict: StrictSite | undefined

/** A server that pages of a browser and of a strict site may ask. */
async function startOwnServer(data: string): Promise<ServiceProcess> {
  if (HAS_BROWSER) browser = await openPage()
  strict = await openStrictSite(project)
  const main = import.meta.resolve('@orrery/gateway/main')
  await prepareData(data, main)
  return startService({
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
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'orrery-project-'))
  if (IS_NIGHT) service = await startOwnServer(join(project, 'data'))
  printed = (await run(process.execPath, [pathOf('../../pack-client.ts'), project])).stdout
  const tarballs = (await readdir(project)).filter((name) => name.endsWith('.tgz'))
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  // Both from files: the project needs no registry.
  const valibot = pathOf('../../../packages/client/node_modules/valibot')
  const alone = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund']
  await npm('install', ...alone, ...tarballs, valibot)
  await writeFile(join(project, 'program.ts'), PROGRAM)
  await writeFile(join(project, 'flight-program.ts'), FLIGHT_PROGRAM)
  await writeFile(join(project, 'bare-program.ts'), BARE_PROGRAM)
  await writeFile(join(project, 'ws-program.ts'), WS_PROGRAM)
  await linkTypes()
  url = service === undefined ? (await sharedPageServer()).url : await service.ready
}, STARTING_MS_MAX)

afterAll(async () => {
  await Promise.all([service?.stop(), browser?.close()])
  strict?.close()
  await rm(project, { recursive: true })
})

async function npm(...args: readonly string[]): Promise<void> {
  await run('npm', [...args], { cwd: project, shell: process.platform === 'win32' })
}

/** Beside what npm has installed: `ws`, its types and those of Node. */
async function linkTypes(): Promise<void> {
  const modules = join(project, 'node_modules')
  await mkdir(join(modules, '@types'))
  for (const name of ['ws', '@types/ws', '@types/node']) {
    const from =
      name === '@types/node' ? '../../../node_modules/' : '../../../packages/gateway/node_modules/'
    await symlink(pathOf(from + name), join(modules, name), 'junction')
  }
}

/** Compiles the programs of one kind. */
async function compile(kind: keyof typeof PROGRAMS): Promise<void> {
  const { files, ...options } = PROGRAMS[kind]
  const file = join(project, `tsconfig.${kind}.json`)
  await writeFile(file, JSON.stringify({ compilerOptions: { ...CHECKS, ...options }, files }))
  const compiler = pathOf('../../node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '--project', file])
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

/** Every major version of Node on the path, by its executable; by day only this one. */
async function nodes(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const directory of [
    dirname(process.execPath),
    ...(IS_NIGHT ? (process.env['PATH'] ?? '').split(delimiter) : []),
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

test('a page loads at most 19 kB for it, and 70 kB to fly with it', () => {
  const [plain, page] = [...printed.matchAll(/^(\d+) bytes/gm)].map(([, bytes]) => Number(bytes))
  console.log(printed)
  expect(plain).toBeLessThan(18_700)
  expect(page).toBeLessThan(70_250)
})

test('the README has what a page loads', async () => {
  const [, ...loaded] = Array.from(printed.matchAll(/^(\d+) bytes/gm), ([, bytes]) => Number(bytes))
  const readme = await readFile(pathOf('../../../packages/client/README.md'), 'utf8')
  const figures = /loads (\d+) kB, (\d+) kB more with its ship and (\d+) kB/.exec(readme)?.slice(1)
  for (const [i, bytes] of loaded.entries()) {
    const differs = Math.abs(1000 * Number(figures?.[i]) - bytes)
    expect(differs, 'scripts/orrery pack:client --figures').toBeLessThan(2000)
  }
})

test('a typed program compiles with ES2022, plays and foresees', async () => {
  await compile('page')
  for (const [major, node] of await nodes()) {
    const script = `import { foresee } from './flight-program.js'
      import { play } from './program.js'
      console.log(await play('${url}', 'Node_${major}'))
      console.log(await foresee('${url}', 'Seer_${major}'))`
    const options = major === '20' ? ['--experimental-websocket', '--no-warnings'] : []
    const args = [...options, '--input-type=module', '--eval', script]
    const { stdout } = await run(node, args, { cwd: project })
    expect(stdout, `Node ${major}`).toBe(`E001 Earth\n${FORESEEN}\n`)
  }
})

test('it is declared without the types of a platform', async () => {
  await expect(compile('bare')).resolves.toBeUndefined()
})

test.runIf(IS_NIGHT)('it takes the WebSocket of `ws`', async () => {
  await compile('node')
  const { open } = await import(join(project, 'ws-program.js'))
  const { token, ship_id: shipId } = await createGameClient({ url }).register('Ash', PASSWORD)
  expect(await open(url, token)).toBe(shipId)
})

/** Types that others are made of by their names only. */
const NAMELESS = [
  'ActingIndex',
  'CheckedAnswer',
  'Column',
  'Fetcher',
  'Fields',
  'LagrangeNumber',
  'Method',
  'ModuleCommandMessage',
  'PathOf',
  'RuleModuleCommand',
  'TargetFields',
  'ValuesOf',
]

test("all types that it declares can be imported, and none of the core's columns", async () => {
  const directory = join(project, 'node_modules/@orrery/client')
  const names = (await readdir(directory)).filter((name) => name.endsWith('.d.ts'))
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
  const declared = all(texts, /^(?:export )?(?:declare )?(?:interface|type|class) (\w+)/gm)
  const entries = texts.filter((_, i) => ['index.d.ts', 'flight.d.ts'].includes(names[i]))
  const listed = all(entries, /^export (?:type )?\{([^}]*)\}/gm).flatMap((list) => list.split(','))
  const exported = new Set(listed.map((name) => name.replace('type ', '').trim()))
  expect(exported).toContain('WelcomeMessage')
  expect(declared.filter((name) => !exported.has(name)).toSorted()).toEqual(NAMELESS)
  expect(declared).not.toContain('CopiedShip')
  expect(declared).not.toContain('WorldState')
})

function all(texts: readonly string[], pattern: RegExp): string[] {
  return texts.flatMap((text) => Array.from(text.matchAll(pattern), ([, part]) => part))
}

test.runIf(HAS_BROWSER)(
  'under a strict policy a page shows, flies and foresees as Node does',
  async () => {
    const { page } = browser!
    await using bundle = await rolldown({
      input: join(project, 'flight-program.js'),
      platform: 'browser',
      onLog: (_, log) => expect.fail(log.message),
    })
    await bundle.write({ dir: join(project, 'page'), format: 'es' })
    await page.goto(`${strict!.origin}/`)
    const seen = await page.evaluate<string>(
      `import('/page/flight-program.js').then(({ foresee }) => foresee('${url}', 'Seer',
      new URL('/node_modules/@orrery/client/forecast-worker.js', location.href)))`,
    )
    expect(seen).toBe(FORESEEN)

    // Two pilots: each flies one of the ships, and is received of the other.
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
      // Later than its step a ship is only received as well as it coasts.
      await here.received(time)
      await there(`received(${time})`)
      const places = here.look(...looked, time)
      expect(places).toHaveLength(6 * looked.flat().length)
      expect(await there(`look(...${JSON.stringify(looked)}, ${time})`)).toEqual(places)
    }
    await page.goto(`${browser!.origin}/`)
  },
)

test.runIf(HAS_BROWSER)('it plays in a browser, and names a refused origin', async () => {
  const { page, origin } = browser!
  await using bundle = await rolldown({
    input: join(project, 'program.js'),
    platform: 'browser',
    onLog: (_, log) => expect.fail(log.message),
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'program' })
  const evaluate = (call: string): Promise<string> =>
    page.evaluate<string>(`${output[0].code}; program.${call}`)
  expect(await evaluate(`play('${url}', 'Browser')`)).toBe('E001 Earth')
  expect(await evaluate(`asking('${url}')`)).toBe('E005 answered')
  expect(await evaluate("asking('http://127.0.0.1:1')")).toBe('network network')

  await page.goto(origin.replace('127.0.0.1', 'localhost'))
  expect(await evaluate(`asking('${url}')`)).toBe('origin_refused answered')
  expect(await evaluate(`opening('${url}')`)).toBe('origin_refused')
  expect(await evaluate("asking('http://127.0.0.1:1')")).toBe('network network')
})

test('two constants of the core do not bring the rest of it', async () => {
  const entry = join(project, 'constants.js')
  const core = JSON.stringify(fileURLToPath(import.meta.resolve('@orrery/sim')))
  await writeFile(entry, `export { EVENT_KINDS, POINTINGS } from ${core}`)
  await using bundle = await rolldown({ input: entry })
  const { output } = await bundle.generate({ minify: true })
  expect(output[0].code.length).toBeLessThan(1000)
})
