// Each command gets its own answer, once, and none stays pending when no answer can come.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GameSocket, connectSocket } from '../src/index.ts'
import { type LocalServer, type ServerSide, localServer, tickMessage } from './local-server.ts'
import { type SimulatedClock, simulatedClock } from './simulated-clock.ts'

const GAME_TIME = '2026-03-01T12:00:01.000Z'

let server: LocalServer
let clock: SimulatedClock
let socket: GameSocket
let side: ServerSide

beforeEach(async () => {
  server = await localServer()
  clock = simulatedClock()
  socket = connectSocket({ url: server.url, token: 'a.b.c', clock, random: () => 0.5 })
  side = await server.socket()
  await socket.opened
})

afterEach(async () => {
  socket.close()
  await server.close()
})

/** The id of what was sent, which every command has. */
function idOf({ id }: { readonly id?: string | number }): string | number {
  if (id === undefined) throw new Error('The command has no id')
  return id
}

/** Why something is refused; undefined when it is not. */
function refusal(command: Promise<unknown>): Promise<unknown> {
  return command.then(
    () => undefined,
    (reason: unknown) => reason,
  )
}

describe('a command', () => {
  it('gets the answer with its id, in whatever order they come', async () => {
    const first = socket.control({ thrust_level: 0.25 })
    const second = socket.rename('Ida of Tharsis')
    const control = await side.next('control')
    expect(control).toMatchObject({ thrust_level: 0.25 })
    const rename = await side.next('ship_rename')
    expect(rename).toMatchObject({ name: 'Ida of Tharsis' })
    side.send({ type: 'ship_renamed', id: idOf(rename), name: 'Ida' })
    side.send({ type: 'accepted', id: idOf(control), game_time: GAME_TIME })
    expect(await second).toMatchObject({ name: 'Ida' })
    expect(await first).toMatchObject({ game_time: GAME_TIME })
  })

  it('to other pilots gets what they are sent; theirs are an event', async () => {
    const heard: string[] = []
    socket.on('said', ({ text }) => heard.push(text))
    const shipId = '6d0d2b0e-64d0-4a5e-8a6f-2f5c1b6f5f10'
    const line = { type: 'said', ship_id: shipId, ship_name: 'Ida', at: GAME_TIME } as const
    const said = socket.say('Hello', shipId)
    const message = await side.next('say')
    expect(message).toMatchObject({ text: 'Hello', ship_id: shipId })
    side.send({ ...line, text: 'Good evening' })
    side.send({ ...line, id: idOf(message), text: 'Hello', heard: 1 })
    expect(await said).toMatchObject({ text: 'Hello', heard: 1 })
    expect(heard).toEqual(['Good evening', 'Hello'])
  })

  it('rejects with the error that has its id, and with no other', async () => {
    const refused = refusal(socket.rename('x'))
    const id = idOf(await side.next('ship_rename'))
    side.send({ type: 'error', code: 'E004', message: 'Slower' })
    side.send({ type: 'error', id: 'not mine', code: 'E001', message: 'Else' })
    side.send({ type: 'error', id, code: 'E030', message: 'Too short' })
    expect(await refused).toMatchObject({
      name: 'ClientError',
      code: 'E030',
      message: 'Too short',
    })
  })

  it('rejects when the connection goes, and its id is not used again', async () => {
    const refused = refusal(socket.abortManeuver())
    const id = idOf(await side.next('maneuver_abort'))
    side.cut()
    expect(await refused).toMatchObject({ code: 'connection_lost' })
    await expect(socket.abortManeuver()).rejects.toMatchObject({ code: 'connection_lost' })
    clock.pass(250)
    const again = await server.socket()
    const resume = await again.next('resume')
    const answered = socket.abortManeuver()
    const newId = idOf(await again.next('maneuver_abort'))
    expect([id, idOf(resume), newId]).toEqual([...new Set([id, idOf(resume), newId])])
    again.send({ type: 'accepted', id: newId, game_time: GAME_TIME })
    await answered
  })

  it('rejects when no answer comes in time, and ignores a late one', async () => {
    const refused = refusal(socket.control({ pointing: 'hold' }))
    const id = idOf(await side.next('control'))
    // The server still sends, but does not answer.
    clock.pass(9_999)
    side.send(tickMessage(42, 0))
    await new Promise<void>((resolve) => socket.on('tick', () => resolve()))
    clock.pass(1)
    expect(await refused).toMatchObject({ code: 'timeout' })
    side.send({ type: 'accepted', id, game_time: GAME_TIME })
    side.send(tickMessage(43, 0))
    await new Promise<void>((resolve) => socket.on('tick', () => resolve()))
  })

  it('leaves no timer once it is answered, refused or ended', async () => {
    const timers = clock.waits()
    const answered = socket.control({ pointing: 'hold' })
    const refused = refusal(socket.rename('x'))
    const ended = refusal(socket.abortManeuver())
    expect(clock.waits()).toEqual([...timers, 10_000, 10_000, 10_000].toSorted((a, b) => a - b))
    const id = idOf(await side.next('control'))
    side.send({ type: 'accepted', id, game_time: GAME_TIME })
    await answered
    const refusedId = idOf(await side.next('ship_rename'))
    side.send({ type: 'error', id: refusedId, code: 'E030', message: 'Too short' })
    await refused
    expect(clock.waits()).toEqual([...timers, 10_000].toSorted((a, b) => a - b))
    socket.close()
    await ended
    expect(clock.waits()).not.toContain(10_000)
  })

  it('is refused at once when 256 others wait, all of which end with the socket', async () => {
    const waiting = Array.from({ length: 256 }, () => socket.control({ thrust_level: 1 }))
    await expect(socket.control({ thrust_level: 1 })).rejects.toMatchObject({ code: 'E004' })
    const ends = Promise.allSettled(waiting)
    socket.close()
    const codes = (await ends).map((end) => end.status === 'rejected' && end.reason.code)
    expect(new Set(codes)).toEqual(new Set(['closed']))
  })

  it('is refused at once when it is longer than the server takes', async () => {
    await expect(socket.rename('x'.repeat(16_384))).rejects.toMatchObject({ code: 'E001' })
  })
})

describe('a view', () => {
  it('that the server refuses is not subscribed to again, but the one before', async () => {
    const kept = socket.subscribe({ radius: 1e6 })
    side.send({ type: 'subscribed', id: idOf(await side.next('subscribe')), radius: 1e6 })
    expect(await kept).toMatchObject({ radius: 1e6 })
    const refused = refusal(socket.subscribe({ system_id: 'sol' }))
    const id = idOf(await side.next('subscribe'))
    side.send({ type: 'error', id, code: 'E003', message: 'For observers' })
    expect(await refused).toMatchObject({ code: 'E003' })
    side.cut()
    await new Promise<void>((resolve) => socket.on('disconnected', () => resolve()))
    clock.pass(250)
    expect(await (await server.socket()).next('subscribe')).toMatchObject({ radius: 1e6 })
  })
})

describe('a listener', () => {
  it('is not called after it was stopped', async () => {
    const ticks: number[] = []
    const stop = socket.on('tick', ({ tick }) => void ticks.push(tick))
    for (const tick of [1, 2]) {
      side.send(tickMessage(tick, 0))
      await new Promise<void>((resolve) => socket.on('tick', () => resolve()))
      stop()
    }
    expect(ticks).toEqual([1])
  })
})
