/** Sockets by the thousand in one process: bytes are counted, and only the first are looked at. */
import { SUBPROTOCOL } from '@orrery/protocol'
import { WebSocket } from 'ws'
import { percentile } from '../report.ts'

/** Longest wait for a welcome; later counts as a failure. */
const WELCOME_MS_MAX = 10_000

/** `type` comes first in every message of the server, then era and tick in those of a tick. */
const HEAD = /^\{"type":"(\w+)"(?:,"era":\d+,"tick":(\d+))?/
const HEAD_BYTES = 80

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
  readonly bytes: number
  /** ticks that sockets did not get between two that they did */
  readonly missedTicks: number
  /** how far the time between two frames of a socket is from the period, p99 [ms] */
  readonly jitterMsP99: number
  /** from a tick's first frame anywhere to its last, over ticks, p99 [ms] */
  readonly spreadMsP99: number
}

/** All sockets of one load. */
export class Swarm {
  readonly #url: string
  readonly #periodMs: number
  readonly #sockets: SwarmSocket[] = []
  #frames = 0
  #bytes = 0
  #missed = 0
  #jitterMs: number[] = []
  #ticks = new Map<number, { readonly firstMs: number; lastMs: number }>()

  constructor(url: string, periodMs: number) {
    this.#url = url.replace(/^http/, 'ws').replace(/\/*$/, '/ws')
    this.#periodMs = periodMs
  }

  /** Opens a socket; `view` is sent as soon as the server has welcomed it. */
  join(token: string, view?: object): SwarmSocket {
    const startMs = performance.now()
    const welcomed = Promise.withResolvers<number | undefined>()
    const socket = new WebSocket(this.#url, [SUBPROTOCOL], {
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
    let last: { readonly tick: number; readonly atMs: number } | undefined
    socket.on('message', (data: Buffer) => {
      const nowMs = performance.now()
      const [, type, tick] = HEAD.exec(data.toString('latin1', 0, HEAD_BYTES)) ?? []
      if (type === 'welcome') {
        welcomed.resolve(nowMs - startMs)
        if (view) socket.send(JSON.stringify({ type: 'subscribe', ...view }))
      } else if (type === 'tick') {
        const frame = { tick: Number(tick), atMs: nowMs }
        this.#take(frame, last, data.length)
        last = frame
      }
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

  #take(
    { tick, atMs }: { readonly tick: number; readonly atMs: number },
    last: { readonly tick: number; readonly atMs: number } | undefined,
    bytes: number,
  ): void {
    this.#frames++
    this.#bytes += bytes
    const seen = this.#ticks.get(tick)
    if (seen) seen.lastMs = atMs
    else this.#ticks.set(tick, { firstMs: atMs, lastMs: atMs })
    // A fresh frame of the same tick answers a new view.
    if (!last || tick <= last.tick) return
    this.#missed += tick - last.tick - 1
    this.#jitterMs.push(Math.abs(atMs - last.atMs - (tick - last.tick) * this.#periodMs))
  }
}
