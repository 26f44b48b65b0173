import type postgres from 'postgres'

/**
 * Takes the world: raises the fence and returns it. Whatever an owner before is still writing has
 * ended by then, and all that it writes later is refused.
 *
 * @param sql a database, or a transaction to take part in
 */
export async function claimWorld(sql: postgres.ISql): Promise<number> {
  const [{ fence }] = await sql<[{ fence: number }]>`
    update world_owner set fence = fence + 1, since = now() returning fence::float8 as fence`
  return fence
}
