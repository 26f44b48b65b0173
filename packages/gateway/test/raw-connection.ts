// Bytes on a TCP connection, for input that a normal client cannot send.
import { randomBytes } from 'node:crypto'
import { type Agent, request } from 'node:http'
import { type Socket, connect } from 'node:net'
import { jsonOrNothing } from './player-client.ts'

/** Longest wait for the server's last byte. */
const ANSWER_MS_MAX = 50_000

/** The bytes of a connection until it was closed. */
export interface RawAnswer {
  /** of the first answer; undefined when the connection was closed without one */
  readonly status: number | undefined
  /** of all answers */
  readonly statuses: readonly string[]
  /** all answers */
  readonly whole: string
  /** all after the first head */
  readonly text: string
}

export function connection(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.off('error', reject)
      // A reset is an answer too.
      socket.on('error', () => undefined)
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

/**
 * Writes bytes, ends its side, and waits until the server has closed the connection.
 *
 * @param rest  written after the answer has begun
 */
export async function rawAnswer(
  port: number,
  bytes: string | Uint8Array,
  rest?: readonly Uint8Array[],
): Promise<RawAnswer> {
  const socket = await connection(port)
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`Open after ${ANSWER_MS_MAX} ms: ${Buffer.concat(pieces).toString()}`))
    }, ANSWER_MS_MAX)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
    if (rest === undefined) socket.end(bytes)
    else {
      socket.write(bytes)
      socket.once('data', () => socket.end(Buffer.concat(rest)))
    }
  })
  const whole = Buffer.concat(pieces).toString('latin1')
  const statuses = Array.from(whole.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => status)
  const [status] = statuses.map(Number)
  return { status, statuses, whole, text: whole.slice(whole.indexOf('\r\n\r\n') + 4) }
}

/** An answer of Node's own HTTP client, which sends any path and method unchanged. */
export interface PlainAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly text: string
  readonly body: unknown
}

export interface PlainAsk {
  readonly port: number
  /** by default each request has its own connection */
  readonly agent?: Agent
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** written one after the other, as chunks unless a length is given */
  readonly pieces?: Iterable<string | Uint8Array>
}

/** Sends a request, and writes pieces until all are written or the answer arrives. */
export function plainAnswer(asked: PlainAsk): Promise<PlainAnswer> {
  const { pieces = [], ...options } = asked
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', agent: false, ...options })
    asking.setTimeout(ANSWER_MS_MAX, () => asking.destroy(new Error('No answer in time')))
    let answered = false
    asking.on('error', (error) => {
      if (!answered) reject(error)
    })
    asking.on('response', (response) => {
      answered = true
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('close', () => {
        asking.destroy()
        resolve({
          status: response.statusCode ?? 0,
          headers: { get: (name) => response.headers[name]?.toString() ?? null },
          text,
          body: jsonOrNothing(text),
        })
      })
    })
    const iterator = pieces[Symbol.iterator]()
    const write = (): void => {
      for (;;) {
        const { done, value } = iterator.next()
        if (done || answered) return void asking.end()
        if (!asking.write(value)) return void asking.once('drain', write)
      }
    }
    write()
  })
}

/** A WebSocket connection after its handshake, on which any bytes can be written. */
export async function rawSocket(port: number, token: string): Promise<Socket> {
  const socket = await connection(port)
  socket.write(upgradeRequest({ authorization: `Bearer ${token}` }))
  await new Promise<void>((resolve, reject) => {
    socket.once('close', () => reject(new Error('The handshake was cut off')))
    socket.once('data', (piece: Buffer) => {
      if (piece.toString('latin1').startsWith('HTTP/1.1 101 ')) resolve()
      else reject(new Error(piece.toString('latin1')))
    })
  })
  return socket
}

/** The text of an upgrade to `/ws`; a header that is undefined is left out. */
export function upgradeRequest(
  changes: Readonly<Record<string, string | undefined>>,
  line: string = 'GET /ws HTTP/1.1',
): string {
  const headers: Record<string, string | undefined> = {
    host: '127.0.0.1',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    ...changes,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  return [line, ...lines, '', ''].join('\r\n')
}

/** One frame from client to server: first byte, payload, masked with zeros as a client must. */
export function frame(
  first: number,
  payload: Uint8Array,
  { masked = true }: { readonly masked?: boolean } = {},
): Buffer {
  const head = Buffer.from([first, (masked ? 0x80 : 0) + Math.min(payload.length, 126)])
  const long = Buffer.alloc(payload.length < 126 ? 0 : 2)
  if (long.length > 0) long.writeUInt16BE(payload.length)
  return Buffer.concat([head, long, Buffer.alloc(masked ? 4 : 0), payload])
}

/** The code of the close frame that ends what a server sends; undefined when none comes. */
export function closeCode(socket: Socket): Promise<number | undefined> {
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`Open after ${ANSWER_MS_MAX} ms`))
    }, ANSWER_MS_MAX)
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(codeIn(Buffer.concat(pieces)))
    })
  })
}

function codeIn(bytes: Buffer): number | undefined {
  const close = framesIn(bytes).frames.find(({ first }) => first === 0x88)
  return close?.payload.readUInt16BE()
}

/** The whole frames from a server, and the bytes after them. */
export function framesIn(bytes: Buffer): {
  readonly frames: readonly { readonly first: number; readonly payload: Buffer }[]
  readonly rest: Buffer
} {
  const frames = []
  let rest = bytes
  while (rest.length >= 2) {
    const short = rest[1]
    const start = short < 126 ? 2 : short === 126 ? 4 : 10
    if (rest.length < start) break
    const long = short === 126 ? rest.readUInt16BE(2) : short
    const length = short === 127 ? Number(rest.readBigUInt64BE(2)) : long
    if (rest.length < start + length) break
    frames.push({ first: rest[0], payload: rest.subarray(start, start + length) })
    rest = rest.subarray(start + length)
  }
  return { frames, rest }
}
