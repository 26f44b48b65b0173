// Law: a server that was not given a module of the world never claims it, and names the module.
// Method: the world is upgraded while one follows it.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ask, openOrders } from '../player-client.ts'
import type { ServerProcess } from '../server-process.ts'
import { type Hosts, ownerOf, owns, until, untilFollowing } from './hosts.ts'

/** A module of the hosts. */
export const QUARRY: string = new URL('../modules/quarry.ts', import.meta.url).pathname

const LACK = 'it cannot own the world: The world has quarry 2, and 1 is given.'

/** Longer than one that stands by leaves a world without an owner to others, in its beats. */
const BEATS = 10

/** Lets a host give away what it owns, or own star systems again. */
async function drain(owner: ServerProcess, { url }: ServerProcess, isDrained: boolean) {
  const order = await openOrders(owner)
  const { hosts } = await order('GET', '/api/admin/hosts')
  const { host_id: id } = hosts.find((host: Record<string, string>) => host['url'] === url)
  await order(isDrained ? 'POST' : 'DELETE', `/api/admin/hosts/${id}/drain`)
}

/**
 * @param hosts  whose owner is alone; those that start after the first test have a newer module
 * @returns defines the tests that need an owner with the newer module, and those without an owner
 */
export function lackingModule(hosts: Hosts): Record<'beside' | 'without', () => void> {
  let lacking: ServerProcess
  const shows = (text: string): Promise<void> =>
    until(async () => (await ask(lacking, 'GET', '/health/ready')).text.includes(text))
  /** What it does once it has seen that it lacks the module. */
  const left = async (): Promise<object> => {
    await shows(`This server stands by: ${LACK}`)
    return { owns: await owns(lacking), runs: lacking.running(), log: lacking.output() }
  }
  const LEFT = {
    owns: false,
    runs: true,
    log: expect.stringContaining('this server cannot own the world'),
  }

  test('one without the next version of a module follows, drained', async () => {
    lacking = await hosts.start()
    await untilFollowing(lacking, hosts.owner)
    const newer = join(dirname(hosts.variables['DATA_DIR'] ?? ''), 'quarry-2.ts')
    const source = readFileSync(QUARRY, 'utf8')
    writeFileSync(newer, source.replace('version: 1,', 'version: 2, from: { 1: {} },'))
    hosts.modules = [newer, QUARRY]
    await drain(hosts.owner, lacking, true)
    expect(await owns(lacking)).toBe(false)
  })

  const beside = (): void => {
    test('one that lacks the new version of a module leaves the world to others', async () => {
      await shows(LACK)
      await drain(hosts.owner, lacking, false)
      expect(await left()).toMatchObject(LEFT)
    })

    test.runIf(IS_NIGHT)('one that lacks a module leaves the world to others again', async () => {
      const next = await hosts.start()
      await untilFollowing(next, hosts.owner)
      await hosts.owner.kill()
      hosts.owner = await ownerOf([next])
      expect(await left()).toMatchObject(LEFT)
    })
  }

  const without = (): void => {
    test('one that lacks a module leaves a world without an owner', async () => {
      const { stored } = hosts
      const fence = await stored.fence()
      // The rows of others go some time after their end.
      const beats = async (): Promise<number> => {
        const [row] = await stored.sql<[{ beats: number }]>`
          select beats::int as beats from host where address = ${lacking.url}`
        return row.beats
      }
      const enough = (await beats()) + BEATS
      await until(async () => (await beats()) > enough)
      expect(await stored.fence()).toBe(fence)
      expect(await left()).toMatchObject(LEFT)
    })
  }

  return { beside, without }
}
