import { errors } from '@nats-io/transport-node'

const UNREACHABLE = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH ENETUNREACH'.split(' '),
)

/** Whether a connection may be made later; else it is refused, or the settings are wrong. */
export function isUnreachable(error: unknown): boolean {
  const { cause, code } = Object(error)
  if (UNREACHABLE.has(code ?? Object(cause).code)) return true
  // A server that ends while it is dialled gives no reason.
  return error instanceof errors.TimeoutError || /undefined error/.test(String(error))
}

/** Why a connection failed, in words, without its URL. */
export function reasonOf(error: unknown): string {
  if (error instanceof errors.AuthorizationError) return 'its server refuses the credentials'
  if (error instanceof errors.TimeoutError) return 'its server does not answer'
  return error instanceof Error && error.message ? error.message : 'its server ends the connection'
}
