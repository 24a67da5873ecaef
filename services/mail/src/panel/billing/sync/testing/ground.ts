import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import type { ProviderCustomer } from '../../provider.ts'
import { type PaidParts, syncAccount } from '../sync.ts'
import { NOBODY, type ScriptedProvider, scriptedProvider } from './provider.ts'

export type Customer = { id: string; email: string; client: MailClient; reference: string }

export type BillingGround = {
  mail: MailService
  provider: ScriptedProvider
  parts: PaidParts
  owner: Customer
  /** An account with a customer at the provider. */
  customer(truth?: Partial<ProviderCustomer>): Promise<Customer>
  /** Changes what the provider knows of a customer. */
  says(customer: Customer, truth: Partial<ProviderCustomer>): void
  sync(customer: Customer): Promise<void>
  planOf(customer: Customer): Promise<string>
  row(
    customer: Customer,
  ): Promise<{ sync_due_at: Date | null; sync_attempts: number; sync_error: string | null } | undefined>
}

/** A service with plans, and a provider whose truth the test writes. */
export const startBillingGround = async (env: Record<string, string> = {}): Promise<BillingGround> => {
  const mail = await startMail({ env: { BILLING: 'on', ...env } })
  const provider = scriptedProvider()
  const parts: PaidParts = { ...mail.parts, payments: provider }
  const { db } = mail.database
  const adopt = async ({ id, email, client }: Omit<Customer, 'reference'>): Promise<Customer> => {
    const reference = `cus_${id}`
    provider.customers.set(reference, NOBODY)
    await mail.database.tx((tx) =>
      tx.insertInto('billing_customer').values({ account_id: id, reference, created_at: mail.clock.now() }).execute(),
    )
    return { id, email, client, reference }
  }
  const ground: BillingGround = {
    mail,
    provider,
    parts,
    owner: await adopt(await mail.signUp()),
    async customer(truth = {}) {
      const made = await adopt(await mail.signUp())
      ground.says(made, truth)
      return made
    },
    says({ reference }, truth) {
      provider.customers.set(reference, { ...(provider.customers.get(reference) ?? NOBODY), ...truth })
    },
    sync: ({ id }) => syncAccount(parts, id),
    planOf: async ({ id }) =>
      (await db.selectFrom('account').select('plan').where('id', '=', id).executeTakeFirstOrThrow()).plan,
    row: ({ id }) =>
      db
        .selectFrom('billing_customer')
        .select(['sync_due_at', 'sync_attempts', 'sync_error'])
        .where('account_id', '=', id)
        .executeTakeFirst(),
  }
  return ground
}
