import { type Database, isAway } from '@orrery/database'
import type { MirrorOptions } from '@orrery/engine'
import { storedSettings } from '@orrery/game'
import { type Settings, settings } from '@orrery/store'
import type { ReadingParts } from '../app-parts.ts'

/** Time between two looks [ms]. */
const LOOK_MS = 1000

export interface SettingsWatch {
  /** as they were read last */
  readonly settings: ReadingParts['settings'] & Pick<Settings, 'paceVote'>
  mirrored(era: number | undefined): ReturnType<MirrorOptions['settings']>
  read(): Promise<void>
  /** reads them again and again */
  start(): void
  stop(): void
}

/** The settings as the owner of the world has stored them, read again and again. */
export function watchSettings(
  sql: Database['sql'],
  onError: (error: unknown) => void,
): SettingsWatch {
  const settingsOf = settings(sql)
  let kept: Awaited<ReturnType<typeof storedSettings>> | undefined
  let timer: NodeJS.Timeout | undefined
  const read = async (): Promise<void> => {
    kept = await storedSettings(settingsOf)
  }
  return {
    read,
    settings: {
      get timeSyncEnabled(): boolean {
        return kept?.timeSyncEnabled ?? false
      },
      get registrationOpen(): boolean {
        return kept?.registrationOpen ?? false
      },
      get talkEnabled(): boolean {
        return kept?.talkEnabled ?? false
      },
      get paceVote(): Settings['paceVote'] {
        return kept?.paceVote ?? 'off'
      },
    },
    mirrored: (era: number | undefined) => {
      const { adaptiveTickRate = false, timeSyncEnabled = false, clockGoal: goal } = kept ?? {}
      const goalMs = typeof goal === 'object' && goal.era === era ? goal.atMs : undefined
      return { adaptiveTickRate, timeSyncEnabled, goalMs }
    },
    start: () => {
      timer = setInterval(() => {
        read().catch((error: unknown) => {
          // It looks again.
          if (!isAway(error)) onError(error)
        })
      }, LOOK_MS)
    },
    stop: () => clearInterval(timer),
  }
}
