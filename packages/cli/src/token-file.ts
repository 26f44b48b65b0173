import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { EXIT, Failure } from './failure.ts'

/** Only the owner reads and writes it. */
const MODE = 0o600

/** A file for each server: logins at the same time never write the same one. */
function directory(): string {
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'orrery', 'tokens')
}

function fileOf(url: string): string {
  return join(directory(), encodeURIComponent(url))
}

/** The token kept for a server. @throws {Failure} when its file cannot be read */
export async function keptToken(url: string): Promise<string | undefined> {
  const text = await unlessMissing(readFile(fileOf(url), 'utf8'))
  return text?.trim()
}

/** Addresses of the servers whose tokens are kept. @throws {Failure} */
export async function signedInServers(): Promise<string[]> {
  const names = (await unlessMissing(readdir(directory()))) ?? []
  return names.filter((name) => !name.startsWith('.')).map(decodeURIComponent)
}

/** Keeps a token for a server. @throws {Failure} when it cannot be written */
export async function keepToken(url: string, token: string): Promise<void> {
  // A file that is renamed is never read half written, and has its mode from the start.
  const draft = join(directory(), `.${randomUUID()}`)
  try {
    await prepareTokens()
    await writeFile(draft, `${token}\n`, { mode: MODE })
    await rename(draft, fileOf(url))
  } catch (error) {
    await rm(draft, { force: true })
    throw unusable(error)
  }
}

/** Makes the directory of tokens. @throws {Failure} when it cannot be made */
export async function prepareTokens(): Promise<void> {
  await mkdir(directory(), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw unusable(error)
  })
}

/** Forgets the token of a server. @throws {Failure} when it cannot be removed */
export async function forgetToken(url: string): Promise<void> {
  await unlessMissing(rm(fileOf(url)))
}

async function unlessMissing<Value>(result: Promise<Value>): Promise<Value | undefined> {
  try {
    return await result
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined
    throw unusable(error)
  }
}

/** The platform's sentence names the file. */
function unusable(error: unknown): Failure {
  return new Failure(EXIT.usage, `The file of tokens cannot be used: ${Object(error).message}.`)
}
