/** `scripts/orrery pack:client` packs `packages/client` for programs outside this repository. */
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type OutputChunk, type Plugin, type RolldownOptions, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { commandLine } from './command/command-line.ts'

const HELP = `Usage: scripts/orrery pack:client [DIRECTORY | --figures]

Packs the client for programs outside this repository, with what it needs of our other packages
inside: writes the tarball into the directory, by default this one, and prints its path.

  --figures  writes what a page loads into the client's README instead
`

const { values, positionals } = commandLine(
  'pack:client',
  HELP,
  { figures: { type: 'boolean', default: false } },
  true,
)

const CLIENT = fileURLToPath(new URL('../packages/client/', import.meta.url))

/** The entries of the package, by the names of their files. */
const ENTRIES = {
  index: join(CLIENT, 'src/index.ts'),
  flight: join(CLIENT, 'src/flight/index.ts'),
}

/** What the first forecast loads; nearly all is the core, which flights load, too. */
const WORKER = { 'forecast-worker': join(CLIENT, 'src/forecast/forecast-worker.ts') }

/** Bytes that a page may load at once, minified and compressed by gzip: without worlds and with. */
const PLAIN_BYTES_MAX = 18_700
const PAGE_BYTES_MAX = 70_250
const WORKER_BYTES_MAX = 64_900

interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

async function manifestIn(directory: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
}

const SHARED: RolldownOptions = {
  platform: 'browser',
  tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)),
  // The oldest Node that it runs on is 20.
  transform: { target: 'es2022' },
  // A slow build is not an error.
  checks: { bundlerTimings: false },
  // A module of Node, or any other that is not found, would break in a browser.
  onLog: (_level, log) => {
    throw new Error(log.message)
  },
}

/** Bytes of entries, minified and compressed, and of what they load when it is needed. */
async function pageBytes(
  input: Readonly<Record<string, string>>,
): Promise<{ readonly once: number; readonly later: number }> {
  await using bundle = await rolldown({ ...SHARED, input })
  const { output } = await bundle.generate({ format: 'es', minify: true })
  const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk')
  const atOnce = new Set(chunks.filter(({ isEntry }) => isEntry))
  // Grows while it is gone through.
  for (const { imports } of atOnce) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) atOnce.add(chunk)
  }
  const bytes = (parts: readonly OutputChunk[]): number =>
    gzipSync(parts.map(({ code }) => code).join('')).length
  return {
    once: bytes([...atOnce]),
    later: bytes(chunks.filter((chunk) => !atOnce.has(chunk))),
  }
}

/** The worker is addressed beside the file that starts it: there in our sources, here packed. */
const packedWorker: Plugin = {
  name: 'packed-worker',
  renderChunk: (code) => code.replaceAll('./forecast-worker.ts', './forecast-worker.js'),
}

/** Declarations use no type of valibot; its own need types of the DOM. */
const declaredAlone: Plugin = {
  name: 'declared-alone',
  renderChunk: (code, { fileName }) =>
    fileName.endsWith('.d.ts') ? code.replaceAll(/^import "valibot";$/gm, '') : undefined,
}

/** Writes JavaScript and declarations; returns the packages that they import. */
async function writeModules(directory: string, external: string[]): Promise<Set<string>> {
  await using bundle = await rolldown({
    ...SHARED,
    input: { ...ENTRIES, ...WORKER },
    external,
    plugins: [
      dts({ cwd: CLIENT, entry: ['src/index.ts', 'src/flight/index.ts'] }),
      packedWorker,
      declaredAlone,
    ],
  })
  const { output } = await bundle.write({ dir: directory, format: 'es' })
  const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk')
  return new Set(chunks.flatMap((it) => it.imports).filter((name) => external.includes(name)))
}

/** The manifest of the tarball: ours without what serves this repository only. */
async function packedManifest(manifest: Manifest, imports: Iterable<string>): Promise<string> {
  const dependencies: Record<string, string> = {}
  for (const name of imports) {
    const { version } = await manifestIn(join(CLIENT, 'node_modules', name))
    dependencies[name] = `^${version}`
  }
  const { private: _, scripts: __, devDependencies: ___, ...kept } = manifest
  const exports = {
    '.': { types: './index.d.ts', default: './index.js' },
    './flight': { types: './flight.d.ts', default: './flight.js' },
    './forecast-worker': './forecast-worker.js',
  }
  return JSON.stringify(
    { ...kept, sideEffects: ['./forecast-worker.js'], exports, dependencies },
    null,
    2,
  )
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1000)
}

const plain = await pageBytes({ index: ENTRIES.index })
const page = await pageBytes(ENTRIES)
const worker = await pageBytes(WORKER)
console.log(`${plain.once} bytes minified and gzipped, at most ${PLAIN_BYTES_MAX}`)
console.log(`${page.once} bytes with flight, at most ${PAGE_BYTES_MAX}`)
console.log(`${page.later} bytes when one's own ship is flown`)
console.log(`${worker.once} bytes for forecasts, at most ${WORKER_BYTES_MAX}`)
if (plain.once > PLAIN_BYTES_MAX || page.once > PAGE_BYTES_MAX || worker.once > WORKER_BYTES_MAX) {
  throw new Error('The client is too large for a page')
}

const flown = `${kilobytes(page.later)} kB more with its ship`
const figures = `${kilobytes(page.once)} kB, ${flown} and ${kilobytes(worker.once)} kB`
const readmeFile = join(CLIENT, 'README.md')
const readme = (await readFile(readmeFile, 'utf8')).replace(
  /(?<=^- \*\*A page\*\* loads ).*?(?= with a forecast)/m,
  figures,
)
if (values.figures) {
  await writeFile(readmeFile, readme)
  process.exit()
}

const directory = await mkdtemp(join(tmpdir(), 'orrery-client-'))
try {
  const manifest = await manifestIn(CLIENT)
  const ours = /^@orrery\//
  const external = Object.keys(manifest.dependencies).filter((name) => !ours.test(name))
  const imports = await writeModules(directory, external)
  await writeFile(join(directory, 'package.json'), await packedManifest(manifest, imports))
  const list = await readFile(join(CLIENT, 'API.md'), 'utf8')
  for (const [name, text] of Object.entries({ 'README.md': readme, 'API.md': list })) {
    const beside = text.replaceAll('../protocol/README.md', './PROTOCOL.md')
    await writeFile(join(directory, name), beside)
  }
  await cp(join(CLIENT, '../protocol/README.md'), join(directory, 'PROTOCOL.md'))
  for (const part of ['SOCKET.md', 'WIRE.md']) {
    await cp(join(CLIENT, '../protocol', part), join(directory, part))
  }
  const target = resolve(positionals[0] ?? '.')
  const name = execFileSync('npm', ['pack', '--loglevel=error', `--pack-destination=${target}`], {
    cwd: directory,
    encoding: 'utf8',
    // There npm is a command file.
    shell: process.platform === 'win32',
  })
  console.log(join(target, name.trim()))
} finally {
  await rm(directory, { recursive: true })
}
