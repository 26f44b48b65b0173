/** Bundles and compiles the services after an installation, so that no start need do it. */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// By its path, since an installation of the game alone links nothing for the scripts. That of
// another package does not have it.
const server = new URL('../../packages/gateway/src/index.ts', import.meta.url)
await import(server.href).catch(() => undefined)
try {
  const { bundleDirectory } = await import('@orrery/http/bundle')
  const { bundleChanges } = await import('./bundle.ts')
  await bundleChanges()
  const loaded = [
    `${bundleDirectory('server')}/*.mjs`,
    `${bundleDirectory('design-sessions')}/{program,service}*.mjs`,
  ]
  for (const path of globSync(loaded)) {
    // Those of threads fail, and are compiled all the same.
    await import(pathToFileURL(path).href).catch(() => undefined)
  }
} catch {
  // Without the bundler, the server runs its sources.
}
const require = createRequire(import.meta.url)
for (const path of globSync('packages/{engine,game}/src/**/{worker,*-thread}.ts')) {
  try {
    // As piscina loads the file of a thread.
    require(resolve(path))
  } catch {
    // Compiled all the same.
  }
}
for (const name of ['start', 'serve']) {
  const args = [...process.execArgv, 'scripts/orrery.ts', name, '--help']
  spawnSync(process.execPath, args, { stdio: 'ignore' })
}
