import { HttpError, jsonBody } from '@orrery/http'
import { Hono } from 'hono'
import * as v from 'valibot'
import { PREFIX } from '../app-parts.ts'
import { JSON_BYTES_MAX } from '../errors.ts'
import { api, operation } from '../openapi.ts'
import type { Send } from './mcp-server.ts'
import { type ApiDocument, type Tool, toolsOf } from './tools.ts'

/** The largest API body as arguments, with its envelope. */
const MESSAGE_BYTES_MAX = JSON_BYTES_MAX + 65_536

const INFO = { name: 'design-sessions', version: '1' }

/** Codes of JSON-RPC: no JSON, and JSON that is no request. */
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

/** The answer to a body that is no message. */
function rpcError({ code, message }: HttpError): object {
  const number = code === 'malformed' ? PARSE_ERROR : INVALID_REQUEST
  return { jsonrpc: '2.0', error: { code: number, message }, id: null }
}

/**
 * Serves the API's operations as tools of the Model Context Protocol at `POST /mcp`, without
 * sessions. Each call is a request to the app with the caller's token.
 *
 * @source https://modelcontextprotocol.io/specification/2025-06-18/basic/transports
 */
export function mcpRoutes(app: Hono): Hono {
  let tools: ReadonlyMap<string, Tool> | undefined
  return new Hono().post(
    '/mcp',
    operation('callTool', 'operations', {
      summary: 'Model Context Protocol',
      description: 'The operations of this API as tools, by streamable HTTP without sessions.',
      success: { status: 200, type: 'application/json' },
      rpc: true,
      errors: [
        [400, 'Body is no message of the protocol'],
        [413, 'Too many bytes'],
        [415, 'Another content type is needed'],
      ],
    }),
    async (context) => {
      let message: object
      try {
        message = await jsonBody(context, v.looseObject({}), { limit: MESSAGE_BYTES_MAX })
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        return context.json(rpcError(error), error.status)
      }
      // All routes are known only now.
      tools ??= toolsOf(api.document(app) as unknown as ApiDocument, PREFIX)
      const send: Send = (path, init) => {
        const headers = new Headers(init.headers)
        for (const name of ['authorization', 'x-author', 'x-forwarded-for']) {
          const value = context.req.header(name)
          if (value !== undefined) headers.set(name, value)
        }
        return app.request(path, { ...init, headers }, context.env)
      }
      // Loaded on demand: the SDK takes 40 MB.
      const { mcpAnswer } = await import('./mcp-server.ts')
      return mcpAnswer(context.req.raw, message, { info: INFO, tools, send })
    },
  )
}
