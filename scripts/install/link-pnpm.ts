/**
 * Puts the pnpm that has installed the project among its programs: `npx pnpm` takes it from there,
 * where it would ask the registry each time. Runs after an installation.
 */
import { rmSync, symlinkSync } from 'node:fs'
import { basename } from 'node:path'

const LINK = 'node_modules/.bin/pnpm'

const pnpm = process.env['npm_execpath'] ?? ''
if (basename(pnpm).startsWith('pnpm')) {
  try {
    rmSync(LINK, { force: true })
    symlinkSync(pnpm, LINK)
  } catch {
    // Without links, as on Windows, npx asks as before.
  }
}
