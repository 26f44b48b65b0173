/** Why the store refused. */
export type StoreErrorCode =
  | 'ERR_BACKUP_INVALID'
  | 'ERR_BACKUP_UNKNOWN'
  | 'ERR_CLAIM_LOST'
  | 'ERR_ERA_EXISTS'
  | 'ERR_FENCED'
  | 'ERR_HAND_OFF_TAKEN'
  | 'ERR_JOURNAL_HEAD'
  | 'ERR_JOURNAL_INVALID'
  | 'ERR_PLAYER_EXISTS'
  | 'ERR_SETTING_INVALID'
  | 'ERR_SNAPSHOT_INVALID'
  | 'ERR_USERNAME_TAKEN'

/** A refusal by the store; failures of the database itself come as postgres.js throws them. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError'
  readonly code: StoreErrorCode
  /** star systems that it is about */
  readonly systemIds: readonly string[]

  constructor(
    code: StoreErrorCode,
    message: string,
    { systemIds = [], ...options }: ErrorOptions & { readonly systemIds?: readonly string[] } = {},
  ) {
    super(message, options)
    this.code = code
    this.systemIds = systemIds
  }
}
