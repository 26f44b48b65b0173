import { keptToken } from './token-file.ts'

/** The token that commands for a server use. */
export async function usedToken(url: string): Promise<string | undefined> {
  return process.env['ORRERY_TOKEN'] || keptToken(url)
}

/** Id of the account that the used token belongs to; undefined where it is not readable. */
export async function ownId(url: string): Promise<string | undefined> {
  const [, claims = ''] = (await usedToken(url))?.split('.') ?? []
  try {
    const { sub } = Object(JSON.parse(Buffer.from(claims, 'base64url').toString()))
    return typeof sub === 'string' ? sub : undefined
  } catch {
    return undefined
  }
}
