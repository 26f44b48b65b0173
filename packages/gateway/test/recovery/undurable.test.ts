// Goal: clients get `paused` and `resumed` when the journal holds the world, unless an operator
// has paused it. Method: the handlers, with an engine that is held, and the broadcasts.
import type { Engine } from '@orrery/engine/testing'
import { createLogger } from '@orrery/http'
import { expect, test } from 'vitest'
import { type EventReceivers, createEventHandlers } from '../../src/event-handlers.ts'

interface Outage {
  readonly lost: () => void
  readonly back: () => void
  readonly sent: string[]
}

function outage(isPaused: { operator: boolean }): Outage {
  const sent: string[] = []
  let isHeld = false
  const engine = {
    status: () => ({ paused: isPaused.operator || isHeld, tick: 1, gameTimeMs: 0 }),
    holdUndurable: () => (isHeld = true),
    releaseUndurable: () => (isHeld = false),
  } as unknown as Engine
  const handlers = createEventHandlers({
    logger: createLogger({ level: 'fatal', destination: { write: () => {} } }),
    onFenced: () => {},
  } as unknown as Parameters<typeof createEventHandlers>[0])
  const sockets = { broadcast: ({ type }: { type: string }) => sent.push(type) }
  handlers.connect({ engine, sockets } as unknown as EventReceivers)
  return { lost: () => handlers.journal.onLost(), back: () => handlers.journal.onBack(), sent }
}

test('a world that runs is paused and resumed', () => {
  const { lost, back, sent } = outage({ operator: false })
  lost()
  expect(sent).toEqual(['paused'])
  back()
  expect(sent).toEqual(['paused', 'resumed'])
})

test('a short outage, which holds nothing, is not announced', () => {
  const { back, sent } = outage({ operator: false })
  back()
  expect(sent).toEqual([])
})

test('a world that an operator has paused stays so, without a message', () => {
  const { lost, back, sent } = outage({ operator: true })
  lost()
  back()
  expect(sent).toEqual([])
})

test('no event is taken before its receivers are connected', () => {
  const { journal } = createEventHandlers({} as Parameters<typeof createEventHandlers>[0])
  expect(() => journal.moment()).toThrow('before its receivers are connected')
})
