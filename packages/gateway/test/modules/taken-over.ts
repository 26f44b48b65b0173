/**
 * Law: what an older version of a module has kept becomes the newer one's wherever a world begins
 * again. Goal: a snapshot of before an upgrade is restored after it, and its values are taken over
 * as at the upgrade; a reset begins with the newer version; a kill after either loses nothing.
 */
import { createGameClient } from '@orrery/client'
import { createModulesClient } from '@orrery/client/flight'
import { api } from '@orrery/client/routes'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect } from 'vitest'
import { register } from '../player-client.ts'
import type { UsedServer } from '../used-server.ts'

/** The `from` of quarry 2. */
export const TAKES_OVER: string = `ship: ({ stone, pit }) => {
  return { stone: Number(stone) + 0.5, note: 7, last: Number(pit) }
}`

/** Gives a ship 3 t before a snapshot and 4 t after it; returns what holds under quarry 2. */
export async function stoneBesideASnapshot(server: UsedServer): Promise<() => Promise<void>> {
  const { token, ship_id: shipId } = await register(server, 'Keeper')
  const modules = () => createModulesClient({ url: server.url, token })
  const kept = async () => {
    return (await server.order('GET', `/api/admin/modules/ships/${shipId}`)).ship_values.quarry
  }
  const wanted = { name: 'shop', scopes: ['commands'] }
  const shop = await server.order('POST', '/api/admin/service-tokens', wanted)
  const grant = (kg: number): Promise<unknown> => {
    const call = createGameClient({ url: server.url }).service(shop.token).once(`${kg} kg`)
    const order = { module: 'quarry', command: 'grant', values: { kg } }
    return call(api.commandModuleForShip, { ship_id: shipId, ...order })
  }
  await grant(3000)
  const { snapshot_id } = await server.order('POST', '/api/admin/snapshot')
  await grant(4000)
  expect(await kept()).toMatchObject({ stone: 7000, note: 0 })
  return async () => {
    const version = async () => (await modules().list()).modules[0].version
    expect(await kept()).toMatchObject({ stone: 7000.5, note: 7 })
    await server.order('POST', '/api/admin/restore', { snapshot_id })
    expect(await version()).toBe(2)
    expect(await kept()).toMatchObject({ stone: 3000.5, note: 7 })
    // By day one kill is enough: that after the reset.
    if (IS_NIGHT) await killedAndRestarted(server)
    expect(await kept()).toMatchObject({ stone: 3000.5, note: 7 })
    await beginsAgain(server)
  }
}

/** Of a reset under quarry 2. */
async function beginsAgain(server: UsedServer): Promise<void> {
  await server.order('POST', '/api/admin/game/reset')
  const { token } = await register(server, 'Newcomer')
  await killedAndRestarted(server)
  const begun = createModulesClient({ url: server.url, token })
  expect((await begun.list()).modules[0].version).toBe(2)
  const { ship_values: values, tables } = await begun.read()
  expect(values['quarry']).toMatchObject({ stone: 0, last: null })
  expect(tables['quarry']['pit']).toMatchObject([{ stone: 1e6 }])
}

async function killedAndRestarted(server: UsedServer): Promise<void> {
  expect(server.output()).not.toContain('did not come out as it was kept')
  await server.kill()
  await server.restart()
}
