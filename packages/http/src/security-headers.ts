import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

/**
 * Headers for an API that serves data only: nothing of it may be framed, sniffed, run or kept. A
 * handler that serves pages sets its own `Content-Security-Policy` and `Cache-Control`.
 *
 * @param tls  whether the service itself speaks TLS; without it HSTS is the proxy's to say
 */
export function securityHeaders({ tls }: { readonly tls: boolean }): MiddlewareHandler[] {
  return [
    secureHeaders({
      strictTransportSecurity: tls,
      xFrameOptions: 'DENY',
      contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      overwrite: false,
    }),
    async (context, next) => {
      await next()
      // Answers carry tokens and live state.
      if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store')
    },
  ]
}
