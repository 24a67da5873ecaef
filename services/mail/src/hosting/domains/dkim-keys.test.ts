import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantDomain } from '../addresses/testing/hosting.ts'
import { signingKeyOf } from './dkim-keys.ts'

type Key = { id: string; selector: string; active: boolean; public_key: string; record: { name: string } }

let mail: MailService
let second: MailService
let own: { client: MailClient; id: string }
let other: { client: MailClient; id: string }
before(async () => {
  mail = await startMail()
  second = await startMail({ databaseUrl: mail.databaseUrl })
  own = await mail.signUp()
  other = await mail.signUp()
})
after(async () => {
  await second.close()
  await mail.close()
})

let names = 0
/** A domain with its keys s1, which signs, and s2. */
const newDomain = async () => {
  const { id } = await plantDomain(mail.database, { accountId: own.id, name: `keys-${++names}.test` })
  return { id, path: `/api/domains/${id}/keys` }
}
const keysOf = async (path: string): Promise<Key[]> =>
  (await own.client.get(`${path}?sort=selector&direction=asc`)).body.data
const selectorsOf = async (path: string): Promise<string[]> => (await keysOf(path)).map(({ selector }) => selector)
const keyNamed = async (path: string, wanted: string): Promise<Key> => {
  const key = (await keysOf(path)).find(({ selector }) => selector === wanted)
  assert.ok(key)
  return key
}

describe('a further DKIM key', () => {
  test('is RSA 2048 with the next selector, stands by, and is among the records to publish', async () => {
    const { id, path } = await newDomain()
    const answer = await own.client.post(path, {})
    assert.equal(answer.status, 201, answer.text)
    const { object, domain_id, selector, algorithm, key_bits, active, activated_at, status } = answer.body
    assert.deepEqual(
      [object, domain_id, selector, algorithm, key_bits, active, activated_at, status],
      ['dkim_key', id, 's3', 'rsa-sha256', 2048, false, null, 'not_started'],
    )
    assert.ok(!answer.text.includes('PRIVATE') && !answer.text.includes('sealed'))
    assert.deepEqual(await selectorsOf(path), ['s1', 's2', 's3'])
    const { records } = (await own.client.get(`/api/domains/${id}/dns`)).body
    const record = records.find(({ name }: { name: string }) => name === 's3._domainkey')
    assert.deepEqual([record.value, record.required], [answer.body.record.value, false])
  })

  test('needs no body, and its public half is one of its own', async () => {
    const { path } = await newDomain()
    const answer = await own.client.post(path)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(new Set((await keysOf(path)).map(({ public_key }) => public_key)).size, 3)
  })

  test('never has a selector that was used before, also not that of a key that is deleted', async () => {
    const { path } = await newDomain()
    const { body } = await own.client.post(path)
    assert.equal(body.selector, 's3')
    assert.equal((await own.client.send('DELETE', `${path}/${body.id}`)).status, 200)
    assert.equal((await own.client.post(path)).body.selector, 's4')
    assert.deepEqual(await selectorsOf(path), ['s1', 's2', 's4'])
  })

  test('is 409 when a domain has five, also when two processes are asked at once', async () => {
    const { path } = await newDomain()
    const cookie = await mail.openSession(own.id)
    const answers = await Promise.all(
      [mail, second, mail, second].map((service) => service.client({ cookie }).post(path)),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 409])
    assert.equal(answers.find(({ status }) => status === 409)?.body.name, 'conflict')
    assert.deepEqual(await selectorsOf(path), ['s1', 's2', 's3', 's4', 's5'])
    assert.equal((await own.client.post(path)).status, 409)
  })

  test('of a foreign domain is 404, and it gets none', async () => {
    const { path } = await newDomain()
    assert.equal((await other.client.post(path)).status, 404)
    assert.equal((await own.client.post(`/api/domains/${newId()}/keys`)).status, 404)
    assert.deepEqual(await selectorsOf(path), ['s1', 's2'])
  })
})

describe('deleting a DKIM key', () => {
  test('removes it and its record', async () => {
    const { id, path } = await newDomain()
    const { id: keyId } = await keyNamed(path, 's2')
    const answer = await own.client.send('DELETE', `${path}/${keyId}`)
    assert.deepEqual([answer.status, answer.body], [200, { object: 'dkim_key', id: keyId, deleted: true }])
    assert.deepEqual(await selectorsOf(path), ['s1'])
    const { records } = (await own.client.get(`/api/domains/${id}/dns`)).body
    assert.ok(!records.some(({ name }: { name: string }) => name === 's2._domainkey'))
    assert.equal((await own.client.send('DELETE', `${path}/${keyId}`)).status, 404)
  })

  test('that signs is 409, and it goes on signing', async () => {
    const { id, path } = await newDomain()
    const active = await keyNamed(path, 's1')
    const answer = await own.client.send('DELETE', `${path}/${active.id}`)
    assert.deepEqual([answer.status, answer.body.name], [409, 'conflict'])
    assert.deepEqual(await selectorsOf(path), ['s1', 's2'])
    assert.equal((await signingKeyOf(mail.database.db, mail.parts.hosting, id))?.selector, 's1')
  })

  test('of somebody else, of another domain, or that there is not, is 404', async () => {
    const [one, two] = [await newDomain(), await newDomain()]
    const { id } = await keyNamed(one.path, 's2')
    assert.equal((await other.client.send('DELETE', `${one.path}/${id}`)).status, 404)
    assert.equal((await own.client.send('DELETE', `${two.path}/${id}`)).status, 404)
    assert.equal((await own.client.send('DELETE', `${one.path}/x`)).status, 404)
    assert.deepEqual(await selectorsOf(one.path), ['s1', 's2'])
  })

  test('while it is being activated never leaves a domain without a key that signs', async () => {
    const { path } = await newDomain()
    const { id } = await keyNamed(path, 's2')
    const cookie = await mail.openSession(own.id)
    const [activated, deleted] = await Promise.all([
      mail.client({ cookie }).post(`${path}/${id}/activate`),
      second.client({ cookie }).send('DELETE', `${path}/${id}`),
    ])
    assert.ok((activated.status === 200) !== (deleted.status === 200), `${activated.status} ${deleted.status}`)
    assert.equal((await keysOf(path)).filter(({ active }) => active).length, 1)
  })
})

test('a leaked key is replaced: a new one signs, the old one is gone, in every process', async () => {
  const { id, path } = await newDomain()
  const leaked = await keyNamed(path, 's1')
  assert.equal((await signingKeyOf(second.database.db, second.parts.hosting, id))?.selector, 's1')
  const fresh = (await own.client.post(path)).body
  assert.equal((await own.client.post(`${path}/${fresh.id}/activate`)).status, 200)
  assert.equal((await own.client.send('DELETE', `${path}/${leaked.id}`)).status, 200)
  assert.deepEqual(await selectorsOf(path), ['s2', 's3'])
  assert.equal((await signingKeyOf(mail.database.db, mail.parts.hosting, id))?.selector, 's3')
})
