import { Refusal, asRefusal, refusal } from '@orrery/game'
import { SlidingWindow, issueReason, issueSentence, rateLimited } from '@orrery/http'
import { keyedHeaders } from '@orrery/protocol'
import type { Actor, Alongside } from '@orrery/store'
import type { Context } from 'hono'
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { AppParts } from '../../app-parts.ts'
import { bodyValues } from '../../requests/input.ts'
import type { SourceWith } from '../../requests/structural-command.ts'
import { bearerOf } from './service-bearer.ts'

/** Commands of a token in any span of a minute, at most. */
const COMMANDS_PER_MINUTE = 60

/** A command that acts once under its key. */
export interface KeyedCommand<Body> {
  readonly actor: Actor
  readonly body: Body
  /** What is written in the transaction of the command: its answer, and an entry in the audit. */
  written(this: void, answer: object, action: string, detail: AuditDetail): Alongside
  /** How the engine executes it, with that. */
  source(this: void, answer: object, action: string, detail: AuditDetail): SourceWith
}

type AuditDetail = Readonly<Record<string, string | number | object>>

/**
 * Carries out commands under service tokens: each acts once under its key, for a day, and an answer
 * that was lost is given again. A refused one has changed nothing, and its key is free.
 *
 * @throws {Refusal} 403 E003 without the scope, 409 E003 while one of the same key is under way,
 *   422 E001 where its key was used for another request, 400 E001 for what is no key
 * @throws {HttpError} 429 beyond 60 a minute
 */
export type KeyedCommands = <Body, Answer extends object>(
  context: Context,
  schema: v.GenericSchema<unknown, Body> | undefined,
  act: (command: KeyedCommand<Body>) => Promise<Answer>,
) => Promise<Answer>

export function createKeyedCommands(parts: AppParts): KeyedCommands {
  const { journal, journalWriter, serviceAnswers, settings } = parts
  const rate = new SlidingWindow({ limit: COMMANDS_PER_MINUTE, windowMs: 60_000 })
  const underWay = new Set<string>()
  return async (context, schema, act) => {
    const { tokenId, name: username } = await bearerOf(context, parts, 'commands')
    const body = schema && (await bodyValues(context, schema))
    const key = keyOf(context)
    const attempt = rate.attempt(tokenId)
    if (!attempt.allowed) throw rateLimited(attempt.retryAfterSeconds)
    const { method, path } = context.req
    const requestHash = digest(`${method} ${path}\n${JSON.stringify(body)}`, 'base64url')
    const place = { tokenId, key }
    const mark = `${tokenId} ${key}`
    if (underWay.has(mark)) {
      throw refusal('E003', 'A command with this Idempotency-Key is under way', 409)
    }
    underWay.add(mark)
    let end = Promise.resolve()
    try {
      const known = await serviceAnswers.find(place)
      if (known && known.requestHash !== requestHash) {
        throw refusal('E001', 'The Idempotency-Key was used for another request', 422)
      }
      // Of the same request, so of the same kind.
      if (known?.answer) return known.answer as Awaited<ReturnType<typeof act>>
      const actor = { playerId: tokenId, username }
      const commandId = uuidOf(`${mark} ${requestHash}`)
      const written: Parameters<typeof act>[0]['written'] =
        (answer, action, detail) =>
        async ({ audit, serviceAnswers: answers }) => {
          await answers.keep(place, { requestHash, answer })
          // Its own subject, so that a busy program does not displace what admins did.
          await audit.record({ actor, action, subject: tokenId, detail: { ...detail, key } })
        }
      const hasActed = async (): Promise<boolean> =>
        known !== undefined && journal.hasActed(settings.era, commandId)
      const onSend = (): Promise<void> => serviceAnswers.keep(place, { requestHash, answer: null })
      return await act({
        actor,
        body: body as Parameters<typeof act>[0]['body'],
        written,
        source: (...answer) => ({
          actor: tokenId,
          commandId,
          alongside: written(...answer),
          hasActed,
          onSend,
        }),
      })
    } catch (error) {
      // One that is not durable in time may become so: until that is known it is under way.
      if (!isKnown(error)) end = journalWriter.durable().catch(() => undefined)
      throw error
    } finally {
      void end.then(() => underWay.delete(mark))
    }
  }
}

/** Whether an error says that nothing has changed. */
function isKnown(error: unknown): boolean {
  const refused = asRefusal(error)
  return refused instanceof Refusal && refused.code !== 'E008'
}

function keyOf(context: Context): string {
  const given = { 'Idempotency-Key': context.req.header('idempotency-key') }
  const parsed = v.safeParse(keyedHeaders, given, { message: issueReason })
  if (parsed.success) return parsed.output['Idempotency-Key']
  const [{ message }] = parsed.issues
  throw refusal('E001', issueSentence({ path: ['Idempotency-Key'], message }), 400)
}

function digest(text: string, encoding: 'base64url' | 'hex'): string {
  return createHash('sha256').update(text).digest(encoding)
}

/** @source RFC 9562, section 5.8 */
function uuidOf(text: string): string {
  const hex = digest(text, 'hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ]
  return [...parts, hex.slice(20, 32)].join('-')
}
