import type postgres from 'postgres'

/** What the database takes, and how old its backups are. */
export interface Storage {
  /** of all schemas of the database [bytes] */
  readonly databaseBytes: number
  /** that the server has written ahead since it was made, for all its databases [bytes] */
  readonly writtenBytes: number
  /** age of the newest backup of each reason [s] */
  readonly backupAges: readonly { readonly reason: string; readonly seconds: number }[]
}

/** Reads what the database takes now. */
export async function readStorage(sql: postgres.Sql): Promise<Storage> {
  const [size] = await sql<[Omit<Storage, 'backupAges'>]>`
    select pg_database_size(current_database())::float8 as "databaseBytes",
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "writtenBytes"`
  const backupAges = await sql<Storage['backupAges'][number][]>`
    select reason, extract(epoch from now() - max(created_at))::float8 as seconds
    from backup group by reason order by reason`
  return { ...size, backupAges: [...backupAges] }
}
