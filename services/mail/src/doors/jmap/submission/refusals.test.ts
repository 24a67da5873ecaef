import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { envelopeTo, rawMail, type SendingGround, startSending } from './testing/ground.ts'

let sending: SendingGround
before(async () => {
  sending = await startSending()
})
after(() => sending.close())

const refusal = async (emailId: string, more: object = {}) =>
  (await sending.set({ create: { s: { identityId: sending.identityId, emailId, ...more } } })).notCreated?.s
const counts = async () => {
  const [row] = await sending.ground.parts.database.db.query<{
    queued: number
    sent: number
    links: number
    days: number
  }>({
    text: `select (select count(*) from queue_message) as queued, (select count(*) from submission) as sent,
      (select count(*) from blob_link where kind = 'queue') as links,
      (select coalesce(sum(recipients), 0) from sending_day) as days`,
  })
  return row
}

describe('what is not sent', () => {
  test('returns why, and leaves nothing behind', async () => {
    const { ground, identityId, set, draft } = sending
    const good = await draft()
    const other = (await ground.add(ground.bob)).messageId
    const before = await counts()
    const from = (address: string) => draft({ raw: rawMail(`From: ${address}\r\nTo: you@elsewhere.org`) })
    const cases: [string, unknown, object?][] = [
      ['noRecipients', await draft({ raw: rawMail('From: ann@example.test') })],
      ['noRecipients', good, envelopeTo([])],
      ['invalidRecipients', good, envelopeTo(['you@elsewhere.org', 'nobody'])],
      ['invalidRecipients', good, envelopeTo(['nobody-here@example.test'])],
      ['tooManyRecipients', good, envelopeTo(Array.from({ length: 101 }, (_, n) => `u${n}@elsewhere.org`))],
      ['forbiddenFrom', await from('bob@example.test')],
      ['forbiddenFrom', await from('ann@elsewhere.org')],
      ['forbiddenFrom', await from('ann@example.test\r\nSender: bob@example.test')],
      ['invalidEmail', await from('ann@example.test, bob@example.test')],
      // A CR alone is a line break for some who read the message.
      ['invalidEmail', await from('ann@example.test\r\nX: y\rFrom: bob@example.test')],
      ['invalidEmail', await draft({ raw: rawMail('To: you@elsewhere.org') })],
      ['tooLarge', await draft({ text: 'x'.repeat(100_001) })],
      ['invalidProperties', other],
      ['invalidProperties', 'nonexistent'],
      ['invalidProperties', 5],
      ['invalidProperties', good, { identityId: 'nonexistent' }],
      ['invalidProperties', good, { sendAt: '2026-03-01T12:00:00Z' }],
      ['invalidProperties', good, { envelope: { mailFrom: {}, rcptTo: [] } }],
    ]
    const stored = await counts()
    for (const [type, emailId, more = {}] of cases) {
      const { notCreated } = await set({ create: { s: { identityId, emailId, ...more } } })
      assert.equal(notCreated?.s?.type, type, JSON.stringify([type, emailId, more, notCreated]))
    }
    assert.deepEqual(await counts(), stored)
    assert.deepEqual(before, stored)
    assert.deepEqual((await refusal(good, envelopeTo(['nobody']))).invalidRecipients, ['nobody'])
    assert.equal(
      (await refusal(good, envelopeTo(Array.from({ length: 101 }, (_, n) => `u${n}@a.org`)))).maxRecipients,
      100,
    )
  })

  test('has a sender or parameters that are not allowed', async () => {
    const { draft } = sending
    const emailId = await draft()
    const envelope = (email: string, parameters: object | null) => envelopeTo(['you@elsewhere.org'], parameters, email)
    const stored = await counts()
    for (const email of ['bob@example.test', 'ann@elsewhere.org', 'not an address'])
      assert.equal((await refusal(emailId, envelope(email, null))).type, 'forbiddenMailFrom', email)
    const wrong = [
      { HOLDFOR: '99999999' },
      { HOLDFOR: 'soon' },
      { HOLDUNTIL: 'tomorrow' },
      { HOLDFOR: '1', HOLDUNTIL: '2026-03-01T13:00:00Z' },
      { XYZ: '1' },
      { RET: 'SOME' },
      { SIZE: 5 },
    ]
    for (const parameters of wrong) {
      const { type, properties } = await refusal(emailId, envelope('ann@example.test', parameters))
      assert.deepEqual([type, properties], ['invalidProperties', ['envelope']], JSON.stringify(parameters))
    }
    assert.deepEqual(await counts(), stored)
  })

  test('is over the limits of the plan, of a suspended account or of a mailbox that may not send', async () => {
    const { ground, ann, draft } = sending
    const { pool } = ground.parts.database
    const { accountId } = ann.address
    const emailId = await draft()
    const stored = await counts()
    await pool.query(`update account set plan = 'free' where id = $1`, [accountId])
    await pool.query(
      `insert into sending_day values ($1, '2026-03-01', 100)
       on conflict (account_id, day) do update set recipients = 100`,
      [accountId],
    )
    assert.equal((await refusal(emailId)).type, 'rateLimit')
    await pool.query(`update account set plan = 'unlimited', suspended_at = now() where id = $1`, [accountId])
    assert.equal((await refusal(emailId)).type, 'forbiddenToSend')
    const unpaid = `update account set plan = $2, suspended_at = null, past_due_at = $3 where id = $1`
    await pool.query(unpaid, [accountId, 'free', new Date(0)])
    assert.equal((await refusal(emailId)).type, 'forbiddenToSend')
    await pool.query(unpaid, [accountId, 'unlimited', null])
    await pool.query('update address set send_enabled = false where id = $1', [ann.accountId])
    assert.equal((await refusal(emailId)).type, 'forbiddenToSend')
    await pool.query('update address set send_enabled = true where id = $1', [ann.accountId])
    const after = await counts()
    assert.deepEqual([after?.queued, after?.sent, after?.links], [stored?.queued, stored?.sent, stored?.links])
  })

  test('is not changed in any other way', async () => {
    const { ann, identityId, set, draft, send } = sending
    const { id } = await send(await draft(), envelopeTo(['you@elsewhere.org']))
    const { notUpdated } = await set({ update: { [id]: { identityId: 'x' }, nobody: { undoStatus: 'canceled' } } })
    assert.deepEqual([notUpdated[id].type, notUpdated[id].properties], ['invalidProperties', ['identityId']])
    assert.equal(notUpdated.nobody.type, 'notFound')
    assert.equal((await set({ destroy: ['nobody'] })).notDestroyed.nobody.type, 'notFound')
    const failed = await ann.client.call([
      'EmailSubmission/set',
      {
        accountId: ann.accountId,
        create: { s: { identityId, emailId: 'nonexistent' } },
        onSuccessUpdateEmail: { '#s': { 'keywords/$draft': null } },
      },
    ])
    assert.equal(failed.length, 1)
  })
})
