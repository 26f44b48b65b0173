/** Who flies a ship, and what its log has last: asked for while the ship is shown. */
import type { AdminClient } from '@orrery/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

type Player = Awaited<ReturnType<AdminClient['players']['list']>>['players'][number]

/** Between two questions [ms]. */
const PERIOD_MS = 5000

export interface PilotNow {
  /** undefined before the answer, and without an account */
  readonly pilot: Player | undefined
  readonly doing: string
}

const UNKNOWN: PilotNow = { pilot: undefined, doing: 'not known' }

export function usePilot(admin: AdminClient, ship: string): PilotNow {
  const now = useSignal(UNKNOWN)
  useEffect(() => {
    let isGone = false
    const look = async (): Promise<void> => {
      try {
        const [{ players }, { events }] = await Promise.all([
          admin.players.list({ search: ship, limit: 1 }),
          admin.maneuverLog.events({ ship_id: ship, limit: 1 }),
        ])
        const [last] = events
        const doing = last
          ? [last.maneuver_type, last.phase].filter(Boolean).join(', ')
          : 'coasting'
        if (!isGone) now.value = { pilot: players[0], doing }
      } catch {
        // What is shown stays until the next answer.
      }
    }
    now.value = UNKNOWN
    void look()
    const timer = setInterval(() => void look(), PERIOD_MS)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [ship])
  return now.value
}
