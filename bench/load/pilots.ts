/** Accounts by the thousand: stored before the server starts, their tokens signed here. */
import { migrate, openDatabase } from '@orrery/database'
import { migrations } from '@orrery/store'
import { SignJWT } from 'jose'
import { createSecretKey } from 'node:crypto'
import { join } from 'node:path'

/** An account that can connect. */
export interface Pilot {
  readonly playerId: string
  readonly shipId: string
  readonly token: string
}

/** The hash of no password: these pilots have tokens and never log in. */
const PASSWORD_HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Stores accounts in the database of a server that has not started yet; it gives them ships. */
export async function seedPilots(options: {
  readonly dataDirectory: string
  /** of a server instead of the embedded one */
  readonly url?: string
  readonly tokenKey: string
  readonly count: number
}): Promise<Pilot[]> {
  const { dataDirectory, url, tokenKey, count } = options
  const key = createSecretKey(Buffer.from(tokenKey))
  const database = await openDatabase({
    ...(url !== undefined && { url }),
    directory: join(dataDirectory, 'game'),
    schema: 'game',
  })
  try {
    await migrate(database, migrations)
    const stored = await database.sql<Omit<Pilot, 'token'>[]>`
      insert into account (player_id, username, username_key, password_hash, ship_id, created_at)
      select gen_random_uuid(), 'pilot_' || i, 'pilot_' || i, ${PASSWORD_HASH}, gen_random_uuid(),
        now() + i * interval '1 microsecond'
      from generate_series(0, ${count - 1}::int) as i
      returning player_id as "playerId", ship_id as "shipId"`
    return await Promise.all(
      stored.map(async ({ playerId, shipId }) => {
        const token = await new SignJWT({ type: 'player', ship_id: shipId })
          .setProtectedHeader({ alg: 'HS256' })
          .setSubject(playerId)
          .setIssuedAt()
          .setExpirationTime('24h')
          .sign(key)
        return { playerId, shipId, token }
      }),
    )
  } finally {
    await database.close()
  }
}

/** Subscribes to so many ships, beginning with the pilot's own. */
export function viewOf(pilots: readonly Pilot[], i: number, count: number): object {
  const ids = Array.from({ length: count }, (_, j) => pilots[(i + j) % pilots.length].shipId)
  return { type: 'subscribe', ids }
}
