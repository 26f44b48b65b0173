// Goal: events reach their receivers, or are refused. Method: the handlers alone.
import { expect, test } from 'vitest'
import { createEventHandlers } from '../../src/event-handlers.ts'

test('no event is taken before its receivers are connected', () => {
  const { journal } = createEventHandlers({} as Parameters<typeof createEventHandlers>[0])
  expect(() => journal.moment()).toThrow('before its receivers are connected')
})
