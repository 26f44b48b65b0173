/**
 * Law: what an older version of a module has kept becomes the newer one's wherever a world begins
 * again. Goal: a snapshot of before an upgrade is restored after it, and its values are taken over
 * as at the upgrade; a reset begins with the newer version; a kill after either loses nothing.
 */
import { createGameClient } from '@orrery/client'
import { createModulesClient } from '@orrery/client/flight'
import { api } from '@orrery/client/routes'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { register } from '../player-client.ts'
import { usedServer } from '../used-server.ts'

const QUARRY = new URL('quarry.ts', import.meta.url).pathname
const server = usedServer({ MODULES: QUARRY })

/** The file of a version that counts in tonnes, and notes what it took over. */
function inTonnes(): string {
  const file = join(server.variables['DATA_DIR'] ?? '', 'quarry-2.ts')
  const from = `from: { 1: { ship: ({ stone }) => ({ stone: Number(stone) / 1000, note: 7 }) } },`
  const source = readFileSync(QUARRY, 'utf8')
    .replace('version: 1,', `version: 2, ${from}`)
    .replace("note: f64('', { seenBy: 'operator' })", "note: f64('')")
    .replace('({ stone }) => stone,', '({ stone }) => 1000 * stone,')
  writeFileSync(file, source)
  return file
}

it('takes over what a restored snapshot has of an older version', async () => {
  const { token, ship_id: shipId } = await register(server, 'Keeper')
  const modules = () => createModulesClient({ url: server.url, token })
  const kept = async () => (await modules().read()).ship_values['quarry']
  const version = async () => (await modules().list()).modules[0].version
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
  expect(await kept()).toMatchObject({ stone: 7000 })
  await server.stop()
  Object.assign(server.variables, { MODULES: `${inTonnes()},${QUARRY}` })
  await server.restart()
  expect(await version()).toBe(2)
  expect(await kept()).toMatchObject({ stone: 7, note: 7 })
  await server.order('POST', '/api/admin/restore', { snapshot_id })
  expect(await version()).toBe(2)
  expect(await kept()).toMatchObject({ stone: 3, note: 7 })
  await server.kill()
  await server.restart()
  expect(await kept()).toMatchObject({ stone: 3, note: 7 })
  await server.order('POST', '/api/admin/game/reset')
  const newcomer = await register(server, 'Newcomer')
  await server.kill()
  await server.restart()
  const begun = createModulesClient({ url: server.url, token: newcomer.token })
  expect((await begun.list()).modules[0].version).toBe(2)
  expect((await begun.read()).ship_values['quarry']).toMatchObject({ stone: 0, note: 0 })
  expect((await begun.read()).tables['quarry']['pit']).toMatchObject([{ stone: 1e6 }])
  expect(server.output()).not.toContain('did not come out as it was kept')
})
