import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantAccount, plantAddress } from '../../hosting/addresses/testing/hosting.ts'

let mail: MailService
before(async () => {
  mail = await startMail({ env: { DNS_RESOLVERS: '127.0.0.1:9' } })
})
after(() => mail.close())

const PATIENCE_MS = 15_000

/** A client that reads the stream, and what it has received so far. */
const listen = async (cookie: string, url = mail.url) => {
  const abort = new AbortController()
  const response = await fetch(`${url}/api/events`, {
    headers: { cookie: `mail_session=${cookie}` },
    signal: abort.signal,
  })
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let text = ''
  let wake: () => void = () => undefined
  const reading = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      wake()
    }
  }
  reading()
    .catch(() => undefined)
    .finally(end)
  const received = async (pattern: RegExp): Promise<void> => {
    const patience = setTimeout(() => assert.fail(`never received ${pattern}: ${text}`), PATIENCE_MS)
    while (!pattern.test(text)) await new Promise<void>((resolve) => (wake = resolve))
    clearTimeout(patience)
  }
  return { response, received, ended, text: () => text, close: () => abort.abort() }
}

const customer = async () => {
  const { id } = await plantAccount(mail.database)
  const cookie = await mail.openSession(id)
  return { id, cookie, client: mail.client({ cookie }) }
}

describe('the events of a panel', () => {
  test('send what changes in the account, and nothing of others', async () => {
    const [ada, bob] = [await customer(), await customer()]
    const [hers, his] = [await listen(ada.cookie), await listen(bob.cookie)]
    assert.match(hers.response.headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.equal(hers.response.headers.get('cache-control'), 'no-store')
    const domain = (await ada.client.post('/api/domains', { name: 'events-ada.test' })).body
    await hers.received(new RegExp(`event: change\\ndata: {"type":"domain","id":"${domain.id}"}\\n\\n`))
    const { id: addressId } = await plantAddress(mail.database, 'a@events-ada.test', { accountId: ada.id })
    const source = { host: 'imap.example.com', username: 'u', password: 'p' }
    const made = await ada.client.post('/api/transfers', { address_id: addressId, ...source })
    assert.equal(made.status, 201, made.text)
    await hers.received(new RegExp(`"type":"transfer","id":"${made.body.id}"`))
    await ada.client.send('DELETE', `/api/transfers/${made.body.id}`)
    await hers.received(
      new RegExp(`"type":"transfer","id":"${made.body.id}"[^]*"type":"transfer","id":"${made.body.id}"`),
    )
    await bob.client.post('/api/domains', { name: 'events-bob.test' })
    await his.received(/"type":"domain"/)
    assert.equal(his.text().includes(domain.id) || his.text().includes(made.body.id), false)
    hers.close()
    his.close()
  })

  test('are one for many changes of one thing at the same moment', async () => {
    const ada = await customer()
    const hers = await listen(ada.cookie)
    const [one, other] = [newId(), newId()]
    await mail.database.tx(async (tx) => {
      for (const webhookId of [one, one, other, one])
        tx.changes.push({ topic: 'webhook', event: 'updated', data: { webhookId, accountId: ada.id } })
    })
    await hers.received(new RegExp(other))
    assert.equal(hers.text().split(one).length, 2)
    hers.close()
  })

  test('come from every process of the service', async (context) => {
    const second = await startMail({ databaseUrl: mail.databaseUrl })
    context.after(() => second.close())
    await second.parts.bus.ready()
    const ada = await customer()
    const hers = await listen(ada.cookie, second.url)
    const { body } = await ada.client.post('/api/domains', { name: 'events-two.test' })
    await hers.received(new RegExp(body.id))
    hers.close()
  })

  test('end when the session does, before anything else is sent', async () => {
    const ada = await customer()
    const [hers, other] = [await listen(ada.cookie), await customer()]
    await mail.database.tx((tx) => tx.deleteFrom('session').where('account_id', '=', ada.id).execute())
    await plantAddress(mail.database, 'a@events-end.test', { accountId: ada.id })
    await hers.ended
    assert.equal(hers.text().includes('change'), false)
    assert.equal((await other.client.get('/api/auth/me')).status, 200)
  })

  test('are for sessions only, and for not too many at once', async () => {
    assert.equal((await mail.client().get('/api/events')).status, 401)
    const wrong = await mail.client().get('/api/events', { headers: { authorization: 'Bearer mk_x' } })
    assert.equal(wrong.status, 401)
    const ada = await customer()
    const streams = await Promise.all(Array.from({ length: 33 }, () => listen(ada.cookie)))
    assert.deepEqual(
      streams.map(({ response }) => response.status).filter((status) => status !== 200),
      [429],
    )
    for (const stream of streams) stream.close()
  })

  test('end when the service stops', async () => {
    const second = await startMail({ databaseUrl: mail.databaseUrl })
    const ada = await customer()
    const hers = await listen(ada.cookie, second.url)
    await second.close()
    await hers.ended
  })
})
