import type { RequestFields, RequestLine, RequestParts, Route } from '@orrery/protocol'
import type { Exchange, RequestOptions } from './exchange.ts'

/** Calls a declared route with the fields of its path, query and body. @throws {ClientError} */
export type Call = <Answer, Parts extends RequestParts>(
  route: Route<Answer, Parts>,
  ...fields: object extends RequestFields<Parts>
    ? [fields?: RequestFields<Parts>]
    : [fields: RequestFields<Parts>]
) => Promise<Answer>

/** Calls over an exchange, such as those in the name of a token's owner. */
export function createCall(
  exchange: Exchange,
  options: Pick<RequestOptions, 'token' | 'key' | 'extraMs'> = {},
): Call {
  return ({ request, answer, form }, ...[given]) => {
    const fields: Record<string, string | number | undefined> = { ...given }
    const line = request.replace(/:(\w+)/, (_, name: string) => {
      const part = encodeURIComponent(String(fields[name]))
      delete fields[name]
      return part
    }) as RequestLine
    if (line.startsWith('GET')) {
      return exchange(`${line}${query(fields)}`, answer, { ...options, form })
    }
    const body = Object.keys(fields).length > 0 ? fields : undefined
    return exchange(line, answer, { ...options, form, body })
  }
}

/** A URL's query with its question mark; what is undefined is left out. */
function query(fields: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}
