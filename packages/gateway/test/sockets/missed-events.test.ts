// Goal: what happens to a ship while its pilot is away follows the next welcome, once. Method: real
// connections to the sockets of a real engine, and events laid out in its form.
import { expect, test } from 'vitest'
import { openSocket } from '../player-client.ts'
import { type SocketServer, shipEvent, usedSocketServers } from './socket-server.ts'

const open = usedSocketServers()

/** Kinds of the messages beside frames, and names of rules that have fired. */
async function newsOf(it: SocketServer, token: string): Promise<readonly string[]> {
  const socket = await openSocket(it, token)
  // Its answer follows all that was sent at the start.
  await socket.answer({ type: 'ping' })
  await socket.close()
  await expect.poll(() => it.sockets.online()).toBe(0)
  return socket.messages
    .filter(({ type }) => type !== 'tick' && type !== 'pong')
    .map((message) =>
      message.type === 'event' ? (message.rule_name ?? message.event) : message.type,
    )
}

test('oldest first, without turns and sightings, and each to its own pilot', async () => {
  const it = await open()
  const [ship, other] = [await it.launch(), await it.launch()]
  const token = it.join(ship)
  for (const kind of ['docked', 'sighted', 'locked', 'impact'] as const) {
    it.sockets.sendToPilot(shipEvent(ship, kind))
  }
  it.sockets.sendToPilot(shipEvent(other, 'undocked'))
  expect(await newsOf(it, it.joinAdmin())).toEqual(['welcome'])
  expect(await newsOf(it, token)).toEqual(['welcome', 'docked', 'impact'])
  expect(await newsOf(it, token)).toEqual(['welcome'])
  expect(await newsOf(it, it.join(other))).toEqual(['welcome', 'undocked'])
})

test('what an operator does to a ship', async () => {
  const it = await open()
  const ship = await it.launch('Ida', 'alpha')
  expect(await newsOf(it, it.join(ship))).toEqual(['welcome', 'transferred'])
})

test('the newest 32 of one ship', async () => {
  const it = await open()
  const ship = await it.launch()
  for (let i = 0; i < 40; i++) {
    it.sockets.sendToPilot({ ...shipEvent(ship, 'rule'), rule_name: `${i}` })
  }
  const newest = Array.from({ length: 32 }, (_, i) => `${i + 8}`)
  expect(await newsOf(it, it.join(ship))).toEqual(['welcome', ...newest])
})

test('of many ships those that were away the longest are forgotten', async () => {
  const it = await open()
  const ships = await it.launchMany(1001)
  for (const ship of ships) {
    for (let i = 0; i < 20; i++) it.sockets.sendToPilot(shipEvent(ship, 'docked'))
  }
  const [first, second] = ships.map((shipId) => it.join(shipId))
  expect(await newsOf(it, first)).toEqual(['welcome'])
  expect(await newsOf(it, second)).toHaveLength(21)
})

test('what a restore takes back is not sent', async () => {
  const it = await open()
  const ship = await it.launch()
  it.sockets.sendToPilot(shipEvent(ship, 'impact'))
  it.sockets.worldReplaced('restored')
  expect(await newsOf(it, it.join(ship))).toEqual(['welcome'])
})
