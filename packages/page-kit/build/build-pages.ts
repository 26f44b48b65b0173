/**
 * Builds the player's page and the console into one directory, unless they are there already as
 * their sources are now.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { InlineConfig, Plugin } from 'vite'

const PACKAGES = fileURLToPath(new URL('../..', import.meta.url))

/** What the pages are made of. */
const SOURCES = [
  'web/index.html',
  'web/assets',
  'console/admin.html',
  'page-kit/build',
  ...['web', 'console', 'page-kit', 'client', 'protocol', 'sim'].map((name) => `${name}/src`),
  '../pnpm-lock.yaml',
]

const FORECAST_WORKER = join(PACKAGES, 'client', 'src', 'forecast', 'forecast-worker.ts')

/** How the client names it. */
const WORKER_ADDRESS = "new URL('./forecast-worker.ts', import.meta.url)"

/** File in a built page with the digest of its sources. */
const DIGEST = 'digest'

/** Files that compression makes smaller. */
const COMPRESSED = /\.(?:js|css|html|svg|json)$/

export interface BuiltPages {
  /** false when they were there already */
  readonly isNew: boolean
}

/** @param path  of a directory, which is replaced as a whole */
export async function buildPages(path: string): Promise<BuiltPages> {
  // Vite has a working directory of its own.
  const directory = resolve(path)
  const digest = await sourceDigest()
  const isPresent = async (): Promise<boolean> =>
    (await readFile(join(directory, DIGEST), 'utf8').catch(() => '')) === digest
  if (await isPresent()) return { isNew: false }
  await removeUnfinished(directory)
  const beside = `${directory}.${process.pid}`
  try {
    await buildInto(join(beside, 'page'))
    await writeFile(join(beside, 'page', DIGEST), digest)
    // Another process may have built the same meanwhile, and a server may be reading it.
    if (await isPresent()) return { isNew: false }
    await rm(directory, { recursive: true, force: true })
    await mkdir(dirname(directory), { recursive: true })
    await rename(join(beside, 'page'), directory)
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
  return { isNew: true }
}

/** Removes what killed builds have left beside the directory. */
async function removeUnfinished(directory: string): Promise<void> {
  const beside = await readdir(dirname(directory)).catch(() => [])
  for (const name of beside) {
    const pid = name.startsWith(`${basename(directory)}.`) ? Number(name.split('.').at(-1)) : NaN
    if (!Number.isInteger(pid) || isRunning(pid)) continue
    await rm(join(dirname(directory), name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return Object(error).code === 'EPERM'
  }
}

async function sourceDigest(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const path = join(PACKAGES, source)
    const isFile = extname(source) !== ''
    const files = isFile ? [path] : (await filesBelow(path)).map((name) => join(path, name))
    for (const file of files) hash.update(file.slice(PACKAGES.length)).update(await readFile(file))
  }
  return hash.digest('hex')
}

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1))
    .toSorted()
}

async function buildInto(directory: string): Promise<void> {
  const { build } = await import('vite')
  const options: InlineConfig = {
    configFile: false,
    logLevel: 'error',
    // As Vite decides by NODE_ENV: a build by tests would name files and lines of all elements.
    oxc: { jsx: { development: false } },
    build: {
      outDir: directory,
      emptyOutDir: false,
      target: 'es2022',
      // A strict Content-Security-Policy takes no `data:` and no inline script.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
    },
  }
  const player = join(PACKAGES, 'web')
  await build({
    ...options,
    root: player,
    plugins: [forecastWorker(), ownShaders()],
    build: {
      ...options.build,
      rolldownOptions: { output: { codeSplitting: { groups: PARTS }, chunkFileNames } },
    },
  })
  // Apart from the player's page: of what they share the console needs a third.
  const operators = join(PACKAGES, 'console')
  const rolldownOptions = { input: join(operators, 'admin.html') }
  await build({
    ...options,
    root: operators,
    plugins: [forecastWorker()],
    build: { ...options.build, rolldownOptions },
  })
  for (const name of await filesBelow(directory)) {
    if (!COMPRESSED.test(name)) continue
    const file = join(directory, name)
    await writeFile(`${file}.gz`, gzipSync(await readFile(file), { level: 9 }))
  }
}

/** The worker for forecasts as a part of this build: it shares modules with the page. */
function forecastWorker(): Plugin {
  let file = ''
  return {
    name: 'forecast-worker',
    enforce: 'pre',
    buildStart() {
      file = this.emitFile({ type: 'chunk', id: FORECAST_WORKER })
    },
    transform: (code, id) =>
      id.endsWith('/started-worker.ts')
        ? code.replaceAll(
            WORKER_ADDRESS,
            `new URL(import.meta.ROLLUP_FILE_URL_${file}, import.meta.url)`,
          )
        : undefined,
  }
}

/** Leaves out the shaders that three.js brings: the page has its own only, which is 27 kB less. */
function ownShaders(): Plugin {
  return {
    name: 'own-shaders',
    transform: (code, id) =>
      id.endsWith('/three.module.js')
        ? code.replaceAll(/^((?:var \w+|const (?:vertex|fragment)[\w$]*) = )"[^\n]*";$/gm, '$1"";')
        : undefined,
  }
}

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** What the page always loads: the wait for its language would divide it into dozens of files. */
const PARTS = [
  {
    name: (id: string, modules: Modules) => (isOfWorker(id, modules) ? 'forecast' : undefined),
    priority: 2,
    // What the page does not use before a flight is apart; small parts of it are not.
    entriesAware: true,
    entriesAwareMergeThreshold: 10_000,
  },
  { name: (id: string, modules: Modules) => (isOfPage(id, modules) ? 'page' : undefined) },
]

/** By the first part of a name: the others are what loads a chunk. */
const chunkFileNames = ({ name }: { readonly name: string }): string =>
  `assets/${name.split('~')[0]}-[hash].js`

/** All modules that load with one. */
function loadedBy(id: string, modules: Modules): ReadonlySet<string> {
  const ids = new Set([id])
  // Grows while it is gone through.
  for (const one of ids) {
    for (const imported of modules.getModuleInfo(one)?.importedIds ?? []) ids.add(imported)
  }
  return ids
}

function isOfPage(id: string, modules: Modules): boolean {
  return loadedBy(join(PACKAGES, 'web', 'src', 'main.ts'), modules).has(id)
}

function isOfWorker(id: string, modules: Modules): boolean {
  return isOfPage(id, modules) && loadedBy(FORECAST_WORKER, modules).has(id)
}
