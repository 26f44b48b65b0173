/** Headers of one connection, not of a message. @source RFC 9110, section 7.6.1 */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Whether a header, in lower case, ends here; `connection` is the value of that header. */
export function isHopHeader(name: string, connection: string | null | undefined): boolean {
  if (HOP_HEADERS.has(name)) return true
  return (connection ?? '').split(',').some((named) => named.trim().toLowerCase() === name)
}
