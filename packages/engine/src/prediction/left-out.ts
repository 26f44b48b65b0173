import type { CopiedShip, Prediction } from '@orrery/sim'
import type { World } from '../world/world.ts'
import type { Influence } from '../world/world-modules.ts'

/** What modules may change of the ships that a prediction copies. */
export interface Influences {
  readonly own: readonly Influence[]
  /** on those that the ship watches, and so on */
  readonly others: readonly Influence[]
}

/** @param copies  the first is the ship that is predicted */
export function influencesOnCopies(
  { modules, roster }: World,
  copies: readonly Pick<CopiedShip, 'number'>[],
): Influences {
  const [own = [], ...others] = copies.map(({ number }) => {
    const ship = roster.byNumber.get(number)
    return (ship && modules?.influences(ship.slot)) ?? []
  })
  return { own, others: others.flat() }
}

/** Ids of the modules that may change a flight without its pilot, and are not flown in it. */
export function modulesLeftOut(
  { own, others }: Influences,
  { marks, marksLeftOut }: Pick<Prediction, 'marks' | 'marksLeftOut'>,
): readonly string[] {
  const passed = new Set(marks.map(({ kind }) => kind))
  const acting = own.filter(({ on }) => {
    return marksLeftOut > 0 || !on || on.some((kind) => passed.has(kind))
  })
  // Marks are of the first ship alone.
  const all = [...acting, ...others].filter(({ byPilot }) => !byPilot)
  return [...new Set(all.map(({ module }) => module))].toSorted()
}

/** Marks at which an order is over, and a rule, whose flight nothing is known of. */
const ENDS: ReadonlySet<string> = new Set([
  'docked',
  'refuelled',
  'maneuver_completed',
  'maneuver_failed',
  'rule',
])

/** Whether modules, or commands of them, may change how an order ends. */
export function mayChangeOrder({ own, others }: Influences): boolean {
  const isOpen = ({ on }: Influence): boolean => !on || on.some((kind) => !ENDS.has(kind))
  return own.some(isOpen) || others.some((one) => !one.byPilot && isOpen(one))
}
