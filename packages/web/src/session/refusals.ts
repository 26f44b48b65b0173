/** What the server refuses about an account, as a sentence beside the field that it is about. */
import { ClientError, type ClientErrorCode } from '@orrery/client'
import { say, sayCount } from '../languages/say.ts'

export type AccountField = 'username' | 'password' | 'current' | 'name'

export interface Refusal {
  /** undefined when it is about no field */
  readonly field: AccountField | undefined
  readonly text: string
}

export const USERNAME_RULE: string = say('3 to 20 letters, digits or underscores')
export const PASSWORD_RULE: string = say('At least 8 characters')
export const SHIP_NAME_RULE: string = say('3 to 32 characters')

const REFUSALS: { readonly [Code in ClientErrorCode]?: Refusal } = {
  E005: { field: 'password', text: say('The name or the password is wrong.') },
  E010: { field: 'username', text: say('Another player has this name. Choose another one.') },
  E011: { field: 'username', text: say('A name has {rule}.', { rule: USERNAME_RULE }) },
  E012: {
    field: 'password',
    text: say('A password has at least 8 characters and at most 1024 bytes.'),
  },
  E020: { field: undefined, text: say('Registration is closed on this server.') },
  E030: {
    field: 'name',
    text: say("A ship's name has {rule}, none of them invisible.", { rule: SHIP_NAME_RULE }),
  },
  network: { field: undefined, text: say('The server does not answer. Try again in a moment.') },
  timeout: { field: undefined, text: say('The server took too long to answer. Try again.') },
  connection_lost: {
    field: undefined,
    text: say('The connection is lost. Try again in a moment.'),
  },
  origin_refused: {
    field: undefined,
    text: say('The server does not allow a page of this address to play.'),
  },
}

/** @param texts  that hold in place of the usual ones, by code */
export function refusalOf(error: unknown, texts: typeof REFUSALS = {}): Refusal {
  if (!(error instanceof ClientError)) {
    return { field: undefined, text: say('Something went wrong on this page. Reload it.') }
  }
  if (error.code === 'E004') {
    const text =
      error.retryAfter === undefined
        ? say('Too many attempts. Try again later.')
        : say('Too many attempts. Try again in {time}.', { time: waitText(error.retryAfter) })
    return { field: undefined, text }
  }
  const known = texts[error.code] ?? REFUSALS[error.code]
  return known ?? { field: undefined, text: error.message }
}

function waitText(seconds: number): string {
  if (seconds < 100) return sayCount(seconds, '{n} second', '{n} seconds')
  return sayCount(Math.ceil(seconds / 60), '{n} minute', '{n} minutes')
}
