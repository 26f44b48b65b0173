// A maneuver event as a server would store it.
import { randomUUID } from 'node:crypto'
import type { NewManeuverEvent } from '../src/index.ts'

export const SHIP: string = randomUUID()

export function newManeuverEvent(more: Partial<NewManeuverEvent> = {}): NewManeuverEvent {
  return {
    era: 1,
    lattice: 53_000_000_001,
    systemId: 'sol',
    shipNumber: 7,
    ordinal: 0,
    shipId: SHIP,
    maneuverType: 'attitude',
    eventType: 'started',
    phase: 'turning',
    fromPhase: null,
    tick: 42,
    gameTime: new Date('2026-03-01T12:00:00.250Z'),
    elementErrors: null,
    distance: null,
    effectivity: null,
    statusText: null,
    extra: {},
    ...more,
  }
}
