import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { type MailAnswer, type MailClient, type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { MAILBOX_PASSWORD, plantAddress } from '../../hosting/addresses/testing/hosting.ts'
import { forgetAudit } from '../../hosting/audit/audit.ts'
import { findPlan, planIdOf } from '../../hosting/plans/plans.ts'
import { applyBilling } from '../billing/subscriptions.ts'

const DAY_MS = 86_400_000

let mail: MailService
let owner: MailClient
let ownerId: string
let ownerEmail: string
before(async () => {
  mail = await startMail()
  const first = await mail.signUp()
  owner = first.client
  ownerId = first.id
  ownerEmail = first.email
})
after(() => mail.close())

const PATH = '/api/instance/accounts'
const seen = ({ status, body }: MailAnswer) => [status, body.name]
const patch = (id: string, body: unknown, client = owner) => client.send('PATCH', `${PATH}/${id}`, { body })
const suspend = (id: string, body: unknown = { reason: 'Sends spam' }, client = owner) =>
  client.post(`${PATH}/${id}/suspend`, body)
const resume = (id: string) => owner.post(`${PATH}/${id}/resume`, {})
const reset = (id: string, body: unknown = {}) => owner.post(`${PATH}/${id}/reset-sign-in`, body)
const lastAct = async () => {
  const { data } = (await owner.get('/api/instance/audit')).body
  const { actor, action, target, detail } = data[0]
  return { actor, action, target, detail }
}
/** Text of the newest letter to somebody. */
const letterTo = async (email: string): Promise<string> => {
  const { rows } = await mail.database.pool.query(
    `select m.blob_key from queue_message m join queue_recipient r on r.message_id = m.id
     where r.recipient = $1 order by m.created_at desc, m.id desc limit 1`,
    [email],
  )
  const { stream } = await mail.parts.blobs.get(rows[0].blob_key)
  return (await text(stream)).replaceAll('=\r\n', '').replaceAll('=3D', '=')
}

describe('the accounts of the instance', () => {
  test('are listed for the owner with what they use and may do, sorted and searched', async () => {
    const ann = await mail.signUp('ann@accounts.test')
    const ben = await mail.signUp('ben@accounts.test')
    const { id: addressId } = await plantAddress(mail.database, 'ann@listed.test', { accountId: ann.id })
    await mail.database.pool.query('update mailbox set used_bytes = 70 where address_id = $1', [addressId])
    const { status, body } = await owner.get(`${PATH}?search=ACCOUNTS.test&sort=storage_bytes`)
    assert.equal(status, 200)
    assert.deepEqual([body.object, body.total, body.page, body.per_page, body.pages], ['list', 2, 1, 10, 1])
    assert.deepEqual(
      body.data.map(({ email }: { email: string }) => email),
      ['ann@accounts.test', 'ben@accounts.test'],
    )
    const [shown] = body.data
    assert.deepEqual(shown, (await owner.get(`${PATH}/${ann.id}`)).body)
    assert.deepEqual(shown.usage, (await ann.client.get('/api/entitlement')).body.usage)
    assert.equal(shown.usage.storage_bytes, 70)
    assert.deepEqual(shown.limits, (await ann.client.get('/api/entitlement')).body.limits)
    assert.deepEqual(
      [shown.object, shown.id, shown.name, shown.role, shown.plan_id, shown.suspended_at, shown.limit_overrides],
      ['instance_account', ann.id, null, 'member', planIdOf('unlimited'), null, {}],
    )
    const emails = async (query: string) =>
      (await owner.get(`${PATH}?search=accounts.test&${query}`)).body.data.map(({ email }: { email: string }) => email)
    assert.deepEqual(await emails('sort=email&direction=asc'), ['ann@accounts.test', 'ben@accounts.test'])
    assert.deepEqual(await emails(''), ['ben@accounts.test', 'ann@accounts.test'])
    await ben.client.send('DELETE', '/api/account', { body: { password: PASSWORD } })
    assert.equal((await owner.get(`${PATH}/${ben.id}`)).status, 404)
    assert.deepEqual(await emails(''), ['ann@accounts.test'])
  })

  test('are nobody else’s to see or change; an unknown one is not found', async () => {
    const { client, id } = await mail.signUp()
    for (const answer of [
      await client.get(PATH),
      await client.get(`${PATH}/${id}`),
      await patch(id, { limits: { domains: 9 } }, client),
      await suspend(ownerId, { reason: 'mine now' }, client),
      await client.post(`${PATH}/${id}/resume`, {}),
      await client.post(`${PATH}/${id}/reset-sign-in`, {}),
      await client.get('/api/instance/audit'),
    ])
      assert.deepEqual(seen(answer), [403, 'forbidden'])
    assert.equal((await mail.client().get(PATH)).status, 401)
    for (const wrong of [crypto.randomUUID(), 'nobody'])
      for (const answer of [await owner.get(`${PATH}/${wrong}`), await patch(wrong, {}), await suspend(wrong, {})])
        assert.deepEqual(seen(answer), [404, 'not_found'])
    assert.deepEqual((await owner.get(`${PATH}/${ownerId}`)).body.suspended_at, null)
  })

  test('get limits in place of their plan’s, which count everywhere until null gives the plan’s back', async () => {
    const { client, id, email } = await mail.signUp()
    const changed = await patch(id, { limits: { domains: 1, storage_bytes: 5_000_000, cars: 3 } })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.body.limit_overrides, { domains: 1, storage_bytes: 5_000_000 })
    assert.deepEqual([changed.body.limits.domains, changed.body.limits.addresses], [1, null])
    const act = {
      action: 'account.updated',
      detail: { account_id: id, limits: { domains: 1, storage_bytes: 5_000_000 } },
    }
    assert.deepEqual(await lastAct(), { actor: ownerEmail, target: email, ...act })
    assert.equal((await client.post('/api/domains', { name: 'one.test' })).status, 201)
    assert.deepEqual(seen(await client.post('/api/domains', { name: 'two.test' })), [413, 'quota_exceeded'])
    assert.equal((await client.get('/api/entitlement')).body.limits.storage_bytes, 5_000_000)
    const back = await patch(id, { limits: { domains: null, storage_bytes: 5_000_000 } })
    assert.deepEqual((await lastAct()).detail, { account_id: id, limits: { domains: null } })
    assert.deepEqual(back.body.limit_overrides, { storage_bytes: 5_000_000 })
    assert.equal((await client.post('/api/domains', { name: 'two.test' })).status, 201)
    for (const limits of [{ domains: -1 }, { domains: '5' }, { domains: 1.5 }, [], 'none'])
      assert.deepEqual(seen(await patch(id, { limits })), [400, 'validation_error'], JSON.stringify(limits))
    assert.deepEqual((await patch(id, {})).body.limit_overrides, { storage_bytes: 5_000_000 })
  })

  test('get a plan that stays when billing is applied again; the owner stays on theirs', async () => {
    const { client, id } = await mail.signUp()
    assert.equal((await patch(id, { plan_id: planIdOf('free') })).body.plan_id, planIdOf('free'))
    await applyBilling(mail.parts, mail.clock.now())
    assert.equal((await client.get('/api/entitlement')).body.plan.slug, 'free')
    // What somebody subscribes to without paying does not lift what the owner set.
    assert.equal((await client.post('/api/subscription', { plan_id: planIdOf('unlimited') })).status, 201)
    assert.equal((await client.get('/api/entitlement')).body.plan.slug, 'free')
    assert.deepEqual(seen(await patch(ownerId, { plan_id: planIdOf('free') })), [409, 'conflict'])
    assert.equal((await patch(ownerId, { plan_id: planIdOf('unlimited') })).status, 200)
    assert.deepEqual(seen(await patch(id, { plan_id: crypto.randomUUID() })), [404, 'not_found'])
    assert.deepEqual(seen(await patch(id, { plan_id: 'free' })), [400, 'validation_error'])
    assert.equal(findPlan(planIdOf('pro').toUpperCase()), 'pro')
  })
})

describe('a suspended account', () => {
  test('receives and reads but sends nothing, through the API or webmail, until it is resumed', async () => {
    const { client, id, email } = await mail.signUp()
    await plantAddress(mail.database, 'sus@pended.test', { accountId: id })
    const { token } = (await client.post('/api/api-keys', { name: 'x' })).body
    const letter = { from: 'sus@pended.test', to: ['x@outside.test'], subject: 'x', text: 'x' }
    const viaApi = () => mail.client().post('/api/emails', letter, { authorization: `Bearer ${token}` })
    const box = mail.client()
    await box.post('/api/mail/login', { email: 'sus@pended.test', password: MAILBOX_PASSWORD })
    const viaWebmail = () => box.post('/api/mail/send', { to: ['x@outside.test'], text: 'x' })

    const answer = await suspend(id)
    assert.equal(answer.status, 200)
    assert.deepEqual(
      [answer.body.suspended_at, answer.body.suspended_reason],
      [mail.clock.now().toISOString(), 'Sends spam'],
    )
    const act = { action: 'account.suspended', detail: { account_id: id, reason: 'Sends spam' } }
    assert.deepEqual(await lastAct(), { actor: ownerEmail, target: email, ...act })
    assert.deepEqual(seen(await viaApi()), [403, 'suspended_api_key'])
    assert.deepEqual(seen(await viaWebmail()), [403, 'forbidden'])
    assert.equal((await box.get('/api/mail/messages')).status, 200)
    const [alert] = (await client.get('/api/overview')).body.alerts
    assert.deepEqual([alert.code, alert.message.endsWith('Reason: Sends spam')], ['account_suspended', true])

    mail.clock.advance(1_000)
    assert.equal((await suspend(id, { reason: 'Again' })).body.suspended_at, answer.body.suspended_at)
    const resumed = await resume(id)
    assert.deepEqual([resumed.status, resumed.body.suspended_at, resumed.body.suspended_reason], [200, null, null])
    assert.equal((await viaApi()).status, 200)
    assert.equal((await viaWebmail()).status, 200)
    assert.equal((await resume(id)).status, 200)
  })

  test('is never oneself, and has a reason', async () => {
    const { id } = await mail.signUp()
    assert.deepEqual(seen(await suspend(ownerId)), [409, 'conflict'])
    assert.deepEqual(seen(await suspend(id, {})), [422, 'missing_required_field'])
    for (const reason of ['', ' ', 7, null, 'a\nb', 'x'.repeat(501)])
      assert.deepEqual(seen(await suspend(id, { reason })), [400, 'validation_error'])
    assert.equal((await owner.get(`${PATH}/${id}`)).body.suspended_at, null)
  })
})

describe('resetting a sign-in', () => {
  test('ends all sessions and mails a link that sets a new password; nobody sees a password', async () => {
    const { client, id, email } = await mail.signUp()
    await mail.database.pool.query('update account set totp_enabled_at = now() where id = $1', [id])
    const answer = await reset(id)
    assert.deepEqual([answer.status, answer.body.totp_enabled], [200, true])
    assert.equal((await client.get('/api/auth/me')).status, 401)
    assert.doesNotMatch(answer.text, /password|token/)
    const token = /\/reset#token=([\w-]{43})/.exec(await letterTo(email))?.[1]
    const fresh = 'another long pass phrase'
    const redeemed = await mail.client().post('/api/auth/password/reset', { token, password: fresh })
    assert.equal(redeemed.status, 200, redeemed.text)
    const act = { action: 'account.sign_in_reset', detail: { account_id: id, totp: false } }
    assert.deepEqual(await lastAct(), { actor: ownerEmail, target: email, ...act })
    assert.deepEqual((await reset(id, { totp: true })).body.totp_enabled, false)
    assert.equal((await mail.client().post('/api/auth/login', { email, password: fresh })).status, 200)
    assert.deepEqual(seen(await reset(id, { totp: 'yes' })), [400, 'validation_error'])
  })
})

describe('the audit log', () => {
  test('has what the owner did, newest first, for a year', async () => {
    mail.clock.advance(400 * DAY_MS)
    await mail.database.pool.query('update session set expires_at = $1', [
      new Date(mail.clock.now().getTime() + DAY_MS),
    ])
    await owner.send('PATCH', '/api/instance', { body: { signups: 'open' } })
    await owner.post('/api/instance/queue/holds', { domain: 'held.test', reason: 'Broken' })
    const { body: holds } = await owner.get('/api/instance/queue/holds')
    await owner.send('DELETE', `/api/instance/queue/holds/${holds.data[0].id}`)
    const { body: sender } = await owner.post('/api/instance/senders', { pattern: '@bad.test', action: 'block' })
    await owner.send('DELETE', `/api/instance/senders/${sender.id}`)
    await forgetAudit(mail.database, mail.clock.now())
    const { body } = await owner.get('/api/instance/audit')
    assert.deepEqual(
      body.data.map(({ action, target, detail }: Record<string, unknown>) => [action, target, detail]),
      [
        ['sender.removed', '@bad.test', { action: 'block' }],
        ['sender.added', '@bad.test', { action: 'block' }],
        ['queue.hold_removed', 'held.test', {}],
        ['queue.hold_added', 'held.test', { reason: 'Broken' }],
        ['instance.updated', null, { signups: 'open' }],
      ],
    )
    const [first] = body.data
    assert.deepEqual(
      [first.object, first.actor, first.created_at, body.total],
      ['audit', ownerEmail, mail.clock.now().toISOString(), 5],
    )
    const found = (await owner.get('/api/instance/audit?search=HOLD&direction=asc')).body
    assert.deepEqual(
      found.data.map(({ action }: { action: string }) => action),
      ['queue.hold_added', 'queue.hold_removed'],
    )
  })
})
