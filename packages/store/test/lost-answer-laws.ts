import { type Socket, connect, createServer } from 'node:net'
import { type Database, openDatabase } from '@orrery/database'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { accounts, audit, journal } from '../src/index.ts'
import { arriving, claimed, keyOf, newAccount, newBatch, newHandOff } from './journal-batch.ts'

const ROUND_TRIPS_MAX = 60

/** A way to a server that loses the answer to one message, and the connection with it. */
async function unreliableWay(
  url: string,
): Promise<{ url: string; loseAnswerTo: (message: number) => void; close: () => void }> {
  const target = new URL(url)
  let left = Infinity
  const sockets = new Set<Socket>()
  const way = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    let isLost = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
    client.on('data', (bytes) => {
      left -= 1
      if (left < 0) {
        isLost = true
        left = Infinity
      }
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (!isLost) client.write(bytes)
      // The server has acted, but its answer is lost.
      else client.destroy()
    })
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  })
  await new Promise<void>((done) => way.listen(0, '127.0.0.1', done))
  const address = way.address()
  const entrance = new URL(url)
  entrance.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: entrance.href,
    loseAnswerTo: (message) => {
      left = message
    },
    close: () => {
      way.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

export function lostAnswerLaws(database: Database, url: string): void {
  it.each(byTier({ gate: [true], night: [false, true] }))(
    'whichever answer is lost, a retry writes a batch once (with an account: %s)',
    async (withAccount) => {
      const { sql } = database
      const owner = await claimed(sql)
      const way = await unreliableWay(url)
      const far = await openDatabase({ url: way.url, directory: '', schema: 'game' })
      const kept = journal(far.sql)
      let isThrough = false
      let sequence = 0
      let message = 0
      for (; !isThrough && message < ROUND_TRIPS_MAX; message += 1) {
        sequence += 1
        const alongside = withAccount
          ? [
              async ({ accounts: players }: { accounts: ReturnType<typeof accounts> }) =>
                void (await players.create(newAccount(`player ${sequence}`))),
              async () => {
                throw new Error('of the caller')
              },
              async ({ audit: trail }: { audit: ReturnType<typeof audit> }) =>
                trail.record({ action: `register ${sequence}` }),
            ]
          : []
        const departing = newHandOff({ lattice: sequence })
        const batch = newBatch(sequence, sequence, {
          owner,
          alongside,
          departures: [{ ...departing, state: 'departed' }],
          arrivals: sequence > 1 ? [arriving(newHandOff({ lattice: sequence - 1 }))] : [],
        })
        way.loseAnswerTo(message)
        isThrough = await kept.append(batch).then(
          () => true,
          () => false,
        )
        way.loseAnswerTo(Infinity)
        const { refused } = await kept.append(batch)
        expect([...refused.keys()], `message ${message}`).toEqual(withAccount ? [1] : [])
        const counts: number[] = []
        for await (const { rows } of journal(sql).batches(keyOf(1), sequence - 1))
          counts.push(rows.length)
        expect(
          counts.reduce((sum, count) => sum + count),
          `message ${message}`,
        ).toBe(1)
        expect(await journal(sql).inTransit(1)).toEqual([{ ...departing, isSound: true }])
        const expected = withAccount ? sequence : 0
        expect(await accounts(sql).list(), `message ${message}`).toHaveLength(expected)
        expect(await audit(sql).list({ limit: 99 }), `message ${message}`).toHaveLength(expected)
      }
      expect(isThrough).toBe(true)
      expect(message).toBeGreaterThan(withAccount ? 5 : 1)
      way.close()
      await far.close()
    },
  )
}
