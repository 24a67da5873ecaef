import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailAnswer, type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantAddress } from '../../hosting/addresses/testing/hosting.ts'
import { findDelivery } from '../receive/queries.ts'
import { createScriptCache, readyScripts } from './scripts.ts'

const KEEP = 'keep;'
const FILE = 'require ["fileinto", "imap4flags"];\nfileinto :flags "\\\\Seen" "Archive";\n'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

type Customer = { client: MailClient; accountId: string }
const customer = async (plan = 'unlimited'): Promise<Customer> => {
  const { client, id: accountId } = await mail.signUp()
  await mail.database.tx((tx) => tx.updateTable('account').set({ plan }).where('id', '=', accountId).execute())
  return { client, accountId }
}
let domains = 0
const addressOf = ({ accountId }: Customer) =>
  plantAddress(mail.database, `a@filters-${++domains}.test`, { accountId, now: mail.clock.now() })
const made = async ({ client }: Customer, body: object = {}) => {
  const answer = await client.post('/api/filters', { name: 'a filter', script: KEEP, ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const patch = ({ client }: Customer, id: string, body: object) => client.send('PATCH', `/api/filters/${id}`, { body })
const refused = (answer: MailAnswer, status: number, name: string, message?: RegExp): void => {
  assert.deepEqual([answer.status, answer.body?.name], [status, name], answer.text)
  if (message) assert.match(answer.body.message, message)
}
const orderOf = async ({ client }: Customer): Promise<[string, number][]> =>
  (await client.get('/api/filters?per_page=100')).body.data.map((row: { name: string; position: number }) => [
    row.name,
    row.position,
  ])

describe('a filter', () => {
  test('is made with all its members and read back', async () => {
    const who = await customer()
    const { id: addressId } = await addressOf(who)
    const body = await made(who, { name: ' Bills ', script: FILE, address_id: addressId, enabled: false })
    assert.deepEqual(body, {
      object: 'filter',
      id: body.id,
      name: 'Bills',
      address_id: addressId,
      script: FILE,
      enabled: false,
      position: 0,
      extensions: ['fileinto', 'imap4flags'],
      created_at: mail.clock.now().toISOString(),
      updated_at: mail.clock.now().toISOString(),
    })
    assert.deepEqual((await who.client.get(`/api/filters/${body.id}`)).body, body)
    assert.deepEqual((await who.client.get('/api/filters')).body.data, [body])
    const plain = await made(who)
    assert.deepEqual([plain.address_id, plain.enabled, plain.position], [null, true, 1])
  })

  test('is changed in what is given and nothing else, and is another version each time', async () => {
    const who = await customer()
    const before = await made(who, { script: FILE })
    const named = (await patch(who, before.id, { name: 'B', id: newId(), extensions: [] })).body
    assert.deepEqual({ ...named, updated_at: null }, { ...before, name: 'B', updated_at: null })
    assert.ok(named.updated_at > before.updated_at)
    const { id: addressId } = await addressOf(who)
    const changed = (await patch(who, before.id, { script: KEEP, address_id: addressId, enabled: false })).body
    assert.deepEqual(
      [changed.script, changed.extensions, changed.address_id, changed.enabled],
      [KEEP, [], addressId, false],
    )
    assert.equal((await patch(who, before.id, { address_id: null })).body.address_id, null)
  })

  const bad: [string, object, number, string, RegExp?][] = [
    ['no name', { name: undefined }, 422, 'missing_required_field', /`name`/],
    ['no script', { script: undefined }, 422, 'missing_required_field', /`script`/],
    ['an empty name', { name: '' }, 400, 'validation_error', /`name`/],
    ['a number for a script', { script: 5 }, 400, 'validation_error', /`script`/],
    ['a script that does not compile', { script: 'keep;\n  nonsense;' }, 400, 'validation_error', /line 2, column 3: /],
    ['an extension that is not declared', { script: 'fileinto "a";' }, 400, 'validation_error', /line 1, column 1: /],
    ['a script of 70 kB', { script: `# ${'x'.repeat(70_000)}` }, 400, 'validation_error', /longer/],
    ['NUL in its script', { script: 'keep; # \u0000' }, 400, 'validation_error'],
    ['a negative position', { position: -1 }, 400, 'validation_error', /`position`/],
    ['an address that is no id', { address_id: 'x' }, 400, 'validation_error', /`address_id`/],
    ['an address of nobody', { address_id: newId() }, 404, 'not_found'],
  ]
  for (const [what, body, status, name, message] of bad)
    test(`with ${what} is refused as ${name}, new or changed`, async () => {
      const who = await customer()
      const kept = await made(who)
      refused(await who.client.post('/api/filters', { name: 'x', script: KEEP, ...body }), status, name, message)
      if (status !== 422) refused(await patch(who, kept.id, { name: 'changed', ...body }), status, name, message)
      assert.deepEqual((await who.client.get('/api/filters')).body.data, [kept])
    })

  test("for somebody else's address is 404", async () => {
    const [who, other] = [await customer(), await customer()]
    const { id: address_id } = await addressOf(other)
    refused(await who.client.post('/api/filters', { name: 'x', script: KEEP, address_id }), 404, 'not_found')
    assert.deepEqual(await orderOf(who), [])
  })

  test('over the plan is refused with 413, after its script was looked at', async () => {
    const who = await customer('free')
    for (let n = 0; n < 5; n += 1) await made(who)
    refused(await who.client.post('/api/filters', { name: 'x', script: KEEP }), 413, 'quota_exceeded', /5 filters/)
    refused(await who.client.post('/api/filters', { name: 'x', script: 'x' }), 400, 'validation_error')
    assert.equal((await orderOf(who)).length, 5)
  })

  test('that was deleted is gone, and the others close up', async () => {
    const who = await customer()
    const ids = []
    for (const name of ['a', 'b', 'c']) ids.push((await made(who, { name })).id)
    const answer = await who.client.send('DELETE', `/api/filters/${ids[1]}`)
    assert.deepEqual([answer.status, answer.body], [200, { object: 'filter', id: ids[1], deleted: true }])
    assert.deepEqual(await orderOf(who), [
      ['a', 0],
      ['c', 1],
    ])
    for (const method of ['GET', 'PATCH', 'DELETE'])
      refused(await who.client.send(method, `/api/filters/${ids[1]}`, {}), 404, 'not_found')
  })

  test('goes out of sight with its address', async () => {
    const who = await customer()
    const address = await addressOf(who)
    const { id } = await made(who, { address_id: address.id })
    assert.equal((await who.client.send('DELETE', `/api/addresses/${address.id}`)).status, 200)
    refused(await who.client.get(`/api/filters/${id}`), 404, 'not_found')
    assert.deepEqual(await orderOf(who), [])
  })
})

describe('the order of filters', () => {
  test('is by position; a new or moved one pushes the others on', async () => {
    const who = await customer()
    for (const name of ['a', 'b', 'c']) await made(who, { name })
    const { id, position } = await made(who, { name: 'd', position: 1 })
    assert.equal(position, 1)
    const names = async () => (await orderOf(who)).map(([name]) => name).join('')
    assert.equal(await names(), 'adbc')
    assert.equal((await patch(who, id, { position: 3 })).body.position, 3)
    assert.equal(await names(), 'abcd')
    assert.equal((await patch(who, id, { position: 999 })).body.position, 3)
    assert.equal((await patch(who, id, { position: 0 })).body.position, 0)
    assert.equal(await names(), 'dabc')
    assert.deepEqual(
      (await orderOf(who)).map(([, at]) => at),
      [0, 1, 2, 3],
    )
  })

  test('stays whole when many are added and moved at the same moment', async () => {
    const who = await customer()
    const first = await made(who, { name: 'first' })
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        n % 2 === 0 ? made(who, { name: `n${n}`, position: 0 }) : patch(who, first.id, { position: n }),
      ),
    )
    assert.deepEqual(
      (await orderOf(who)).map(([, at]) => at),
      [0, 1, 2, 3, 4, 5],
    )
  })

  test('is the one in which they run, those of the whole account first, without those that are off', async () => {
    const who = await customer()
    const { id: addressId } = await addressOf(who)
    await made(who, { name: 'own 1', address_id: addressId })
    await made(who, { name: 'off', enabled: false })
    await made(who, { name: 'all 2' })
    await made(who, { name: 'all 1', position: 0 })
    await made(who, { name: 'own 2', address_id: addressId })
    await made(who, { name: 'of another', address_id: (await addressOf(who)).id })
    const { db } = mail.database
    const delivery = await findDelivery(db, { addressId, hash: null, now: mail.clock.now() })
    const scripts = await readyScripts(db, delivery?.scripts ?? [], createScriptCache())
    assert.deepEqual(
      scripts.map(({ name, problem }) => [name, problem]),
      ['all 1', 'all 2', 'own 1', 'own 2'].map((name) => [name, null]),
    )
  })
})

describe('the list of filters', () => {
  test('is searched, sorted and paged, and costs two statements', async () => {
    const who = await customer()
    for (const name of ['c', 'a', 'b']) {
      mail.clock.advance(1_000)
      await made(who, { name, script: `# rule ${name}\nkeep;` })
    }
    const list = async (query: string) =>
      (await who.client.get(`/api/filters?${query}`)).body.data.map(({ name }: { name: string }) => name).join('')
    assert.equal(await list(''), 'cab')
    assert.equal(await list('sort=name'), 'abc')
    assert.equal(await list('sort=created_at&direction=desc'), 'bac')
    assert.equal(await list('sort=updated_at'), 'cab')
    assert.equal(await list('search=RULE%20a'), 'a')
    assert.equal((await customer().then(({ client }) => client.get('/api/filters'))).body.total, 0)
    const watch = mail.database.watchStatements()
    await list('')
    watch.stop()
    assert.equal(watch.texts.length, 3)
  })

  test('does not show scripts of mail programs', async () => {
    const who = await customer()
    const { id: address_id } = await addressOf(who)
    const now = mail.clock.now()
    const row = {
      account_id: who.accountId,
      address_id,
      origin: 'client',
      name: 'x',
      source: KEEP,
      enabled: true,
    } as const
    const id = newId()
    await mail.database.tx((tx) =>
      tx
        .insertInto('sieve_script')
        .values({ ...row, id, created_at: now, updated_at: now })
        .execute(),
    )
    assert.deepEqual(await orderOf(who), [])
    for (const method of ['GET', 'PATCH', 'DELETE'])
      refused(await who.client.send(method, `/api/filters/${id}`, {}), 404, 'not_found')
    const kept = await mail.database.db.selectFrom('sieve_script').select('id').where('id', '=', id).execute()
    assert.equal(kept.length, 1)
  })
})

describe('validation', () => {
  test('returns that a script is valid and which extensions it uses, or where it is not, and saves nothing', async () => {
    const who = await customer()
    const check = async (script: unknown) => who.client.post('/api/filters/validate', { script })
    assert.deepEqual((await check(FILE)).body, {
      object: 'filter_validation',
      valid: true,
      errors: [],
      extensions: ['fileinto', 'imap4flags'],
    })
    const wrong = await check('require "fileinto";\nif header "a" {\n  keep;\n}\n')
    assert.equal(wrong.status, 200)
    const { valid, errors, extensions } = wrong.body
    assert.deepEqual([valid, extensions], [false, ['fileinto']])
    assert.deepEqual([errors[0].line, typeof errors[0].column, typeof errors[0].message], [2, 'number', 'string'])
    assert.equal((await check('')).body.valid, true)
    refused(await check(undefined), 422, 'missing_required_field', /Missing `script` field\./)
    refused(await check(5), 400, 'validation_error')
    refused(await who.client.get('/api/filters/validate'), 405, 'method_not_allowed')
    assert.deepEqual(await orderOf(who), [])
  })
})
