import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** Only the owner reads and writes it. */
const MODE = 0o600

/** Tokens of admins, by the server's URL. */
type Tokens = Readonly<Record<string, string>>

function path(): string {
  const base = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  return join(base, 'orrery', 'tokens.json')
}

/** The token kept for a server. */
export async function keptToken(url: string): Promise<string | undefined> {
  return (await read())[url]
}

/** Keeps a token for a server, or forgets it without one. */
export async function keepToken(url: string, token: string | undefined): Promise<void> {
  const { [url]: _former, ...others } = await read()
  const tokens = token === undefined ? others : { ...others, [url]: token }
  const file = path()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // A file that is renamed is never read half written, and has its mode from the start.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(tokens, undefined, 2)}\n`, { mode: MODE })
  await rename(draft, file)
}

async function read(): Promise<Tokens> {
  try {
    return JSON.parse(await readFile(path(), 'utf8'))
  } catch (error) {
    if (Object(error).code === 'ENOENT') return {}
    throw new Error(`${path()} cannot be read: ${Object(error).message}`, { cause: error })
  }
}
