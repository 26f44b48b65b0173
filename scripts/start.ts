/**
 * Writes `.env` with new secrets when it does not exist and starts the server; beside it another
 * process builds the page. Variables of the environment take precedence over the file.
 */
import { isUnset } from '@orrery/http/config'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

const FILE = '.env'

/** Of the page's build. */
const NICENESS = 5

const given = (name: string): string | undefined => {
  const value = process.env[name]
  return isUnset(name, value) ? undefined : value
}

// With an argument the server only prints its help or an error.
const serves = process.argv.length === 2
try {
  if (serves) keepNewSecrets()
  if (existsSync(FILE)) {
    for (const [name, value] of Object.entries(parseEnv(readFileSync(FILE, 'utf8')))) {
      if (isUnset(name, process.env[name])) process.env[name] = value
    }
  }
} catch (error) {
  const names = 'JWT_SECRET_KEY, ADMIN_USERNAME and ADMIN_PASSWORD'
  console.error(`Cannot start: ${(error as Error).message}; without ${FILE}, set ${names}`)
  process.exit(1)
}
if (serves) buildPageBeside()
await import('@orrery/gateway/main')

function keepNewSecrets(): void {
  const password = given('ADMIN_PASSWORD') ?? randomBytes(12).toString('base64url')
  // The server refuses an empty password, so it is not written to the file.
  if (given('JWT_SECRET_KEY') !== undefined || password === '' || existsSync(FILE)) return
  const username = given('ADMIN_USERNAME') ?? 'admin'
  const lines = [
    '# Secrets of this installation, made at its first start. Keep them out of version control.',
    `JWT_SECRET_KEY=${randomBytes(48).toString('base64url')}`,
    `ADMIN_USERNAME=${username}`,
    `ADMIN_PASSWORD=${password}`,
    '',
  ]
  writeFileSync(FILE, lines.join('\n'), { mode: 0o600, flag: 'wx' })
  console.log(`Admin: ${username}, password ${password} (kept in ${FILE}, not shown again)`)
}

/** Vite takes 400 MB, which a process keeps once it has them. */
function buildPageBeside(): void {
  const page = fileURLToPath(new URL('page.ts', import.meta.url))
  const build = spawn(process.execPath, [page], { stdio: ['ignore', 'ignore', 'inherit'] })
  build.once('error', ({ message }) => console.error(`The page is not built: ${message}`))
  build.once('exit', (_code, signal) => {
    if (signal)
      console.error(`The page is not built: ${signal} ended its build. scripts/orrery page`)
  })
  // The server starts and ticks first.
  if (build.pid !== undefined) setPriority(build.pid, NICENESS)
  // Without it the server ends all the same.
  build.unref()
  process.once('exit', () => build.kill())
}
