import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { MAILBOX_PASSWORD, plantAddress } from './testing/hosting.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

const signIn = (email: string, password = MAILBOX_PASSWORD) =>
  mail.client().post('/api/mail/login', { email, password })

describe('the activity of an address', () => {
  test('shows sign-ins and mail, newest first, and nothing of others', async () => {
    const { client, id: accountId } = await mail.signUp()
    const options = { accountId, now: mail.clock.now() }
    const { id, email } = await plantAddress(mail.database, 'a@activity.test', options)
    const other = await plantAddress(mail.database, 'b@activity.test', options)
    await signIn(email)
    mail.clock.advance(1_000)
    await signIn(email, 'wrong')
    mail.clock.advance(1_000)
    const line = { id: newId(), type: 'received', direction: 'in', created_at: mail.clock.now() } as const
    const facts = { sender: 's@x.test', recipient: email, subject: 'Hello', message_id: '<1@x>', size_bytes: 12 }
    await mail.database.tx((tx) =>
      tx
        .insertInto('activity')
        .values({ address_id: id, ...line, ...facts, remote_ip: '192.0.2.5', result: 'Inbox' })
        .execute(),
    )
    const { data, total } = (await client.get(`/api/addresses/${id}/activity`)).body
    assert.equal(total, 3)
    assert.deepEqual(data[0], {
      object: 'activity',
      id: line.id,
      type: 'received',
      direction: 'in',
      from: 's@x.test',
      to: email,
      subject: 'Hello',
      message_id: '<1@x>',
      size_bytes: 12,
      remote_ip: '192.0.2.5',
      result: 'Inbox',
      created_at: mail.clock.now().toISOString(),
    })
    assert.deepEqual(
      data.slice(1).map(({ type, result }: { type: string; result: string }) => [type, result]),
      [
        ['login_failed', 'webmail'],
        ['login', 'webmail'],
      ],
    )
    const search = await client.get(`/api/addresses/${id}/activity?search=hello&sort=type&direction=asc`)
    assert.equal(search.body.total, 1)
    assert.equal((await client.get(`/api/addresses/${other.id}/activity`)).body.total, 0)
  })
})
