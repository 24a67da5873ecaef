import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { enqueue, type NewMessage } from '../../hosting/enqueue/enqueue.ts'
import { claimDue } from '../../sending/queue/claim-queries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let mail: MailService
let owner: MailClient
let ownerId: string
let member: MailClient
let memberId: string
before(async () => {
  mail = await startMail()
  const first = await mail.signUp()
  owner = first.client
  ownerId = first.id
  const second = await mail.signUp()
  member = second.client
  memberId = second.id
})
after(() => mail.close())
beforeEach(async () => {
  for (const table of ['queue_message', 'queue_destination', 'queue_hold', 'suppression'])
    await mail.database.pool.query(`delete from ${table}`)
})

const at = (ms: number): Date => new Date(mail.clock.now().getTime() + ms)
const send = async (to: string | string[], message: Partial<NewMessage> = {}): Promise<string> => {
  const blob = await mail.parts.blobs.put(Buffer.from('Subject: Secret\r\n\r\nhello\r\n'), { maxBytes: 1_000 })
  const { id } = await mail.database.tx((tx) =>
    enqueue(tx, {
      accountId: ownerId,
      addressId: null,
      source: 'submission',
      blob,
      returnPath: 'ann@ours.test',
      recipients: [to].flat().map((address) => ({ address })),
      signingDomainId: null,
      messageId: null,
      headerFrom: 'ann@ours.test',
      subject: 'Secret',
      needsUtf8: false,
      needs8bit: false,
      now: mail.clock.now(),
      ...message,
    }),
  )
  return id
}
const list = async (query = '') => {
  const answer = await owner.get(`/api/instance/queue?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const only = async (query = '') => {
  const { data, total } = await list(query)
  assert.equal(total, 1)
  return data[0]
}
const recipients = async (query: string): Promise<string[]> =>
  (await list(`${query}&sort=domain&direction=asc`)).data.map(({ recipient }: { recipient: string }) => recipient)
const retry = (id: string, client = owner) => client.post(`/api/instance/queue/${id}/retry`, {})
const drop = (id: string, client = owner) => client.send('DELETE', `/api/instance/queue/${id}`)
const hold = (body: unknown, client = owner) => client.post('/api/instance/queue/holds', body)
/** As a worker would take it. */
const claim = (domain: string) => {
  const now = mail.clock.now()
  const input = { slots: new Map([[domain, 10]]), now, leaseUntil: at(60_000) }
  return mail.database.tx((tx) => claimDue(tx, input))
}
const state = async () => {
  const { rows } = await mail.database.pool.query(
    `select r.recipient, r.state, r.attempts, r.next_at, r.last_status, r.last_reply, m.source from queue_recipient r
     join queue_message m on m.id = r.message_id order by m.created_at, m.id, r.ordinal`,
  )
  return rows
}

describe('the queue', () => {
  test('shows what waits, why and until when, without subject and body', async () => {
    await send('x@example.test')
    const item = await only()
    assert.deepEqual(item, {
      object: 'queue_item',
      id: item.id,
      account_id: ownerId,
      from: 'ann@ours.test',
      recipient: 'x@example.test',
      domain: 'example.test',
      state: 'queued',
      attempts: 0,
      last_reply: null,
      next_attempt_at: mail.clock.now().toISOString(),
      expires_at: at(5 * DAY_MS).toISOString(),
      created_at: mail.clock.now().toISOString(),
    })
    await mail.database.pool.query(
      `update queue_recipient set state = 'deferred', attempts = 2, last_reply = '451 Later', next_at = $1`,
      [at(HOUR_MS)],
    )
    const later = await only()
    assert.deepEqual(
      [later.state, later.attempts, later.last_reply, later.next_attempt_at],
      ['deferred', 2, '451 Later', at(HOUR_MS).toISOString()],
    )
    await mail.database.pool.query(`insert into queue_destination values ('example.test', 3, now(), $1)`, [
      at(2 * HOUR_MS),
    ])
    assert.equal((await only()).next_attempt_at, at(2 * HOUR_MS).toISOString())
  })

  test('shows one item for each recipient, the writer of mail of programs, and nothing that is finished', async () => {
    const bounce = { token: 'secret', returnPath: 'b.secret@mx.stoa.test' }
    await send([], { source: 'api', recipients: [{ address: 'a@one.test', bounce }, { address: 'b@two.test' }] })
    const { data } = await list()
    assert.equal(data.length, 2)
    assert.doesNotMatch(JSON.stringify(data), /secret/i)
    await mail.database.pool.query(
      `update queue_recipient set state = 'delivered', finished_at = now() where ordinal = 0`,
    )
    assert.equal((await only()).recipient, 'b@two.test')
  })

  test('is filtered by domain, state and account, and refuses what is none', async () => {
    await send('x@example.test')
    await send('y@bücher.test', { accountId: memberId })
    await send('z@held.test')
    await hold({ domain: 'held.test' })
    assert.deepEqual(await recipients('domain=EXAMPLE.test'), ['x@example.test'])
    assert.deepEqual(await recipients('domain=b%C3%BCcher.test'), ['y@bücher.test'])
    assert.deepEqual(await recipients('state=held'), ['z@held.test'])
    assert.deepEqual(await recipients('state=queued'), ['x@example.test', 'y@bücher.test'])
    assert.deepEqual(await recipients(`account_id=${memberId}`), ['y@bücher.test'])
    assert.deepEqual(await recipients(`account_id=${memberId}&domain=example.test`), [])
    assert.deepEqual(await recipients('search=Z%40'), ['z@held.test'])
    for (const query of ['state=gone', 'account_id=x', 'domain=a&domain=b', `domain=${'x'.repeat(300)}`]) {
      const answer = await owner.get(`/api/instance/queue?${query}`)
      assert.deepEqual([answer.status, answer.body.name], [400, 'invalid_parameter'], query)
    }
  })

  test('is for the owner of the instance only', async () => {
    await send('x@example.test')
    const { id } = await only()
    const held = (await hold({ domain: 'held.test' })).body
    const before = await state()
    const answers = [
      await member.get('/api/instance/queue'),
      await member.get('/api/instance/queue/holds'),
      await hold({ domain: 'other.test' }, member),
      await retry(id, member),
      await drop(id, member),
      await member.send('DELETE', `/api/instance/queue/holds/${held.id}`),
    ]
    for (const { status, body } of answers) assert.deepEqual([status, body.name], [403, 'forbidden'])
    assert.equal((await mail.client().get('/api/instance/queue')).status, 401)
    assert.deepEqual(await state(), before)
    assert.equal((await owner.get('/api/instance/queue/holds')).body.total, 1)
  })
})

describe('an item that is tried now', () => {
  test('comes first of its destination, which is asked although it did not answer', async () => {
    await send('old@example.test')
    mail.clock.advance(HOUR_MS)
    await send('new@example.test')
    await mail.database.pool.query(
      `update queue_recipient set state = 'deferred', attempts = 1, next_at = $1 where recipient like 'new%'`,
      [at(6 * HOUR_MS)],
    )
    await mail.database.pool.query(`insert into queue_destination values ('example.test', 3, now(), $1)`, [at(HOUR_MS)])
    const { id } = await only('search=new')
    const answer = await retry(id)
    assert.deepEqual([answer.status, answer.body.state, answer.body.id], [200, 'deferred', id], answer.text)
    assert.ok(new Date(answer.body.next_attempt_at) <= mail.clock.now())
    const [first, ...others] = await claim('example.test')
    assert.deepEqual([first?.recipients.map(({ address }) => address), others], [['new@example.test'], []])
  })

  test('does not leave before the time that its sender chose', async () => {
    await send('x@example.test', { notBefore: at(HOUR_MS) })
    const { id } = await only()
    const answer = await retry(id)
    assert.deepEqual([answer.status, answer.body.next_attempt_at], [200, at(HOUR_MS).toISOString()])
    assert.deepEqual(await claim('example.test'), [])
  })

  test('is 409 while somebody works on it, and 404 when there is none', async () => {
    await send('x@example.test')
    const { id } = await only()
    assert.equal((await claim('example.test')).length, 1)
    assert.deepEqual([(await only()).state, (await only()).next_attempt_at], ['sending', null])
    const before = await state()
    for (const answer of [await retry(id), await drop(id)])
      assert.deepEqual([answer.status, answer.body.name], [409, 'conflict'])
    assert.deepEqual(await state(), before)
    for (const answer of [await retry(newId()), await drop(newId()), await retry('x')])
      assert.deepEqual([answer.status, answer.body.name], [404, 'not_found'])
    // The process died: its lease is over.
    mail.clock.advance(61_000)
    assert.equal((await only()).state, 'deferred')
    assert.equal((await retry(id)).status, 200)
    assert.equal((await drop(id)).status, 200)
  })
})

describe('an item that is dropped', () => {
  test('has failed, and its sender gets a report; the other recipients go on', async () => {
    await send(['x@example.test', 'y@example.test'])
    const { id } = await only('search=x%40')
    const answer = await drop(id)
    assert.deepEqual([answer.status, answer.body], [200, { object: 'queue_item', id, deleted: true }])
    const [x, y, report] = await state()
    assert.deepEqual([x.state, x.attempts, x.last_status], ['failed', 0, '5.3.0'])
    assert.match(x.last_reply, /removed from the queue/)
    assert.equal(y.state, 'queued')
    assert.deepEqual([report.source, report.recipient], ['dsn', 'ann@ours.test'])
    assert.deepEqual([(await drop(id)).status, (await retry(id)).status], [404, 404])
    const { rows } = await mail.database.pool.query('select 1 from queue_attempt')
    assert.deepEqual(rows, [])
  })

  test('is dropped by one of several concurrent requests, and reported once', async () => {
    await send('x@example.test')
    const { id } = await only()
    const answers = await Promise.all([drop(id), drop(id), drop(id)])
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const { status } of answers) assert.ok([200, 404, 409].includes(status))
    assert.equal((await state()).filter(({ source }) => source === 'dsn').length, 1)
  })

  test('sent by a program suppresses nobody and causes no report', async () => {
    const bounce = { token: newId(), returnPath: 'b.x@mx.stoa.test' }
    await send([], { source: 'api', recipients: [{ address: 'x@example.test', bounce }] })
    assert.equal((await drop((await only()).id)).status, 200)
    assert.deepEqual(
      (await state()).map((row) => row.state),
      ['failed'],
    )
    assert.deepEqual((await mail.database.pool.query('select 1 from suppression')).rows, [])
  })
})

describe('a hold', () => {
  test('keeps mail for its domain in the queue until it is removed', async () => {
    const added = await hold({ domain: ' Bücher.Test ', reason: ' loses mail ' })
    assert.equal(added.status, 201, added.text)
    const { id } = added.body
    assert.deepEqual(added.body, {
      object: 'queue_hold',
      id,
      domain: 'xn--bcher-kva.test',
      reason: 'loses mail',
      created_at: mail.clock.now().toISOString(),
    })
    assert.deepEqual((await owner.get('/api/instance/queue/holds')).body.data, [added.body])
    await send('x@bücher.test')
    const item = await only()
    assert.deepEqual([item.state, item.next_attempt_at], ['held', null])
    assert.deepEqual(await claim('xn--bcher-kva.test'), [])
    assert.deepEqual([(await retry(item.id)).body.state, await claim('xn--bcher-kva.test')], ['held', []])
    const gone = await owner.send('DELETE', `/api/instance/queue/holds/${id}`)
    assert.deepEqual([gone.status, gone.body], [200, { object: 'queue_hold', id, deleted: true }])
    assert.equal((await owner.send('DELETE', `/api/instance/queue/holds/${id}`)).status, 404)
    assert.equal((await claim('xn--bcher-kva.test')).length, 1)
  })

  test('of a domain that has one is 409, of no domain 400, and without a domain 422', async () => {
    assert.equal((await hold({ domain: 'example.test' })).status, 201)
    const answers = [
      [await hold({ domain: 'EXAMPLE.test.' }), 409, 'conflict'],
      [await hold({ domain: 'no domain' }), 400, 'validation_error'],
      [await hold({ domain: 'localhost' }), 400, 'validation_error'],
      [await hold({ domain: 5 }), 400, 'validation_error'],
      [await hold({ domain: 'a.test', reason: 'x'.repeat(501) }), 400, 'validation_error'],
      [await hold({}), 422, 'missing_required_field'],
    ] as const
    for (const [answer, status, name] of answers)
      assert.deepEqual([answer.status, answer.body.name], [status, name], answer.text)
    assert.equal((await owner.get('/api/instance/queue/holds')).body.total, 1)
  })
})
