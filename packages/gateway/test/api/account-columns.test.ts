/**
 * Law: what modules keep of an account is with the ship that it flies. Goal: it follows from ship
 * to ship, in another star system, too, from a ship that is given up, and after a kill; the digests
 * of the replay are the kept ones.
 */
import { createGameClient } from '@orrery/client'
import { createModulesClient } from '@orrery/client/flight'
import { expect, it } from 'vitest'
import { register } from '../player-client.ts'
import { usedServer } from '../used-server.ts'

const MODULES = new URL('bank.ts', import.meta.url).pathname
const server = usedServer({ MODULES, SHIPS_PER_PLAYER: '3' })

it('follows from ship to ship', async () => {
  const { token, ship_id: first } = await register(server, 'Banker')
  const pilot = () => createGameClient({ url: server.url }).player(token)
  const modules = () => createModulesClient({ url: server.url, token })
  const earned = (credits: number) => modules().command('bank', 'earn', { credits })
  const credits = async () => (await modules().read()).ship_values['bank']['credits']
  await earned(100)
  await pilot().ships.create()
  const { ships } = await pilot().ships.create()
  const [, second, third] = ships.map(({ ship_id }) => ship_id)
  await pilot().ships.fly(second)
  expect(await credits()).toBe(100)
  await earned(20)
  await server.order('POST', `/api/admin/ship/${third}/system`, { system_id: 'trappist-1' })
  await pilot().ships.fly(third)
  expect(await credits()).toBe(120)
  await server.kill()
  await server.restart()
  expect(await credits()).toBe(120)
  await pilot().ships.fly(first)
  await earned(3)
  await pilot().ships.giveUp(third)
  await pilot().ships.giveUp(second)
  expect(await credits()).toBe(123)
  expect((await modules().read()).ship_values['bank']['title']).toBe('Baron')
  expect((await modules().list()).modules[0].panel?.fields).toMatchObject([
    { column: 'credits', kind: 'f64' },
    { column: 'title', kind: 'text' },
  ])
  expect(server.output()).not.toContain('did not come out as it was kept')
})
