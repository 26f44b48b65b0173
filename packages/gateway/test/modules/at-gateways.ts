// Law: a gateway has the modules of the world that it mirrors: its documents describe their
// commands, and what they refuse comes through it as data, over the bus and without one.
import { expect, test } from 'vitest'
import { ask, openOrders } from '../player-client.ts'
import type { ServerProcess } from '../server-process.ts'
import { modulesRefuseWithData, socketRefusesWithData } from './refused-commands.ts'

/** A world with quarry, and a gateway that mirrors it. */
export interface MirroredWorld {
  readonly owner: ServerProcess
  readonly gateway: ServerProcess
  readonly pilots: readonly { readonly token: string; readonly ship_id: string }[]
  /** Ends the bus between them, where there is one. */
  endBus(): Promise<void>
}

/** @param world  is read when the tests run; they end its bus */
export function modulesAtGateways(world: MirroredWorld): void {
  test('a gateway has the documents of the owner', async () => {
    for (const [path, named] of [
      ['/api/openapi.json', '"quarry.dig"'],
      ['/api/asyncapi.json', '"module_command.quarry.dig"'],
    ]) {
      const { gateway, owner } = world
      const [here, there] = await Promise.all([gateway, owner].map((one) => ask(one, 'GET', path)))
      expect(here.text).toContain(named)
      expect(here.text).toBe(there.text)
    }
  })

  test('what a module refuses comes through a gateway as data', async () => {
    const { gateway, pilots } = world
    await modulesRefuseWithData({ url: gateway.url, order: await openOrders(gateway) }, pilots[0])
    // Without the bus commands go over HTTP.
    await world.endBus()
    await socketRefusesWithData(gateway, pilots[0].token)
    expect(gateway.output()).not.toContain('unexpected')
  })
}
