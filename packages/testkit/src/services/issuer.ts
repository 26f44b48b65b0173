import { type KeyObject, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of identities: it publishes its keys, and signs tokens. */
export interface Issuer {
  /** for the settings of a server that trusts it */
  readonly signIn: { readonly issuer: string; readonly audience: string; readonly keysUrl: string }
  /** requests for its keys so far */
  reads(): number
  /** an ES256 token of a subject, good for an hour unless claims or header say otherwise */
  token(subject: string, claims?: object, header?: object): string
  /** has another key from now on */
  rotate(): void
  /** answers requests for its keys otherwise, until `undefined` */
  answerWith(answer: ((response: ServerResponse) => void) | undefined): void
  close(): Promise<void>
}

/** Listens on a free port of this machine. */
export async function openIssuer(): Promise<Issuer> {
  let { key, jwk } = newKey()
  let reads = 0
  let other: ((response: ServerResponse) => void) | undefined
  const server = createServer((_, response) => {
    reads++
    if (other) other(response)
    else response.end(JSON.stringify({ keys: [jwk] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const signIn = {
    issuer: 'https://people.example',
    audience: 'orrery',
    keysUrl: `http://127.0.0.1:${port}/keys`,
  }
  return {
    signIn,
    reads: () => reads,
    token: (sub, claims, header) => {
      const { issuer: iss, audience: aud } = signIn
      const exp = Math.floor(Date.now() / 1000) + 3600
      const parts = [
        { alg: 'ES256', kid: jwk['kid'], ...header },
        { iss, aud, sub, exp, ...claims },
      ]
      const signed = parts.map((part) => encoded(JSON.stringify(part))).join('.')
      const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
      return `${signed}.${encoded(signature)}`
    },
    rotate: () => void ({ key, jwk } = newKey()),
    answerWith: (answer) => void (other = answer),
    close: async () => {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

function newKey(): { readonly key: KeyObject; readonly jwk: Readonly<Record<string, unknown>> } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { key: privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid: randomUUID() } }
}

function encoded(part: string | Buffer): string {
  return Buffer.from(part).toString('base64url')
}
