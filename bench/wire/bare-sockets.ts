/**
 * What it costs to write as many bytes to as many sockets as frames had, and nothing else. Clocks
 * between ticks are among them, which the fan-out of a server does not time.
 */
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pin } from '../load/server.ts'

export interface BareOptions {
  readonly sockets: number
  /** written at each tick, to one socket after the other */
  readonly frames: number
  /** of a frame */
  readonly bytes: number
  readonly rateHz: number
  readonly seconds: number
}

/** Sockets that connect at once. */
const LANES = 100

/** A process on the core of the server writes, this one only reads. */
export async function bareSockets(options: BareOptions): Promise<Row[]> {
  const writer = fork(fileURLToPath(import.meta.url))
  await pin(writer.pid, 0)
  const [port] = (await once(writer, 'message')) as [number]
  const sockets: Socket[] = []
  const connectLane = async (): Promise<void> => {
    while (sockets.length < options.sockets) {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket.resume())
      await once(socket, 'connect')
    }
  }
  await Promise.all(Array.from({ length: LANES }, connectLane))
  writer.send(options)
  const [{ cpu, ms }] = (await once(writer, 'message')) as [Written]
  for (const socket of sockets) socket.destroy()
  writer.kill()
  const name = `bare sockets: ${options.frames} writes of ${options.bytes} B, ${options.rateHz} Hz`
  return rowsOf(name, [
    ['fan_out_p50', percentile(ms, 0.5), 'ms'],
    ['fan_out_p99', percentile(ms, 0.99), 'ms'],
    ['server_cpu', cpu, '% of one core'],
  ])
}

interface Written {
  /** of each tick, until all was written [ms] */
  readonly ms: readonly number[]
  /** share of one core [%] */
  readonly cpu: number
}

async function write(
  sockets: readonly Socket[],
  { frames, bytes, rateHz, seconds }: BareOptions,
): Promise<Written> {
  const frame = Buffer.alloc(bytes)
  const ms: number[] = []
  const before = process.cpuUsage()
  const startMs = performance.now()
  for (let tick = 0, next = 0; tick < seconds * rateHz; tick++) {
    await sleep(Math.max(0, startMs + (1000 * tick) / rateHz - performance.now()))
    const beginMs = performance.now()
    const { promise, resolve } = Promise.withResolvers<void>()
    let left = frames
    const written = (): void => {
      if (--left === 0) resolve()
    }
    for (let i = 0; i < frames; i++) sockets[next++ % sockets.length].write(frame, written)
    await promise
    ms.push(performance.now() - beginMs)
  }
  const { user, system } = process.cpuUsage(before)
  return { ms, cpu: (user + system) / 10 / (performance.now() - startMs) }
}

if (import.meta.main) {
  const sockets: Socket[] = []
  const server = createServer({ noDelay: true }, (socket) => {
    // They are cut at the end.
    sockets.push(socket.on('error', () => socket.destroy()))
  })
  process.on('message', (options: BareOptions) => {
    void write(sockets, options).then((written) => process.send?.(written))
  })
  server.listen(0, '127.0.0.1', 2048, () => process.send?.((server.address() as AddressInfo).port))
}
