import type postgres from 'postgres'

/** A process that has not renewed a lease for so long has ended. */
export const LEASE_SECONDS = 10

/** Columns that record which rows of a table a process works on. */
export interface LeaseColumns {
  readonly table: string
  /** null in a row that is free */
  readonly holder: string
  /** moved on by every renewal */
  readonly time: string
  /** how far `time` is ahead of its renewal [s]: 0 for the renewal, all for the lease's end */
  readonly ahead: number
}

/** Whether a living process holds a row, in SQL. */
export function isHeld(
  sql: postgres.ISql,
  { holder, time, ahead }: LeaseColumns,
): postgres.Fragment {
  const end = sql`${sql(time)} + make_interval(secs => ${LEASE_SECONDS - ahead})`
  return sql`(${sql(holder)} is not null and ${end} > clock_timestamp())`
}

/** The assignment that takes or renews a lease, in SQL; `ahead` gives it another length. */
export function renewed(
  sql: postgres.ISql,
  { time, ahead }: Pick<LeaseColumns, 'time' | 'ahead'>,
): postgres.Fragment {
  return sql`${sql(time)} = clock_timestamp() + make_interval(secs => ${ahead})`
}

/** Frees all rows at a start: of an embedded database, which no other process can have open. */
export async function freeLeases(
  sql: postgres.ISql,
  { table, holder }: LeaseColumns,
): Promise<void> {
  await sql`update ${sql(table)} set ${sql(holder)} = null where ${sql(holder)} is not null`
}
