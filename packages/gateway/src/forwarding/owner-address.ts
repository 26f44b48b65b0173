/** Time that an address is used for before it is read again. */
const KNOWN_MS = 1000

/** Where the owner of the world is. */
export interface OwnerAddress {
  /** undefined while no process owns the world */
  current(): Promise<string | undefined>
  /** reads it again: no process answers there */
  forget(): void
}

/**
 * @param read  reads it from the database
 * @param nowMs  monotonic
 */
export function createOwnerAddress(
  read: () => Promise<string | undefined>,
  nowMs: () => number,
): OwnerAddress {
  let known: { readonly address: Promise<string | undefined>; readonly atMs: number } | undefined
  const forget = (): void => {
    known = undefined
  }
  return {
    current: () => {
      if (known && nowMs() - known.atMs < KNOWN_MS) return known.address
      const reading = { address: read(), atMs: nowMs() }
      known = reading
      reading.address.catch(() => {
        if (known === reading) forget()
      })
      return reading.address
    },
    forget,
  }
}

/** The same of the owner of each star system. */
export function createOwnerAddresses(
  read: (systemId: string) => Promise<string | undefined>,
  nowMs: () => number,
): (systemId: string) => OwnerAddress {
  const addresses = new Map<string, OwnerAddress>()
  return (systemId) => {
    const known = addresses.get(systemId)
    const address = known ?? createOwnerAddress(() => read(systemId), nowMs)
    addresses.set(systemId, address)
    return address
  }
}
