/** Invitations in addresses: a player sends one, and a page that is opened by it begins with it. */

const PARAMETER = 'invite'

/** Code of the invitation in a page's query; `""` without one. */
export function invitationIn(search: string): string {
  return new URLSearchParams(search).get(PARAMETER) ?? ''
}

/** The address that an invitation is sent as. */
export function invitationLink(origin: string, code: string): string {
  return `${origin}/?${PARAMETER}=${code}`
}
