/** Tokens of programs beside the server. */
import { api } from '@orrery/client/routes'
import type { Actions, Field } from './action.ts'

const EVERY_SCOPE = ['events', 'maneuvers', 'accounts', 'commands'] as const

const NAME: Field = { name: 'name', label: 'Name of the program' }

export const serviceActions: Actions<
  'makeServiceToken' | 'showServiceTokens' | 'revokeServiceToken'
> = {
  makeServiceToken: {
    key: '%',
    title: () => 'Make a service token',
    operations: ['createServiceToken'],
    fields: [
      NAME,
      { name: 'scope', label: 'Scope', kind: 'choice', choices: [...EVERY_SCOPE, 'all'] },
    ],
    run: async ({ call }, { name = '', scope = '' }) => {
      const scopes = EVERY_SCOPE.filter((one) => scope === 'all' || scope === one)
      const { token, expires_at } = await call(api.createServiceToken, { name, scopes })
      return `The token is ${token}, good until ${expires_at}. It is not shown again.`
    },
  },
  showServiceTokens: {
    key: '~',
    title: () => 'Show service tokens',
    operations: ['listServiceTokens'],
    run: async ({ call }) => {
      const { service_tokens: tokens } = await call(api.listServiceTokens)
      const lines = tokens.map(({ name, scopes, expires_at, token_id }) => {
        return `${name} (${scopes.join(', ')}) until ${expires_at}, ${token_id}`
      })
      return lines.length > 0 ? `Service tokens: ${lines.join('; ')}.` : 'No service tokens.'
    },
  },
  revokeServiceToken: {
    key: '*',
    title: () => 'Revoke a service token',
    operations: ['revokeServiceToken'],
    fields: [{ name: 'token', label: 'Id of the token' }],
    isGrave: true,
    consequences: async () => ['The program is refused from its next request on.'],
    run: async ({ call }, { token = '' }) => {
      await call(api.revokeServiceToken, { token_id: token })
      return `The service token ${token} is revoked.`
    },
  },
}
