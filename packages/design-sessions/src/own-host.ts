import { isIPv4 } from 'node:net'

/** Whether a host name or address, bare or as in a URL, is reached from this machine only. */
export function isOwnHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return bare === 'localhost' || bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'))
}
