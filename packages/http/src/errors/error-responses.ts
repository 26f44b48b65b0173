import type { Context, Env, Hono, Schema } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { TrieRouter } from 'hono/router/trie-router'
import { type ErrorShape, type Fault, HttpError } from './http-error.ts'
import type { Logger } from '../logs/logger.ts'

/** How a service's errors look and where the unexpected ones are written. */
export interface ErrorOptions {
  readonly shape: ErrorShape
  readonly logger: Logger
}

/** What an app adds to them. */
export interface InstalledErrorOptions extends ErrorOptions {
  /** The answer to an error of a layer below, such as a database; undefined for the unexpected. */
  readonly known?: (error: Error) => HttpError | undefined
  /** The code of a fault in log lines, where clients get another one than the fault has. */
  readonly codeOf?: (fault: Fault) => string
}

/** What is answered for anything unexpected: nothing of it leaves the server. */
export const SERVER_FAULT: Fault = { status: 500, code: 'server_error', message: 'Server error' }

/**
 * Answers every error of an app in one shape: thrown ones, unknown routes (404), and known paths
 * with a wrong method (405 with `Allow`). Anything but an {@link HttpError} is logged with its
 * stack and answered as a bare 500; of those `known` returns with status 500 or more the reason is
 * logged, each at most once in ten seconds.
 *
 * Call it on the root app, before middleware and routes are added: errors of earlier ones are
 * missed.
 */
export function installErrors<E extends Env, S extends Schema, Path extends string>(
  app: Hono<E, S, Path>,
  { shape, logger, known = () => undefined, codeOf = ({ code }) => code }: InstalledErrorOptions,
): void {
  const answer = (context: Context, fault: Fault): Response => {
    context.set('code', codeOf(fault))
    return context.body(JSON.stringify(shape(fault)), fault.status, {
      'content-type': 'application/json',
      ...fault.headers,
    })
  }
  app.use('*', async (_, next) => {
    try {
      await next()
    } catch (thrown) {
      // Hono hands only Errors to onError; anything else would leave the app unanswered.
      throw thrown instanceof Error ? thrown : new Error('Not an Error', { cause: thrown })
    }
  })
  const isDue = dueAgain()
  app.onError((error, context) => {
    const failure = known(error)
    if (failure && failure.status >= 500 && isDue(failure.message)) {
      logger.warn({ path: context.req.path, reason: failure.message }, 'a request failed')
    }
    return answer(context, faultOf(failure ?? error, context, logger))
  })
  const methodsOf = allowedMethods(app)
  app.notFound((context) => {
    const methods = methodsOf(context.req.path)
    const fault: Fault =
      methods.length === 0 || methods.includes(context.req.method)
        ? { status: 404, code: 'unknown_route', message: 'Not found' }
        : {
            status: 405,
            code: 'wrong_method',
            message: 'Method not allowed',
            headers: { Allow: methods.join(', ') },
          }
    return answer(context, fault)
  })
}

/** Between two lines with the same reason, of which an outage has one at each request [ms]. */
const REASON_MS = 10_000

/** Whether a text has not been logged for a while. */
function dueAgain(): (text: string) => boolean {
  const loggedMs = new Map<string, number>()
  return (text) => {
    const nowMs = performance.now()
    for (const [known, atMs] of loggedMs) if (nowMs - atMs > REASON_MS) loggedMs.delete(known)
    if (loggedMs.has(text)) return false
    loggedMs.set(text, nowMs)
    return true
  }
}

function faultOf(error: Error, context: Context, logger: Logger): Fault {
  if (error instanceof HttpError) return error.fault
  if (error instanceof HTTPException && error.status < 500) {
    return { status: error.status, code: 'refused', message: error.message || 'Refused' }
  }
  logger.error({ err: error, method: context.req.method, path: context.req.path }, 'unexpected')
  return SERVER_FAULT
}

// Routes are all known when the first request comes, because Hono freezes its router then.
function allowedMethods<E extends Env, S extends Schema, Path extends string>(
  app: Hono<E, S, Path>,
): (path: string) => readonly string[] {
  let router: TrieRouter<string> | undefined
  return (path) => {
    if (router === undefined) {
      router = new TrieRouter()
      for (const route of app.routes) {
        // ALL is middleware, or a handler that has every method and so is never missed.
        if (route.method !== 'ALL') router.add('ALL', route.path, route.method)
      }
    }
    const methods = new Set<string>()
    for (const [method] of router.match('ALL', path)[0]) {
      methods.add(method)
      if (method === 'GET') methods.add('HEAD')
    }
    return [...methods]
  }
}
