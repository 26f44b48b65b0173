// What every refusal over HTTP looks like.
import { ERRORS } from '@orrery/protocol'
import * as v from 'valibot'

/** What of an answer is looked at, whichever client got it. */
export interface Refused {
  readonly status: number
  readonly body: unknown
  readonly headers: { get(name: string): string | null }
}

const envelope = v.strictObject({
  error: v.strictObject({
    code: v.picklist(Object.keys(ERRORS)),
    message: v.pipe(v.string(), v.nonEmpty()),
  }),
})

/** Status and code, such as `404 E002`, of an answer that must be an error envelope. */
export function refusalOf({ status, body, headers }: Refused): string {
  const type = headers.get('content-type')
  if (!type?.startsWith('application/json')) throw new Error(`${status} with content type ${type}`)
  return `${status} ${codeOf(body)}`
}

/** The code of a body that must be an error envelope. */
export function codeOf(body: unknown): string {
  const parsed = v.safeParse(envelope, body)
  if (!parsed.success) throw new Error(`No error envelope: ${JSON.stringify(body)?.slice(0, 200)}`)
  return parsed.output.error.code
}
