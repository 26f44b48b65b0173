// Law: a server that was not given a module of the world claims it never, and names the module.
// Method: the world is upgraded while one follows it.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ask, openOrders } from '../player-client.ts'
import type { ServerProcess } from '../server-process.ts'
import { type Hosts, ownerOf, owns, until, untilFollowing } from './hosts.ts'

/** A module of the hosts. */
export const QUARRY: string = new URL('../modules/quarry.ts', import.meta.url).pathname

const LACK = 'it cannot own the world: The world has quarry 2, and 1 is given.'

/** Lets a host give away what it owns, or own star systems again. */
async function drain(owner: ServerProcess, { url }: ServerProcess, isDrained: boolean) {
  const order = await openOrders(owner)
  const { hosts } = await order('GET', '/api/admin/hosts')
  const { host_id: id } = hosts.find((host: Record<string, string>) => host['url'] === url)
  await order(isDrained ? 'POST' : 'DELETE', `/api/admin/hosts/${id}/drain`)
}

/**
 * @param hosts  whose owner is alone; another one with a newer module is it then
 * @returns the tests of the server that lacks the module, once the next owner has died
 */
export function lackingModule(hosts: Hosts): () => void {
  let lacking: ServerProcess
  const shows = (text: string): Promise<void> =>
    until(async () => (await ask(lacking, 'GET', '/health/ready')).text.includes(text))

  test('one that lacks the new version of a module leaves the world to others', async () => {
    const first = hosts.owner
    lacking = await hosts.start()
    await untilFollowing(lacking, first)
    const newer = join(dirname(hosts.variables['DATA_DIR'] ?? ''), 'quarry-2.ts')
    const source = readFileSync(QUARRY, 'utf8')
    writeFileSync(newer, source.replace('version: 1,', 'version: 2, from: { 1: {} },'))
    hosts.modules = [newer, QUARRY]
    const second = await hosts.start()
    await untilFollowing(second, first)
    await drain(first, lacking, true)
    await first.kill()
    expect(await ownerOf([second])).toBe(second)
    hosts.owner = second
    await shows(LACK)
    await drain(second, lacking, false)
    await shows(`This server stands by: ${LACK}`)
  })

  return () => {
    test('one that lacks a module has left the world to others again', async () => {
      await shows(LACK)
      expect(await owns(lacking)).toBe(false)
      expect(lacking.running()).toBe(true)
      expect(lacking.output()).toContain('this server cannot own the world')
    })
  }
}
