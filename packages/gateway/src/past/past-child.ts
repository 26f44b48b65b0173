import { type PastReading, Refusal, refusal } from '@orrery/game'
import type { ErrorCode } from '@orrery/protocol'
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type PastAnswer, type PastBeginning, memoryText } from './past-message.ts'

const PROGRAM = fileURLToPath(new URL('past-process.ts', import.meta.url))

/** Questions that wait for one flight at most. */
const WAITING_MAX = 8

/** Output that explains how a process ended. */
const STDERR_MAX = 2000

type Sky = Uint8Array<ArrayBuffer>

/** A process that flies a past moment again. */
export interface PastChild {
  readonly pid: number | undefined
  /**
   * What was to be seen at a lattice index, as JSON.
   *
   * @throws {Refusal} as the flight, and where the process has ended
   */
  look(index: number, shipId: string | undefined): Promise<{ reading: PastReading; sky: Sky }>
  kill(): void
}

/** @param onStride  called on the way to a moment */
export function startPastChild(
  beginning: PastBeginning,
  onStride: (reading: PastReading) => void,
): PastChild {
  const { NODE_COMPILE_CACHE } = process.env
  const child = fork(PROGRAM, {
    env: { NODE_COMPILE_CACHE },
    execArgv: [`--max-old-space-size=${Math.ceil(beginning.bytesMax / 2 ** 20)}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const waiting = new Map<number, PromiseWithResolvers<{ reading: PastReading; sky: Sky }>>()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_MAX)
  })
  child.on('message', (answer: PastAnswer) => {
    if (answer.kind === 'stride') return onStride(answer.reading)
    const { id } = answer
    if (answer.kind === 'seen') waiting.get(id)?.resolve(answer)
    else {
      const { code, message, status } = answer
      waiting.get(id)?.reject(new Refusal(code as ErrorCode, message, status))
    }
    waiting.delete(id)
  })
  let reason: string | undefined
  const end = (why: string): void => {
    reason ??= why
    for (const { reject } of waiting.values()) reject(refusal('E003', reason, 409))
    waiting.clear()
  }
  child.once('error', (error) => end(`The flight could not be started: ${error.message}`))
  child.once('close', (code, signal) => {
    // V8 aborts on a full heap.
    const isFull = signal === 'SIGABRT' || code === 134
    const last = stderr.trim().split('\n').at(-1)
    end(isFull ? memoryText(beginning) : `The flight has ended: ${last}`)
  })
  child.send(beginning, ignored)
  let asked = 0
  return {
    pid: child.pid,
    look: (index, shipId) => {
      if (reason !== undefined) return Promise.reject(refusal('E003', reason, 409))
      if (waiting.size >= WAITING_MAX) return Promise.reject(refusal('E004'))
      const answered = Promise.withResolvers<{ reading: PastReading; sky: Sky }>()
      const id = ++asked
      waiting.set(id, answered)
      child.send({ kind: 'look', id, index, shipId }, ignored)
      return answered.promise
    },
    kill: () => {
      end('The flight has ended')
      child.kill('SIGKILL')
    },
  }
}

/** A process that has ended is noticed by its end. */
function ignored(): void {
  // Nothing is left to do.
}
