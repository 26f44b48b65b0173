import type { WallClock } from '@orrery/engine'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Frame } from '../frames/frames.ts'
import { headerLength, writeHeader } from './message-header.ts'

/** Writes to one socket and tracks whether it drains. */
export interface SocketWriter {
  isOpen(): boolean
  write(text: string): void
  /** @param onWritten  called when the system has the frame; not if the socket ends first */
  writeFrame(frame: Frame, onWritten: () => void): void
  /** when the oldest write began that has not drained [ms]; undefined when all has */
  undrainedSinceMs(): number | undefined
  bytesQueued(): number
}

/**
 * A buffer that every frame is written into: the system has nearly always taken all of it when the
 * call returns, so a thousand clients' frames need the memory of one.
 */
export interface ScratchBuffer {
  /** the buffer, until the next call */
  take(bytes: number): Buffer
  /** the buffer is still being read; the next frame gets a new one */
  release(): void
}

/** A client that stalls keeps all of the buffer, however small its frame is. */
const SCRATCH_BYTES_MAX = 524_288

export function createScratchBuffer(): ScratchBuffer {
  let buffer = Buffer.alloc(0)
  return {
    take: (bytes) => {
      if (bytes > SCRATCH_BYTES_MAX) return Buffer.allocUnsafeSlow(bytes)
      if (buffer.length < bytes) buffer = Buffer.allocUnsafeSlow(bytes)
      return buffer.subarray(0, bytes)
    },
    release: () => {
      buffer = Buffer.alloc(0)
    },
  }
}

export interface SocketWriterOptions {
  readonly socket: WebSocket
  /** the stream below the socket */
  readonly stream: Duplex
  readonly clock: WallClock
  readonly traffic: { bytesSent: number }
  /** shared by all writers */
  readonly scratch: ScratchBuffer
  /** all that was written has drained */
  readonly onDrained: () => void
}

/** Pieces that cost less to write apart, without a copy, where they are more than so many bytes. */
const PIECES_MAX = 3
const APART_BYTES = 16_384

export function createSocketWriter(options: SocketWriterOptions): SocketWriter {
  const { socket, stream, clock, traffic, scratch, onDrained } = options
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

  return {
    isOpen,
    write: (text) => {
      begin(Buffer.byteLength(text))
      socket.send(text, end())
      look()
    },
    writeFrame: ({ byteLength, pieces, isBinary }, onWritten) => {
      // Past ws, which writes header and frame apart: a fifth of all time. ws never leaves a write
      // half done, and counts what is queued on the stream.
      const header = headerLength(byteLength)
      begin(header + byteLength)
      if (pieces.length <= PIECES_MAX && byteLength > APART_BYTES) {
        const head = Buffer.allocUnsafe(header)
        writeHeader(head, byteLength, isBinary)
        stream.cork()
        stream.write(head)
        for (const piece of pieces.slice(0, -1)) stream.write(piece)
        stream.write(pieces[pieces.length - 1], end(onWritten))
        stream.uncork()
        return look()
      }
      const bytes = scratch.take(header + byteLength)
      writeHeader(bytes, byteLength, isBinary)
      let at = header
      for (const piece of pieces) {
        bytes.set(piece, at)
        at += piece.length
      }
      stream.write(bytes, end(onWritten))
      look()
      if (socket.bufferedAmount > 0) scratch.release()
    },
    undrainedSinceMs: () => undrainedSinceMs,
    bytesQueued: () => socket.bufferedAmount,
  }
}
