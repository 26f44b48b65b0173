import { type Bus, subject } from '@orrery/bus'
import { type SaidMessage, serverMessage, uuid } from '@orrery/protocol'
import * as v from 'valibot'
import { PILOTS_MAX } from './pilots-in-view.ts'

const SUBJECT = subject('ctl', 'talk')

/** What a pilot of one process says to pilots of others. */
export interface Line {
  readonly said: SaidMessage
  /** their ships */
  readonly to: readonly string[]
}

const line = v.object({
  said: v.custom<SaidMessage>((it) => {
    const { success, output } = v.safeParse(serverMessage, it)
    return success && output.type === 'said'
  }),
  to: v.pipe(v.array(uuid), v.maxLength(PILOTS_MAX)),
})

/** Carries lines between processes, each once at most. */
export interface TalkBus {
  send(sent: Line): void
  stop(): void
}

export function createTalkBus(
  bus: Pick<Bus, 'publish' | 'subscribe'>,
  onLine: (come: Line) => void,
): TalkBus {
  const subscription = bus.subscribe(SUBJECT, (payload) => {
    const come = decode(payload)
    if (come) onLine(come)
  })
  return {
    send: (sent) => bus.publish(SUBJECT, new TextEncoder().encode(JSON.stringify(sent))),
    stop: () => subscription.end(),
  }
}

/** undefined for what no process of this release has said */
function decode(payload: Uint8Array): Line | undefined {
  try {
    const { success, output } = v.safeParse(line, JSON.parse(new TextDecoder().decode(payload)))
    return success ? output : undefined
  } catch {
    return undefined
  }
}
