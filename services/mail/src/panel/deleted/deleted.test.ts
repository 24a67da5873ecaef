import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailAnswer, type MailClient, type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { purgeDeleted } from '../../hosting/addresses/purge.ts'
import { resolveRecipient } from '../../hosting/addresses/routing.ts'
import { MAILBOX_PASSWORD } from '../../hosting/addresses/testing/hosting.ts'
import { purgeAccounts } from '../accounts/upkeep.ts'

const DAY_MS = 86_400_000

let mail: MailService
before(async () => {
  mail = await startMail()
  await mail.signUp()
})
after(() => mail.close())

const seen = ({ status, body }: MailAnswer) => [status, body?.name]
const deletedOf = async (client: MailClient) => (await client.get('/api/deleted')).body.data
const restore = (client: MailClient, id: string) => client.post(`/api/deleted/${id}/restore`, {})
const remove = (client: MailClient, path: string) => client.send('DELETE', path)
const leadsTo = async (email: string): Promise<string | null> => {
  const route = await resolveRecipient(mail.database.db, mail.parts.hosting, email)
  return route.kind === 'mailbox' ? route.addressId : null
}
const purge = () => purgeDeleted({ ...mail.parts, now: mail.clock.now() })

const isKept = async (addressId: string): Promise<boolean> =>
  (await mail.database.db.selectFrom('address').select('id').where('id', '=', addressId).execute()).length > 0

let domains = 0
/** Somebody with a domain of two addresses, one of them with an alias and the domain's catch-all. */
const customer = async () => {
  const { client, id } = await mail.signUp()
  domains += 1
  const name = `restore-${domains}.test`
  const domain = (await client.post('/api/domains', { name })).body
  const add = async (local_part: string, more: object = {}) =>
    (await client.post(`/api/domains/${domain.id}/addresses`, { local_part, password: MAILBOX_PASSWORD, ...more })).body
  const ann = await add('ann', { aliases: ['nick'] })
  const ben = await add('ben')
  await client.send('PATCH', `/api/domains/${domain.id}`, { body: { catch_all_address_id: ann.id } })
  return { client, id, name, domain, ann, ben, add }
}

describe('a deleted address', () => {
  test('is listed for a week and comes back with its names, its mail and its password', async () => {
    const { client, name, domain, ann } = await customer()
    const before = (await client.get(`/api/addresses/${ann.id}`)).body
    assert.equal((await remove(client, `/api/addresses/${ann.id}`)).status, 200)
    assert.equal((await client.get(`/api/addresses/${ann.id}`)).status, 404)
    assert.deepEqual([await leadsTo(`ann@${name}`), await leadsTo(`nick@${name}`)], [null, null])
    const purge_at = new Date(mail.clock.now().getTime() + 7 * DAY_MS).toISOString()
    assert.deepEqual(await deletedOf(client), [
      { object: 'deleted', id: ann.id, kind: 'address', name: `ann@${name}`, purge_at },
    ])
    assert.equal((await client.get('/api/entitlement')).body.usage.addresses, 1)
    mail.clock.advance(7 * DAY_MS - 1)
    await mail.database.pool.query('update session set expires_at = $1', [new Date(Date.now() + 9e12)])
    assert.deepEqual(await purge(), { addresses: 0, domains: 0 })
    const answer = await restore(client, ann.id)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, { ...before, updated_at: mail.clock.now().toISOString() })
    const led = await Promise.all(['ann', 'nick', 'anybody'].map((local) => leadsTo(`${local}@${name}`)))
    assert.deepEqual(led, [ann.id, ann.id, ann.id])
    assert.equal((await client.get(`/api/domains/${domain.id}`)).body.catch_all_address_id, ann.id)
    const signIn = { email: `ann@${name}`, password: MAILBOX_PASSWORD }
    assert.equal((await mail.client().post('/api/mail/login', signIn)).status, 200)
    assert.deepEqual([await deletedOf(client), seen(await restore(client, ann.id))], [[], [404, 'not_found']])
  })

  test('is not restored over a name that is used again, or beyond a limit', async () => {
    const { client, id, name, ann, ben, add } = await customer()
    await remove(client, `/api/addresses/${ann.id}`)
    const next = await add('ann')
    assert.deepEqual(seen(await restore(client, ann.id)), [409, 'conflict'])
    await remove(client, `/api/addresses/${next.id}`)
    await client.send('PATCH', `/api/addresses/${ben.id}`, { body: { aliases: ['ann'] } })
    assert.deepEqual(seen(await restore(client, ann.id)), [409, 'conflict'])
    // Aliases that are used again are left out.
    await client.send('PATCH', `/api/addresses/${ben.id}`, { body: { aliases: ['nick'] } })
    const limit = (limits: object) =>
      mail.database.pool.query('update account set limits = $2 where id = $1', [id, JSON.stringify(limits)])
    await limit({ addresses: 1 })
    assert.deepEqual(seen(await restore(client, ann.id)), [413, 'quota_exceeded'])
    await mail.database.pool.query('update mailbox set used_bytes = 70 where address_id = $1', [ann.id])
    await limit({ storage_bytes: 69 })
    assert.deepEqual(seen(await restore(client, ann.id)), [413, 'quota_exceeded'])
    await limit({ storage_bytes: 70 })
    const restored = await restore(client, ann.id)
    assert.deepEqual([restored.status, restored.body.aliases], [200, []])
    assert.equal(await leadsTo(`nick@${name}`), ben.id)
  })

  test('is gone with purge=1, after a week, and for strangers', async () => {
    const { client, ann, ben } = await customer()
    const stranger = await customer()
    assert.deepEqual(seen(await remove(client, `/api/addresses/${ann.id}?purge=2`)), [400, 'invalid_parameter'])
    assert.equal((await remove(client, `/api/addresses/${ann.id}?purge=1`)).status, 200)
    assert.deepEqual([await deletedOf(client), (await restore(client, ann.id)).status], [[], 404])
    await purge()
    assert.equal(await isKept(ann.id), false)
    await remove(client, `/api/addresses/${ben.id}`)
    assert.equal((await restore(stranger.client, ben.id)).status, 404)
    assert.deepEqual(await deletedOf(stranger.client), [])
    mail.clock.advance(7 * DAY_MS)
    assert.deepEqual([await deletedOf(client), (await restore(client, ben.id)).status], [[], 404])
    assert.equal(await isKept(ben.id), true)
    await purge()
    assert.equal(await isKept(ben.id), false)
    assert.equal((await mail.client().get('/api/deleted')).status, 401)
    for (const id of [crypto.randomUUID(), 'x']) assert.equal((await restore(client, id)).status, 404)
  })
})

describe('a deleted domain', () => {
  test('comes back with its addresses, but not with those that were deleted before', async () => {
    const { client, name, domain, ann, ben } = await customer()
    const other = await customer()
    await client.send('PATCH', `/api/addresses/${ann.id}`, { body: { aliases: ['nick', 'hello'] } })
    await remove(client, `/api/addresses/${ben.id}`)
    mail.clock.advance(1_000)
    const before = (await client.get(`/api/domains/${domain.id}`)).body
    assert.equal((await remove(client, `/api/domains/${domain.id}`)).status, 200)
    assert.deepEqual(
      (await deletedOf(client)).map(({ kind, name }: { kind: string; name: string }) => [kind, name]),
      [['domain', name]],
    )
    assert.equal((await restore(other.client, domain.id)).status, 404)
    mail.clock.advance(1_000)
    const answer = await restore(client, domain.id)
    assert.equal(answer.status, 200, answer.text)
    const { object, id, addresses_count, catch_all_address_id, verified_at, records } = answer.body
    assert.deepEqual([object, id, addresses_count, catch_all_address_id], ['domain', domain.id, 1, ann.id])
    assert.deepEqual([verified_at, records.length], [before.verified_at, before.records.length])
    const led = await Promise.all(['ann', 'hello', 'ben'].map((local) => leadsTo(`${local}@${name}`)))
    assert.deepEqual(led, [ann.id, ann.id, ann.id])
    // Now that its domain is there again, so can it.
    assert.deepEqual(
      (await deletedOf(client)).map(({ id }: { id: string }) => id),
      [ben.id],
    )
    assert.equal((await restore(client, ben.id)).status, 200)
    assert.equal(await leadsTo(`ben@${name}`), ben.id)
  })

  test('is not restored while somebody has the name, and must be proven again when somebody had it', async () => {
    const { client, id, name, domain } = await customer()
    const other = await mail.signUp()
    await remove(client, `/api/domains/${domain.id}`)
    const theirs = (await other.client.post('/api/domains', { name })).body
    assert.deepEqual(seen(await restore(client, domain.id)), [409, 'conflict'])
    await remove(other.client, `/api/domains/${theirs.id}`)
    await mail.database.pool.query(`update account set limits = '{"domains": 0}' where id = $1`, [id])
    assert.deepEqual(seen(await restore(client, domain.id)), [413, 'quota_exceeded'])
    await mail.database.pool.query(`update account set limits = '{}' where id = $1`, [id])
    const restored = await restore(client, domain.id)
    assert.deepEqual([restored.status, restored.body.verified_at], [200, null])
  })

  test('is purged with purge=1 and after a week, and with its account at once', async () => {
    const { client, name, domain, add } = await customer()
    await add('cat')
    assert.equal((await remove(client, `/api/domains/${domain.id}?purge=1`)).status, 200)
    const { addresses, domains } = await purge()
    assert.deepEqual([await deletedOf(client), addresses >= 3, domains >= 1], [[], true, true])
    const again = (await client.post('/api/domains', { name })).body
    await remove(client, `/api/domains/${again.id}`)
    assert.deepEqual(await purge(), { addresses: 0, domains: 0 })
    assert.equal((await remove(client, '/api/account')).status, 422)
    const gone = await client.send('DELETE', '/api/account', { body: { password: PASSWORD } })
    assert.equal(gone.status, 200, gone.text)
    assert.deepEqual(await purge(), { addresses: 0, domains: 1 })
    assert.ok((await purgeAccounts(mail.parts)) >= 1)
  })
})
