import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import type { MailAnswer } from '@stoa/tests/lib/mail.ts'
import { plantAddress } from '../../../hosting/addresses/testing/hosting.ts'
import { daysAfter } from '../../../hosting/plans/past-due.ts'
import { insertTransfer } from '../../../receiving/transfers/panel-queries.ts'
import { renewSubscriptions } from '../subscriptions.ts'
import { type BillingGround, type Customer, startBillingGround } from './testing/ground.ts'

let ground: BillingGround
before(async () => {
  ground = await startBillingGround({ TRANSFER_ALLOW_PRIVATE_HOSTS: 'on', WEBHOOK_ALLOW_PRIVATE: 'on' })
})
after(() => ground.close())

const now = () => ground.mail.clock.now()
const refused = (answer: MailAnswer, status: number, name: string): void =>
  assert.deepEqual([answer.status, answer.body?.name], [status, name], answer.text)

/** An account that has used more of a large plan than the free one allows, and is on the free one now. */
const downgraded = async (): Promise<Customer & { addressId: string; domainId: string }> => {
  const customer = await ground.subscribed('business')
  await ground.sync(customer)
  const { client, id: accountId } = customer
  const names = ['a@over.test', 'b@over.test', 'c@over.test', 'd@two-over.test']
  const addresses = []
  for (const name of names) addresses.push(await plantAddress(ground.mail.database, name, { accountId, now: now() }))
  for (let made = 0; made < 6; made += 1) await created(client.post('/api/filters', { name: 'f', script: 'keep;' }))
  for (const name of ['one', 'two']) await created(client.post('/api/api-keys', { name, permission: 'full_access' }))
  await created(client.post('/api/webhooks', { endpoint: 'http://127.0.0.1:9/', events: ['email.sent'] }))
  const [first] = addresses
  assert.ok(first)
  const transfer = { account_id: accountId, host: 'x.test', port: 993, security: 'tls', username: 'x' } as const
  for (const { id } of addresses.slice(0, 2))
    await ground.mail.database.tx((tx) =>
      insertTransfer(tx, {
        ...transfer,
        id: newId(),
        address_id: id,
        sealed_password: 'x',
        next_at: daysAfter(now(), 1),
        created_at: now(),
      }),
    )
  await ground.host.subscriptions.cancel(customer.subscription)
  await ground.sync(customer)
  assert.equal(await ground.planOf(customer), 'free')
  return { ...customer, addressId: first.id, domainId: first.domainId }
}
const created = async (answer: Promise<MailAnswer>): Promise<MailAnswer> => {
  const { status, text } = await answer
  assert.equal(status, 201, text)
  return answer
}

describe('after a downgrade', () => {
  test('nothing is removed, nothing that is over can grow, and what is there can be changed and deleted', async (context) => {
    const source = createServer((socket) => void socket.end('* OK\r\n')).listen(0, '127.0.0.1')
    await once(source, 'listening')
    context.after(() => source.close())
    const { client, domainId, addressId } = await downgraded()
    const usage = async () => (await client.get('/api/entitlement')).body.usage
    const before = await usage()
    assert.deepEqual(
      [before.domains, before.addresses, before.filters, before.api_keys, before.webhooks, before.transfers_active],
      [2, 4, 6, 2, 1, 2],
    )
    refused(await client.post('/api/domains', { name: 'three-over.test' }), 413, 'quota_exceeded')
    const address = { local_part: 'more', password: 'a long pass phrase' }
    refused(await client.post(`/api/domains/${domainId}/addresses`, address), 413, 'quota_exceeded')
    refused(await client.post('/api/filters', { name: 'g', script: 'keep;' }), 413, 'quota_exceeded')
    refused(await client.post('/api/api-keys', { name: 'three', permission: 'full_access' }), 413, 'quota_exceeded')
    const hook = { endpoint: 'http://127.0.0.1:9/', events: ['email.sent'] }
    refused(await client.post('/api/webhooks', hook), 402, 'plan_required')
    const bound = source.address()
    const port = bound !== null && typeof bound === 'object' ? bound.port : 0
    const transfer = { address_id: addressId, host: '127.0.0.1', port, security: 'none', username: 'x', password: 'x' }
    refused(await client.post('/api/transfers', transfer), 413, 'quota_exceeded')
    assert.deepEqual(await usage(), before)
    for (const list of ['filters', 'webhooks', 'api-keys', 'domains']) {
      const [item] = (await client.get(`/api/${list}`)).body.data
      if (list === 'filters')
        assert.equal((await client.send('PATCH', `/api/filters/${item.id}`, { body: { name: 'new' } })).status, 200)
      if (list === 'webhooks') {
        assert.equal(item.status, 'enabled')
        const change = { events: ['email.sent', 'email.bounced'] }
        assert.equal((await client.send('PATCH', `/api/webhooks/${item.id}`, { body: change })).status, 200)
      }
      if (list !== 'domains') assert.equal((await client.send('DELETE', `/api/${list}/${item.id}`)).status, 200)
    }
    const left = await usage()
    assert.deepEqual([left.filters, left.api_keys, left.webhooks], [5, 1, 0])
    const { body } = await client.get('/api/overview')
    const alert = body.alerts.find(({ code }: { code: string }) => code === 'over_limit')
    assert.match(alert.message, /2 domains \(limit 1\), 4 addresses \(limit 3\)/)
  })
})

test('a subscription at the provider is renewed there: the job here covers those that cost nothing', async () => {
  const customer = await ground.subscribed('starter')
  await ground.sync(customer)
  const find = () =>
    ground.mail.database.db
      .selectFrom('subscription')
      .selectAll()
      .where('account_id', '=', customer.id)
      .executeTakeFirstOrThrow()
  const before = await find()
  await renewSubscriptions({ ...ground.mail.parts, now: daysAfter(now(), 40) })
  assert.deepEqual([await find(), await ground.planOf(customer)], [before, 'starter'])
})
