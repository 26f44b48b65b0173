// Law: a server whose clock is wrong flies on while it is alone, and says so; one that follows it
// gets all that it owns, and nothing acknowledged is lost.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { type Loose, ask, openOrders, openSocket } from '../player-client.ts'
import { HOUR_MS, type Hosts, SYSTEMS, clockOff, ownerOf, rename, until } from './hosts.ts'

/** A busy machine reads its clock less exactly. */
const WORDS = /its clock is 3\d{3}\.\d s ahead of the database's/

/** @param hosts  whose owner is by day alone and an hour ahead */
export function wrongClock(hosts: Hosts): void {
  const seen = async (): Promise<Loose> => {
    const order = await openOrders(hosts.owner)
    const { hosts: all } = await order('GET', '/api/admin/hosts')
    return all.find(({ url }: Loose) => url === hosts.owner.url)
  }

  test('a wrong clock: alone it flies on, and says so', async () => {
    if (IS_NIGHT) {
      await hosts.owner.kill()
      hosts.owner = await ownerOf([await hosts.start(clockOff(HOUR_MS))])
    }
    const { owner } = hosts
    await until(() => owner.output().includes('"msg":"the clock of this machine is wrong'))
    const health = await ask(owner, 'GET', '/health/ready')
    expect([health.status, health.body]).toEqual([
      200,
      { status: 'ok', warning: expect.stringMatching(WORDS) },
    ])
    // The next beat has what was seen with the last one.
    await until(async () => (await seen()).clock_state === 'wrong')
    expect(await seen()).toMatchObject({ drained: false, system_ids: SYSTEMS })
    expect((await seen()).clock_offset_seconds).toBeGreaterThan(0.5)
  })

  test('a wrong clock: one that follows gets all, and nothing acknowledged is lost', async () => {
    const wrong = hosts.owner
    const [{ token }] = hosts.pilots
    const acknowledged: string[] = []
    rename(await openSocket(wrong, token), 'Given', acknowledged).catch(() => undefined)
    await until(() => acknowledged.length > 10)
    const right = await hosts.start()
    expect(await ownerOf([right])).toBe(right)
    await until(() => !wrong.running())
    expect(wrong.output()).toMatch(RegExp(`${WORDS.source}: another server takes the world`))
    hosts.owner = right
    expect(await seen()).toMatchObject({ clock_state: 'right', system_ids: SYSTEMS })
    const names = await hosts.stored.renamed()
    expect(names.filter((name) => acknowledged.includes(name))).toEqual(acknowledged)
    const ship = await ask(right, 'GET', '/api/player/ship', { token })
    expect(ship.body).toMatchObject({ name: names.at(-1) })
  })
}
