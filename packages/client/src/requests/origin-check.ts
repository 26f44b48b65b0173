import type { Fetch } from '../platform.ts'

/** Longest wait for an answer that only shows that the server is there [ms]. */
const PROBE_MS_MAX = 5000

/**
 * Whether the server is there but does not allow the page's origin. A browser does not show that
 * from a server that is down: its life is read without the answer, one's ship with it.
 */
export async function isOriginRefused(root: string, send: Fetch): Promise<boolean> {
  const { location } = globalThis as { readonly location?: { readonly origin: string } }
  if (location === undefined || location.origin === new URL(root).origin) return false
  const options = {
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.timeout(PROBE_MS_MAX),
  } as const
  const unreadable = { ...options, mode: 'no-cors' } as const
  const [life, ship] = await Promise.allSettled([
    send(`${root}/health/live`, unreadable),
    send(`${root}/api/player/ship`, options),
  ])
  return life.status === 'fulfilled' && ship.status === 'rejected'
}
