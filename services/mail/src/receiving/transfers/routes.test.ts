import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { type MailAnswer, type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantAccount, plantAddress } from '../../hosting/addresses/testing/hosting.ts'
import { countActiveTransfers } from './panel-queries.ts'
import { startTransfers } from './transfers.ts'

let mail: MailService
let dns: Awaited<ReturnType<typeof startFakeDns>>
before(async () => {
  dns = await startFakeDns()
  mail = await startMail({ env: { DNS_RESOLVERS: dns.address } })
})
after(async () => {
  await mail.close()
  await dns.close()
})

/** In a public block; nothing here is ever connected to. */
const PUBLIC = '93.184.215.14'
const SOURCE = { host: PUBLIC, username: 'ann@old.example', password: ' a source password ' }

type Customer = { client: MailClient; accountId: string }
const customer = async (plan = 'unlimited'): Promise<Customer> => {
  const { id: accountId } = await plantAccount(mail.database, { plan })
  return { client: mail.client({ cookie: await mail.openSession(accountId) }), accountId }
}
let domains = 0
const addressOf = ({ accountId }: Customer, local = 'a') =>
  plantAddress(mail.database, `${local}@transfers-${++domains}.test`, { accountId, now: mail.clock.now() })
const add = async (who: Customer, body: object = {}) => {
  const address_id = 'address_id' in body ? body.address_id : (await addressOf(who)).id
  return who.client.post('/api/transfers', { ...SOURCE, ...body, address_id })
}
const made = async (who: Customer, body: object = {}) => {
  const answer = await add(who, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const refused = (answer: MailAnswer, status: number, name: string, message?: RegExp): void => {
  assert.deepEqual([answer.status, answer.body?.name], [status, name], answer.text)
  if (message) assert.match(answer.body.message, message)
}
const totalOf = async ({ client }: Customer): Promise<number> => (await client.get('/api/transfers')).body.total
const stored = async (id: string) => {
  const [row] = await mail.database.db.query<Record<string, unknown>>({
    text: 'select * from transfer where id = $1',
    values: [id],
  })
  return row ?? assert.fail('no such row')
}

describe('a transfer', () => {
  test('is put in line with all its members, its password sealed, and read back without it', async () => {
    const who = await customer()
    const address = await addressOf(who)
    const wishes = { folders: ['INBOX', 'Büro/Dach'], exclude_folders: ['Spam'], since: '2025-06-01' }
    const body = await made(who, { address_id: address.id, ...wishes, port: 143, security: 'starttls' })
    assert.deepEqual(body, {
      object: 'transfer',
      id: body.id,
      address_id: address.id,
      address: address.email,
      host: PUBLIC,
      port: 143,
      security: 'starttls',
      username: 'ann@old.example',
      status: 'queued',
      folders_total: null,
      folders_done: 0,
      messages_total: null,
      messages_copied: 0,
      messages_skipped: 0,
      messages_failed: 0,
      bytes_copied: 0,
      current_folder: null,
      error: null,
      created_at: mail.clock.now().toISOString(),
      started_at: null,
      finished_at: null,
    })
    assert.deepEqual((await who.client.get(`/api/transfers/${body.id}`)).body, body)
    assert.deepEqual((await who.client.get('/api/transfers')).body.data, [body])
    const row = await stored(body.id)
    assert.deepEqual([row.folders, row.exclude_folders], [wishes.folders, wishes.exclude_folders])
    assert.match(String(row.sealed_password), /^v1\./)
    assert.doesNotMatch(JSON.stringify(row) + mail.logs.join(''), /a source password/)
    const plain = await made(who)
    assert.deepEqual([plain.port, plain.security], [993, 'tls'])
  })

  const bad: [string, object, number, string, RegExp?][] = [
    ['no address', { address_id: undefined }, 422, 'missing_required_field', /`address_id`/],
    ['no host', { host: undefined }, 422, 'missing_required_field', /`host`/],
    ['no user name', { username: undefined }, 422, 'missing_required_field', /`username`/],
    ['no password', { password: undefined }, 422, 'missing_required_field', /`password`/],
    ['an empty password', { password: '' }, 400, 'validation_error', /`password`/],
    ['a password of two lines', { password: 'a\r\nb' }, 400, 'validation_error', /`password`/],
    ['a user name of two lines', { username: 'a\nb' }, 400, 'validation_error', /`username`/],
    ['an address that is no id', { address_id: 'x' }, 400, 'validation_error', /`address_id`/],
    ['an address of nobody', { address_id: newId() }, 404, 'not_found'],
    ['another port', { port: 25 }, 400, 'validation_error', /`port`.*993 or 143/],
    ['no port at all', { port: 0 }, 400, 'validation_error', /`port`/],
    ['no security', { security: 'none' }, 400, 'validation_error', /`security`/],
    ['security of another kind', { security: 'ssl' }, 400, 'validation_error', /`security`/],
    ['no folders at all', { folders: [] }, 400, 'validation_error', /`folders`/],
    ['folders that are no list', { folders: 'INBOX' }, 400, 'validation_error', /`folders`/],
    ['a day that is none', { since: 'yesterday' }, 400, 'validation_error', /`since`/],
    ['a day that never was', { since: '2026-02-30' }, 400, 'validation_error', /`since`/],
    ...[
      '127.0.0.1',
      '0x7f.1',
      '10.0.0.8',
      '169.254.169.254',
      '[::1]',
      '::ffff:10.0.0.1',
      'localhost',
      '100.64.0.1',
    ].map((host): [string, object, number, string, RegExp] => [
      `the host ${host}`,
      { host },
      400,
      'validation_error',
      /`host`.*couldn't be reached/,
    ]),
    ...['a b', 'user@host', 'http://host', 'host:993', 'a..b', ''].map(
      (host): [string, object, number, string, RegExp] => [
        `the host ${JSON.stringify(host)}`,
        { host },
        400,
        'validation_error',
        /`host`/,
      ],
    ),
  ]
  let asking: Promise<{ who: Customer; address_id: string }> | undefined
  const asker = async () => {
    const who = await customer()
    return { who, address_id: (await addressOf(who)).id }
  }
  for (const [what, body, status, name, message] of bad)
    test(`with ${what} is refused as ${name}`, async () => {
      asking ??= asker()
      const { who, address_id } = await asking
      refused(await add(who, { address_id, ...body }), status, name, message)
      assert.equal(await totalOf(who), 0)
    })

  test('to a foreign address is 404 before its host is looked up, and after the body is right', async () => {
    const who = await customer()
    const foreign = await addressOf(await customer())
    for (const address_id of [foreign.id, newId()]) {
      for (const host of ['never-asked.example', '127.0.0.1', 'localhost'])
        refused(await add(who, { address_id, host }), 404, 'not_found')
      refused(await add(who, { address_id, host: 'a b' }), 400, 'validation_error', /`host`/)
      refused(await add(who, { address_id, port: 25 }), 400, 'validation_error', /`port`/)
      refused(await add(who, { address_id, security: 'none' }), 400, 'validation_error', /`security`/)
      refused(await add(who, { address_id, username: undefined }), 422, 'missing_required_field')
    }
    assert.deepEqual(dns.queries('never-asked.example'), [])
    assert.equal(await totalOf(who), 0)
  })

  test('from a name that means a private address is refused with the words for one that does not exist', async () => {
    const who = await customer()
    dns.set('inner.example', 'A', ['10.1.2.3'])
    dns.set('mixed.example', 'A', [PUBLIC, '192.168.0.1'])
    dns.set('good.example', 'A', [PUBLIC])
    const answers = []
    for (const host of ['inner.example', 'mixed.example', 'absent.example']) answers.push(await add(who, { host }))
    for (const answer of answers) refused(answer, 400, 'validation_error')
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal((await made(who, { host: 'good.example' })).host, 'good.example')
  })

  test("to somebody else's address is 404 and changes nothing", async () => {
    const [who, other] = [await customer(), await customer()]
    refused(await add(who, { address_id: (await addressOf(other)).id }), 404, 'not_found')
    assert.deepEqual([await totalOf(who), await totalOf(other)], [0, 0])
  })

  test('is one at a time for each address, also when many are asked for at the same moment', async () => {
    const who = await customer()
    const { id: address_id } = await addressOf(who)
    const answers = await Promise.all(Array.from({ length: 6 }, () => add(who, { address_id })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
    assert.equal(await totalOf(who), 1)
    refused(await add(who, { address_id }), 409, 'conflict', /already running/)
  })

  test('over the plan is refused with 413, also when many are asked for at the same moment', async () => {
    const who = await customer('starter')
    const addresses = []
    for (let n = 0; n < 6; n += 1)
      addresses.push(await plantAddress(mail.database, `a${n}@transfers-plan.test`, { accountId: who.accountId }))
    const last = addresses.pop()
    const answers = await Promise.all(addresses.map(({ id }) => add(who, { address_id: id })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 413, 413, 413])
    refused(await add(who, { address_id: last?.id }), 413, 'quota_exceeded', /2 transfers at once/)
    assert.equal(await totalOf(who), 2)
    assert.equal(await countActiveTransfers(mail.database.db, who.accountId), 2)
    const [{ id }] = (await who.client.get('/api/transfers')).body.data
    assert.equal((await who.client.send('DELETE', `/api/transfers/${id}`)).status, 200)
    await made(who, { address_id: last?.id })
  })

  test('that waits is cancelled, forgets its password, and cannot be cancelled again', async () => {
    const who = await customer()
    const { id, ...before } = await made(who)
    mail.clock.advance(1_000)
    const answers = await Promise.all([1, 2, 3].map(() => who.client.send('DELETE', `/api/transfers/${id}`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
    const { body } = await who.client.get(`/api/transfers/${id}`)
    assert.deepEqual(body, { ...before, id, status: 'cancelled', finished_at: mail.clock.now().toISOString() })
    assert.equal((await stored(id)).sealed_password, null)
    refused(await who.client.send('DELETE', `/api/transfers/${id}`), 409, 'conflict', /already ended/)
  })

  test('goes out of sight with its address', async () => {
    const who = await customer()
    const { id, address_id } = await made(who)
    assert.equal((await who.client.send('DELETE', `/api/addresses/${address_id}`)).status, 200)
    for (const method of ['GET', 'DELETE'])
      refused(await who.client.send(method, `/api/transfers/${id}`), 404, 'not_found')
    assert.equal(await totalOf(who), 0)
    assert.equal(await countActiveTransfers(mail.database.db, who.accountId), 0)
  })
})

describe('the source of a transfer', () => {
  test('is looked up again when it is reached, and never at a private address', async () => {
    await mail.database.tx((tx) => tx.deleteFrom('transfer').execute())
    const who = await customer()
    dns.set('rebound.example', 'A', [PUBLIC])
    const { id } = await made(who, { host: 'rebound.example' })
    dns.set('rebound.example', 'A', ['127.0.0.1'])
    const worker = startTransfers(mail.parts)
    await worker.settled()
    await worker.stop()
    const { body } = await who.client.get(`/api/transfers/${id}`)
    assert.deepEqual([body.status, /Couldn't connect to the server/.test(body.error)], ['failed', true])
    assert.equal((await stored(id)).sealed_password, null)
  })
})

describe('the lists', () => {
  test('of transfers are searched, sorted and paged, and cost two statements', async () => {
    const who = await customer()
    for (const username of ['c', 'a', 'b']) {
      mail.clock.advance(1_000)
      await made(who, { username: `${username}@old.example` })
    }
    const list = async (query: string) =>
      (await who.client.get(`/api/transfers?${query}`)).body.data
        .map(({ username }: { username: string }) => username[0])
        .join('')
    const [{ id }] = (await who.client.get('/api/transfers?search=A%40OLD')).body.data
    await who.client.send('DELETE', `/api/transfers/${id}`)
    assert.equal(await list(''), 'bac')
    assert.equal(await list('direction=asc'), 'cab')
    assert.equal((await list('sort=status&direction=asc'))[0], 'a')
    assert.equal(await list('search=cancelled'), 'a')
    assert.equal(await list('page=2'), '')
    const watch = mail.database.watchStatements()
    await list('')
    watch.stop()
    assert.equal(watch.texts.length, 3)
  })

  test('of destinations have the addresses that no transfer is under way to', async () => {
    const who = await customer()
    const [busy, free] = [await addressOf(who, 'busy'), await addressOf(who, 'free')]
    await mail.database.tx((tx) =>
      tx.updateTable('address').set({ quota_bytes: 5_000 }).where('id', '=', free.id).execute(),
    )
    const { id } = await made(who, { address_id: busy.id })
    const shown = { object: 'destination', id: free.id, email: free.email, used_bytes: 0, quota_bytes: 5_000 }
    const { body } = await who.client.get('/api/transfers/destinations')
    assert.deepEqual([body.data, body.total], [[shown], 1])
    await who.client.send('DELETE', `/api/transfers/${id}`)
    const emails = async (query: string) =>
      (await who.client.get(`/api/transfers/destinations?${query}`)).body.data.map(
        ({ email }: { email: string }) => email,
      )
    assert.deepEqual(await emails(''), [busy.email, free.email])
    assert.deepEqual(await emails('search=FREE'), [free.email])
    assert.deepEqual(await emails('direction=desc'), [free.email, busy.email])
    refused(await who.client.send('DELETE', '/api/transfers/destinations'), 405, 'method_not_allowed')
  })
})
