import { describe, expect, it } from 'vitest'
import { EngineError } from '@orrery/engine'
import { CommandError } from '../../src/commanding/command-error.ts'
import {
  type CommandRequest,
  decodeReply,
  decodeRequest,
  encodeReply,
  encodeRequest,
} from '../../src/commanding/command-message.ts'
import { JournalError } from '../../src/journal/journal-error.ts'

const PLAYER = '5f0c1c58-5b0e-4b0e-9d53-2f0f5d1d7a01'
const ID = '0d7e7b1a-9a0f-4c3e-8a75-6d0b8e1c1f02'
const REQUESTS: readonly CommandRequest[] = [
  {
    id: ID,
    deadlineMs: 1_790_000_000_000.5,
    actor: PLAYER,
    order: { kind: 'control', shipId: PLAYER, control: { deltaV: 0.1, target: 7 }, at: 256 },
  },
  {
    id: ID,
    deadlineMs: 1e12,
    actor: null,
    order: {
      kind: 'execute',
      command: { kind: 'rename_ship', shipId: PLAYER, name: 'Nostromo ✨' },
      audit: {
        actor: { playerId: PLAYER, username: 'Ash' },
        action: 'rename',
        detail: { to: 'x' },
      },
    },
  },
]

describe('a command between processes', () => {
  it('arrives as it was sent', () => {
    for (const request of REQUESTS) expect(decodeRequest(encodeRequest(request))).toEqual(request)
  })

  it('is refused by name when it is cut or damaged anywhere', () => {
    const refused = { name: 'CommandError', code: 'ERR_COMMAND_DAMAGED' }
    for (const request of REQUESTS) {
      const payload = encodeRequest(request)
      for (let length = 0; length < payload.length; length++) {
        expect(thrown(() => decodeRequest(payload.subarray(0, length)))).toMatchObject(refused)
      }
      for (const field of Object.keys(request)) {
        const damaged = encodeRequest({ ...request, [field]: { kind: 'other' } })
        expect(thrown(() => decodeRequest(damaged))).toMatchObject(refused)
      }
    }
    expect(thrown(() => decodeReply(encodeRequest(REQUESTS[0])))).toMatchObject(refused)
  })

  it('is answered with its place in the journal, or with the error that refused it', () => {
    const done = { fence: 3, sequence: 41, index: 2 ** 40 }
    expect(decodeReply(encodeReply(done))).toEqual(done)
    for (const error of [
      new EngineError('ERR_DOCKED', 'It is docked.'),
      new EngineError('ERR_MODULE_REFUSED', 'mining drill: full, ore 8000', {
        refusal: { module: 'mining', command: 'drill', reason: 'full', data: { ore: 8000 } },
      }),
      new JournalError('ERR_JOURNAL_FULL', 'Too much waits.'),
      new CommandError('ERR_COMMAND_LATE', 'It is late.'),
    ]) {
      const back = thrown(() => decodeReply(encodeReply(error)))
      expect(back).toBeInstanceOf(error.constructor)
      const { code, message, name } = error
      const refusal = 'refusal' in error ? error.refusal : undefined
      expect(back).toMatchObject({ code, message, name, ...(refusal && { refusal }) })
    }
  })
})

function thrown(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}
