import type { Context } from 'hono'

/**
 * Whether a client waits for what takes its time; one that does not says so.
 *
 * @source RFC 7240, 4.1
 */
export function isPatient({ req }: Context): boolean {
  return !/(?:^|[\s,;])respond-async(?:$|[\s,;])/i.test(req.header('prefer') ?? '')
}
