import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantDomain } from '../../hosting/addresses/testing/hosting.ts'

let mail: MailService
let own: { client: MailClient; id: string }
let other: { client: MailClient; id: string }
let path: string
before(async () => {
  mail = await startMail()
  own = await mail.signUp()
  other = await mail.signUp()
  const { id } = await plantDomain(mail.database, { accountId: own.id, name: 'senders.test' })
  path = `/api/domains/${id}/senders`
})
after(() => mail.close())

const patterns = async (): Promise<string[]> =>
  (await own.client.get(`${path}?sort=pattern&direction=asc`)).body.data.map(
    ({ pattern, action }: { pattern: string; action: string }) => `${action} ${pattern}`,
  )

describe('the senders of a domain', () => {
  test('are added in one spelling, listed and removed', async () => {
    const added = await own.client.post(path, { pattern: ' @News.Example ', action: 'allow' })
    assert.equal(added.status, 201, added.text)
    assert.deepEqual([added.body.object, added.body.pattern, added.body.action], ['sender', '@news.example', 'allow'])
    assert.equal((await own.client.post(path, { pattern: 'Eve@B\u00fccher.example', action: 'block' })).status, 201)
    assert.deepEqual(await patterns(), ['allow @news.example', 'block eve@xn--bcher-kva.example'])
    const again = await own.client.post(path, { pattern: '@NEWS.example', action: 'block' })
    assert.deepEqual([again.status, again.body.name], [409, 'conflict'])
    const gone = await own.client.send('DELETE', `${path}/${added.body.id}`)
    assert.deepEqual([gone.status, gone.body], [200, { object: 'sender', id: added.body.id, deleted: true }])
    assert.equal((await own.client.send('DELETE', `${path}/${added.body.id}`)).status, 404)
    assert.deepEqual(await patterns(), ['block eve@xn--bcher-kva.example'])
  })

  test('that are none are refused and change nothing', async () => {
    const before = await patterns()
    for (const [body, status] of [
      [{}, 422],
      [{ pattern: '@x.example' }, 422],
      [{ pattern: 'x.example', action: 'allow' }, 400],
      [{ pattern: '@', action: 'allow' }, 400],
      [{ pattern: 'Ann <a@b.example>', action: 'allow' }, 400],
      [{ pattern: '*@x.example*', action: 'allow' }, 400],
      [{ pattern: '@x.example', action: 'trust' }, 400],
      [{ pattern: 5, action: 'allow' }, 400],
    ] as const)
      assert.equal((await own.client.post(path, body)).status, status, JSON.stringify(body))
    assert.deepEqual(await patterns(), before)
  })

  test('of a foreign domain are 404', async () => {
    const { id } = (await own.client.post(path, { pattern: 'kept@x.example', action: 'allow' })).body
    assert.equal((await other.client.get(path)).status, 404)
    assert.equal((await other.client.post(path, { pattern: '@evil.example', action: 'allow' })).status, 404)
    assert.equal((await other.client.send('DELETE', `${path}/${id}`)).status, 404)
    assert.ok((await patterns()).includes('allow kept@x.example'))
  })
})
