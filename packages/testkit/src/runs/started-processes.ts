/** Counts what costs test files the most: the servers and browsers that they start. */
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'

/** Whole numbers, by what was started; a database that a server starts itself is not counted. */
export type Started = Readonly<Record<string, number>>

/** By an argument of the command. */
const KINDS: Readonly<Record<string, RegExp>> = {
  servers: /\/(?:gateway\/src\/main|design-sessions\/src\/main|scripts\/start)\.ts$/,
  databases: /\/bin\/postgres$/,
  browsers: /\/chromium$/,
}

/** Counts from now on what this process starts; a call returns the counts since the one before. */
export function watchStarts(): () => Started {
  const children: ChildProcess[] = []
  subscribe('child_process', (message) => {
    children.push((message as { readonly process: ChildProcess }).process)
  })
  return () => {
    const commands = children.splice(0).map(({ spawnargs }) => spawnargs)
    return Object.fromEntries(
      Object.entries(KINDS).map(([kind, pattern]) => [
        kind,
        commands.filter((command) => command.some((argument) => pattern.test(argument))).length,
      ]),
    )
  }
}

/** Such as "2 servers, 1 databases"; what was not started is left out. */
export function startsText(started: readonly Started[]): string {
  return Object.keys(KINDS)
    .map((kind) => [started.reduce((sum, of) => sum + (of[kind] ?? 0), 0), kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${count} ${kind}`)
    .join(', ')
}
