// Law: a service token is good until its end; the database holds its hash alone, and 100 of them.
import { openFreshDatabase } from '@orrery/testkit'
import { accounts, changeAccounts, migrations, serviceTokens } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { makeServiceToken, revokeServiceToken, serviceBearer } from '../../src/index.ts'

const { sql, close } = await openFreshDatabase({ schema: 'game', migrations })

afterAll(() => close())

const actor = { playerId: randomUUID(), username: 'Chief_1' }
const NOW_MS = 1_800_000_000_000
const wanted = { name: 'web-shop', scopes: ['accounts'], days: 2 }

test('it ends after its days, is kept as a hash, and only admins make 100', async () => {
  const make = (by = actor): ReturnType<typeof makeServiceToken> =>
    changeAccounts(sql, (records) => makeServiceToken(records, by, wanted, NOW_MS))
  await expect(make()).rejects.toMatchObject({ code: 'E005' })
  await accounts(sql).create({ ...actor, passwordHash: '', isAdmin: true, shipId: null })
  const { token, ...made } = await make()
  const shown = (nowMs: number): Promise<unknown> => serviceBearer(serviceTokens(sql), token, nowMs)
  const endMs = NOW_MS + 2 * 86_400_000
  expect(await shown(endMs - 1)).toEqual(made)
  await expect(shown(endMs)).rejects.toMatchObject({ code: 'E005', message: /has expired/ })
  const stored = await sql`select service_token::text as row from service_token`
  expect(stored[0]['row']).not.toContain(token.slice(-20))

  await sql`
    insert into service_token
    select gen_random_uuid(), place, name, scopes, created_at, expires_at
    from service_token, generate_series(2, 100) as place`
  await expect(make()).rejects.toMatchObject({ code: 'E003', status: 409 })
  const { tokenId } = made
  const stranger = { playerId: randomUUID(), username: 'Stranger' }
  const revoke = (by: typeof actor): Promise<void> =>
    changeAccounts(sql, (records) => revokeServiceToken(records, by, tokenId))
  await expect(revoke(stranger)).rejects.toMatchObject({ code: 'E005' })
  await revoke(actor)
  await expect(shown(NOW_MS)).rejects.toMatchObject({ message: /was revoked/ })
})
