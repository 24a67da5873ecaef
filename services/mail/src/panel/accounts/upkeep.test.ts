import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantAddress } from '../../hosting/addresses/testing/hosting.ts'
import { subjectsTo, systemMailTo, tokenFor } from '../../hosting/system-mail/testing/sent.ts'
import { forgetTokens, sendWeeklySummaries, warnOfQuotas } from './upkeep.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
  await mail.signUp('owner@example.test')
})
after(() => mail.close())

const DAY = 86_400_000
const GIB = 2 ** 30
const fill = (addressId: string, bytes: number) =>
  mail.database.tx((tx) =>
    tx.updateTable('mailbox').set({ used_bytes: bytes }).where('address_id', '=', addressId).execute(),
  )
const mailsTo = async (email: string): Promise<string[]> => (await subjectsTo(mail, email)).slice(1)

describe('quota warnings', () => {
  test('come once for each level, and again after there was room', async () => {
    const { id, email } = await mail.signUp()
    const box = await plantAddress(mail.database, 'full@quota.test', { accountId: id, quotaBytes: 1000 })
    const at = async (bytes: number) => {
      await fill(box.id, bytes)
      await warnOfQuotas(mail.parts)
      await warnOfQuotas(mail.parts)
      return (await mailsTo(email)).length
    }
    assert.equal(await at(799), 0)
    assert.equal(await at(800), 1)
    assert.equal(await at(780), 1)
    assert.equal(await at(810), 1)
    assert.equal(await at(960), 2)
    assert.equal(await at(1000), 3)
    assert.equal(await at(100), 3)
    assert.equal(await at(1000), 4)
    assert.deepEqual((await mailsTo(email)).slice(0, 2), [
      'The mailbox full@quota.test is 80 % full',
      'The mailbox full@quota.test is 95 % full',
    ])
  })

  test('come for the storage of the whole account, and not to those who switched them off', async () => {
    const { client, id, email } = await mail.signUp()
    await mail.database.tx((tx) => tx.updateTable('account').set({ plan: 'free' }).where('id', '=', id).execute())
    const box = await plantAddress(mail.database, 'big@storage.test', { accountId: id })
    await fill(box.id, Math.ceil(0.9 * GIB))
    await warnOfQuotas(mail.parts)
    assert.deepEqual(await mailsTo(email), ["Your account's storage is 80 % full"])
    await client.send('PATCH', '/api/account/notifications', { body: { quota_warnings: false } })
    await fill(box.id, GIB)
    await warnOfQuotas(mail.parts)
    assert.equal((await mailsTo(email)).length, 1)
  })
})

describe('an account that cannot be notified', () => {
  test('keeps neither warnings nor summaries from the others', async (t) => {
    const people = []
    for (let n = 0; n < 2; n += 1) {
      const person = await mail.signUp()
      const box = await plantAddress(mail.database, `x@told${n}.test`, { accountId: person.id, quotaBytes: 1000 })
      await fill(box.id, 900)
      await person.client.send('PATCH', '/api/account/notifications', { body: { weekly_summary: true } })
      people.push({ ...person, boxId: box.id })
    }
    const [bad, good] = people.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    t.after(await failOn(mail.database, 'insert', 'quota_warning', `new.account_id = '${bad?.id}'`))
    const isSummary = `new.weekly_summary_at is distinct from old.weekly_summary_at`
    t.after(await failOn(mail.database, 'update', 'account', `old.id = '${bad?.id}' and ${isSummary}`))
    await warnOfQuotas(mail.parts)
    await sendWeeklySummaries(mail.parts)
    assert.equal((await mailsTo(good?.email ?? '')).length, 2)
    assert.deepEqual(await mailsTo(bad?.email ?? ''), [])
  })
})

describe('the weekly summary', () => {
  test('goes once a week to those who want it, with the figures of their own addresses', async () => {
    const { client, id, email } = await mail.signUp()
    const { email: other } = await mail.signUp()
    const box = await plantAddress(mail.database, 'box@week.test', { accountId: id })
    const now = mail.clock.now()
    const lines = [...Array.from({ length: 3 }, () => ['received', now]), ['spam', now]] as const
    const rows = [...lines, ['received', new Date(now.getTime() - 8 * DAY)] as const]
    await mail.database.tx((tx) =>
      tx
        .insertInto('activity')
        .values(rows.map(([type, at]) => activity(box.id, String(type), new Date(at))))
        .execute(),
    )
    await sendWeeklySummaries(mail.parts)
    assert.deepEqual(await mailsTo(email), [])
    await client.send('PATCH', '/api/account/notifications', { body: { weekly_summary: true } })
    await sendWeeklySummaries(mail.parts)
    await sendWeeklySummaries(mail.parts)
    assert.deepEqual(await mailsTo(email), ['Your week in mail'])
    assert.match((await systemMailTo(mail, email)).at(-1)?.text ?? '', /^Received: 3\nSent: 0\nRejected: 0\nSpam: 1$/m)
    assert.deepEqual(await mailsTo(other), [])
    mail.clock.advance(7 * DAY)
    await sendWeeklySummaries(mail.parts)
    assert.equal((await mailsTo(email)).length, 2)
  })
})

describe('links', () => {
  test('that have run out are forgotten, the others are not', async () => {
    const { email: old } = await mail.signUp()
    const gone = await tokenFor(mail, old, 'verify')
    mail.clock.advance(DAY)
    const { email, id } = await mail.signUp()
    await forgetTokens(mail.database, mail.clock.now())
    const left = await mail.database.db.selectFrom('account_token').select('account_id').execute()
    assert.deepEqual(left, [{ account_id: id }])
    assert.equal((await mail.client().post('/api/auth/verify', { token: gone })).status, 400)
    const token = await tokenFor(mail, email, 'verify')
    assert.equal((await mail.client().post('/api/auth/verify', { token })).status, 200)
  })
})

const activity = (addressId: string, type: string, at: Date) => ({
  address_id: addressId,
  id: newId(),
  type: type === 'spam' ? ('spam' as const) : ('received' as const),
  direction: 'in' as const,
  sender: null,
  recipient: null,
  subject: null,
  message_id: null,
  size_bytes: null,
  remote_ip: null,
  result: null,
  created_at: at,
})
