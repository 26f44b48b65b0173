import { jsonBody } from '@orrery/http'
import {
  type OpenResponse,
  type OpenedResponse,
  openRequest,
  openResponse,
  openedResponse,
} from '@orrery/protocol'
import { type Context, Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { operation } from '../openapi.ts'
import type { AdminEnv } from './admin-only.ts'
import { bodyRefusal } from './body.ts'

/** Whether newcomers may register. */
export function registrationRoutes(parts: AppParts): Hono<AdminEnv> {
  const { settings, changeSettings, audit } = parts
  const routes = new Hono<AdminEnv>()
  const decide = async (context: Context<AdminEnv>, open: boolean): Promise<Response> => {
    await changeSettings({ registrationOpen: open })
    await audit(context.get('adminId'), 'registrations', { open })
    return context.json({ success: true, registration_open: open } satisfies OpenedResponse)
  }
  const success = { status: 200, schema: openedResponse } as const
  const described = { tag: 'game control', access: 'admin', success } as const

  routes.get(
    '/api/admin/registrations',
    operation({
      ...described,
      summary: 'Whether registration is open',
      success: { status: 200, schema: openResponse },
    }),
    (context) =>
      context.json({ registration_open: settings.registrationOpen } satisfies OpenResponse),
  )
  routes.post(
    '/api/admin/registrations',
    operation({ ...described, summary: 'Opens or closes registration', body: openRequest }),
    async (context) => {
      const { open } = await jsonBody(context, openRequest, { refusal: bodyRefusal })
      return decide(context, open)
    },
  )
  routes.post(
    '/api/admin/registrations/enable',
    operation({ ...described, summary: 'Opens registration' }),
    (context) => decide(context, true),
  )
  routes.post(
    '/api/admin/registrations/disable',
    operation({ ...described, summary: 'Closes registration' }),
    (context) => decide(context, false),
  )
  return routes
}
