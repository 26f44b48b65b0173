// Servers that stand by for each other, on one database.
import { type Database, openDatabase } from '@orrery/database'
import { setTimeout } from 'node:timers/promises'
import { type PlayerSocket, ask } from '../player-client.ts'
import type { ServerEnvironment, ServerProcess } from '../server-process.ts'

/** Ids of the star systems. */
export const SYSTEMS: readonly string[] = ['alpha-centauri', 'sol', 'trappist-1']

export const HOUR_MS = 3_600_000

/** Servers on one database, which own its world one after the other. */
export interface Hosts {
  readonly variables: ServerEnvironment
  readonly stored: StoredWorld
  /** the accounts of the world */
  readonly pilots: readonly Pilot[]
  /** of the world, by now */
  owner: ServerProcess
  /** files of those that servers have which start from now on */
  modules: readonly string[]
  /** a server that is killed after the tests */
  start(changes?: ServerEnvironment): Promise<ServerProcess>
}

export interface Pilot {
  readonly token: string
  readonly ship_id: string
}

/** The variables of a server whose clock is wrong. */
export function clockOff(ms: number): ServerEnvironment {
  const script = `const now = Date.now; Date.now = () => now() + ${ms}`
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` }
}

/** Whether a server owns the world, and answers for it. */
export async function owns(server: ServerProcess): Promise<boolean> {
  return (await ask(server, 'GET', '/api/status')).status === 200
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(10)
}

/** The first of some servers that owns the world. */
export async function ownerOf(servers: readonly ServerProcess[]): Promise<ServerProcess> {
  for (;;) {
    for (const server of servers) if (await owns(server)) return server
    await setTimeout(10)
  }
}

/** Waits until a server follows the world that a server at a URL owns. */
export function untilFollowing(server: ServerProcess, { url }: ServerProcess): Promise<void> {
  return until(async () => {
    const { text } = await ask(server, 'GET', '/health/ready')
    return text.includes(url) && server.output().includes('"msg":"following the world"')
  })
}

/** Renames a ship until its socket is closed; adds each name that is acknowledged to a list. */
export async function rename(socket: PlayerSocket, name: string, into: string[]): Promise<void> {
  for (let count = 0; ; count++) {
    const answer = await socket.answer({ type: 'ship_rename', name: `${name} ${count}` })
    if (answer.type === 'ship_renamed') into.push(answer.name)
  }
}

/** What the database has of the world. */
export interface StoredWorld {
  readonly sql: Database['sql']
  /** names that commands gave ships, in their order */
  renamed(): Promise<string[]>
  /** of a star system */
  fence(): Promise<number>
  close(): Promise<void>
}

export async function openStoredWorld(url: string): Promise<StoredWorld> {
  const { sql, close } = await openDatabase({ url, directory: '', schema: 'game' })
  return {
    sql,
    renamed: async () => {
      const rows = await sql<{ name: string }[]>`
        select command ->> 'name' as name from journal
        where command ->> 'kind' = 'rename_ship' order by era, system, sequence`
      return rows.map(({ name }) => name)
    },
    fence: async () => {
      const [{ fence }] = await sql<[{ fence: number }]>`
        select max(fence)::int as fence from system_owner`
      return fence
    },
    close,
  }
}
