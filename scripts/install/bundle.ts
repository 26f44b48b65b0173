/** Bundles the game's server, so that its starts load few modules. */
import { globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BundledSources, ROOT, SOURCES_FILE, fileStamp } from '@orrery/gateway/bundle'
import { type Plugin, rolldown } from 'rolldown'

const PROGRAM = 'packages/gateway/src/program.ts'
const THREADS = 'packages/{engine,game}/src/**/{worker,{image,prediction,password}-thread}.ts'

/** How a module names the file of a thread. */
const THREAD_ADDRESS = /new URL\('(worker|[a-z]+-thread)\.ts', import\.meta\.url\)/g

/** They start threads from files beside their own. */
const OUTSIDE = /^(?:pino|piscina)$/

/** @param directory  is replaced as a whole */
export async function bundleServer(directory: string): Promise<void> {
  const stamps: Record<string, string> = {}
  const bundle = await rolldown({
    input: globSync([PROGRAM, THREADS], { cwd: ROOT }).map((path) => join(ROOT, path)),
    platform: 'node',
    plugins: [staysOutside(), asInItsOwnPlace(stamps)],
    // All bits and effects are those of the sources.
    optimization: { inlineConst: false },
    treeshake: { moduleSideEffects: true },
  })
  const unfinished = mkdtempSync(`${directory}.new-`)
  try {
    const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' }
    await bundle.write({ dir: unfinished, format: 'esm', minify: false, ...names })
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
        .replaceAll(THREAD_ADDRESS, "new URL('$1.mjs', import.meta['url'])")
        .replaceAll('import.meta.url', url)
        .replaceAll('import.meta.resolve(', `resolvedFrom(${url}, `)
      return code.includes('import.meta.resolve(') ? RESOLVING + moved : moved
    },
  }
}
