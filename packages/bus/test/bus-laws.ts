import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bus, subject } from '@orrery/bus'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (payload: Uint8Array): string => new TextDecoder().decode(payload)
const PATIENT = { timeoutMs: 60_000 }

/** What holds for each kind of bus, between two that share it. */
export function busLaws(open: () => Promise<{ one: Bus; other: Bus }>): void {
  let one: Bus
  let other: Bus

  beforeAll(async () => {
    ;({ one, other } = await open())
  })

  afterAll(async () => {
    await one.close()
    await other.close()
  })

  /** Resolves once what was subscribed before is known everywhere. */
  async function settled(): Promise<void> {
    const back = Promise.withResolvers<void>()
    const echo = one.subscribe('settled', () => back.resolve())
    const again = setInterval(() => other.publish('settled', bytes('')), 20)
    await back.promise
    clearInterval(again)
    echo.end()
  }

  it('brings messages in order to all that subscribe, and none after the end', async () => {
    const taken: string[] = []
    const last = Promise.withResolvers<void>()
    const take = (payload: Uint8Array, from: string): void => {
      taken.push(`${from} ${text(payload)}`)
      if (text(payload) === 'last') last.resolve()
    }
    const first = one.subscribe(subject('row', 'sol', 7), take)
    const ended = one.subscribe(subject('row', 'sol', 7), () => expect.unreachable())
    const any = one.subscribe(subject('row', '*', 8), take)
    ended.end()
    await settled()
    for (const fence of [7, 8, 9]) other.publish(subject('row', 'sol', fence), bytes('a'))
    other.publish(subject('row', 'a.b c*', 8), bytes('b'))
    other.publish(subject('row', 'sol', 7), bytes('last'))
    await last.promise
    expect(taken).toEqual(['row.sol.7 a', 'row.sol.8 a', 'row.a%2Eb%20c%2A.8 b', 'row.sol.7 last'])
    first.end()
    any.end()
  })

  it('brings one reply to each request, in whatever order they are given', async () => {
    const answers = one.answer('cmd.sol.1', async (payload) => {
      if (text(payload) === 'slow') await other.request('cmd.sol.1', bytes('fast'), PATIENT)
      return bytes(`${text(payload)}ly`)
    })
    await settled()
    const replies = ['slow', 'fast'].map((word) => other.request('cmd.sol.1', bytes(word), PATIENT))
    expect((await Promise.all(replies)).map(text)).toEqual(['slowly', 'fastly'])
    answers.end()
  })

  it('reports that nothing answers, or not in time', async () => {
    await expect(other.request('cmd.sol.2', bytes(''), PATIENT)).rejects.toMatchObject({
      code: 'ERR_NO_RESPONDERS',
    })
    const answers = one.answer('cmd.sol.2', () => Promise.reject(new Error('not today')))
    await settled()
    await expect(other.request('cmd.sol.2', bytes(''), { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'ERR_BUS_TIMEOUT',
    })
    answers.end()
    await settled()
    await expect(other.request('cmd.sol.2', bytes(''), PATIENT)).rejects.toMatchObject({
      code: 'ERR_NO_RESPONDERS',
    })
  })

  it('carries a message of any size whole, and the bytes as they were', async () => {
    const large = Uint8Array.from({ length: 1_300_000 }, (_, place) => (place * 7919) >>> 5)
    const sizes: number[] = []
    const whole = Promise.withResolvers<Uint8Array>()
    const taking = one.subscribe('frm.sol', (payload) => {
      sizes.push(payload.length)
      if (payload.length === large.length) whole.resolve(payload)
    })
    await settled()
    other.publish('frm.sol', new Uint8Array())
    other.publish('frm.sol', large)
    expect(Buffer.compare(await whole.promise, large)).toBe(0)
    expect(sizes).toEqual([0, large.length])
    taking.end()
  })

  it('rejects what is open when it is closed', async () => {
    const answers = one.answer('cmd.sol.3', () => new Promise(() => undefined))
    await settled()
    const open = other.request('cmd.sol.3', bytes(''), PATIENT).catch((error: unknown) => error)
    await other.close()
    expect(await open).toMatchObject({ code: 'ERR_BUS_AWAY' })
    await expect(other.request('cmd.sol.3', bytes(''), PATIENT)).rejects.toMatchObject({
      code: 'ERR_BUS_AWAY',
    })
    answers.end()
  })
}
