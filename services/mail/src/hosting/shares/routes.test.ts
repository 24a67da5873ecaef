import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantAddress } from '../addresses/testing/hosting.ts'

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
const planted = () => plantAddress(mail.database, `a${++addresses}@shares.test`, { accountId, now: mail.clock.now() })
const pathOf = (addressId: string): string => `/api/addresses/${addressId}/shares`

describe('a share', () => {
  test('is made, listed and ended', async () => {
    const [ada, bob] = [await planted(), await planted()]
    const made = await client.post(pathOf(ada.id), { address_id: bob.id, access: 'write' })
    assert.equal(made.status, 201)
    assert.deepEqual(made.body, {
      object: 'share',
      id: made.body.id,
      address_id: ada.id,
      with_address_id: bob.id,
      with_email: bob.email,
      access: 'write',
      created_at: mail.clock.now().toISOString(),
    })
    assert.deepEqual((await client.get(pathOf(ada.id))).body.data, [made.body])
    assert.equal((await client.get(pathOf(bob.id))).body.total, 0)
    assert.equal((await client.send('DELETE', `${pathOf(bob.id)}/${made.body.id}`)).status, 404)
    assert.equal((await client.get(pathOf(ada.id))).body.total, 1)
    const ended = await client.send('DELETE', `${pathOf(ada.id)}/${made.body.id}`)
    assert.deepEqual([ended.status, ended.body], [200, { object: 'share', id: made.body.id, deleted: true }])
    assert.equal((await client.get(pathOf(ada.id))).body.total, 0)
    assert.equal((await client.send('DELETE', `${pathOf(ada.id)}/${made.body.id}`)).status, 404)
  })

  test('with nobody, itself, another customer or twice is refused and changes nothing', async () => {
    const [ada, bob] = [await planted(), await planted()]
    const stranger = await plantAddress(mail.database, 'stranger@other-shares.test')
    const cases: [object, number, string][] = [
      [{}, 422, 'missing_required_field'],
      [{ address_id: bob.id }, 422, 'missing_required_field'],
      [{ address_id: 'x', access: 'read' }, 400, 'validation_error'],
      [{ address_id: bob.id, access: 'owner' }, 400, 'validation_error'],
      [{ address_id: ada.id, access: 'read' }, 400, 'validation_error'],
      [{ address_id: newId(), access: 'read' }, 404, 'not_found'],
      [{ address_id: stranger.id, access: 'read' }, 404, 'not_found'],
    ]
    for (const [body, status, name] of cases) {
      const answer = await client.post(pathOf(ada.id), body)
      assert.deepEqual([answer.status, answer.body.name], [status, name], answer.text)
    }
    assert.equal((await client.get(pathOf(ada.id))).body.total, 0)
    await client.post(pathOf(ada.id), { address_id: bob.id, access: 'read' })
    const twice = await client.post(pathOf(ada.id), { address_id: bob.id, access: 'full' })
    assert.deepEqual([twice.status, twice.body.name], [409, 'conflict'])
    assert.deepEqual((await client.get(pathOf(ada.id))).body.data[0].access, 'read')
  })
})
