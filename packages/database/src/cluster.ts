import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { access, chown, constants, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { DatabaseError, errorText } from './error.ts'
import { makeDirectory } from './make-directory.ts'

/** The user of the PostgreSQL process, if it differs from ours: PostgreSQL refuses root. */
export interface Runner {
  readonly uid?: number
  readonly gid?: number
}

/** The data directory of a PostgreSQL server. */
export interface Cluster {
  readonly path: string
  readonly runner: Runner
}

/** First line of a packed cluster, as JSON; the bytes of the files follow. */
export interface PackedIndex {
  readonly directories: readonly string[]
  readonly files: readonly (readonly [path: string, bytes: number])[]
}

const MAJOR = '18'
const PACKED = new URL(`../cluster/postgresql-${MAJOR}.zst`, import.meta.url)
const NAME = 'postgresql'
const UNFINISHED = `${NAME}.new-`
// In the range Debian reserves and systemd hands out, so that no other program runs as this one.
const UNPRIVILEGED: Runner = { uid: 65_432, gid: 65_432 }

function refusal(message: string): DatabaseError {
  return new DatabaseError('ERR_DATABASE_DIRECTORY', message)
}

/**
 * The cluster of a directory; the first call makes an empty one.
 *
 * It is made under another name and renamed, so a kill or two concurrent starts leave it complete.
 *
 * @throws DatabaseError `ERR_DATABASE_DIRECTORY`; existing files do not change
 */
export async function prepareCluster(directory: string): Promise<Cluster> {
  const path = join(directory, NAME)
  const isRoot = process.getuid?.() === 0
  try {
    // On a read-only disk creating a directory fails with another reason.
    await access(existingPart(directory), constants.W_OK)
    await makeDirectory(directory, 0o700)
    if (!existsSync(path)) await create(path, isRoot ? UNPRIVILEGED : {})
    verify(path)
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    throw refusal(`${directory} cannot be used: ${errorText(error)}`)
  }
  const { uid, gid } = statSync(path)
  return { path, runner: isRoot && uid !== 0 ? { uid, gid } : {} }
}

/** Removes incomplete clusters of killed starts; only the directory's owner calls this. */
export async function removeUnfinished(directory: string): Promise<void> {
  const left = readdirSync(directory).filter((name) => name.startsWith(UNFINISHED))
  const remove = (name: string): Promise<void> =>
    rm(join(directory, name), { recursive: true, force: true })
  // A start that will be refused may still write there.
  await Promise.allSettled(left.map(remove))
}

function existingPart(path: string): string {
  return existsSync(path) ? path : existingPart(dirname(path))
}

function verify(path: string): void {
  const owner = statSync(path).uid
  const user = process.getuid?.() ?? owner
  if (owner !== user && user !== 0) {
    const whose = `${path} belongs to user ${owner}, and this process runs as user ${user}`
    throw refusal(`${whose}: start it as that user, or change the owner.`)
  }
  const file = join(path, 'PG_VERSION')
  const major = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  if (major === MAJOR) return
  const what = major === undefined ? 'no PostgreSQL data' : `data of PostgreSQL ${major}`
  throw refusal(`${path} holds ${what}, not of PostgreSQL ${MAJOR}: move it, or set DATABASE_URL.`)
}

async function create(path: string, runner: Runner): Promise<void> {
  const unfinished = join(path, '..', `${UNFINISHED}${randomBytes(6).toString('hex')}`)
  try {
    await unpack(unfinished, runner)
    await rename(unfinished, path)
    await sync(join(path, '..'))
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another start was faster and may have removed this directory.
    if (!existsSync(path)) throw error
  }
}

async function unpack(path: string, { uid, gid }: Runner): Promise<void> {
  const bytes = await promisify(zstdDecompress)(await readFile(PACKED))
  const indexEnd = bytes.indexOf('\n')
  const index: PackedIndex = JSON.parse(bytes.toString('utf8', 0, indexEnd))
  const directories = ['.', ...index.directories].map((name) => join(path, name))
  for (const directory of directories) {
    await mkdir(directory, { mode: 0o700 })
    if (uid !== undefined && gid !== undefined) await chown(directory, uid, gid)
  }
  let end = indexEnd + 1
  const write = async ([name, size]: readonly [string, number]): Promise<void> => {
    const content = bytes.subarray(end, (end += size))
    await using file = await open(join(path, name), 'wx', 0o600)
    await file.writeFile(content)
    if (uid !== undefined && gid !== undefined) await file.chown(uid, gid)
    await file.sync()
  }
  await Promise.all(index.files.map(write))
  // A server at rest does not collect garbage for minutes: 23 MB are given back now.
  bytes.buffer.transfer(0)
  await Promise.all(directories.map(sync))
}

/** Makes a directory's entries durable; Windows has no such call. */
async function sync(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  await using handle = await open(directory)
  await handle.sync()
}
