import type { Bus, Subscription } from '@orrery/bus'
import { type CommandExecution, announceOwner, answerCommands } from '@orrery/game'
import type { Ownership } from '@orrery/store'

/** Star systems whose commands this process answers on the bus, if there is one. */
export interface AnsweredSystems {
  /** of its claim on a system; 0 without one */
  fence(this: void, systemId: string): number
  begin(systemId: string, carryOut: CommandExecution): void
  end(systemId: string): void
  endAll(): void
}

export function answeredSystems(
  bus: Bus | undefined,
  owner: Ownership,
  onError: (error: unknown) => void,
): AnsweredSystems {
  const answers = new Map<string, readonly Subscription[]>()
  const fence = (systemId: string): number => owner.claims().get(systemId)?.fence ?? 0
  const end = (systemId: string): void => {
    for (const subscription of answers.get(systemId) ?? []) subscription.end()
    answers.delete(systemId)
  }
  return {
    fence,
    begin: (systemId, carryOut) => {
      end(systemId)
      if (!bus) return
      const asked = { systemIds: [systemId], fence, carryOut, onError }
      answers.set(systemId, answerCommands(bus, asked))
      // Those that came while no owner answered wait to be sent again.
      announceOwner(bus, systemId, 'answered')
    },
    end,
    endAll: () => {
      for (const systemId of answers.keys()) end(systemId)
    },
  }
}
