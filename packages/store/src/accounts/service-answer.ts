import type postgres from 'postgres'
import { json } from '../json.ts'

/** How long an answer is kept. */
const KEPT = '24 hours'

/** A command of a program beside the server, by what it calls it. */
export interface ServiceCommandKey {
  readonly tokenId: string
  /** the program's own */
  readonly key: string
}

/** What a command was answered. */
export interface ServiceAnswer {
  readonly requestHash: string
  /** JSON; null for one that was sent to another server, and may have acted there */
  readonly answer: object | null
}

/** Answers to commands under service tokens, of the last day. */
export interface ServiceAnswers {
  find(command: ServiceCommandKey): Promise<ServiceAnswer | undefined>
  /** Writes an answer, over one that says only that the command was sent, or is a day old. */
  keep(command: ServiceCommandKey, answer: ServiceAnswer): Promise<void>
  /** Deletes what is older. */
  prune(): Promise<void>
}

/** @param sql a database, or a transaction to take part in */
export function serviceAnswers(sql: postgres.ISql): ServiceAnswers {
  return {
    async find({ tokenId, key }) {
      const [found] = await sql<ServiceAnswer[]>`
        select request_hash as "requestHash", answer from service_answer
        where token_id = ${tokenId} and key = ${key} and at > now() - ${KEPT}::interval`
      return found
    },
    async keep({ tokenId, key }, { requestHash, answer }) {
      await sql`
        insert into service_answer (token_id, key, request_hash, answer)
        values (${tokenId}, ${key}, ${requestHash}, ${answer && json(sql, answer)})
        on conflict (token_id, key) do update set (request_hash, answer, at) =
          (excluded.request_hash, excluded.answer, excluded.at)`
    },
    async prune() {
      await sql`delete from service_answer where at <= now() - ${KEPT}::interval`
    },
  }
}
