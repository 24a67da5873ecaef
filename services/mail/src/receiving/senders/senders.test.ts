import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { MAILBOX_PASSWORD, plantAddress } from '../../hosting/addresses/testing/hosting.ts'

type Lists = Record<'mailbox' | 'domain' | 'instance', { client: MailClient; path: string }>

let mail: MailService
let lists: Lists
let foreign: Lists
before(async () => {
  mail = await startMail()
  lists = await listsOf('senders.test')
  foreign = await listsOf('foreign.test')
})
after(() => mail.close())

/** The first account owns the instance. */
const listsOf = async (domain: string): Promise<Lists> => {
  const { client, id: accountId } = await mail.signUp()
  const { email, domainId } = await plantAddress(mail.database, `ada@${domain}`, { accountId, now: mail.clock.now() })
  const webmail = mail.client()
  assert.equal((await webmail.post('/api/mail/login', { email, password: MAILBOX_PASSWORD })).status, 200)
  return {
    mailbox: { client: webmail, path: '/api/mail/senders' },
    domain: { client, path: `/api/domains/${domainId}/senders` },
    instance: { client, path: '/api/instance/senders' },
  }
}

const patterns = async (name: keyof Lists): Promise<string[]> => {
  const { client, path } = lists[name]
  return (await client.get(`${path}?sort=pattern&direction=asc`)).body.data.map(
    ({ pattern, action }: { pattern: string; action: string }) => `${action} ${pattern}`,
  )
}

for (const name of ['mailbox', 'domain', 'instance'] as const)
  describe(`the senders of the ${name}`, () => {
    test('are added in one spelling, listed and removed', async () => {
      const { client, path } = lists[name]
      const added = await client.post(path, { pattern: ' @News.Example ', action: 'allow' })
      assert.equal(added.status, 201, added.text)
      assert.deepEqual(Object.keys(added.body), [
        ...['object', 'id', 'address_id', 'domain_id', 'pattern', 'action', 'created_at'],
      ])
      const { object, pattern, action, address_id, domain_id } = added.body
      assert.deepEqual([object, pattern, action], ['sender', '@news.example', 'allow'])
      assert.deepEqual([address_id !== null, domain_id !== null], [name === 'mailbox', name === 'domain'])
      assert.equal((await client.post(path, { pattern: 'Eve@B\u00fccher.example', action: 'block' })).status, 201)
      assert.deepEqual(await patterns(name), ['allow @news.example', 'block eve@xn--bcher-kva.example'])
      const again = await client.post(path, { pattern: '@NEWS.example', action: 'block' })
      assert.deepEqual([again.status, again.body.name], [409, 'conflict'])
      const found = (await client.get(`${path}?search=NEWS`)).body
      assert.deepEqual([found.total, found.data[0]], [1, added.body])
      const gone = await client.send('DELETE', `${path}/${added.body.id}`)
      assert.deepEqual([gone.status, gone.body], [200, { object: 'sender', id: added.body.id, deleted: true }])
      assert.equal((await client.send('DELETE', `${path}/${added.body.id}`)).status, 404)
      assert.deepEqual(await patterns(name), ['block eve@xn--bcher-kva.example'])
    })

    test('that are none are refused and change nothing', async () => {
      const { client, path } = lists[name]
      const before = await patterns(name)
      for (const [body, status] of [
        [{}, 422],
        [{ pattern: '@x.example' }, 422],
        [{ pattern: 'x.example', action: 'allow' }, 400],
        [{ pattern: '0.0.0.0/0', action: 'block' }, 400],
        [{ pattern: '192.0.2.0/33', action: 'block' }, 400],
        [{ pattern: '@', action: 'allow' }, 400],
        [{ pattern: 'Ann <a@b.example>', action: 'allow' }, 400],
        [{ pattern: '*@x.example*', action: 'allow' }, 400],
        [{ pattern: '@x.example', action: 'trust' }, 400],
        [{ pattern: 5, action: 'allow' }, 400],
      ] as const)
        assert.equal((await client.post(path, body)).status, status, JSON.stringify(body))
      assert.equal((await client.send('DELETE', `${path}/x`)).status, 404)
      assert.deepEqual(await patterns(name), before)
    })

    test('may be servers: an IP address or a network in one spelling', async () => {
      const { client, path } = lists[name]
      for (const [given, wanted] of [
        ['192.0.2.99/24', '192.0.2.0/24'],
        ['2001:DB8:0::/32', '2001:db8::/32'],
        ['198.51.100.7', '198.51.100.7'],
      ] as const) {
        const { status, body } = await client.post(path, { pattern: given, action: 'block' })
        assert.deepEqual([status, body.pattern], [201, wanted])
        await client.send('DELETE', `${path}/${body.id}`)
      }
    })

    test('are nobody else\u2019s', async () => {
      const { client, path } = lists[name]
      const { id } = (await client.post(path, { pattern: 'kept@x.example', action: 'allow' })).body
      const other = foreign[name].client
      const refusal = name === 'instance' ? 403 : 404
      if (name === 'mailbox') assert.equal((await other.get(path)).body.total, 0)
      else {
        assert.equal((await other.get(path)).status, refusal)
        assert.equal((await other.post(path, { pattern: '@evil.example', action: 'allow' })).status, refusal)
      }
      assert.equal((await other.send('DELETE', `${path}/${id}`)).status, refusal)
      assert.ok((await patterns(name)).includes('allow kept@x.example'))
      assert.equal((await mail.client().get(path)).status, 401)
    })

    test('are no entries of the other lists', async () => {
      const { client, path } = lists[name]
      const { id } = (await client.post(path, { pattern: 'apart@x.example', action: 'block' })).body
      for (const [other, { client: theirs, path: elsewhere }] of Object.entries(lists))
        if (other !== name) assert.equal((await theirs.send('DELETE', `${elsewhere}/${id}`)).status, 404, other)
      assert.equal((await client.send('DELETE', `${path}/${id}`)).status, 200)
    })
  })

test('a list is full at a thousand senders', async () => {
  const { client, path } = lists.mailbox
  const { body } = await client.post(path, { pattern: '@full.example', action: 'block' })
  await mail.database.pool.query(
    `insert into listed_sender (id, address_id, pattern, action, created_at)
     select gen_random_uuid(), $1, 'n' || n || '@full.example', 'block', now() from generate_series(1, 1000) n`,
    [body.address_id],
  )
  const answer = await client.post(path, { pattern: '@more.example', action: 'block' })
  assert.deepEqual([answer.status, answer.body.name], [413, 'quota_exceeded'])
})
