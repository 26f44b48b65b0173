/** Answers compared with the schemas of the protocol, as Standard Schema has them. */
import { deepStrictEqual } from 'node:assert'

type Result<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] }

/** What every schema library offers. */
export interface Schema<Output> {
  readonly '~standard': {
    readonly validate: (value: unknown) => Result<Output> | Promise<Result<Output>>
  }
}

/**
 * A value that has what a schema has, and nothing else.
 *
 * @throws {Error} naming what is missing, wrong or too much
 */
export async function exactAnswer<Output>(schema: Schema<Output>, value: unknown): Promise<Output> {
  const result = await schema['~standard'].validate(value)
  if (result.issues) throw new Error(result.issues.map(({ message }) => message).join('\n'))
  // A schema of objects leaves out what it does not know.
  deepStrictEqual(value, result.value)
  return result.value
}
