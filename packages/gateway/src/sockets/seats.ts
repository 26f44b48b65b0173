import type { Admission, HandshakeRefusal } from './handshake.ts'

/** Places beyond the limit, for takeovers of sockets that are open and for admins who look on. */
const KEPT = 16

const FULL: HandshakeRefusal = { code: 'E008', retryAfterSeconds: 1 }
const TOO_MANY: HandshakeRefusal = { code: 'E004', retryAfterSeconds: 1 }

export interface SeatsOptions {
  /** sockets open at once */
  readonly socketsMax: number
  /** of them from one address; 0 is unlimited */
  readonly socketsPerAddress: number
  readonly isConnected: (playerId: string) => boolean
}

/** Who finds a place: one address does not keep others out, and players none of their own. */
export interface Seats {
  /** places that are taken now */
  taken(): number
  /** whether anybody at all finds a place */
  hasRoom(): boolean
  /** takes a place and returns the function that frees it, or the refusal where all are taken */
  take(admission: Admission, address: string): (() => void) | HandshakeRefusal
}

export function createSeats(options: SeatsOptions): Seats {
  const { socketsMax, socketsPerAddress, isConnected } = options
  const addresses = new Map<string, number>()
  let taken = 0
  const hasRoom = (): boolean => taken < socketsMax + KEPT
  return {
    taken: () => taken,
    hasRoom,
    take: ({ accountId, isObserver }, address) => {
      const held = addresses.get(address) ?? 0
      if (!hasRoom()) return FULL
      if (!isObserver && !isConnected(accountId)) {
        if (taken >= socketsMax) return FULL
        if (socketsPerAddress > 0 && held >= socketsPerAddress) return TOO_MANY
      }
      taken++
      addresses.set(address, held + 1)
      return () => {
        taken--
        const left = (addresses.get(address) ?? 1) - 1
        if (left > 0) addresses.set(address, left)
        else addresses.delete(address)
      }
    },
  }
}
