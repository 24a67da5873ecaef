import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { apiRoutes } from '../../app.ts'
import { type Customer, plantCustomer, plantMore } from './testing/customer.ts'

/** What every read of the panel costs, however much the account has. */

let mail: MailService
let customer: Customer
before(async () => {
  // Nobody answers there: what queries the DNS continues without.
  mail = await startMail({ env: { DNS_RESOLVERS: '127.0.0.1:9' } })
  customer = await plantCustomer(mail, 'costs.test')
})
after(() => mail.close())

/** Those that go on until the reader leaves. */
const ENDLESS = new Set(['/api/events'])
/** More than a page of everything. */
const GROWTH = 11

/** Statements of each, with the one that reads the session. */
const COSTS: Readonly<Record<string, number>> = {
  '/api/auth/me': 1,
  '/api/account/sessions': 3,
  '/api/account/referrals': 3,
  '/api/domains': 3,
  '/api/domains/:domain_id': 3,
  '/api/domains/:domain_id/dns': 3,
  '/api/domains/:domain_id/dns/zone': 3,
  '/api/domains/:domain_id/dns/provider': 2,
  '/api/domains/:domain_id/keys': 3,
  '/api/domains/:domain_id/reports': 3,
  '/api/domains/:domain_id/senders': 4,
  '/api/instance': 2,
  '/api/instance/senders': 3,
  '/api/instance/queue': 3,
  '/api/instance/queue/holds': 3,
  '/api/instance/accounts': 4,
  '/api/instance/accounts/:account_id': 3,
  '/api/instance/audit': 3,
  '/api/instance/health': 2,
  '/api/domains/:domain_id/addresses': 4,
  '/api/addresses/:address_id': 2,
  '/api/addresses/:address_id/folders': 3,
  '/api/addresses/:address_id/activity': 4,
  '/api/addresses/:address_id/app-passwords': 3,
  '/api/addresses/:address_id/shares': 3,
  '/api/filters': 3,
  '/api/filters/:filter_id': 2,
  '/api/transfers': 3,
  '/api/transfers/destinations': 3,
  '/api/transfers/:transfer_id': 2,
  '/api/exports': 3,
  '/api/exports/:export_id': 2,
  '/api/exports/:export_id/download': 2,
  '/api/deleted': 3,
  '/api/emails': 3,
  '/api/emails/:id': 3,
  '/api/emails/:id/view': 2,
  '/api/api-keys': 3,
  '/api/suppressions': 3,
  '/api/trace': 3,
  '/api/plans': 1,
  '/api/entitlement': 3,
  '/api/billing/provider': 1,
  '/api/billing/payment-methods': 3,
  '/api/billing/transactions': 3,
  '/api/billing/transactions/:transaction_id': 2,
  '/api/billing/tax-id': 2,
  '/api/instance/subscriptions': 3,
  '/api/overview': 9,
  '/api/client-config': 1,
  '/api/webhooks': 3,
  '/api/webhooks/events': 3,
  '/api/webhooks/:webhook_id': 2,
  '/api/webhooks/:webhook_id/events': 4,
  '/api/webhooks/:webhook_id/events/:event_id': 3,
}

const reads = apiRoutes.filter(
  ({ method, auth, path }) => method === 'GET' && auth !== 'public' && auth.includes('session') && !ENDLESS.has(path),
)

const costOf = async (path: string): Promise<number> => {
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => customer.ids[name] ?? assert.fail(name))
  const watch = mail.database.watchStatements()
  const answer = await customer.client.get(filled)
  watch.stop()
  assert.equal(answer.status, 200, `${path} ${answer.text}`)
  return watch.texts.length
}
/** Of the instance, which this customer owns. */
const plantHold = async (nth: number): Promise<void> => {
  const answer = await customer.client.post('/api/instance/queue/holds', { domain: `held-${nth}.test` })
  assert.equal(answer.status, 201, answer.text)
  const blocked = await customer.client.post('/api/instance/senders', { pattern: `@b${nth}.test`, action: 'block' })
  assert.equal(blocked.status, 201, blocked.text)
}
const measure = async (): Promise<Record<string, number>> => {
  const costs: Record<string, number> = {}
  for (const { path } of reads) costs[path] = await costOf(path)
  return costs
}

describe('reads of the panel', () => {
  test('cost a known number of statements, the same for little and for much', async () => {
    await plantHold(1)
    // The first one looks at everything.
    await customer.client.get('/api/instance/health')
    const little = await measure()
    for (let nth = 2; nth < 2 + GROWTH; nth += 1) {
      await plantMore(mail, customer, nth)
      await plantHold(nth)
    }
    const much = await measure()
    assert.deepEqual(much, little)
    assert.deepEqual(much, COSTS)
  })
})
