import type { Frame } from '../frames/frames.ts'
import { type SocketWriterOptions, createSocketWriter } from './socket-writer.ts'

/** A client that has not drained for so long is closed. */
const SLOW_MS_MAX = 10_000

/** Bytes that may wait for a client, or its frames if those are more. */
const QUEUED_BYTES_MAX = 1_048_576
const QUEUED_FRAMES_MAX = 4

/** Counters of all outboxes together. */
export interface Traffic {
  framesSent: number
  framesDropped: number
  bytesSent: number
}

/**
 * The queue of one client. Nothing is written while something before it has not drained: texts
 * wait in order, of frames the latest only, not yet as bytes.
 */
export interface Outbox {
  send(text: string): void
  /** @param onWritten  called when the system has the frame; not if the socket ends first */
  sendFrame(frame: Frame, onWritten: () => void): void
  /** whether all has drained; a client that has not for too long is closed */
  isReady(): boolean
  /** writes the texts that wait, before a close */
  flush(): void
  bytesQueued(): number
}

export interface OutboxOptions extends Omit<SocketWriterOptions, 'onDrained' | 'traffic'> {
  readonly traffic: Traffic
  /** the client reads too slowly; nothing more is sent */
  readonly onSlow: () => void
}

interface WaitingFrame {
  readonly frame: Frame
  readonly onWritten: () => void
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { clock, traffic, onSlow } = options
  let texts: string[] = []
  let textBytes = 0
  let latest: WaitingFrame | undefined
  let frameBytes = 0

  /** Texts first: the frame is newer. */
  const writeWaiting = (): void => {
    const due = texts
    texts = []
    textBytes = 0
    for (const text of due) writer.write(text)
    if (!latest || writer.undrainedSinceMs() !== undefined) return
    const { frame, onWritten } = latest
    latest = undefined
    frameBytes = frame.byteLength
    traffic.framesSent++
    writer.writeFrame(frame, onWritten)
  }
  const writer = createSocketWriter({ ...options, onDrained: writeWaiting })

  const isSlow = (): boolean => {
    const sinceMs = writer.undrainedSinceMs()
    if (sinceMs === undefined) return false
    const bytesMax = Math.max(QUEUED_BYTES_MAX, QUEUED_FRAMES_MAX * frameBytes)
    return (
      clock.monotonicMs() - sinceMs > SLOW_MS_MAX || writer.bytesQueued() + textBytes > bytesMax
    )
  }

  return {
    send: (text) => {
      if (!writer.isOpen()) return
      if (isSlow()) return onSlow()
      if (writer.undrainedSinceMs() === undefined) return writer.write(text)
      texts.push(text)
      textBytes += Buffer.byteLength(text)
    },
    sendFrame: (frame, onWritten) => {
      if (!writer.isOpen()) return
      if (isSlow()) return onSlow()
      if (latest) traffic.framesDropped++
      latest = { frame, onWritten }
      if (writer.undrainedSinceMs() === undefined) writeWaiting()
    },
    isReady: () => {
      if (!writer.isOpen()) return false
      if (isSlow()) onSlow()
      return writer.undrainedSinceMs() === undefined
    },
    flush: () => {
      for (const text of texts) writer.write(text)
      texts = []
      textBytes = 0
      latest = undefined
    },
    bytesQueued: () => writer.bytesQueued() + textBytes,
  }
}
