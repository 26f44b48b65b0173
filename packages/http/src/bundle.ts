/**
 * A service as few files, which the installation makes: to find and link some 400 modules takes a
 * third of the processor time of a start.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const ROOT: string = fileURLToPath(new URL('../../../', import.meta.url))

export type BundleName = 'server' | 'design-sessions'

/** Of a bundle: the module that runs the service, and what it is made of. */
const PROGRAM_FILE = 'program.mjs'
export const SOURCES_FILE = 'sources.json'

export interface BundledSources {
  /** of the installation whose paths are in the bundle */
  readonly root: string
  /** file stamps of the bundled sources, by path from the root */
  readonly stamps: Readonly<Record<string, string>>
}

/** A module that runs a service. */
export interface Program {
  serve(): Promise<void>
}

/** Directory of the bundle of a service. */
export function bundleDirectory(name: BundleName): string {
  return join(ROOT, 'node_modules', '.cache', name)
}

/** Runs a service from its bundle while that is made of the present sources, or from these. */
export async function serveProgram(
  name: BundleName,
  sources: () => Promise<Program>,
): Promise<void> {
  const bundle = currentBundle(bundleDirectory(name))
  const program: Program = await (bundle === undefined ? sources() : import(bundle))
  await program.serve()
}

/** Size and time of change of a file, one of which changes with its contents. */
export function fileStamp(path: string): string {
  const { size, mtimeMs } = statSync(path)
  return `${size} ${mtimeMs}`
}

/** URL of the bundled program; undefined when a source has changed since, or without a bundle. */
export function currentBundle(bundle: string, root: string = ROOT): string | undefined {
  try {
    const text = readFileSync(join(bundle, SOURCES_FILE), 'utf8')
    const made: BundledSources = JSON.parse(text)
    const isSame = ([path, stamp]: [string, string]): boolean =>
      fileStamp(join(root, path)) === stamp
    if (made.root !== root || !Object.entries(made.stamps).every(isSame)) return undefined
    return pathToFileURL(join(bundle, PROGRAM_FILE)).href
  } catch {
    return undefined
  }
}
