/** What can go wrong when catalog data is read; codes are stable. */
export type CatalogErrorCode = 'ERR_CHECKPOINTS' | 'ERR_CHECKPOINT_RANGE'

/** The one error class of `catalog`; `code` names the kind. */
export class CatalogError extends Error {
  readonly code: CatalogErrorCode

  constructor(code: CatalogErrorCode, message: string) {
    super(message)
    this.name = 'CatalogError'
    this.code = code
  }
}
