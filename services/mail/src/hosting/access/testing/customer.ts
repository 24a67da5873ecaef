import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { MailClient, MailService } from '@stoa/tests/lib/mail.ts'
import type { Tables } from '../../../tables.ts'
import { deleteAddress } from '../../addresses/operations.ts'
import { type PlantedAddress, plantAddress } from '../../addresses/testing/hosting.ts'

/** By the names that paths have for them. */
export type Ids = Readonly<Record<string, string>>
export type Customer = { client: MailClient; accountId: string; domain: string; ids: Ids; other: PlantedAddress }

/** An account with one of everything that an id can name. */
export const plantCustomer = async (mail: MailService, domain: string): Promise<Customer> => {
  const { client, id: accountId } = await mail.signUp()
  const ids = await plantThings(mail, { client, accountId }, { domain, nth: 1 })
  const other = await plantAddress(mail.database, `two@${domain}`, { accountId, now: mail.clock.now() })
  const shared = await client.post(`/api/addresses/${ids.address_id}/shares`, { address_id: other.id, access: 'read' })
  assert.equal(shared.status, 201, shared.text)
  return { client, accountId, domain, ids: { ...ids, share_id: shared.body.id }, other }
}

/** Another one of everything for the same account, in the same domain and in one of its own. */
export const plantMore = async (mail: MailService, customer: Customer, nth: number): Promise<void> => {
  await plantThings(mail, customer, { domain: customer.domain, nth })
  await plantAddress(mail.database, `x@more-${nth}-${customer.domain}`, {
    accountId: customer.accountId,
    now: mail.clock.now(),
  })
}

type Owner = Pick<Customer, 'client' | 'accountId'>

const plantThings = async (
  mail: MailService,
  { client, accountId }: Owner,
  { domain, nth }: { domain: string; nth: number },
): Promise<Ids> => {
  const now = mail.clock.now()
  const address = await plantAddress(mail.database, `one-${nth}@${domain}`, { accountId, now, aliases: [`a-${nth}`] })
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await client.post(path, body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.id
  }
  const { id: keyId } = await mail.database.db
    .selectFrom('dkim_key')
    .select('id')
    .where('domain_id', '=', address.domainId)
    .where('active', '=', false)
    .executeTakeFirstOrThrow()
  return {
    domain_id: address.domainId,
    address_id: address.id,
    key_id: keyId,
    sender_id: await made(`/api/domains/${address.domainId}/senders`, { pattern: `@n${nth}.example`, action: 'allow' }),
    filter_id: await made('/api/filters', { name: 'x', script: 'keep;', address_id: address.id }),
    app_password_id: await made(`/api/addresses/${address.id}/app-passwords`, { name: 'x' }),
    account_id: accountId,
    deleted_id: await plantDeleted(mail, { accountId, email: `deleted-${nth}@${domain}`, now }),
    ...(await mail.database.tx((tx) => plantRows(tx, { address, domain, nth, now }))),
  }
}

const plantDeleted = async (
  { database }: MailService,
  { accountId, email, now }: { accountId: string; email: string; now: Date },
): Promise<string> => {
  const { id: addressId } = await plantAddress(database, email, { accountId, now })
  await database.tx((tx) => deleteAddress(tx, { accountId, addressId, now }))
  return addressId
}

type Planted = { address: PlantedAddress; domain: string; nth: number; now: Date }

/** What would take long to come about. */
const plantRows = async (tx: Tx<Tables>, planted: Planted): Promise<Ids> => {
  const { address, domain, nth, now } = planted
  const account = { account_id: address.accountId, created_at: now }
  const key = { ...account, id: newId(), name: 'x', domain_id: null, token_prefix: 'mk_x', last_used_at: null }
  const secret = { permission: 'full_access', token_hash: randomBytes(32) } as const
  await tx
    .insertInto('api_key')
    .values({ ...key, ...secret })
    .execute()
  const suppression = { ...account, id: newId(), email: `gone-${nth}@${domain}`, origin: 'manual' } as const
  await tx.insertInto('suppression').values(suppression).execute()
  const activity = { address_id: address.id, id: newId(), type: 'login', created_at: now } as const
  await tx.insertInto('activity').values(activity).execute()
  return {
    api_key_id: key.id,
    suppression_id: suppression.id,
    id: await plantEmail(tx, planted, key.id),
    ...(await plantWebhook(tx, planted)),
    transfer_id: await plantTransfer(tx, planted),
    export_id: await plantExport(tx, planted),
    ...(await plantPayments(tx, planted)),
  }
}

const plantEmail = async (tx: Tx<Tables>, { address, domain, now }: Planted, keyId: string): Promise<string> => {
  const row = {
    account_id: address.accountId,
    id: newId(),
    api_key_id: keyId,
    domain_id: address.domainId,
    message_id: `<${newId()}@${domain}>`,
    sender: address.email,
    to_list: ['somebody@elsewhere.test'],
    subject: `From ${domain}`,
    headers: '{}',
    tags: '[]',
    attachments: '[]',
    status: 'delivered',
    last_event: 'delivered',
    created_at: now,
  } as const
  await tx
    .insertInto('email')
    .values({ ...row, to_list: [...row.to_list] })
    .execute()
  return row.id
}

const plantWebhook = async (tx: Tx<Tables>, { address, domain, now }: Planted): Promise<Ids> => {
  const owner = address.accountId
  const endpoint = { id: newId(), owner, url: `https://${domain}/`, events: ['email.sent'], created_at: now }
  await tx
    .insertInto('webhook_endpoint')
    .values({ ...endpoint, secret_sealed: 'x', secret_hint: 'whsec_abcd', updated_at: now })
    .execute()
  const payload = JSON.stringify({ type: 'email.sent', created_at: now, data: {} })
  const event = { id: newId(), endpoint_id: endpoint.id, owner, type: 'email.sent', payload }
  await tx
    .insertInto('webhook_delivery')
    .values({ ...event, status: 'success', created_at: now })
    .execute()
  return { webhook_id: endpoint.id, event_id: event.id }
}

/** Under way, so that it can be cancelled. */
const plantTransfer = async (tx: Tx<Tables>, { address, domain, now }: Planted): Promise<string> => {
  const source = { host: `imap.${domain}`, port: 993, security: 'tls', username: 'x', sealed_password: 'x' } as const
  const row = { id: newId(), account_id: address.accountId, address_id: address.id, next_at: now, created_at: now }
  await tx
    .insertInto('transfer')
    .values({ ...row, ...source })
    .execute()
  return row.id
}

const plantExport = async (tx: Tx<Tables>, { address, now }: Planted): Promise<string> => {
  const row = { id: newId(), account_id: address.accountId, format: 'mbox', status: 'completed' } as const
  await tx
    .insertInto('mail_export')
    .values({ ...row, created_at: now, finished_at: now, expires_at: new Date(now.getTime() + 86_400_000) })
    .execute()
  return row.id
}

const plantPayments = async (tx: Tx<Tables>, { address, domain, nth, now }: Planted): Promise<Ids> => {
  const account = { account_id: address.accountId, created_at: now }
  const method = {
    ...account,
    id: newId(),
    reference: `pm_${nth}_${domain}`,
    type: 'card',
    is_default: nth === 1,
  } as const
  await tx.insertInto('payment_method').values(method).execute()
  const amounts = { amount_cents: 1_500, tax_cents: 0, currency: 'eur', description: `Pro for ${domain}` }
  const transaction = {
    ...account,
    id: newId(),
    reference: `in_${nth}_${domain}`,
    type: 'charge',
    status: 'paid',
  } as const
  await tx
    .insertInto('payment_transaction')
    .values({ ...transaction, ...amounts })
    .execute()
  return { method_id: method.id, transaction_id: transaction.id }
}
