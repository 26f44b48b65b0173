import type { Settings, SettingsRows } from '@orrery/store'
import { createSerialQueue } from '../serial-queue.ts'

/** What a world without stored settings starts with. */
export const DEFAULT_SETTINGS: Omit<Settings, 'worldSeed'> = {
  tickRate: 1,
  timeScale: 1,
  paused: false,
  timeSyncEnabled: false,
  adaptiveTickRate: false,
  registrationOpen: true,
  talkEnabled: false,
  paceVote: 'off',
  clockGoal: 'none',
  era: 1,
}

/** The settings as they are now, and the one way to change them: stored first, in order. */
export interface KeptSettings {
  readonly settings: Readonly<Settings>
  readonly changeSettings: (change: Partial<Settings>) => Promise<void>
  /** read again: another process may have opened or closed it */
  readonly isRegistrationOpen: () => Promise<boolean>
  /** in the same way */
  readonly isTalkEnabled: () => Promise<boolean>
  /** takes over what has been stored already */
  readonly adopt: (stored: Readonly<Settings>) => void
}

/** Settings as stored, completed by defaults. */
export async function storedSettings(
  rows: Pick<SettingsRows, 'load'>,
): Promise<Omit<Settings, 'worldSeed'>> {
  return { ...DEFAULT_SETTINGS, ...(await rows.load()) }
}

/** Settings as stored, completed by defaults; the world's seed is stored once and for all. */
export async function keptSettings(rows: SettingsRows, worldSeed: string): Promise<KeptSettings> {
  const settings: Settings = { ...DEFAULT_SETTINGS, worldSeed, ...(await rows.load()) }
  await rows.save({ worldSeed: settings.worldSeed, era: settings.era })
  const enqueue = createSerialQueue()
  const readAgain = (): Promise<Settings> =>
    enqueue(async () => {
      const { registrationOpen, talkEnabled } = { ...settings, ...(await rows.load()) }
      return Object.assign(settings, { registrationOpen, talkEnabled })
    })
  return {
    settings,
    changeSettings: (change) =>
      enqueue(async () => {
        await rows.save(change)
        Object.assign(settings, change)
      }),
    isRegistrationOpen: async () => (await readAgain()).registrationOpen,
    isTalkEnabled: async () => (await readAgain()).talkEnabled,
    adopt: (stored) => void Object.assign(settings, stored),
  }
}
