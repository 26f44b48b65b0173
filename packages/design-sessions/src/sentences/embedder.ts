/** Turns texts into vectors whose angles show how near their meanings are. */
export interface Embedder {
  /** before texts whose vectors are kept: those of different models are not compared */
  readonly name: string
  /** whether it knows no language but English */
  readonly isEnglish: boolean
  /** after which a failure may be over [ms]; undefined for one that lasts */
  readonly retryMs: number | undefined
  /**
   * Vectors in whole numbers, in the order of the texts; their length is 127.
   *
   * @param isUrgent  goes before texts that are not
   * @throws {Error} when it has failed
   */
  vectors(
    texts: readonly string[],
    options?: { readonly isUrgent?: boolean },
  ): Promise<readonly Int8Array[]>
  /** Gives memory back; the next text may take longer. */
  rest(): Promise<void>
  /** Texts that wait fail. */
  close(): Promise<void>
}

/** A number of a vector that stands for 1. */
const ONE = 127

/** In whole numbers, with a length of 127. */
export function wholeNumbers(vector: readonly number[]): Int8Array {
  const length = Math.hypot(...vector)
  return Int8Array.from(vector, (x) => Math.round((ONE * x) / length))
}
