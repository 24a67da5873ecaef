import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import {
  MAILBOX_PASSWORD,
  type PlantedAddress,
  plantAddress,
  plantDomain,
} from '../../hosting/addresses/testing/hosting.ts'
import { subjectsTo, systemMailTo, tokenFor } from '../../hosting/system-mail/testing/sent.ts'

let mail: MailService
let owner: MailClient
let accountId: string
before(async () => {
  mail = await startMail()
  const made = await mail.signUp('owner@example.test')
  owner = made.client
  accountId = made.id
})
after(() => mail.close())

const HOUR = 3_600_000
const NEXT = 'the next phrase of a mailbox'
let boxes = 0

const setRecovery = async ({ id }: PlantedAddress, recovery_email: string): Promise<void> => {
  assert.equal((await owner.post(`/api/addresses/${id}/recovery`, { recovery_email })).status, 200)
}
const plant = async (): Promise<{ address: PlantedAddress; recovery: string }> => {
  boxes += 1
  const address = await plantAddress(mail.database, `box-${boxes}@ours.test`, { accountId, now: mail.clock.now() })
  const recovery = `rescue-${boxes}@outside.test`
  await setRecovery(address, recovery)
  return { address, recovery }
}
const request = (email: unknown) => mail.client().post('/api/recover/request', { email })
const reset = (token: unknown, password: unknown = NEXT) =>
  mail.client().post('/api/recover/reset', { token, password })
const signIn = (email: string, password: string) => mail.client().post('/api/mail/login', { email, password })
const check = (query: string) => mail.client().get(`/api/recover/check${query}`)
const linkFor = async ({ address, recovery }: Awaited<ReturnType<typeof plant>>): Promise<string> => {
  assert.equal((await request(address.email)).status, 200)
  return tokenFor(mail, recovery, 'recover')
}

describe('recovery of a mailbox', () => {
  test('is available for a domain of which a mailbox has a recovery address', async () => {
    await plantAddress(mail.database, 'box@without.test', { accountId })
    await plantDomain(mail.database, { accountId, name: 'unproven.org', isVerified: false })
    await plant()
    for (const [domain, name, available] of [
      ['OURS.test', 'ours.test', true],
      ['without.test', 'without.test', false],
      ['unproven.org', 'unproven.org', false],
      ['nowhere.test', 'nowhere.test', false],
      ['not%20a%20domain', 'not a domain', false],
    ] as const) {
      const { status, body } = await check(`?domain=${domain}`)
      assert.deepEqual([status, body], [200, { object: 'recovery_availability', domain: name, available }])
    }
    const missing = await check('')
    assert.deepEqual([missing.status, missing.body.name], [400, 'invalid_parameter'])
  })

  test('mails a link to the recovery address, which sets the password and ends webmail and app passwords', async () => {
    const box = await plant()
    const browser = mail.client()
    await browser.post('/api/mail/login', { email: box.address.email, password: MAILBOX_PASSWORD })
    assert.equal((await browser.get('/api/mail/me')).status, 200)
    const answer = await reset(await linkFor(box))
    assert.deepEqual([answer.status, answer.body], [200, { object: 'recovery', reset: true }])
    assert.equal((await browser.get('/api/mail/me')).status, 401)
    assert.equal((await signIn(box.address.email, MAILBOX_PASSWORD)).status, 401)
    assert.equal((await signIn(box.address.email, NEXT)).status, 200)
    assert.ok((await subjectsTo(mail, box.recovery)).includes(`The password for ${box.address.email} was changed`))
  })

  test('answers the same whether or not there is such a mailbox', async () => {
    const { address } = await plant()
    const bare = await plantAddress(mail.database, 'bare@ours.test', { accountId })
    const known = await request(address.email)
    assert.deepEqual(known.body, { object: 'recovery_request', accepted: true })
    for (const email of [bare.email, 'nobody@ours.test', 'x@elsewhere.test', 'no address', '']) {
      const answer = await request(email)
      assert.deepEqual([answer.status, answer.text], [200, known.text])
    }
    assert.equal((await mail.client().post('/api/recover/request', {})).status, 422)
  })

  test('mails three times in an hour', async () => {
    const { address, recovery } = await plant()
    for (let count = 0; count < 5; count += 1) await request(address.email)
    const subject = `Choose a new password for ${address.email}`
    assert.equal((await subjectsTo(mail, recovery)).filter((each) => each === subject).length, 3)
  })

  test('a link works once, for 60 minutes, until a newer one', async () => {
    const box = await plant()
    const old = await linkFor(box)
    const used = await linkFor(box)
    assert.equal((await reset(used)).status, 200)
    const late = await linkFor(box)
    mail.clock.advance(HOUR)
    for (const token of [old, used, late, 'x', '']) {
      const answer = await reset(token, 'yet another phrase')
      assert.deepEqual([answer.status, answer.body.name], [400, 'validation_error'])
    }
    assert.equal((await signIn(box.address.email, NEXT)).status, 200)
  })

  test('a link is void once the recovery address or the password is another one', async () => {
    const moved = await plant()
    const first = await linkFor(moved)
    await setRecovery(moved.address, 'other@outside.test')
    assert.equal((await reset(first)).status, 400)
    const changed = await plant()
    const second = await linkFor(changed)
    await mail.database.tx((tx) =>
      tx.updateTable('address').set({ password_hash: 'another' }).where('id', '=', changed.address.id).execute(),
    )
    assert.equal((await reset(second)).status, 400)
    assert.equal((await signIn(moved.address.email, MAILBOX_PASSWORD)).status, 200)
  })

  test('by 5 that redeem the link at the same moment happens once', async () => {
    const token = await linkFor(await plant())
    const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => reset(token, `the phrase number ${at}`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400])
  })

  test('refuses a bad password and keeps the link', async () => {
    const token = await linkFor(await plant())
    for (const password of ['short', 'password123', 5]) assert.equal((await reset(token, password)).status, 400)
    assert.equal((await mail.client().post('/api/recover/reset', { token })).status, 422)
    assert.equal((await reset(token)).status, 200)
  })

  test('is not for a mailbox that is switched off or deleted', async () => {
    const box = await plant()
    const token = await linkFor(box)
    await mail.database.tx((tx) =>
      tx.updateTable('address').set({ enabled: false }).where('id', '=', box.address.id).execute(),
    )
    assert.equal((await reset(token)).status, 400)
    await request(box.address.email)
    assert.equal((await systemMailTo(mail, box.recovery)).length, 1)
  })
})

describe('a changed recovery address', () => {
  test('is reported to the mailbox and to the old one, which is notified of recoveries for a day', async () => {
    const { address, recovery } = await plant()
    const changeNotice = `The recovery address for ${address.email} was changed`
    await setRecovery(address, 'thief@outside.test')
    await setRecovery(address, 'thief-2@outside.test')
    assert.deepEqual(await subjectsTo(mail, recovery), [changeNotice])
    assert.deepEqual(await subjectsTo(mail, address.email), [changeNotice, changeNotice, changeNotice])
    await request(address.email)
    assert.ok((await tokenFor(mail, 'thief-2@outside.test', 'recover')).length > 0)
    assert.deepEqual(await subjectsTo(mail, recovery), [changeNotice, `Password reset requested for ${address.email}`])
    mail.clock.advance(24 * HOUR)
    await request(address.email)
    assert.equal((await systemMailTo(mail, recovery)).length, 2)
  })
})
