/** What a check of the code itself has found. */
export interface Finding {
  readonly file: string
  readonly line: number
  readonly message: string
}
