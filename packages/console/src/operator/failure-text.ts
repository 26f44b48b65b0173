/** What went wrong, as a sentence for an operator. */
import { ClientError, type ClientErrorCode } from '@orrery/client'
import { NameFault } from '@orrery/client/named'

const TEXTS: { readonly [Code in ClientErrorCode]?: string } = {
  network: 'The server does not answer.',
  timeout: 'The server took too long to answer.',
  bad_answer: 'The server answered something else than this console knows. Reload the page.',
  E005: 'The session has ended. Sign in again.',
}

export function failureText(error: unknown): string {
  if (error instanceof NameFault) return error.message
  if (!(error instanceof ClientError)) return 'Something went wrong in this page. Reload it.'
  const { code, retryAfter } = error
  const wait = retryAfter === undefined ? '' : ` Try again in ${retryAfter} s.`
  return `${TEXTS[code] ?? `${error.message} (${code}).`}${wait}`
}
