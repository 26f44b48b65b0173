import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** Ends a client's connection: what has come of an answer must not be taken for all of it. */
export function breakOff(context: Context): void {
  // Absent in app.request, which has no socket.
  const bindings: Partial<HttpBindings> | undefined = context.env
  bindings?.outgoing?.destroy()
}
