/** Compiles the game's server after an installation, so that its first start need not. */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

// By its path, since an installation of the game alone links nothing for the scripts. That of
// another package does not have it.
const server = new URL('../../packages/gateway/src/index.ts', import.meta.url)
await import(server.href).catch(() => undefined)
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
