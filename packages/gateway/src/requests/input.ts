import { refusal } from '@orrery/game'
import { type BodyIssue, HttpError, issueReason, issueSentence, jsonBody } from '@orrery/http'
import { ERRORS, fieldErrorCode } from '@orrery/protocol'
import type { Context } from 'hono'
import * as v from 'valibot'

/**
 * The JSON body of a request as a schema gives it.
 *
 * @throws {HttpError} with the first bad field's own code
 */
export async function bodyValues<const Schema extends v.GenericSchema>(
  context: Context,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const body = await jsonBody(context, schema, { refusal: bodyRefusal })
  // For the line that logs what an admin did.
  context.set('body', body)
  return body
}

function bodyRefusal([issue]: readonly [BodyIssue, ...BodyIssue[]]): HttpError {
  const code = fieldErrorCode(issue.path)
  const status = ERRORS[code].status as HttpError['status']
  return new HttpError(status, code, code === 'E001' ? issueSentence(issue) : ERRORS[code].meaning)
}

/**
 * The parameters of a request's query as a schema gives them; a repeated one has no value.
 *
 * @throws {HttpError} 400 E001 naming the first bad parameter
 */
export function queryValues<const Schema extends v.GenericSchema>(
  context: Context,
  schema: Schema,
): v.InferOutput<Schema> {
  const all = Object.entries(context.req.queries())
  const once = all.map(([name, values]) => [name, values.length === 1 ? values[0] : values])
  const parsed = v.safeParse(schema, Object.fromEntries(once), { message: issueReason })
  if (parsed.success) return parsed.output
  const [{ path, message }] = parsed.issues
  throw refusal('E001', issueSentence({ path: [String(path?.[0]?.key)], message }), 400)
}
