/** The way into the game: whether the player is asked who plays, and with what to begin. */
import type { GameClient } from '@orrery/client'
import { type Signal, batch, signal } from '@preact/signals'
import type { Account } from './account.ts'

export type EntranceMode = 'register' | 'sign-in'

export interface Entrance {
  readonly isOpen: Signal<boolean>
  readonly mode: Signal<EntranceMode>
  /** to begin with; `""` for none */
  readonly username: Signal<string>
  /** code of an invitation that the next registration names; `""` for none */
  readonly invitation: Signal<string>
  /** asks the player */
  ask(mode: EntranceMode, username?: string): void
  /**
   * @param shipClass  name; the server chooses when left out
   * @throws {ClientError}
   */
  register(username: string, password: string, shipClass?: string): Promise<void>
  /** @throws {ClientError} */
  signIn(username: string, password: string): Promise<void>
}

export function createEntrance(client: GameClient, enter: (account: Account) => void): Entrance {
  const isOpen = signal(false)
  const mode = signal<EntranceMode>('register')
  const username = signal('')
  const invitation = signal('')
  type Answer = Awaited<ReturnType<GameClient['register']>>
  const enterAs = ({ username, token, ship_id: shipId }: Omit<Answer, 'player_id'>): void => {
    isOpen.value = false
    enter({ username, token, shipId })
  }
  return {
    isOpen,
    mode,
    username,
    invitation,
    ask: (wanted, name = '') => {
      batch(() => {
        mode.value = wanted
        username.value = name
        isOpen.value = true
      })
    },
    register: async (name, password, shipClass) => {
      enterAs(await client.register(name, password, invitation.value || undefined, shipClass))
      invitation.value = ''
    },
    signIn: async (name, password) => enterAs(await client.login(name, password)),
  }
}
