import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type DeliverySite, type Reader, startDelivery, statementsOf } from '../../site/delivery/testing/site.ts'
import { agentFor } from '../agent-keys/testing/agents.ts'

let site: DeliverySite
let reader: Reader
before(async () => {
  site = await startDelivery()
  reader = await site.reader()
})
after(() => site.close())

const UNKNOWN = `cms_${'x'.repeat(43)}`
const keyRow = async (id: string) => (await site.admin.client.get(`/api/delivery-keys/${id}`)).body

describe('the credential of delivery', () => {
  test('is a delivery key in X-Api-Key, and nothing else', async () => {
    const agent = await agentFor(site, site.admin)
    const send = (headers: Record<string, string>, path = '/content') => site.client().get(path, headers)
    const codes: [Record<string, string>, string][] = [
      [{}, 'AUTH_REQUIRED'],
      [{ 'x-api-key': '' }, 'AUTH_REQUIRED'],
      [{ authorization: `Bearer ${reader.key}` }, 'WRONG_CREDENTIAL_KIND'],
      [{ authorization: `Bearer ${site.admin.token}` }, 'WRONG_CREDENTIAL_KIND'],
      [{ authorization: 'Basic x' }, 'WRONG_CREDENTIAL_KIND'],
      [{ 'x-api-key': agent.key }, 'WRONG_CREDENTIAL_KIND'],
      [{ 'x-api-key': site.admin.token }, 'WRONG_CREDENTIAL_KIND'],
      [{ 'x-api-key': UNKNOWN }, 'INVALID_TOKEN'],
      [{ 'x-api-key': 'garbage' }, 'INVALID_TOKEN'],
      [{ 'x-api-key': `${reader.key}, ${reader.key}` }, 'INVALID_TOKEN'],
      [{ 'x-api-key': reader.key.toUpperCase() }, 'INVALID_TOKEN'],
    ]
    for (const [headers, code] of codes) {
      const answer = await send(headers)
      assert.equal(answer.status, 401, code)
      assert.equal(answer.body.code, code, JSON.stringify(headers))
      assert.match(answer.headers.get('www-authenticate') ?? '', /X-Api-Key/)
    }
    assert.equal((await send({ 'x-api-key': reader.key })).status, 200)
  })

  test('C10: is never taken from the query', async () => {
    for (const name of ['key', 'api_key', 'apiKey', 'x-api-key', 'X-Api-Key'])
      assert.equal((await site.client().get(`/content?${name}=${reader.key}`)).body.code, 'AUTH_REQUIRED')
  })

  test('a wrong kind is recognized by its prefix, before anything is looked up', async () => {
    const asked = await statementsOf(site, async () => {
      await site.client().get('/content', { 'x-api-key': `cmsagt_${'x'.repeat(43)}` })
      await site.client().get('/content', { authorization: 'Bearer x' })
    })
    assert.deepEqual(asked, [])
  })

  test('a revoked key ends at once, although it is held in memory', async () => {
    const own = await site.reader()
    assert.equal((await own.get('/content')).status, 200)
    await site.admin.client.delete(`/api/delivery-keys/${own.id}`)
    const answer = await own.get('/content')
    assert.deepEqual([answer.status, answer.body.code], [401, 'TOKEN_REVOKED'])
  })

  test('narrowed types count from the next request on', async () => {
    await site.live({ title: 'Narrow' })
    const own = await site.reader(['article'])
    assert.equal((await own.get('/content/article/narrow')).status, 200)
    await site.addType('other', [])
    await site.admin.client.put(`/api/delivery-keys/${own.id}`, { types: ['other'] })
    assert.equal((await own.get('/content/article/narrow')).status, 404)
  })

  test('a key in use is not looked up again', async () => {
    const own = await site.reader()
    await own.get('/content')
    const asked = await statementsOf(site, async () => {
      for (let count = 0; count < 3; count += 1) await own.get('/content')
    })
    assert.deepEqual(asked, [])
  })

  test('lastUsedAt is written once a minute at most, after the answer', async () => {
    const own = await site.reader()
    const { deliveryKeys: keys } = site.cms.services
    await own.get('/content')
    await keys.flush()
    const first = (await keyRow(own.id)).lastUsedAt
    assert.equal(first, site.clock.now().toISOString())
    site.clock.advance(59_000)
    await own.get('/content')
    await keys.flush()
    assert.equal((await keyRow(own.id)).lastUsedAt, first)
    site.clock.advance(1_000)
    await own.get('/content')
    await keys.flush()
    assert.equal((await keyRow(own.id)).lastUsedAt, site.clock.now().toISOString())
  })

  test('the 31st invalid key of a minute from one address is 429 with Retry-After, valid ones are not', async () => {
    const guesser = site.client()
    const guess = () => guesser.get('/content', { 'x-api-key': UNKNOWN })
    for (let count = 0; count < 30; count += 1) assert.equal((await guess()).status, 401)
    const limited = await guess()
    assert.deepEqual([limited.status, limited.body.code], [429, 'RATE_LIMITED'])
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
    assert.equal((await guesser.get('/content', { 'x-api-key': reader.key })).status, 200)
    assert.equal((await site.client().get('/content', { 'x-api-key': UNKNOWN })).status, 401)
    assert.deepEqual(await statementsOf(site, guess), [])
    site.clock.advance(60_000)
    assert.equal((await guess()).status, 401)
  })

  test('the setting deliveryRatePerMinute caps each key by itself', async () => {
    const [one, other] = [await site.reader(), await site.reader()]
    await site.admin.client.put('/api/settings', { deliveryRatePerMinute: 2 })
    assert.equal((await one.get('/content')).status, 200)
    assert.equal((await one.get('/content')).status, 200)
    const limited = await one.get('/content')
    assert.deepEqual([limited.status, limited.body.code], [429, 'RATE_LIMITED'])
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
    assert.equal((await other.get('/content')).status, 200)
    site.clock.advance(60_000)
    assert.equal((await one.get('/content')).status, 200)
    await site.admin.client.put('/api/settings', { deliveryRatePerMinute: null })
    for (let count = 0; count < 3; count += 1) assert.equal((await one.get('/content')).status, 200)
  })
})
