/**
 * The first-run helper: writes `.env` with fresh secrets when there is none, then serves.
 * What the environment already says always wins over the file.
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

// With an argument nothing is served: the server says so, or prints its help.
const serves = process.argv.length === 2
const password = given('ADMIN_PASSWORD') ?? randomBytes(12).toString('base64url')
// An empty password will be refused, and must not get into the file.
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
await import('@orrery/gateway/main')
