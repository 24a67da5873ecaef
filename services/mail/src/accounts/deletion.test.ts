import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { purgeDeleted } from '../addresses/purge.ts'
import { resolveRecipient } from '../addresses/routing.ts'
import { plantAddress } from '../addresses/testing/hosting.ts'
import { subjectsTo } from '../system-mail/testing/letters.ts'
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
    await purgeDeleted(mail.database)
    assert.equal(await purgeAccounts(mail.database), 1)
    const left = await mail.database.db.selectFrom('account').select('email').orderBy('email').execute()
    assert.deepEqual(
      left.map((row) => row.email),
      [email, 'owner@example.test'],
    )
    const addresses = await mail.database.db.selectFrom('address').select('account_id').execute()
    assert.deepEqual(addresses, [{ account_id: owner.id }])
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
    assert.equal(await purgeAccounts(mail.database), 0)
    await mail.database.tx((tx) => tx.updateTable('queue_recipient').set({ finished_at: new Date() }).execute())
    assert.equal(await purgeAccounts(mail.database), 1)
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
