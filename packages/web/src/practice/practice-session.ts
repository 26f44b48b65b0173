/** What stands for a session with the server in a practice: nothing that it takes goes further. */
import { ClientError } from '@orrery/client'
import type { Practice } from '@orrery/client/flight'
import { signal } from '@preact/signals'
import { say } from '../languages/say.ts'
import { createEventLog } from '../session/event-log.ts'
import type { LiveSession, Session, SessionSocket } from '../session/session.ts'

type Listen = SessionSocket['on']

/** @param live  that it begins from, which goes on meanwhile */
export function practiceSession(live: LiveSession, practice: Practice): Session {
  const { account } = live
  const { clock } = practice.flight
  // Nothing else happens in a practice.
  const on = ((kind, listener) => {
    if (kind !== 'event' && kind !== 'accepted') return () => undefined
    return practice.on(kind, listener as () => void)
  }) as Listen
  return {
    // It has a first voyage of its own.
    account: { ...account, shipId: `practice ${account.shipId}` },
    player: { ship: () => Promise.resolve(practice.stated()) },
    socket: {
      on,
      opened: live.socket.opened,
      gameTimeNow: () => clock.utc(clock.now()),
      predict: refuse,
      jump: refuse,
      rename: refuse,
      rules: refuse,
      saveRule: refuse,
      deleteRule: refuse,
    },
    flight: practice.flight,
    pause: signal(undefined),
    log: createEventLog(undefined),
    close: () => practice.flight.close(),
  }
}

function refuse(): Promise<never> {
  return Promise.reject(
    new ClientError(
      'practice',
      say('Jumps and rules are not part of a practice: go back to the game.'),
    ),
  )
}
