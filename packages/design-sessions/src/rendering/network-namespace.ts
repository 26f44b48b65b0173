import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** `util-linux` and BusyBox have it. */
const COMMAND = 'unshare'

/** A namespace of users lets a process without rights make one of networks. */
const ARGUMENTS = ['--user', '--net'] as const

/** The command, with its arguments, that starts a program without network. */
export type Prefix = readonly [command: string, ...args: readonly string[]]

let found: { readonly prefix: Prefix | undefined } | undefined

/**
 * Starts a program in a Linux network namespace of its own, which has no interface; undefined where
 * the system has or permits none, as in most containers.
 */
export function networkNamespace(): Prefix | undefined {
  return (found ??= { prefix: usablePrefix() }).prefix
}

function usablePrefix(): Prefix | undefined {
  if (process.platform !== 'linux') return undefined
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  const command = directories.map((one) => join(one, COMMAND)).find((path) => existsSync(path))
  if (command === undefined) return undefined
  const prefix: Prefix = [command, ...ARGUMENTS]
  // The permission to make one is only known by trying.
  const tried = spawnSync(command, [...ARGUMENTS, process.execPath, '--version'], { env: {} })
  return tried.status === 0 ? prefix : undefined
}
