import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { purgeDeleted } from '../../hosting/addresses/purge.ts'
import { resolveRecipient } from '../../hosting/addresses/routing.ts'
import { plantAddress } from '../../hosting/addresses/testing/hosting.ts'
import { generateDomainKeys } from '../../hosting/domains/dkim-keys.ts'
import { lockPlan } from '../../hosting/plans/check-limits.ts'
import { takeSendingVolume } from '../../hosting/plans/sending-limits.ts'
import { subjectsTo } from '../../hosting/system-mail/testing/sent.ts'
import { createDomain } from '../domains/operations.ts'
import { purgeAccounts } from './upkeep.ts'

const started = async (context: { after(run: () => Promise<void>): void }): Promise<MailService> => {
  const mail = await startMail()
  context.after(() => mail.close())
  return mail
}

describe('the end of an account', () => {
  test('takes domains, addresses and sessions at once, frees every name, and the job removes the rest', async (context) => {
    const mail = await started(context)
    const owner = await mail.signUp('owner@example.test')
    const { client, email, id } = await mail.signUp('leaver@example.test')
    const { referral_code } = (await client.get('/api/auth/me')).body
    await plantAddress(mail.database, 'box@leaving.test', { accountId: id })
    const other = mail.client({ cookie: await mail.openSession(id) })
    const answer = await client.send('DELETE', '/api/account', { body: { password: PASSWORD } })
    assert.deepEqual([answer.status, answer.body], [200, { object: 'user', id, deleted: true }])
    assert.equal(client.cookie, undefined)
    assert.equal((await other.get('/api/auth/me')).status, 401)
    assert.equal((await mail.client().post('/api/auth/login', { email, password: PASSWORD })).status, 401)
    assert.ok((await subjectsTo(mail, email)).includes('Your account was deleted'))
    const route = await resolveRecipient(mail.database.db, mail.parts.hosting, 'box@leaving.test')
    assert.equal(route.kind, 'foreign')
    const kept = await mail.database.db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const stored = JSON.stringify(kept)
    assert.equal(
      [email, referral_code].some((text) => stored.includes(text)),
      false,
    )
    // Both names are free before the job has run.
    assert.equal((await mail.signUp(email)).email, email)
    await plantAddress(mail.database, 'box@leaving.test', { accountId: owner.id })
    await purgeDeleted({ ...mail.parts, now: mail.clock.now() })
    assert.equal(await purgeAccounts(mail.parts), 1)
    const left = await mail.database.db.selectFrom('account').select('email').orderBy('email').execute()
    assert.deepEqual(
      left.map((row) => row.email),
      [email, 'owner@example.test'],
    )
    const addresses = await mail.database.db.selectFrom('address').select('account_id').execute()
    assert.deepEqual(addresses, [{ account_id: owner.id }])
  })

  test('ends the subscription at once and forgets the tax id', async (context) => {
    const mail = await startMail({ env: { BILLING: 'on' } })
    context.after(() => mail.close())
    await mail.signUp('owner@example.test')
    const { client, id } = await mail.signUp()
    const free = (await client.get('/api/plans')).body.data[0]
    assert.equal((await client.post('/api/subscription', { plan_id: free.id })).status, 201)
    const taxId = { value: 'DE123456789', country: 'DE' }
    assert.equal((await client.send('PUT', '/api/billing/tax-id', { body: taxId })).status, 200)
    mail.clock.advance(60_000)
    assert.equal((await client.send('DELETE', '/api/account', { body: { password: PASSWORD } })).status, 200)
    const { db } = mail.database
    const left = await db.selectFrom('subscription').selectAll().where('account_id', '=', id).executeTakeFirstOrThrow()
    const now = mail.clock.now()
    assert.deepEqual([left.status, left.cancelled_at, left.ended_at], ['cancelled', now, now])
    assert.deepEqual(await db.selectFrom('tax_id').select('value').where('account_id', '=', id).execute(), [])
    await purgeAccounts(mail.parts)
    assert.deepEqual(await db.selectFrom('subscription').select('id').where('account_id', '=', id).execute(), [])
  })

  test('waits with its row for mail that is still to be sent', async (context) => {
    const mail = await started(context)
    await mail.signUp('owner@example.test')
    const { client, id } = await mail.signUp()
    await client.send('DELETE', '/api/account', { body: { password: PASSWORD } })
    await mail.database.tx((tx) =>
      tx
        .updateTable('queue_message')
        .set({ account_id: id })
        .where('subject', '=', 'Your account was deleted')
        .execute(),
    )
    assert.equal(await purgeAccounts(mail.parts), 0)
    await mail.database.tx((tx) => tx.updateTable('queue_recipient').set({ finished_at: new Date() }).execute())
    assert.equal(await purgeAccounts(mail.parts), 1)
    const links = await mail.database.db.selectFrom('queue_message').select('id').where('account_id', '=', id).execute()
    assert.deepEqual(links, [])
  })

  test('is refused to the owner while there are others, and leaves an instance that can be claimed again', async (context) => {
    const mail = await started(context)
    const { client: owner } = await mail.signUp('owner@example.test')
    const { client: member } = await mail.signUp()
    const end = (client: typeof owner) => client.send('DELETE', '/api/account', { body: { password: PASSWORD } })
    const refused = await end(owner)
    assert.deepEqual([refused.status, refused.body.name], [409, 'conflict'])
    assert.equal((await owner.get('/api/auth/me')).status, 200)
    assert.equal((await end(member)).status, 200)
    assert.equal((await end(owner)).status, 200)
    assert.equal((await mail.client().get('/api/auth/signups')).body.first_account, true)
    const { client: next } = await mail.signUp('owner@example.test')
    assert.equal((await next.get('/api/auth/me')).body.role, 'owner')
  })

  test('leaves nothing behind of requests that were under way: a new domain, address or filter is refused', async (context) => {
    const mail = await started(context)
    await mail.signUp('owner@example.test')
    const { client, id } = await mail.signUp()
    const cookie = client.cookie ?? assert.fail('no session')
    // As if they had passed the sign-in a moment before the account went.
    const late = mail.client({ cookie })
    const keys = await generateDomainKeys()
    assert.equal((await client.send('DELETE', '/api/account', { body: { password: PASSWORD } })).status, 200)
    assert.equal((await late.post('/api/domains', { name: 'late.test' })).status, 401)
    const input = { accountId: id, name: 'late.test', keys, now: mail.clock.now() }
    const { tx, db } = mail.database
    await assert.rejects(
      tx((tx) => createDomain(tx, mail.parts.hosting, input)),
      { code: 'not_found' },
    )
    await assert.rejects(
      tx((tx) => lockPlan(tx, id)),
      { code: 'not_found' },
    )
    const volume = { accountId: id, recipients: 1, now: mail.clock.now() }
    assert.equal(await tx((tx) => takeSendingVolume(tx, volume)), 'suspended')
    assert.deepEqual(await db.selectFrom('domain').select('id').where('account_id', '=', id).execute(), [])
  })

  test('of the owner waits for somebody who signs up at the same moment, and is then refused', async (context) => {
    const mail = await started(context)
    const { client: owner } = await mail.signUp('owner@example.test')
    const { db, pool } = mail.database
    const waiting = async (many: number): Promise<void> => {
      const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await until(async () => (await db.query({ text })).length >= many, `${many} wait for a lock`)
    }
    // Somebody else has the address for as long as this is open: the sign-up stands still in its transaction.
    const held = await pool.connect()
    await held.query('begin')
    await held.query(
      `insert into account (id, email, password_hash, role, referral_code, created_at, updated_at)
       values ($1, 'late@example.test', '', 'member', 'held', now(), now())`,
      [newId()],
    )
    const signUp = mail.client().post('/api/auth/signup', { email: 'late@example.test', password: PASSWORD })
    await waiting(1)
    const leave = owner.send('DELETE', '/api/account', { body: { password: PASSWORD } })
    await waiting(2)
    await held.query('rollback')
    held.release()
    assert.deepEqual([(await signUp).status, (await leave).status], [201, 409])
    const roles = await db.selectFrom('account').select('role').where('deleted_at', 'is', null).execute()
    assert.deepEqual(roles.map(({ role }) => role).sort(), ['member', 'owner'])
  })

  test('needs the password, and changes nothing without it', async (context) => {
    const mail = await started(context)
    const { client } = await mail.signUp()
    const before = (await client.get('/api/auth/me')).body
    const cases: [unknown, number, string][] = [
      [{ password: 'not mine at all' }, 400, 'validation_error'],
      [{}, 422, 'missing_required_field'],
      [undefined, 422, 'missing_required_field'],
      [{ password: 5 }, 400, 'validation_error'],
    ]
    for (const [body, status, name] of cases) {
      const answer = await client.send('DELETE', '/api/account', body === undefined ? {} : { body })
      assert.deepEqual([answer.status, answer.body.name], [status, name])
    }
    assert.deepEqual((await client.get('/api/auth/me')).body, before)
    assert.equal((await mail.client().send('DELETE', '/api/account', { body: { password: PASSWORD } })).status, 401)
  })
})
