import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type WebhookEventType, webhookEvents, webhookEventTypes } from '@stoa/mail-model/webhook-events.ts'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { connectSmtp } from '@stoa/tests/lib/smtp-client.ts'
import { zoneLookup } from '../../formats/authenticity/testing/zone.ts'
import { plantDomain } from '../../hosting/addresses/testing/hosting.ts'
import { serveRecords } from '../../hosting/dns-records/testing/zone.ts'
import { recordEvent, recordEvents } from '../../hosting/webhook-events/webhook-events.ts'
import { createReceiveParts, startMx } from '../../receiving/receive/receive.ts'
import type { DoorServer } from '../../wire/listen/listen.ts'

const HOUR = 3_600_000
const TARGET = 'https://93.184.216.34/hook'

let dns: FakeDns
let mail: MailService
let door: DoorServer
before(async () => {
  dns = await startFakeDns()
  mail = await startMail({ env: { DNS_RESOLVERS: dns.address } })
  const parts = createReceiveParts({ ...mail.parts, lookup: zoneLookup({}).lookup })
  const config = { host: '127.0.0.1', trustedProxies: [], smtpMaxPerIp: 50, limitExempt: [] }
  const rules = { limits: { greetingMs: 0, tarpitMs: 1 } }
  door = await startMx(parts, { port: 0, config, certificate: null }, rules)
})
after(async () => {
  await door.stop()
  await mail.close()
  await dns.close()
})

type Customer = { client: MailClient; accountId: string; webhookId: string }
/** Somebody who listens for some events, or for all. */
const listener = async (events: readonly WebhookEventType[] = webhookEventTypes): Promise<Customer> => {
  const { client, id: accountId } = await mail.signUp()
  const answer = await client.post('/api/webhooks', { endpoint: TARGET, events })
  assert.equal(answer.status, 201, answer.text)
  return { client, accountId, webhookId: answer.body.id }
}
type SentEvent = { type: WebhookEventType; created_at: string; data: Record<string, unknown> }
/** What was stored for the endpoint, oldest first; each is as its schema says. */
const eventsOf = async ({ webhookId }: Customer): Promise<SentEvent[]> => {
  const rows = await mail.database.db
    .selectFrom('webhook_delivery')
    .select(['type', 'payload'])
    .where('endpoint_id', '=', webhookId)
    .orderBy('id')
    .execute()
  return rows.map(({ type, payload }) => {
    const event: SentEvent = JSON.parse(payload)
    assert.equal(event.type, type)
    assert.deepEqual(webhookEvents[event.type].data.parse(event.data), event.data)
    return event
  })
}
const typesOf = async (who: Customer): Promise<string[]> => (await eventsOf(who)).map(({ type }) => type)
const last = async (who: Customer): Promise<SentEvent> =>
  (await eventsOf(who)).at(-1) ?? assert.fail('nothing was sent')
const made = async ({ client }: Customer, path: string, body: object) => {
  const answer = await client.post(path, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

describe('domains', () => {
  test('cause events when they are created, changed, checked and deleted, with the records to publish', async () => {
    const who = await listener()
    const domain = await made(who, '/api/domains', { name: 'told-of.com' })
    const created = await last(who)
    assert.equal(created.created_at, mail.clock.now().toISOString())
    assert.deepEqual(
      { ...created.data, records: undefined },
      {
        id: domain.id,
        name: 'told-of.com',
        status: 'not_started',
        created_at: domain.created_at,
        region: 'self-hosted',
        records: undefined,
      },
    )
    const [mx] = domain.records.filter((record: { record: string }) => record.record === 'MX')
    assert.deepEqual(
      (Array.isArray(created.data.records) ? created.data.records : []).find(({ record }) => record === 'MX'),
      {
        record: 'MX',
        name: '@',
        type: 'MX',
        ttl: '3600',
        status: 'not_started',
        value: mx.value,
        priority: mx.priority,
      },
    )
    const body = { dmarc_policy: 'reject' }
    assert.equal((await who.client.send('PATCH', `/api/domains/${domain.id}`, { body })).status, 200)
    const { body: keys } = await who.client.get(`/api/domains/${domain.id}/keys`)
    const standby = keys.data.find((key: { active: boolean }) => !key.active)
    assert.equal((await who.client.post(`/api/domains/${domain.id}/keys/${standby.id}/activate`)).status, 200)
    serveRecords(dns, (await who.client.get(`/api/domains/${domain.id}`)).body.records)
    assert.equal((await who.client.post(`/api/domains/${domain.id}/check`)).body.status, 'verified')
    assert.equal((await last(who)).data.status, 'verified')
    mail.clock.advance(6_000)
    assert.equal((await who.client.post(`/api/domains/${domain.id}/check`)).status, 200)
    assert.equal((await who.client.send('DELETE', `/api/domains/${domain.id}`)).status, 200)
    const updated = 'domain.updated'
    assert.deepEqual(await typesOf(who), ['domain.created', updated, updated, updated, 'domain.deleted'])
    assert.deepEqual([(await last(who)).data.id, (await last(who)).data.status], [domain.id, 'verified'])
  })

  test('that give way to another account cause an event for the one that had them', async () => {
    const [before, now] = [await listener(), await listener(['domain.created'])]
    await made(before, '/api/domains', { name: 'given-way.com' })
    mail.clock.advance(73 * HOUR)
    await made(now, '/api/domains', { name: 'given-way.com' })
    assert.deepEqual(await typesOf(before), ['domain.created', 'domain.deleted'])
    assert.deepEqual(await typesOf(now), ['domain.created'])
  })

  test('are deleted with their addresses, with an event for each', async () => {
    const who = await listener(['address.deleted', 'domain.deleted'])
    const { id } = await plantDomain(mail.database, {
      accountId: who.accountId,
      name: 'takes.test',
      now: mail.clock.now(),
    })
    for (const local_part of ['a', 'b'])
      await made(who, `/api/domains/${id}/addresses`, { local_part, password: 'a long pass phrase' })
    await who.client.send('DELETE', `/api/domains/${id}`)
    const events = await eventsOf(who)
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.email ?? data.name]),
      [
        ['address.deleted', 'a@takes.test'],
        ['address.deleted', 'b@takes.test'],
        ['domain.deleted', 'takes.test'],
      ],
    )
  })
})

test('addresses are sent as the API shows them, and rejected changes cause no event', async () => {
  const who = await listener()
  const other = await listener()
  const { id } = await plantDomain(mail.database, {
    accountId: who.accountId,
    name: 'hears.test',
    now: mail.clock.now(),
  })
  const path = `/api/domains/${id}/addresses`
  const address = await made(who, path, { local_part: 'ada', password: 'a long pass phrase', aliases: ['alias'] })
  assert.deepEqual(await last(who), {
    type: 'address.created',
    created_at: mail.clock.now().toISOString(),
    data: address,
  })
  const again = await who.client.post(path, { local_part: 'ada', password: 'a long pass phrase' })
  assert.equal(again.status, 409)
  const changed = await who.client.send('PATCH', `/api/addresses/${address.id}`, { body: { name: 'Ada' } })
  assert.deepEqual((await last(who)).data, changed.body)
  const recovery = await who.client.post(`/api/addresses/${address.id}/recovery`, { recovery_email: 'ada@else.test' })
  assert.deepEqual((await last(who)).data, recovery.body)
  assert.equal((await who.client.send('DELETE', `/api/addresses/${address.id}`)).status, 200)
  assert.equal((await who.client.send('DELETE', `/api/addresses/${address.id}`)).status, 404)
  assert.deepEqual((await last(who)).data, recovery.body)
  assert.deepEqual(await typesOf(who), ['address.created', 'address.updated', 'address.updated', 'address.deleted'])
  assert.deepEqual(await typesOf(other), [])
})

describe('mail that comes in', () => {
  const receive = async (to: readonly string[], message: string): Promise<void> => {
    const client = await connectSmtp({ port: door.port })
    try {
      await client.say('EHLO client.test')
      const answer = await client.mail({ from: 'ann@example.org', to }, message)
      assert.equal(answer.code, 250, answer.lines.join('\n'))
      await client.say('QUIT')
    } finally {
      client.close()
    }
  }
  const mailbox = async (who: Customer, domain: string) => {
    const now = mail.clock.now()
    const { id } = await plantDomain(mail.database, { accountId: who.accountId, name: domain, now })
    return made(who, `/api/domains/${id}/addresses`, { local_part: 'in', password: 'a long pass phrase' })
  }
  const MESSAGE = [
    'From: =?utf-8?q?Ann_=C3=84?= <ann@example.org>',
    'To: in@got.test, Bob <bob@else.test>',
    'Cc: carol@else.test',
    'Subject: A file',
    'Message-ID: <one@example.org>',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/plain',
    '',
    'The text is not told.',
    '--x',
    'Content-Type: application/pdf; name=a.pdf',
    'Content-Disposition: attachment; filename=b.pdf',
    '',
    'file',
    '--x--',
    '',
  ].join('\r\n')

  test('causes one event for each mailbox, with its metadata but not its text', async () => {
    const who = await listener(['email.received'])
    const { id } = await mailbox(who, 'got.test')
    await receive(['in@got.test'], MESSAGE)
    const [event, ...more] = await eventsOf(who)
    assert.deepEqual(more, [])
    const { id: messageId } = await mail.database.db
      .selectFrom('message')
      .select('id')
      .where('address_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(event?.data, {
      email_id: messageId,
      created_at: mail.clock.now().toISOString(),
      from: 'Ann Ä <ann@example.org>',
      to: ['in@got.test', 'Bob <bob@else.test>'],
      cc: ['carol@else.test'],
      bcc: [],
      received_for: ['in@got.test'],
      message_id: '<one@example.org>',
      subject: 'A file',
      attachments: [
        {
          id: '2',
          filename: 'b.pdf',
          content_type: 'application/pdf',
          content_disposition: 'attachment',
          content_id: null,
        },
      ],
    })
  })

  test('of strange shape is sent within limits, and what a filter discards is not', async () => {
    const who = await listener(['email.received'])
    await mailbox(who, 'odd.test')
    const people = Array.from({ length: 300 }, (_, nth) => `p${nth}@else.test`).join(',\r\n ')
    await receive(['in@odd.test'], `To: ${people}\r\nSubject: ${'x'.repeat(900)}\r\n ${'y'.repeat(900)}\r\n\r\n`)
    const { data } = await last(who)
    assert.deepEqual([data.from, data.message_id], ['', ''])
    assert.ok(Array.isArray(data.to) && data.to.length === 100)
    assert.ok(String(data.subject).length === 998)
    await made(who, '/api/filters', { name: 'none', script: 'discard;' })
    await receive(['in@odd.test'], 'Subject: thrown away\r\n\r\n')
    assert.equal((await eventsOf(who)).length, 1)
  })
})

test('suppressions cause events when they are added and removed', async () => {
  const who = await listener()
  const added = await made(who, '/api/suppressions', { email: 'No@More.test' })
  assert.deepEqual((await last(who)).data, added)
  assert.equal((await who.client.send('DELETE', `/api/suppressions/${added.id}`)).status, 200)
  assert.deepEqual(await typesOf(who), ['suppression.added', 'suppression.removed'])
})

describe('what happened', () => {
  const sent = () => {
    const data = webhookEvents['email.sent'].sample({ webhookId: newId(), at: mail.clock.now().toISOString() })
    return { type: 'email.sent', data } as const
  }

  test('is stored with two statements whatever there is, and with one when nobody listens', async () => {
    const [who, deaf] = [await listener(['email.sent']), await listener(['email.opened'])]
    const statements = async ({ accountId }: Customer, count: number): Promise<number> => {
      const watch = mail.database.watchStatements()
      const events = Array.from({ length: count }, sent)
      await mail.database.tx((tx) => recordEvents(tx, accountId, events, mail.clock.now()))
      watch.stop()
      return watch.texts.filter((text) => text.includes('webhook_')).length
    }
    assert.deepEqual([await statements(who, 1), await statements(who, 100)], [2, 2])
    assert.deepEqual([await statements(deaf, 100), await statements(who, 0)], [1, 0])
    assert.deepEqual([(await eventsOf(who)).length, (await eventsOf(deaf)).length], [101, 0])
  })

  test('is not stored when its transaction fails', async () => {
    const who = await listener()
    await assert.rejects(
      mail.database.tx(async (tx) => {
        await recordEvent(tx, who.accountId, sent(), mail.clock.now())
        throw new Error('no')
      }),
      /no/,
    )
    assert.deepEqual(await eventsOf(who), [])
  })

  test('never fails because an endpoint is deleted at the same moment', async () => {
    const who = await listener()
    for (let round = 0; round < 5; round += 1) {
      const { id } = await made(who, '/api/webhooks', { endpoint: TARGET, events: ['email.sent'] })
      const recordSample = () => mail.database.tx((tx) => recordEvent(tx, who.accountId, sent(), mail.clock.now()))
      const gone = () => mail.database.tx((tx) => tx.deleteFrom('webhook_endpoint').where('id', '=', id).execute())
      await Promise.all([
        recordSample(),
        recordSample(),
        gone(),
        recordSample(),
        who.client.send('DELETE', `/api/webhooks/${id}`),
        recordSample(),
      ])
    }
    assert.equal((await eventsOf(who)).length, 20)
  })
})
