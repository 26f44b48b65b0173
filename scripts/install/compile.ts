/** Compiles the game's server after an installation, so that its first start need not. */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

// An installation of another package alone does not have it.
await import('@orrery/gateway').catch(() => undefined)
const require = createRequire(import.meta.url)
for (const path of globSync('packages/{engine,game}/src/**/{worker,*-thread}.ts')) {
  try {
    // As piscina loads the file of a thread.
    require(resolve(path))
  } catch {
    // Compiled all the same.
  }
}
const start = [...process.execArgv, 'scripts/orrery.ts', 'start', '--help']
spawnSync(process.execPath, start, { stdio: 'ignore' })
