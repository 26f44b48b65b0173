/** Where a server listens. */
export interface HostAddress {
  readonly host: string
  readonly port: number
}

/** What a server answers: the timeline that it writes; a standby writes none. */
export type Probe = (address: HostAddress) => Promise<number | undefined>

/** Finds out which of several servers writes. */
export interface Primary {
  /** @throws when none of them does, with what the first of them answered */
  find(): Promise<HostAddress>
  /** Asks again the next time: a connection to it was lost. */
  forget(): void
}

export const NO_PRIMARY = 'ERR_DATABASE_NO_PRIMARY'

/**
 * Asks all servers side by side. Of two that write, one was cut off while the other was promoted:
 * that has the higher timeline.
 */
export function primaryOf(addresses: readonly HostAddress[], probe: Probe): Primary {
  let found: Promise<HostAddress> | undefined
  const ask = async (): Promise<HostAddress> => {
    const answers = await Promise.allSettled(addresses.map(probe))
    let best: { readonly address: HostAddress; readonly timeline: number } | undefined
    for (const [i, answer] of answers.entries()) {
      const timeline = answer.status === 'fulfilled' ? answer.value : undefined
      if (timeline !== undefined && timeline > (best?.timeline ?? 0))
        best = { address: addresses[i], timeline }
    }
    if (best) return best.address
    const isStandby = answers.some(({ status }) => status === 'fulfilled')
    const silent = answers.find((answer) => answer.status === 'rejected')
    if (silent && !isStandby) throw silent.reason
    throw Object.assign(new Error('no server of the URL is a primary'), { code: NO_PRIMARY })
  }
  return {
    find: () => {
      const asked = (found ??= ask())
      asked.catch(() => {
        if (found === asked) found = undefined
      })
      return asked
    },
    forget: () => void (found = undefined),
  }
}
