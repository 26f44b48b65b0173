/**
 * `scripts/orrery page` builds the player's page into `DATA_DIR`, where the server finds it, unless
 * it is there already. The server runs without it too, also while it is built.
 */
import { makeDirectory } from '@orrery/database'
import { isUnset } from '@orrery/http/config'
import { dirname, join } from 'node:path'
import { commandLine } from './command/command-line.ts'

const HELP = `Usage: scripts/orrery page

Builds the player's page into DATA_DIR, where the server finds it, unless it is there already.
`

commandLine('page', HELP, {})

const given = process.env['DATA_DIR']
const directory = join(isUnset('DATA_DIR', given) ? '.data' : String(given), 'page')
try {
  await makeDirectory(dirname(directory))
  const { buildPages } = await import('@orrery/page-kit/build')
  await buildPages(directory)
} catch (error) {
  const isWithoutTools = (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND'
  const reason = isWithoutTools
    ? 'its tools are not installed (--prod): npx pnpm install, or take DATA_DIR/page from a build'
    : String(error instanceof Error ? error.message : error).split('\n', 1)[0]
  console.error(`The page is not built: ${reason}`)
  process.exitCode = 1
}
