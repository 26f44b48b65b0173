import type { WallClock } from '@orrery/engine'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Frame } from './frames.ts'
import { headerLength, writeHeader } from './text-frame.ts'

/** What is written on one socket, and whether it drains. */
export interface Pipe {
  isOpen(): boolean
  write(data: string | Buffer, onWritten?: () => void): void
  /** @param onWritten  told when the frame is with the system; not told if it never gets there */
  writeFrame(frame: Frame, onWritten: () => void): void
  /** since when something has not drained [ms]; undefined when all has */
  undrainedSinceMs(): number | undefined
  bytesQueued(): number
}

/**
 * A buffer that one frame after the other is written on: nearly always the system has taken it all
 * when the call returns, so that a thousand clients' frames need the memory of one.
 */
export interface Sheet {
  /** the buffer, until it is asked for again */
  ofLength(bytes: number): Buffer
  /** somebody still reads what was written; the next frame gets a new one */
  giveAway(): void
}

export function createSheet(): Sheet {
  let buffer = Buffer.alloc(0)
  return {
    ofLength: (bytes) => {
      if (buffer.length < bytes) buffer = Buffer.allocUnsafeSlow(bytes)
      return buffer.subarray(0, bytes)
    },
    giveAway: () => {
      buffer = Buffer.alloc(0)
    },
  }
}

export interface PipeOptions {
  readonly socket: WebSocket
  /** what the socket writes on */
  readonly stream: Duplex
  readonly clock: WallClock
  readonly traffic: { bytesSent: number }
  /** shared by all pipes */
  readonly sheet: Sheet
  /** all that was written has drained */
  readonly onDrained: () => void
}

const AS_TEXT = { binary: false }

export function createPipe(options: PipeOptions): Pipe {
  const { socket, stream, clock, traffic, sheet, onDrained } = options
  let underWay = 0
  let undrainedSinceMs: number | undefined

  const isOpen = (): boolean => socket.readyState === socket.OPEN

  const begin = (bytes: number): void => {
    traffic.bytesSent += bytes
    underWay++
  }

  /** What is called when a write has ended. */
  const end =
    (onWritten?: () => void) =>
    (error?: Error | null): void => {
      if (!error) onWritten?.()
      if (--underWay > 0) return
      undrainedSinceMs = undefined
      if (isOpen()) onDrained()
    }

  const look = (): void => {
    if (socket.bufferedAmount > 0) undrainedSinceMs ??= clock.monotonicMs()
  }

  const write = (data: string | Buffer, onWritten?: () => void): void => {
    begin(data.length)
    socket.send(data, AS_TEXT, end(onWritten))
    look()
  }

  return {
    isOpen,
    write,
    writeFrame: (frame, onWritten) => {
      if (frame.isShared) return write(frame.bytes(), onWritten)
      // Past ws, which would write header and frame apart: a fifth of the time of all. Nothing of
      // its own is ever half written, and it sees what is queued on the stream.
      const header = headerLength(frame.byteLength)
      const bytes = sheet.ofLength(header + frame.byteLength)
      writeHeader(bytes, frame.byteLength)
      frame.writeTo(bytes.subarray(header))
      begin(bytes.length)
      stream.write(bytes, end(onWritten))
      look()
      if (socket.bufferedAmount > 0) sheet.giveAway()
    },
    undrainedSinceMs: () => undrainedSinceMs,
    bytesQueued: () => socket.bufferedAmount,
  }
}
