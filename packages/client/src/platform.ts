/**
 * What is used of the platform, by its shape: programs compile with the types of the DOM, of Node
 * or of neither, and pass a `fetch` or a `WebSocket` of a library.
 */

/** An address as text or as a `URL`. */
export type Address = string | { readonly href: string }

export function addressOf(address: Address): string {
  return typeof address === 'string' ? address : address.href
}

/** What is read of a response. */
export interface FetchResponse {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** What a request is sent with, beside its `AbortSignal`. */
export interface FetchOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly mode?: 'no-cors'
  readonly credentials: 'omit'
  readonly redirect?: 'error'
  readonly cache: 'no-store'
}

interface Fetcher {
  fetch(url: string, options: FetchOptions): Promise<FetchResponse>
}

/** Such as the platform's `fetch`. The parameters of a method are compared in both directions. */
export type Fetch = Fetcher['fetch']

/** What is read of events: `data` of a message, `code` and `reason` of a close. */
export interface SocketEvent {
  readonly type: string
  readonly data?: unknown
  readonly code?: number
  readonly reason?: string
}

/** What is used of a socket. */
export interface SocketLike {
  binaryType: string
  readonly readyState: number
  readonly OPEN: number
  send(text: string): void
  close(): void
  addEventListener(
    kind: 'message' | 'close' | 'error',
    listener: (event: SocketEvent) => void,
  ): void
}

/** Such as the platform's `WebSocket`, or that of `ws`. */
export type SocketConstructor = new (address: string, protocols: string[]) => SocketLike
