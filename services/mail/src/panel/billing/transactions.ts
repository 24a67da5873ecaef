import type { Transaction, TransactionListRequest } from '@stoa/mail-model/billing.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../context.ts'
import { sessionOf } from '../../principal.ts'
import { findTransaction, listTransactions, type TransactionRow } from './payment-queries.ts'
import { failUnknown } from './refusals.ts'

export const getTransactions = async (ctx: Ctx, list: TransactionListRequest): Promise<List<Transaction>> => {
  const { rows, total } = await listTransactions(ctx.db, sessionOf(ctx).account.id, list)
  return toList(list, total, rows.map(transactionJson))
}

/** Finds a transaction of the account itself. */
export const loadTransaction = async (ctx: Ctx, id: string): Promise<TransactionRow> =>
  (await findTransaction(ctx.db, { accountId: sessionOf(ctx).account.id, id })) ?? failUnknown('transaction')

export const transactionJson = (row: TransactionRow): Transaction => ({
  object: 'transaction',
  id: row.id,
  type: row.type,
  status: row.status,
  amount_cents: row.amount_cents,
  tax_cents: row.tax_cents,
  currency: row.currency,
  description: row.description,
  number: row.number,
  invoice_url: row.invoice_url,
  period_start: row.period_start?.toISOString() ?? null,
  period_end: row.period_end?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  settled_at: row.settled_at?.toISOString() ?? null,
})
