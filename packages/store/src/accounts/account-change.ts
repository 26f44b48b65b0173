import type postgres from 'postgres'
import { type Accounts, accounts } from './account.ts'
import { type Invitations, invitations } from './invitation.ts'
import { type ServiceAnswers, serviceAnswers } from './service-answer.ts'
import { type ServiceShips, serviceShips } from './service-ship.ts'
import { type ServiceTokens, serviceTokens } from './service-token.ts'
import { type AuditTrail, audit } from '../audit.ts'

/** The records that change with an account, the audit trail among them. */
export interface AccountRecords {
  readonly accounts: Accounts
  readonly invitations: Invitations
  readonly serviceTokens: ServiceTokens
  readonly serviceAnswers: ServiceAnswers
  readonly serviceShips: ServiceShips
  readonly audit: AuditTrail
}

/** @param sql a database, or a transaction to take part in */
export function accountRecords(sql: postgres.ISql): AccountRecords {
  return {
    accounts: accounts(sql),
    invitations: invitations(sql),
    serviceTokens: serviceTokens(sql),
    serviceAnswers: serviceAnswers(sql),
    serviceShips: serviceShips(sql),
    audit: audit(sql),
  }
}

/** Changes accounts and the audit trail in one transaction. */
export async function changeAccounts<Result>(
  sql: postgres.Sql,
  change: (records: AccountRecords) => Promise<Result>,
): Promise<Result> {
  // A list of promises is something else to postgres.js, so the result comes out in an object.
  const { result } = await sql.begin(async (transaction) => ({
    result: await change(accountRecords(transaction)),
  }))
  return result
}
