/** What a stopped server has left: the size of its tables, and what its journal proves. */
import { openDatabase } from '@orrery/database'
import { eras } from '@orrery/store'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Report, isSame } from '../replay/comparison.ts'
import type { GameDirectory } from '../trials/game-directory.ts'
import { SHIPS_MAX } from './served-game.ts'

export interface KeptTable {
  readonly name: string
  readonly rows: number
  /** on disk, with indices and what updates and deletions left behind */
  readonly bytes: number
  /** of its rows */
  readonly rowBytes: number
}

export interface KeptWorld {
  /** the largest first */
  readonly tables: readonly KeptTable[]
  /** since the oldest row of the journal [s] */
  readonly journalSeconds: number
  readonly replays: readonly Replay[]
}

/** A replay of an era. */
export interface Replay {
  readonly era: number
  readonly digests: number
  /** what differs, or why there is no replay */
  readonly differences: readonly string[]
}

/** Longest output of a replay, which names all digests [bytes]. */
const OUTPUT_BYTES_MAX = 2 ** 28

/** Reads a database and replays the eras in it; no server may run. */
export async function keptWorld(directory: GameDirectory): Promise<KeptWorld> {
  const { numbers, ...read } = await readTables(directory)
  const replays: Replay[] = []
  for (const era of numbers) replays.push(await replayed(directory, era))
  return { ...read, replays }
}

async function readTables(
  directory: GameDirectory,
): Promise<Omit<KeptWorld, 'replays'> & { readonly numbers: readonly number[] }> {
  const database = await openDatabase({ directory: directory.database, schema: 'game' })
  try {
    const { sql } = database
    const names = await sql<{ name: string }[]>`
      select tablename as name from pg_tables where schemaname = 'game'`
    const tables: KeptTable[] = []
    for (const { name } of names) {
      const [measured] = await sql<[Omit<KeptTable, 'name'>]>`
        select count(*)::float8 as rows,
          pg_total_relation_size(${name}::regclass)::float8 as bytes,
          coalesce(sum(pg_column_size(one.*)), 0)::float8 as "rowBytes"
        from ${sql(name)} as one`
      tables.push({ name, ...measured })
    }
    const [{ journalSeconds }] = await sql<[{ journalSeconds: number }]>`
      select coalesce(extract(epoch from max(written_at) - min(written_at)), 0)::float8
        as "journalSeconds" from clock`
    const numbers = (await eras(sql).list()).map(({ era }) => era)
    return { tables: tables.toSorted((a, b) => b.bytes - a.bytes), journalSeconds, numbers }
  } finally {
    await database.close()
  }
}

/** As an operator replays an era, from its first kept world to the end of its journal. */
async function replayed({ variables }: GameDirectory, era: number): Promise<Replay> {
  const script = fileURLToPath(new URL('../replay.ts', import.meta.url))
  const args = [script, '--era', String(era), '--verify', '--json']
  const env = { ...process.env, ...variables, DATABASE_URL: '', MAX_SHIPS: SHIPS_MAX }
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, maxBuffer: OUTPUT_BYTES_MAX }, (_, stdout, stderr) => {
      resolve(outcome(era, stdout, stderr))
    })
  })
}

function outcome(era: number, stdout: string, stderr: string): Replay {
  try {
    const report = JSON.parse(stdout) as Report
    const digests = report.digests.filter(({ systems }) => systems.length > 0)
    const snapshots = report.snapshots.filter((one) => !isSame(one))
    return {
      era,
      digests: report.digests_compared,
      differences: [
        ...digests.map(({ utc, systems }) => `era ${era}, ${utc}: ${systems.join(', ')} differ`),
        ...snapshots.map((one) => `era ${era}, snapshot: ${JSON.stringify(one)}`),
      ],
    }
  } catch {
    return { era, digests: 0, differences: [`era ${era} is not replayed: ${stderr.trim()}`] }
  }
}
