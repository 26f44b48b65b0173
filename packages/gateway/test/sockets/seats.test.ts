// Goal: one address does not take every place, and whoever has one keeps it. Method: real
// connections from one address, a simulated clock.
import { expect, test } from 'vitest'
import { openSocket, refusedHandshake } from '../player-client.ts'
import { usedSocketServers } from './socket-server.ts'

const open = usedSocketServers()

test('of one address some sockets at once; takeovers and observers find a place', async () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  for (const [limits, status] of [
    [{ socketsMax: 9, socketsPerAddress: 2 }, 429],
    [{ socketsMax: 2 }, 503],
  ] as const) {
    const it = await open(limits)
    const [ida, jo] = [it.join(), it.join()]
    const sockets = [await openSocket(it, ida), await openSocket(it, jo)]
    expect(await refusedHandshake(it, bearer(it.join()))).toMatchObject({ status })
    const taken = await openSocket(it, ida)
    expect((await sockets[0].closed).code).toBe(4001)
    const observer = await openSocket(it, it.join('admin'))
    expect(await refusedHandshake(it, bearer(it.join()))).toMatchObject({ status })
    for (const socket of [taken, observer, sockets[1]]) await socket.close()
    // The places of all four are free again.
    const later = it.join()
    await expect.poll(() => openSocket(it, later).then(Boolean, () => false)).toBe(true)
    expect(it.sockets.online()).toBe(1)
  }
})
