import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { PaymentMethodListRequest, TransactionListRequest } from '@stoa/mail-model/billing.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import type { BillingCustomerTable, PaymentMethodTable, PaymentTransactionTable } from '../../tables/billing.ts'
import type { Tables } from '../../tables.ts'

export type MethodRow = Selectable<PaymentMethodTable>
export type TransactionRow = Selectable<PaymentTransactionTable>

type OwnId = { accountId: string; id: string }

export const findCustomer = (db: Db<Tables>, accountId: string): Promise<{ reference: string } | undefined> =>
  db.selectFrom('billing_customer').select('reference').where('account_id', '=', accountId).executeTakeFirst()

/** Gives the reference that counts: another may have been written meanwhile. */
export const insertCustomer = async (tx: Tx<Tables>, row: Insertable<BillingCustomerTable>): Promise<string> => {
  await tx
    .insertInto('billing_customer')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute()
  const found = await findCustomer(tx, row.account_id)
  return found?.reference ?? row.reference
}

export const listMethods = (
  db: Db<Tables>,
  accountId: string,
  list: PaymentMethodListRequest,
): Promise<Page<MethodRow>> => {
  const found = db
    .selectFrom('payment_method')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(Boolean(list.search), (query) =>
      query.where(contains(sql`concat_ws(' ', type, brand, last4)`, list.search ?? '')),
    )
  return readPage(found, list, { columns: { created_at: 'created_at' }, id: 'id' })
}

export const findMethod = (db: Db<Tables>, { accountId, id }: OwnId): Promise<MethodRow | undefined> =>
  db
    .selectFrom('payment_method')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()

export const findMethodByReference = (
  db: Db<Tables>,
  { accountId, reference }: { accountId: string; reference: string },
): Promise<MethodRow | undefined> =>
  db
    .selectFrom('payment_method')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('reference', '=', reference)
    .executeTakeFirst()

export const findDefaultMethod = (db: Db<Tables>, accountId: string): Promise<MethodRow | undefined> =>
  db
    .selectFrom('payment_method')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .executeTakeFirst()

export const listTransactions = (
  db: Db<Tables>,
  accountId: string,
  list: TransactionListRequest,
): Promise<Page<TransactionRow>> => {
  const found = db
    .selectFrom('payment_transaction')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(Boolean(list.search), (query) =>
      query.where(contains(sql`concat_ws(' ', number, description)`, list.search ?? '')),
    )
  const columns = { created_at: 'created_at', amount_cents: 'amount_cents', status: 'status' } as const
  return readPage(found, list, { columns, id: 'id' })
}

export const findTransaction = (db: Db<Tables>, { accountId, id }: OwnId): Promise<TransactionRow | undefined> =>
  db
    .selectFrom('payment_transaction')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
