import type postgres from 'postgres'

/** The superuser of an embedded server, and its database. */
export const SUPERUSER = 'orrery'

/** The role of services: SQL that somebody smuggles in starts no program and reads no file. */
export const SERVICE_ROLE = 'orrery_service'

/** What a release before this role has made as the superuser; indexes go with their tables. */
const CHANGES = `
  select format('alter schema %I owner to ${SERVICE_ROLE}', nspname) as change
  from pg_namespace
  where nspowner = '${SUPERUSER}'::regrole and nspname !~ '^pg_|^information_schema$'
  union all
  select format('alter table %s owner to ${SERVICE_ROLE}', oid::regclass)
  from pg_class
  where relowner = '${SUPERUSER}'::regrole and relnamespace in (select oid from own)
    and relkind in ('r', 'p', 'v', 'm', 'S')
    and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid
        and deptype in ('a', 'i') and relkind = 'S')
  union all
  select format('alter routine %s owner to ${SERVICE_ROLE}', oid::regprocedure)
  from pg_proc
  where proowner = '${SUPERUSER}'::regrole and pronamespace in (select oid from own)`

/**
 * Makes the role of services on an embedded server, and gives it the database.
 *
 * @param sql  of the superuser
 * @param password  where the server listens on a port
 */
export async function prepareServiceRole(sql: postgres.Sql, password?: string): Promise<void> {
  await sql.begin(async (transaction) => {
    const [known] = await transaction`select from pg_roles where rolname = ${SERVICE_ROLE}`
    if (known === undefined) await transaction.unsafe(`create role ${SERVICE_ROLE} login`)
    if (password !== undefined) {
      await transaction.unsafe(`alter role ${SERVICE_ROLE} password '${password}'`)
    }
    const [{ owner }] = await transaction<[{ owner: string }]>`
      select pg_get_userbyid(datdba) as owner from pg_database where datname = current_database()`
    if (owner !== SERVICE_ROLE) {
      await transaction.unsafe(`alter database ${SUPERUSER} owner to ${SERVICE_ROLE}`)
    }
    const changes = await transaction.unsafe<{ change: string }[]>(
      `with own as (
        select oid from pg_namespace where nspname !~ '^pg_|^information_schema$'
      ) ${CHANGES}`,
    )
    for (const { change } of changes) await transaction.unsafe(change)
  })
}
