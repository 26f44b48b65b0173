/**
 * Law: what modules keep of an account is with the ship that it flies. Goal: it follows from ship
 * to ship, in another star system, too, from a ship that is given up, and after a kill.
 */
import { createGameClient } from '@orrery/client'
import { createModulesClient } from '@orrery/client/flight'
import { expect } from 'vitest'
import { register } from '../player-client.ts'
import type { UsedServer } from '../used-server.ts'

/** An account with three ships earns on one after the other; returns what holds after a kill. */
export async function accountFollowsItsShips(server: UsedServer): Promise<() => Promise<void>> {
  const { token, ship_id: first } = await register(server, 'Banker')
  const pilot = () => createGameClient({ url: server.url }).player(token)
  const modules = () => createModulesClient({ url: server.url, token })
  const earned = (credits: number) => modules().command('bank', 'earn', { credits })
  const credits = async () => (await modules().read()).ship_values['bank']['credits']
  await earned(100)
  await pilot().ships.create()
  const { ships } = await pilot().ships.create()
  const [, second, third] = ships.map(({ ship_id }) => ship_id)
  await modules().command('bank', 'moor', { berth: 'A 7' })
  await pilot().ships.fly(second)
  // What only its pilot sees is hidden while another ship is flown.
  const { ships: left } = await pilot().ships.list()
  expect(left.find(({ ship_id }) => ship_id === first)?.ship_values?.['bank']).toEqual({
    berth: 'A 7',
  })
  expect(await credits()).toBe(100)
  await earned(20)
  await server.order('POST', `/api/admin/ship/${third}/system`, { system_id: 'trappist-1' })
  await pilot().ships.fly(third)
  expect(await credits()).toBe(120)
  return async () => {
    expect(await credits()).toBe(120)
    await pilot().ships.fly(first)
    await earned(3)
    await pilot().ships.giveUp(third)
    await pilot().ships.giveUp(second)
    expect(await credits()).toBe(123)
    expect((await modules().read()).ship_values['bank']['title']).toBe('Baron')
    const { modules: listed } = await modules().list()
    expect(listed.find(({ module }) => module === 'bank')?.panel?.fields).toMatchObject([
      { column: 'credits', kind: 'f64' },
      { column: 'title', kind: 'text' },
    ])
  }
}
