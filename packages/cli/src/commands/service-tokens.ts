import type { AdminClient, ServiceTokenRequest } from '@orrery/client'
import { type Named, oneNamed } from '@orrery/client/named'
import { api } from '@orrery/client/routes'
import type { Command } from 'commander'
import { number } from '../arguments.ts'
import { confirmed } from '../asking.ts'
import { works } from '../command.ts'
import { called } from '../named.ts'
import { plain, table } from '../text.ts'

type Scopes = ServiceTokenRequest['scopes']

/** Tokens of programs beside the server. */
export function addServiceTokens(program: Command): void {
  const group = program
    .command('service-tokens')
    .description('tokens of programs beside the server')
  works(
    group.command('list').description('all of them'),
    'service-tokens list',
    async (context) => {
      const answer = await (await context.admin()).call(api.listServiceTokens)
      const rows = answer.service_tokens.map((one) => [
        one.name,
        one.token_id,
        one.scopes.join(','),
        one.created_at,
        one.expires_at,
      ])
      const head = ['NAME', 'ID', 'SCOPES', 'SINCE', 'UNTIL']
      return { answer, text: table(head, rows, 'No service tokens.') }
    },
  )
  works<{ days?: number }>(
    group
      .command('create')
      .description('make one, which is shown once')
      .argument('<name>', 'of the program')
      .argument(
        '<scopes>',
        'what it may do, comma-separated: events, maneuvers, accounts, commands',
      )
      .option('--days <count>', 'that it is good for; 90 by default, at most 730', number),
    'service-tokens create leaderboard maneuvers',
    async ({ admin, options: { days } }, name, scopes) => {
      const routes = await admin()
      const answer = await routes.call(api.createServiceToken, {
        name,
        scopes: scopes.split(',') as unknown as Scopes,
        ...(days !== undefined && { valid_days: days }),
      })
      const until = `It is good until ${answer.expires_at}, and is not shown again.`
      return { answer, text: `${plain(answer.token)}\n${until}` }
    },
  )
  works<{ yes?: boolean }>(
    group
      .command('revoke')
      .description('end one')
      .argument('<token>', 'name or id')
      .option('--yes', 'do not ask'),
    'service-tokens revoke leaderboard --yes',
    async ({ admin, options }, given) => {
      const routes = await admin()
      const found = await tokenNamed(routes, given)
      await confirmed(`Revoke the service token ${called(found)}?`, options.yes)
      await routes.call(api.revokeServiceToken, { token_id: found.id })
      return { answer: { success: true }, text: `${plain(found.name)} is revoked.` }
    },
  )
}

async function tokenNamed({ call }: AdminClient, text: string): Promise<Named> {
  const { service_tokens: all } = await call(api.listServiceTokens)
  const named = all.map(({ token_id: id, name }) => ({ id, name }))
  return oneNamed('service token', named, text)
}
