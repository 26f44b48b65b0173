/**
 * The first-run helper: writes `.env` with fresh secrets when there is none, then serves.
 * What the environment already says always wins over the file.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'

const FILE = '.env'

// With an argument nothing is served: the server says so, or prints its help.
const serves = process.argv.length === 2
if (serves && process.env['JWT_SECRET_KEY'] === undefined && !existsSync(FILE)) {
  const username = process.env['ADMIN_USERNAME'] ?? 'admin'
  const password = process.env['ADMIN_PASSWORD'] ?? randomBytes(12).toString('base64url')
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
if (existsSync(FILE)) process.loadEnvFile(FILE)
await import('@orrery/gateway/main')
