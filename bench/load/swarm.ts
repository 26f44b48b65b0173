/** Sockets by the thousand in one process: bytes are counted, and only the first are looked at. */
import { BINARY_SUBPROTOCOL, SUBPROTOCOL } from '@orrery/protocol'
import { percentile } from '@orrery/testkit/report'
import { WebSocket } from 'ws'

/** Longest wait for a welcome; later counts as a failure. */
const WELCOME_MS_MAX = 10_000

/** `type` comes first in every message of the server, then era and tick in those of a tick. */
const HEAD = /^\{"type":"(\w+)"(?:,"era":\d+,"tick":(\d+))?/
const HEAD_BYTES = 80

/** Where a binary frame has the number of its publication. */
const PUBLICATION_BYTE = 4

/** How frames come: JSON texts, or binary beside the texts. */
export type Wire = 'json' | 'binary'

/** What a new socket does first, and who looks at what comes to it. */
export interface JoinOptions {
  /** sent as soon as the server has welcomed it */
  readonly first?: readonly object[]
  readonly onFrame?: (frame: Buffer) => void
  readonly onText?: (text: string) => void
}

/** One socket. */
export interface SwarmSocket {
  /** from the connection's start to its welcome [ms]; undefined when none came */
  readonly joined: Promise<number | undefined>
  /** until the server announces its end or is gone */
  readonly isOpen: boolean
  /** the code it was closed with; undefined until both sides are through */
  closeCode: number | undefined
  send(text: string): void
  /** reads no more: what the server sends stays on its way */
  stall(): void
  end(): void
}

/** Messages since the last call. */
export interface Arrivals {
  readonly frames: number
  /** with the headers of WebSocket */
  readonly bytes: number
  /** of JSON frames: ticks that sockets did not get between two that they did */
  readonly missedTicks: number
  /** of JSON frames: how far the time between two of a socket is from the period, p99 [ms] */
  readonly jitterMsP99: number
  /** from a publication's first frame anywhere to its last, p99 [ms] */
  readonly spreadMsP99: number
}

/** A frame: its tick, or the number of its publication. */
interface Seen {
  readonly tick: number
  readonly atMs: number
}

/** All sockets of one load. */
export class Swarm {
  readonly #url: string
  readonly #periodMs: number
  readonly #wire: Wire
  readonly #sockets: SwarmSocket[] = []
  #frames = 0
  #bytes = 0
  #missed = 0
  #jitterMs: number[] = []
  #ticks = new Map<number, { readonly firstMs: number; lastMs: number }>()

  constructor(url: string, periodMs: number, wire: Wire = 'json') {
    this.#url = url.replace(/^http/, 'ws').replace(/\/*$/, '/ws')
    this.#periodMs = periodMs
    this.#wire = wire
  }

  join(token: string, { first = [], onFrame, onText }: JoinOptions = {}): SwarmSocket {
    const startMs = performance.now()
    const welcomed = Promise.withResolvers<number | undefined>()
    const protocol = this.#wire === 'json' ? SUBPROTOCOL : BINARY_SUBPROTOCOL
    const socket = new WebSocket(this.#url, [protocol], {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      skipUTF8Validation: true,
    })
    const timer = setTimeout(() => welcomed.resolve(undefined), WELCOME_MS_MAX)
    const joined: SwarmSocket = {
      joined: welcomed.promise.finally(() => clearTimeout(timer)),
      get isOpen() {
        return socket.readyState === socket.OPEN
      },
      closeCode: undefined,
      send: (text) => socket.send(text),
      stall: () => socket.pause(),
      end: () => socket.terminate(),
    }
    let last: Seen | undefined
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      const nowMs = performance.now()
      if (isBinary) {
        this.#count({ tick: data.readUInt32LE(PUBLICATION_BYTE), atMs: nowMs }, data.length)
        onFrame?.(data)
        return
      }
      const [, type, tick] = HEAD.exec(data.toString('latin1', 0, HEAD_BYTES)) ?? []
      if (type === 'welcome') {
        welcomed.resolve(nowMs - startMs)
        for (const message of first) socket.send(JSON.stringify(message))
      } else if (type === 'tick') {
        const frame = { tick: Number(tick), atMs: nowMs }
        this.#count(frame, data.length)
        this.#compare(frame, last)
        last = frame
      }
      onText?.(data.toString())
    })
    // A refused handshake ends without a welcome; a cut connection with its close.
    socket.on('error', () => welcomed.resolve(undefined))
    socket.on('close', (code) => {
      joined.closeCode = code
      welcomed.resolve(undefined)
    })
    this.#sockets.push(joined)
    return joined
  }

  /** Messages since the last call. */
  arrivals(): Arrivals {
    const spreads = [...this.#ticks.values()].map(({ firstMs, lastMs }) => lastMs - firstMs)
    const arrivals = {
      frames: this.#frames,
      bytes: this.#bytes,
      missedTicks: this.#missed,
      jitterMsP99: percentile(this.#jitterMs, 0.99),
      spreadMsP99: percentile(spreads, 0.99),
    }
    this.#frames = 0
    this.#bytes = 0
    this.#missed = 0
    this.#jitterMs = []
    this.#ticks = new Map()
    return arrivals
  }

  /** Cuts all sockets. */
  end(): void {
    for (const socket of this.#sockets.splice(0)) socket.end()
  }

  #count({ tick, atMs }: Seen, payload: number): void {
    this.#frames++
    this.#bytes += payload + headerBytes(payload)
    const seen = this.#ticks.get(tick)
    if (seen) seen.lastMs = atMs
    else this.#ticks.set(tick, { firstMs: atMs, lastMs: atMs })
  }

  #compare({ tick, atMs }: Seen, last: Seen | undefined): void {
    // A fresh frame of the same tick answers a new view.
    if (!last || tick <= last.tick) return
    this.#missed += tick - last.tick - 1
    this.#jitterMs.push(Math.abs(atMs - last.atMs - (tick - last.tick) * this.#periodMs))
  }
}

/** @source RFC 6455 5.2, without a mask */
function headerBytes(payload: number): number {
  if (payload < 126) return 2
  return payload < 65_536 ? 4 : 10
}
