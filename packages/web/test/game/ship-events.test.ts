// Law: a pilot whose ship is moved to another star system sees the ship there, and who moved it.
import { signal } from '@preact/signals'
import { testPatience } from '@orrery/testkit/tier'
import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { createEventLog } from '../../src/session/event-log.ts'
import { createNotices } from '../../src/session/notices.ts'
import { openSession } from '../../src/session/session.ts'
import { followShip } from '../../src/events/ship-events.ts'
import type { Thing } from '../../src/readings/thing.ts'
import { sharedPageServer } from '@orrery/page-kit/page-server'

test('a transfer by an operator is a notice, and the ship is looked at', async () => {
  const server = await sharedPageServer()
  const { client, url } = server
  const admin = await server.admin()
  const password = randomBytes(12).toString('base64url')
  const { token, ship_id: shipId } = await client.register('Lambert', password)
  const account = { username: 'Lambert', shipId, token }
  const session = openSession({ client, url, account, onConnection: () => undefined })
  const focus = signal<Thing | undefined>({ kind: 'body', name: 'Earth' })
  const notices = createNotices()
  const log = createEventLog(undefined)
  followShip({ client, focus, notices, log }, session, false)
  const until = (is: () => boolean): Promise<unknown> =>
    vi.waitUntil(is, { timeout: 20_000 * testPatience() })
  await until(() => session.flight.world.system?.id === 'sol')
  expect(focus.value).toEqual({ kind: 'body', name: 'Earth' })
  await admin.ships.transfer(shipId, 'trappist-1')
  await until(() => session.flight.world.system?.id === 'trappist-1')
  expect(focus.value).toEqual({ kind: 'ship', id: shipId })
  await until(() => log.entries.value.length > 0)
  const text = 'An administrator has moved the ship to TRAPPIST-1.'
  expect(log.entries.value).toMatchObject([{ text }])
  expect(notices.shown.value).toMatchObject([{ kind: 'warning', text }])
  session.close()
})
