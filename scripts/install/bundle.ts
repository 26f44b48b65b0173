/** Bundles the services, so that their starts load few modules. */
import { globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type BundleName,
  type BundledSources,
  ROOT,
  SOURCES_FILE,
  bundleDirectory,
  currentBundle,
  fileStamp,
} from '@orrery/http/bundle'
import { type Plugin, rolldown } from 'rolldown'

/** Of each service the program, and what its threads and child processes run. */
const INPUTS: Readonly<Record<BundleName, readonly string[]>> = {
  server: [
    'packages/gateway/src/program.ts',
    'packages/gateway/src/past/past-process.ts',
    'packages/{engine,game}/src/**/{worker,{image,prediction,preflight,password}-thread}.ts',
  ],
  'design-sessions': [
    'packages/design-sessions/src/program.ts',
    'packages/design-sessions/src/**/{child-main,sentence-worker}.ts',
  ],
}

/** How a module names the file of a thread or process. */
const INPUT_ADDRESS =
  /new URL\('(worker|[a-z]+-thread|sentence-worker|past-process)\.ts', import\.meta\.url\)/g

/** Packages that load files from their own directories, or are bundles already. */
const OUTSIDE = new RegExp(
  `^(?:${[
    'pino|piscina|subset-font|mermaid/dist/.*',
    '@(?:energetic-ai|hpcc-js|myriaddreamin|resvg|terrastruct)/.*',
  ].join('|')})$`,
)

/** Makes the bundles that are missing or older than their sources. */
export async function bundleChanges(): Promise<void> {
  for (const name of Object.keys(INPUTS) as BundleName[]) {
    const directory = bundleDirectory(name)
    if (currentBundle(directory) === undefined) await bundleService(name, directory)
  }
}

/**
 * @param directory  is replaced as a whole
 * @param plugins    see each module first
 */
export async function bundleService(
  name: BundleName,
  directory: string,
  plugins: readonly Plugin[] = [],
): Promise<void> {
  const stamps: Record<string, string> = {}
  const bundle = await rolldown({
    input: globSync(INPUTS[name], { cwd: ROOT }).map((path) => join(ROOT, path)),
    platform: 'node',
    plugins: [...plugins, staysOutside(), asInItsOwnPlace(stamps)],
    // All bits and effects are those of the sources.
    optimization: { inlineConst: false },
    treeshake: { moduleSideEffects: true },
  })
  const unfinished = mkdtempSync(`${directory}.new-`)
  try {
    const fileNames = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' }
    await bundle.write({ dir: unfinished, format: 'esm', minify: false, ...fileNames })
    const sources: BundledSources = { root: ROOT, stamps }
    writeFileSync(join(unfinished, SOURCES_FILE), JSON.stringify(sources))
    rmSync(directory, { recursive: true, force: true })
    renameSync(unfinished, directory)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function staysOutside(): Plugin {
  return {
    name: 'stays-outside',
    resolveId: {
      filter: { id: OUTSIDE },
      async handler(source, importer) {
        const found = await this.resolve(source, importer, { skipSelf: true })
        return found && { id: pathToFileURL(found.id).href, external: true }
      },
    },
  }
}

const RESOLVING = `
  import { createRequire as requireFrom } from 'node:module'
  import { pathToFileURL as urlOfFile } from 'node:url'
  const resolvedFrom = (url, name) => urlOfFile(requireFrom(url).resolve(name)).href
`

/** A module finds all but threads as where it was, and is noted when it is a source of ours. */
function asInItsOwnPlace(stamps: Record<string, string>): Plugin {
  return {
    name: 'as-in-its-own-place',
    transform(code, id) {
      // A part of the bundler itself.
      if (id.startsWith('\0')) return null
      const path = relative(ROOT, id)
      if (!path.includes('node_modules')) stamps[path] = fileStamp(id)
      const url = JSON.stringify(pathToFileURL(id))
      const moved = code
        .replaceAll(INPUT_ADDRESS, "new URL('$1.mjs', import.meta['url'])")
        .replaceAll('import.meta.url', url)
        .replaceAll('import.meta.resolve(', `resolvedFrom(${url}, `)
      return code.includes('import.meta.resolve(') ? RESOLVING + moved : moved
    },
  }
}
