import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { capDeletes, cascadesFrom, countRows, plantRows } from '@stoa/tests/lib/cascades.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { plantAddress } from '../../hosting/addresses/testing/hosting.ts'
import { subjectsTo, systemMailTo, tokenFor } from '../../hosting/system-mail/testing/sent.ts'
import { purgeEmails } from '../../sending/emails/forget.ts'
import { forgetTokens, purgeAccounts, sendWeeklySummaries, warnOfQuotas } from './upkeep.ts'

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

/** One statement removes so many rows at most, and what hangs on them. */
const AT_ONCE = 500
/** Why a statement may remove all of an account. */
const FEW = {
  'account_token.account_id': 'one for each purpose',
  'api_key.account_id': '1,000',
  'billing_change.account_id': 'one',
  'checkout.account_id': 'visits to the payment provider in a month',
  'dunning_notice.account_id': 'a few for each unpaid invoice',
  'email_count.account_id': 'one',
  'mail_export.account_id': 'of a week, one after the other',
  'payment_method.account_id': 'those that the payment provider keeps',
  'payment_transaction.account_id': '1,000 are read',
  'recovery_code.account_id': 'ten',
  'referral_credit.account_id': 'people who were invited and pay',
  'sending_day.account_id': 'one a day',
  'session.account_id': 'none: deleting the account ends them',
  'sieve_script.account_id': '1,000 filters',
  'subscription.account_id': 'one after the other',
  'tax_id.account_id': 'one',
  'two_factor.account_id': 'one',
}
const SENT = { status: `'sent'`, last_event: `'sent'` }
const GONE_WITH_ADDRESSES = {
  'address.account_id': 'it waits for them',
  'domain.account_id': 'it waits for them',
  'refused_recipient.account_id': 'it went with its domain',
  'transfer.account_id': 'it went with its address',
}

describe('what a deleted account left', () => {
  const leave = async () => {
    const { client, id } = await mail.signUp()
    assert.equal((await client.send('DELETE', '/api/account', { body: { password: PASSWORD } })).status, 200)
    return id
  }

  test('goes in many statements, none of which removes more than a few rows, also of tables that are added later', async (t) => {
    const { database } = mail
    const [gone, stays] = [await leave(), (await mail.signUp()).id]
    const { many, unknown } = await cascadesFrom(database, 'account', { few: FEW, none: GONE_WITH_ADDRESSES })
    assert.deepEqual(unknown, [])
    const values: Record<string, Record<string, string>> = {
      email: SENT,
      queue_message: { source: `'api'` },
      suppression: { origin: `'manual'` },
    }
    for (const [id, rows] of [
      [gone, AT_ONCE + 1],
      [stays, 3],
    ] as const) {
      for (const cascade of many) await plantRows(database, cascade, { id, rows, values: values[cascade.table] ?? {} })
      for (const text of [
        `insert into queue_recipient (message_id, ordinal, id, recipient, domain, return_path, next_at, state, finished_at)
         select id, 0, gen_random_uuid(), 'a@b.test', 'b.test', '', now(), 'delivered', now() from queue_message where account_id = $1`,
        `insert into queue_attempt (message_id, ordinal, attempt, duration_ms, created_at)
         select id, 0, n, 1, now() from queue_message, generate_series(1, 2) n where account_id = $1`,
        `insert into blob_link (owner_id, blob_key, kind, ref_id, size, created_at)
         select $1, 'of ' || id, 'queue', id, 1, now() from queue_message where account_id = $1`,
      ])
        await database.pool.query(text, [id])
    }
    const all = [...many, { table: 'blob_link', column: 'owner_id' }]
    const counts = (id: string) => Promise.all(all.map((cascade) => countRows(database, cascade, id)))
    const before = await counts(stays)
    t.after(await capDeletes(database, all, AT_ONCE))
    assert.equal(await purgeAccounts(mail.parts), 1)
    assert.deepEqual([await counts(gone), await counts(stays)], [all.map(() => 0), before])
    const { rows } = await database.pool.query(
      `select (select count(*)::int from queue_recipient where recipient = 'a@b.test') as recipients,
         (select count(*)::int from queue_attempt) as attempts`,
    )
    assert.deepEqual(rows, [{ recipients: 3, attempts: 6 }])
  })

  test('goes beside what cannot be removed, which is tried again the next time', async (t) => {
    const { database } = mail
    const [bad, good] = [await leave(), await leave()].toSorted()
    const emails = { table: 'email', column: 'account_id' }
    for (const id of [bad, good]) await plantRows(database, emails, { id: id ?? '', rows: 1, values: SENT })
    const undo = await failOn(database, 'delete', 'email', `old.account_id = '${bad}'`)
    t.after(undo)
    await purgeEmails(mail.parts)
    const left = [bad, good].map((id) => countRows(database, emails, id ?? ''))
    assert.deepEqual(await Promise.all(left), [1, 0])
    assert.equal(await purgeAccounts(mail.parts), 1)
    await undo()
    assert.equal(await purgeAccounts(mail.parts), 1)
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
