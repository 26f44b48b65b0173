// Goal: pilots vote for the pace within the operator's bounds, at whichever process; it is the
// lowest vote while each connected pilot has one, and unfit votes are refused by name and change
// nothing. Method: real sockets of one or two engines, simulated clocks.
import { createLocalBus } from '@orrery/bus'
import { createPresence } from '@orrery/game'
import type { PaceVoteResponse } from '@orrery/protocol'
import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type PlayerSocket, openSocket } from '../player-client.ts'
import { type SocketServer, usedSocketServers } from './socket-server.ts'

const open = usedSocketServers()

const BOUNDS = { lowest: 0.5, highest: 20 }
const OFF = { lowest: null, highest: null, voters: 0, votes: 0, pace: null }

const openVote = (): Promise<SocketServer> => open({ paceBounds: () => BOUNDS })

async function pilot(it: SocketServer) {
  const token = it.join(await it.launch())
  return { token, socket: await openSocket(it, token) }
}

/** The votes that a client was sent last. */
async function shownTo(client: PlayerSocket): Promise<Partial<PaceVoteResponse> | undefined> {
  // Its answer follows all that was sent before.
  await client.answer({ type: 'ping' })
  const last = client.messages.findLast(({ type }) => type === 'votes')
  if (last?.type !== 'votes') return undefined
  const { type: _, ...votes } = last
  return votes
}

test('the pace is the lowest vote while every pilot has one', async () => {
  const it = await openVote()
  const [{ socket: ida }, { socket: jo }] = [await pilot(it), await pilot(it)]
  const others = [await openSocket(it, it.join()), await openSocket(it, it.joinAdmin())]
  const counted = async (votes: number, pace: number | null, voters = 2): Promise<void> => {
    await it.clock.advance(1000)
    const now = { ...BOUNDS, voters, votes, pace }
    expect(it.sockets.paceVotes()).toEqual(now)
    for (const client of [ida, ...others]) expect(await shownTo(client)).toEqual(now)
  }
  await counted(0, null)
  expect(await ida.answer({ type: 'vote', pace: 10 })).toMatchObject({ type: 'voted', pace: 10 })
  await counted(1, null)
  await jo.answer({ type: 'vote', pace: 2.00000049 })
  await counted(2, 2)
  await ida.answer({ type: 'vote', pace: null })
  await counted(1, null)
  await jo.close()
  await ida.answer({ type: 'vote', pace: 20 })
  await counted(1, 20, 1)
  const late = await pilot(it)
  await counted(1, null)
  expect(await shownTo(late.socket)).toMatchObject({ voters: 2 })
  const seen = ida.messages.length
  await it.clock.advance(5000)
  expect(await shownTo(ida)).toMatchObject({ voters: 2 })
  expect(ida.messages.length).toBe(seen + 1)
})

test('a later socket of a pilot counts once, and has its own vote', async () => {
  const it = await openVote()
  const { token, socket } = await pilot(it)
  await socket.answer({ type: 'vote', pace: 5 })
  expect(it.sockets.paceVotes()).toMatchObject({ voters: 1, votes: 1, pace: 5 })
  const second = await openSocket(it, token)
  expect(it.sockets.paceVotes()).toMatchObject({ voters: 1, votes: 0, pace: null })
  await second.answer({ type: 'vote', pace: 6 })
  expect(it.sockets.paceVotes()).toMatchObject({ voters: 1, votes: 1, pace: 6 })
})

test('unfit votes are refused by name and change nothing', async () => {
  const it = await openVote()
  const { socket } = await pilot(it)
  await socket.answer({ type: 'vote', pace: 5 })
  const shape = 'pace must be a number from 0.1 to 100, or null'
  for (const pace of [undefined, '5', true, {}, 0, -1, 101]) {
    const refused = await socket.answer({ type: 'vote', pace })
    expect(refused).toMatchObject({ code: 'E001', message: shape })
  }
  for (const pace of [0.4, 20.1]) {
    const refused = await socket.answer({ type: 'vote', pace })
    expect(refused).toMatchObject({ code: 'E029', message: 'pace must be from 0.5 to 20' })
  }
  for (const [token, code] of [
    [it.join(), 'E006'],
    [it.joinAdmin(), 'E003'],
  ] as const) {
    const other = await openSocket(it, token)
    expect(await other.answer({ type: 'vote', pace: 5 })).toMatchObject({ code })
  }
  expect(it.sockets.paceVotes()).toMatchObject({ voters: 1, votes: 1, pace: 5 })
})

test('an account votes five times in ten seconds, on whichever socket', async () => {
  const it = await openVote()
  const { token, socket } = await pilot(it)
  for (const pace of [1, 2, 3]) await socket.answer({ type: 'vote', pace })
  const second = await openSocket(it, token)
  for (const pace of [4, 5]) await second.answer({ type: 'vote', pace })
  const message = 'Too many votes: wait 10 s'
  const refused = await second.answer({ type: 'vote', pace: 6 })
  expect(refused).toMatchObject({ code: 'E004', message })
  expect(it.sockets.paceVotes().pace).toBe(5)
  await it.clock.advance(10_000)
  expect((await second.answer({ type: 'vote', pace: 6 })).type).toBe('voted')
})

test('it is off at first, and votes outside of new bounds count as none', async () => {
  let bounds: typeof BOUNDS | 'off' = 'off'
  const it = await open({ paceBounds: () => bounds })
  const { socket } = await pilot(it)
  const refused = await socket.answer({ type: 'vote', pace: 5 })
  expect(refused).toMatchObject({ code: 'E003', message: 'The vote for the pace is switched off' })
  await it.clock.advance(1000)
  expect(await shownTo(socket)).toBeUndefined()
  bounds = BOUNDS
  await socket.answer({ type: 'vote', pace: 5 })
  expect(it.sockets.paceVotes().pace).toBe(5)
  bounds = { lowest: 6, highest: 7 }
  expect(it.sockets.paceVotes()).toEqual({ ...bounds, voters: 1, votes: 0, pace: null })
  await it.clock.advance(1000)
  bounds = 'off'
  await it.clock.advance(1000)
  expect([it.sockets.paceVotes(), await shownTo(socket)]).toEqual([OFF, OFF])
})

test('pilots of all processes count, and those of a lost one do not', async () => {
  const bus = createLocalBus()
  const presenceClock = (await open()).clock
  const gateway = (): Promise<SocketServer> =>
    open({
      paceBounds: () => BOUNDS,
      joinOthers: (receiver) =>
        createPresence({ ...receiver, bus, process: randomUUID(), clock: presenceClock }),
    })
  const [a, b] = [await gateway(), await gateway()]
  const agreed = async (wanted: Partial<PaceVoteResponse>): Promise<void> => {
    for (const { sockets } of [a, b]) {
      await expect.poll(() => sockets.paceVotes()).toMatchObject(wanted)
    }
  }
  const [ida, jo] = [await pilot(a), await pilot(b)]
  await ida.socket.answer({ type: 'vote', pace: 3 })
  await agreed({ voters: 2, votes: 1, pace: null })
  await jo.socket.answer({ type: 'vote', pace: 2 })
  await agreed({ voters: 2, votes: 2, pace: 2 })
  await ida.socket.answer({ type: 'vote', pace: null })
  await agreed({ votes: 1, pace: null })
  // One that begins later knows them, too; what no process sends changes nothing.
  bus.publish('ctl.presence', Buffer.from('{"kind":"present","players":[{"vote":1}]}'))
  const c = await gateway()
  while (c.sockets.paceVotes().voters < 2) await turn()
  expect(c.sockets.paceVotes()).toMatchObject({ voters: 2, votes: 1 })
  await ida.socket.close()
  await agreed({ voters: 1, votes: 1, pace: 2 })
})
