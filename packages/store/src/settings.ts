import type postgres from 'postgres'
import { StoreError } from './error.ts'

/** Where game time hurries to, while its era lasts. */
export type ClockGoal = {
  readonly era: number
  /** Unix [ms] */
  readonly atMs: number
}

/** Paces that pilots may vote for [game seconds per second], 0.1-100. */
export type PaceBounds = {
  readonly lowest: number
  readonly highest: number
}

/** What an operator has decided, and what identifies the world. */
export interface Settings {
  /** Hz, 0.1-100: the rate an administrator has asked for. */
  readonly tickRate: number
  /** Seconds of simulation time per second, 0.1-100. */
  readonly timeScale: number
  readonly paused: boolean
  readonly timeSyncEnabled: boolean
  readonly adaptiveTickRate: boolean
  readonly registrationOpen: boolean
  /** whether pilots can send each other messages */
  readonly talkEnabled: boolean
  /** what pilots may vote for */
  readonly paceVote: PaceBounds | 'off'
  /** One that is over counts for nothing. */
  readonly clockGoal: ClockGoal | 'none'
  /** Not secret; fixed when the world is created. */
  readonly worldSeed: string
  /** Number of the current unforked line of history, from 1. */
  readonly era: number
}

/** The settings rows: one per decision ever made. */
export interface SettingsRows {
  /** @throws StoreError `ERR_SETTING_INVALID` naming the row whose value cannot be */
  load(): Promise<Partial<Settings>>
  /**
   * Stores the given settings, all or none, and leaves the others.
   *
   * @throws StoreError `ERR_SETTING_INVALID`
   */
  save(settings: Partial<Settings>): Promise<void>
}

interface SettingRule {
  readonly key: string
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
}

const SEED_LENGTH_MAX = 256

function isFactor(value: unknown): boolean {
  return typeof value === 'number' && value >= 0.1 && value <= 100
}

function factor(key: string): SettingRule {
  return { key, expected: 'a number from 0.1 to 100', accepts: isFactor }
}

function flag(key: string): SettingRule {
  return { key, expected: 'true or false', accepts: (value) => typeof value === 'boolean' }
}

const RULES: Readonly<Record<keyof Settings, SettingRule>> = {
  tickRate: factor('tick_rate'),
  timeScale: factor('time_scale'),
  paused: flag('paused'),
  timeSyncEnabled: flag('time_sync_enabled'),
  adaptiveTickRate: flag('adaptive_tick_rate'),
  registrationOpen: flag('registration_open'),
  talkEnabled: flag('talk_enabled'),
  paceVote: {
    key: 'pace_vote',
    expected: '"off" or the lowest and the highest pace',
    accepts: (value) => {
      const { lowest, highest } = Object(value)
      return value === 'off' || (isFactor(lowest) && isFactor(highest) && lowest <= highest)
    },
  },
  clockGoal: {
    key: 'clock_goal',
    expected: '"none" or an era and a moment',
    accepts: (value) => {
      const { era, atMs } = Object(value)
      return value === 'none' || (Number.isInteger(era) && Number.isFinite(atMs))
    },
  },
  worldSeed: {
    key: 'world_seed',
    expected: `a text of 1 to ${SEED_LENGTH_MAX} characters`,
    accepts: (value) =>
      typeof value === 'string' && value.length > 0 && value.length <= SEED_LENGTH_MAX,
  },
  era: {
    key: 'era',
    expected: 'a whole number from 1',
    accepts: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) < 2 ** 31,
  },
}

function verify({ key, expected, accepts }: SettingRule, value: unknown): void {
  if (accepts(value)) return
  const message = `The setting ${key} is ${JSON.stringify(value)}; ${expected} was expected.`
  throw new StoreError('ERR_SETTING_INVALID', message)
}

/**
 * The settings behind a handle.
 *
 * @param sql a database, or a transaction to take part in
 */
export function settings(sql: postgres.ISql): SettingsRows {
  return {
    async load() {
      const rows = await sql<{ key: string; value: unknown }[]>`select key, value from setting`
      const values = new Map(rows.map(({ key, value }) => [key, value]))
      const loaded: Record<string, unknown> = {}
      for (const [name, rule] of Object.entries(RULES)) {
        if (!values.has(rule.key)) continue
        verify(rule, values.get(rule.key))
        loaded[name] = values.get(rule.key)
      }
      return loaded
    },
    async save(changes) {
      const rows = Object.entries(RULES)
        .map(([name, rule]) => ({ rule, value: new Map(Object.entries(changes)).get(name) }))
        .filter(({ value }) => value !== undefined)
        .map(({ rule, value }) => {
          verify(rule, value)
          return { key: rule.key, value: sql.json(value ?? null) }
        })
      if (rows.length === 0) return
      await sql`
        insert into setting ${sql(rows)}
        on conflict (key) do update set value = excluded.value`
    },
  }
}
