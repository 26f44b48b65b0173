import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'

/** Half a year. */
const HSTS = 'max-age=15552000; includeSubDomains'

/**
 * For a page whose scripts, styles, images and data are all files of its own server; it can neither
 * be framed nor send forms, and nothing in it runs but those files.
 */
export const PAGE_POLICY: string = [
  "default-src 'none'",
  ...['script', 'style', 'img', 'connect', 'worker'].map((kind) => `${kind}-src 'self'`),
  ...['base-uri', 'form-action', 'frame-ancestors'].map((name) => `${name} 'none'`),
].join('; ')

/**
 * Headers for an API that serves data only: nothing of it may be framed, sniffed, run, shared or
 * kept, since answers carry tokens and live state. A handler that serves pages sets its own
 * `Content-Security-Policy` and `Cache-Control`.
 *
 * @param tls  whether the service itself serves TLS; without it HSTS is left to the proxy
 * @source OWASP REST Security Cheat Sheet, security headers
 */
export function securityHeaders({ tls }: { readonly tls: boolean }): MiddlewareHandler {
  const headers = Object.entries({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...(tls && { 'Strict-Transport-Security': HSTS }),
  })
  return async (context, next) => {
    // Absent in app.request, which has no socket.
    const bindings: Partial<HttpBindings> | undefined = context.env
    const { outgoing } = bindings ?? {}
    // Into Node's own answer, where a handler's win: in a Response they cost half of a request.
    for (const [name, value] of headers) outgoing?.setHeader(name, value)
    await next()
    if (outgoing) return
    for (const [name, value] of headers) {
      if (!context.res.headers.has(name)) context.res.headers.set(name, value)
    }
  }
}
