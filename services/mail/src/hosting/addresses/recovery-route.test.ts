import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { type PlantedAddress, plantAddress } from './testing/hosting.ts'

let mail: MailService
let client: MailClient
let accountId: string
before(async () => {
  mail = await startMail()
  const made = await mail.signUp()
  client = made.client
  accountId = made.id
})
after(() => mail.close())

let addresses = 0
const planted = (): Promise<PlantedAddress> =>
  plantAddress(mail.database, `a${++addresses}@recovery.test`, { accountId, now: mail.clock.now() })
const set = ({ id }: PlantedAddress, body: object) => client.post(`/api/addresses/${id}/recovery`, body)
const notifiedSince = async (count: number): Promise<string[]> => {
  const rows = await mail.database.db.selectFrom('queue_recipient').select('recipient').execute()
  return rows
    .map(({ recipient }) => recipient)
    .slice(count)
    .sort()
}
const sent = async (): Promise<number> => (await notifiedSince(0)).length
const remembered = async (addressId: string): Promise<string | undefined> =>
  (
    await mail.database.db
      .selectFrom('recovery_change')
      .select('previous_email')
      .where('address_id', '=', addressId)
      .executeTakeFirst()
  )?.previous_email

describe('the recovery address', () => {
  test('changes at once, and the mailbox and the previous one are notified', async () => {
    const address = await planted()
    let before = await sent()
    const first = await set(address, { recovery_email: ' One@Elsewhere.test ' })
    assert.deepEqual([first.status, first.body.recovery_email], [200, 'one@elsewhere.test'])
    assert.deepEqual(await notifiedSince(before), [address.email])
    assert.equal(await remembered(address.id), undefined)
    before = await sent()
    assert.equal(
      (await set(address, { recovery_email: 'two@elsewhere.test' })).body.recovery_email,
      'two@elsewhere.test',
    )
    assert.deepEqual(await notifiedSince(before), [address.email, 'one@elsewhere.test'].sort())
    assert.equal(await remembered(address.id), 'one@elsewhere.test')
    before = await sent()
    assert.equal((await set(address, { recovery_email: 'two@elsewhere.test' })).status, 200)
    assert.deepEqual(await notifiedSince(before), [])
  })

  test('of several changes within a day the first address is remembered, a day later the newest', async () => {
    const address = await planted()
    for (const name of ['one', 'two', 'three']) await set(address, { recovery_email: `${name}@elsewhere.test` })
    assert.equal(await remembered(address.id), 'one@elsewhere.test')
    mail.clock.advance(24 * 3_600_000)
    assert.equal((await set(address, { recovery_email: null })).body.recovery_email, null)
    assert.equal(await remembered(address.id), 'three@elsewhere.test')
  })

  test('is refused when it is missing, no address or the mailbox itself; then nobody is notified', async () => {
    const address = await planted()
    const before = await sent()
    const cases: [object, number, string][] = [
      [{}, 422, 'missing_required_field'],
      [{ recovery_email: 5 }, 400, 'validation_error'],
      [{ recovery_email: 'x' }, 400, 'validation_error'],
      [{ recovery_email: address.email.toUpperCase() }, 400, 'validation_error'],
    ]
    for (const [body, status, name] of cases) {
      const answer = await set(address, body)
      assert.deepEqual([answer.status, answer.body.name], [status, name], answer.text)
    }
    assert.equal((await client.get(`/api/addresses/${address.id}`)).body.recovery_email, null)
    assert.deepEqual(await notifiedSince(before), [])
  })
})
