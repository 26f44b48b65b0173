// Self-signed certificates for TLS.
import { type KeyObject, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const DAY_MS = 86_400_000

export interface Pair {
  /** PEM, PKCS #8 */
  readonly key: string
  /** PEM */
  readonly certificate: string
}

/** The parts of a certificate that tests choose. */
export interface Wanted {
  /** locks the key with a passphrase */
  readonly passphrase?: string
  readonly fromMs?: number
  readonly untilMs?: number
}

/** A key, and a certificate of it for `localhost` and 127.0.0.1. */
export function selfSigned({
  passphrase,
  fromMs = Date.now() - DAY_MS,
  untilMs = Date.now() + 365 * DAY_MS,
}: Wanted = {}): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const locked = passphrase !== undefined && { cipher: 'aes-256-cbc', passphrase }
  const key = privateKey.export({ type: 'pkcs8', format: 'pem', ...locked })
  const body = toBeSigned(publicKey, fromMs, untilMs)
  const signature = sign('sha256', body, privateKey)
  const whole = sequence(body, ECDSA_SHA256, der(BIT_STRING, Buffer.of(0), signature))
  const lines = whole.toString('base64').replaceAll(/.{64}/g, '$&\n')
  return {
    key,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

// The parts below are those of RFC 5280, section 4.1, in the DER of X.690.
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_ID = 0x06
const UTF8_STRING = 0x0c
const GENERALIZED_TIME = 0x18
const SEQUENCE = 0x30
const SET = 0x31

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(SEQUENCE, ...parts)
}

function objectId(...bytes: readonly number[]): Buffer {
  return der(OBJECT_ID, Buffer.from(bytes))
}

/** 1.2.840.10045.4.3.2, RFC 5758 */
const ECDSA_SHA256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))

function toBeSigned(publicKey: KeyObject, fromMs: number, untilMs: number): Buffer {
  const commonName = sequence(objectId(0x55, 0x04, 0x03), der(UTF8_STRING, Buffer.from('orrery')))
  const name = sequence(der(SET, commonName))
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.of(127, 0, 0, 1)))
  const alternativeNames = sequence(objectId(0x55, 0x1d, 0x11), der(OCTET_STRING, names))
  return sequence(
    der(0xa0, der(INTEGER, Buffer.of(2))),
    der(INTEGER, Buffer.of(1), randomBytes(8)),
    ECDSA_SHA256,
    name,
    sequence(time(fromMs), time(untilMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeNames)),
  )
}

function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-T:]|\.\d+/g, '')
  return der(GENERALIZED_TIME, Buffer.from(text))
}
