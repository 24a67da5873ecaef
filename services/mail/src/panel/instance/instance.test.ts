import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailClient, type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'

let mail: MailService
let owner: MailClient
before(async () => {
  mail = await startMail()
  owner = (await mail.signUp()).client
})
after(() => mail.close())

const patch = (client: MailClient, body: unknown) => client.send('PATCH', '/api/instance', { body })

describe('the settings of the instance', () => {
  test('begin as the environment says; the owner closes and opens sign-ups', async () => {
    assert.deepEqual((await owner.get('/api/instance')).body, { object: 'instance', signups: 'open' })
    const closed = await patch(owner, { signups: 'closed' })
    assert.deepEqual([closed.status, closed.body], [200, { object: 'instance', signups: 'closed' }])
    assert.deepEqual((await owner.get('/api/instance')).body, closed.body)
    const refused = await mail.client().post('/api/auth/signup', { email: 'late@example.test', password: PASSWORD })
    assert.deepEqual([refused.status, refused.body.name], [403, 'forbidden'])
    assert.equal((await mail.client().get('/api/auth/signups')).body.reason, 'closed')
    assert.deepEqual((await patch(owner, {})).body, closed.body)
    assert.equal((await patch(owner, { signups: 'open' })).status, 200)
    assert.equal((await mail.client().get('/api/auth/signups')).body.open, true)
    await mail.signUp('late@example.test')
  })

  test('are for the owner only, and take nothing else', async () => {
    const { client: member } = await mail.signUp()
    for (const answer of [await member.get('/api/instance'), await patch(member, { signups: 'closed' })])
      assert.deepEqual([answer.status, answer.body.name], [403, 'forbidden'])
    assert.equal((await mail.client().get('/api/instance')).status, 401)
    const wrong = await patch(owner, { signups: 'maybe' })
    assert.deepEqual([wrong.status, wrong.body.name], [400, 'validation_error'])
    assert.equal((await owner.get('/api/instance')).body.signups, 'open')
  })
})
