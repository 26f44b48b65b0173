/**
 * Writes `.env` with new secrets when it does not exist, builds the page, then starts the server.
 * Variables of the environment take precedence over the file.
 */
import { isUnset } from '@orrery/http'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

const FILE = '.env'

const given = (name: string): string | undefined => {
  const value = process.env[name]
  return isUnset(name, value) ? undefined : value
}

// With an argument the server only prints its help or an error.
const serves = process.argv.length === 2
const password = given('ADMIN_PASSWORD') ?? randomBytes(12).toString('base64url')
// The server refuses an empty password, so it is not written to the file.
if (serves && given('JWT_SECRET_KEY') === undefined && password !== '' && !existsSync(FILE)) {
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
if (existsSync(FILE)) {
  for (const [name, value] of Object.entries(parseEnv(readFileSync(FILE, 'utf8')))) {
    if (isUnset(name, process.env[name])) process.env[name] = value
  }
}
if (serves) await import('./page.ts')
await import('@orrery/gateway/main')
