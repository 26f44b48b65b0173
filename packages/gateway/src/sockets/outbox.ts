import type { WallClock } from '@orrery/engine'
import type { WebSocket } from 'ws'
import type { Frame } from './frames.ts'

/** A client that has not drained what was sent to it for so long is cut off. */
const SLOW_MS_MAX = 10_000

/** Bytes that may wait for a client, or so many of its frames if those are more. */
const QUEUED_BYTES_MAX = 1_048_576
const QUEUED_FRAMES_MAX = 4

/** What all outboxes of a server have done. */
export interface Traffic {
  framesSent: number
  framesDropped: number
  bytesSent: number
}

/**
 * What goes to one client. Nothing is handed on while something before it has not drained: texts
 * wait in order, of frames the latest only, as who is in it and not as bytes.
 */
export interface Outbox {
  send(text: string): void
  /** @param onWritten  told when the frame is with the system; not told if it never gets there */
  sendFrame(frame: Frame, onWritten: () => void): void
  /** hands on what waits, whether it drains or not: the end is near */
  flush(): void
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

export interface OutboxOptions {
  readonly socket: WebSocket
  readonly clock: WallClock
  readonly traffic: Traffic
  /** shared by all outboxes */
  readonly sheet: Sheet
  /** the client reads too slowly; nothing more is sent */
  readonly onSlow: () => void
}

interface WaitingFrame {
  readonly frame: Frame
  readonly onWritten: () => void
}

const AS_TEXT = { binary: false }

export function createOutbox({ socket, clock, traffic, sheet, onSlow }: OutboxOptions): Outbox {
  let texts: string[] = []
  let textBytes = 0
  let latest: WaitingFrame | undefined
  let underWay = 0
  let undrainedSinceMs: number | undefined
  let frameBytes = 0

  const isOpen = (): boolean => socket.readyState === socket.OPEN

  const write = (data: string | Buffer, onWritten?: () => void): void => {
    traffic.bytesSent += data.length
    underWay++
    socket.send(data, AS_TEXT, (error) => {
      if (!error) onWritten?.()
      if (--underWay > 0) return
      undrainedSinceMs = undefined
      if (isOpen()) handOn()
    })
    if (socket.bufferedAmount > 0) undrainedSinceMs ??= clock.monotonicMs()
  }

  /** Texts first: a frame is the newest thing there is. */
  const handOn = (): void => {
    const due = texts
    texts = []
    textBytes = 0
    for (const text of due) write(text)
    if (!latest || undrainedSinceMs !== undefined) return
    const { frame, onWritten } = latest
    latest = undefined
    frameBytes = frame.byteLength
    traffic.framesSent++
    if (frame.isShared) return write(frame.bytes(), onWritten)
    const bytes = sheet.ofLength(frameBytes)
    frame.writeTo(bytes)
    write(bytes, onWritten)
    if (socket.bufferedAmount > 0) sheet.giveAway()
  }

  const isSlow = (): boolean =>
    undrainedSinceMs !== undefined &&
    (clock.monotonicMs() - undrainedSinceMs > SLOW_MS_MAX ||
      socket.bufferedAmount + textBytes >
        Math.max(QUEUED_BYTES_MAX, QUEUED_FRAMES_MAX * frameBytes))

  return {
    send: (text) => {
      if (!isOpen()) return
      if (isSlow()) return onSlow()
      if (undrainedSinceMs === undefined) return write(text)
      texts.push(text)
      textBytes += text.length
    },
    sendFrame: (frame, onWritten) => {
      if (!isOpen()) return
      if (isSlow()) return onSlow()
      if (latest) traffic.framesDropped++
      latest = { frame, onWritten }
      if (undrainedSinceMs === undefined) handOn()
    },
    flush: () => {
      for (const text of texts) write(text)
      texts = []
      textBytes = 0
      latest = undefined
    },
    bytesQueued: () => socket.bufferedAmount + textBytes,
  }
}
