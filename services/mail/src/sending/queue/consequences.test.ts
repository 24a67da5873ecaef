import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { type FakeSmtp, startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'
import { passTime } from '@stoa/tests/lib/waiting.ts'
import { authenticate } from 'mailauth'
import { srsReverse } from '../../formats/bounces/srs.ts'
import type { Route } from '../../hosting/addresses/routing.ts'
import type { QueueParts } from './queue.ts'
import { ACCOUNT_ID, openGround, type QueueGround } from './testing/ground.ts'
import { HOSTNAME, SIGNING_KEY } from './testing/parts.ts'

let ground: QueueGround
let smtp: FakeSmtp
const open: { stop(): Promise<void> }[] = []

before(async () => {
  ground = await openGround()
})
after(() => ground.close())
beforeEach(async () => {
  smtp = await startFakeSmtp({ tls: 'none' })
  for (const domain of ['example.test', 'stoa.test'])
    ground.route(domain, [{ host: `in.${domain}`, address: smtp.host }])
  ground.outcomes.length = 0
})
afterEach(async () => {
  for (const queue of open.splice(0)) await queue.stop()
  await smtp.close()
  for (const table of ['queue_message', 'queue_destination', 'suppression', 'soft_bounce'])
    await ground.query(`delete from ${table}`)
})
const start = async (parts?: Parameters<QueueGround['start']>[1]) => {
  const queue = await ground.start(smtp.port, parts)
  open.push(queue)
  return queue
}
const reports = () =>
  smtp.messages.filter(({ from }) => from === '').map(({ to, raw }) => ({ to, text: raw.toString() }))
const refuse = (code = 550, text = '5.1.1 No such user') => smtp.script('rcpt', refuseBut(code, text))
const refuseBut =
  (code: number, text: string) =>
  ({ address }: { address?: string }) =>
    address === 'ann@stoa.test' ? undefined : { reply: { code, text } }
const queuedReports = () => ground.query(`select id from queue_message where source = 'dsn'`)
const openReports = () =>
  ground.query(`select m.id from queue_message m join queue_recipient r on r.message_id = m.id
    where m.source = 'dsn' and r.state <> 'delivered'`)

describe('the sender of a message', () => {
  test('gets one report about all that failed, with the replies of the other side', async () => {
    refuse()
    await start()
    const id = await ground.send(['x@example.test', 'y@example.test'])
    await ground.settled(id, 'bounced')
    await smtp.waitFor(1)
    const [report] = reports()
    assert.deepEqual(report?.to, ['ann@stoa.test'])
    assert.match(
      report?.text ?? '',
      /Final-Recipient: rfc822; x@example\.test[\s\S]*Final-Recipient: rfc822; y@example\.test/,
    )
    assert.match(report?.text ?? '', /Action: failed\r\nStatus: 5\.1\.1/)
    assert.match(report?.text ?? '', /Diagnostic-Code: smtp; 550 5\.1\.1 No such user/)
    assert.match(report?.text ?? '', /Remote-MTA: dns; in\.example\.test/)
    assert.equal(reports().length, 1)
  })

  test('gets no report when it is the null sender, when it asked for none, or when events report it', async () => {
    refuse()
    await start()
    await ground.settled(await ground.send('x@example.test', { returnPath: '' }), 'bounced')
    const recipients = [{ address: 'x@example.test', notify: ['never'] }]
    await ground.settled(await ground.send([], { recipients }), 'bounced')
    await ground.settled(await ground.send('x@example.test', { isApi: true }), 'bounced')
    assert.equal((await queuedReports()).length, 0)
    assert.equal(smtp.messages.length, 0)
  })

  test('gets no report about a report', async () => {
    smtp.script('rcpt', () => ({ reply: { code: 550, text: '5.1.1 No' } }))
    await start()
    await ground.settled(await ground.send('x@example.test'), 'bounced')
    const [dsn] = await queuedReports()
    await ground.settled(String(dsn?.id), 'bounced')
    assert.equal((await queuedReports()).length, 1)
  })

  test('is notified once of the delay, after four hours', async () => {
    refuse(451, '4.7.1 Later')
    await start()
    const id = await ground.send('x@example.test')
    await ground.settled(id, 'deferred')
    const attempt = async (minutes: number, attempts: number) => {
      ground.clock.advance(minutes * 60_000)
      await ground.until('the attempt', async () => {
        const [row] = await ground.rows(id)
        return row?.attempts === attempts && row.state === 'deferred'
      })
    }
    await attempt(60, 2)
    assert.equal((await queuedReports()).length, 0)
    await attempt(200, 3)
    // Only then: a jump of the clock ends the lease of a report that is on its way, and it would come twice.
    await ground.until('the report has come', () => reports().length > 0)
    await ground.until('its result is written', async () => (await openReports()).length === 0)
    await attempt(400, 4)
    assert.match(reports()[0]?.text ?? '', /Action: delayed\r\nStatus: 4\.7\.1/)
    assert.deepEqual([reports().length, (await queuedReports()).length], [1, 1])
  })

  test('is notified of success when it asked and the other side sends no reports', async () => {
    await start()
    const recipients = [{ address: 'x@example.test', notify: ['success'] }]
    await ground.settled(await ground.send([], { recipients, envid: 'my id' }), 'delivered')
    await smtp.waitFor(2)
    assert.match(reports()[0]?.text ?? '', /Original-Envelope-Id: my id[\s\S]*Action: relayed/)
  })

  test('is notified of a domain that does not exist, and of one that accepts no mail', async () => {
    ground.dns.set('null.test', 'MX', [{ exchange: '.', preference: 0 }])
    await start()
    const [none] = await ground.settled(await ground.send('x@absent.test'), 'failed')
    const [nullMx] = await ground.settled(await ground.send('x@null.test'), 'failed')
    assert.deepEqual([none?.last_status, nullMx?.last_status], ['5.1.2', '5.1.10'])
    await ground.until('the reports have come', () => reports().length === 2)
  })
})

describe('a recipient of the sending API', () => {
  const send = (options = {}) => ground.send('X@example.test', { isApi: true, ...options })
  const inDays = (days: number) => new Date(ground.clock.now().getTime() + days * 86_400_000)
  const suppressions = () => ground.query('select email, origin, expires_at, source_id from suppression')

  test('that does not exist is suppressed, and mail for it is held back', async () => {
    refuse()
    await start()
    const id = await send()
    await ground.settled(id, 'bounced')
    assert.deepEqual(await suppressions(), [
      { email: 'x@example.test', origin: 'bounce', expires_at: inDays(90), source_id: id },
    ])
    const connections = smtp.connections()
    await ground.settled(await send(), 'suppressed')
    assert.equal(smtp.connections(), connections)
    assert.deepEqual(
      ground.outcomes.map(({ state }) => state),
      ['bounced', 'suppressed'],
    )
  })

  test('is held back in whatever way its suppressed address is spelled', async () => {
    const row = [ACCOUNT_ID, newId(), 'x+y@xn--bcher-kva.test']
    await ground.query(
      `insert into suppression (account_id, id, email, origin, created_at) values ($1, $2, $3, 'manual', now())`,
      row,
    )
    await start()
    for (const recipient of ['X+Y@Bücher.test', 'x+y@XN--BCHER-KVA.test'])
      await ground.settled(await ground.send(recipient, { isApi: true }), 'suppressed')
    assert.equal(smtp.connections(), 0)
  })

  test('is not suppressed for what is about the sender or the content, nor for mail by hand', async () => {
    refuse(550, '5.7.1 Your reputation is bad')
    await start()
    await ground.settled(await send(), 'bounced')
    refuse()
    await ground.settled(await ground.send('x@example.test', { returnPath: '' }), 'bounced')
    assert.deepEqual(await suppressions(), [])
  })

  test('is never suppressed by a verdict of our own: no such domain, no mail host, null MX, private hosts', async () => {
    ground.dns.set('null.test', 'MX', [{ exchange: '.', preference: 0 }])
    ground.dns.set('nohost.test', 'MX', [{ exchange: 'gone.nohost.test', preference: 10 }])
    ground.route('private.test', [{ host: 'in.private.test', address: '10.0.0.1' }])
    await start({ config: { outboundAllowPrivate: false } })
    for (const domain of ['absent.test', 'null.test', 'nohost.test', 'private.test'])
      await ground.settled(await ground.send(`x@${domain}`, { isApi: true }), 'failed')
    assert.deepEqual(await suppressions(), [])
  })

  test('with temporary failures of five messages in a week is suppressed; a delivery starts anew', async () => {
    refuse(452, '4.2.2 Mailbox full')
    await start()
    for (let count = 0; count < 4; count += 1) await ground.settled(await send(), 'deferred')
    assert.deepEqual(await suppressions(), [])
    smtp.script('rcpt', () => undefined)
    await ground.settled(await send(), 'delivered')
    refuse(452, '4.2.2 Mailbox full')
    for (let count = 0; count < 5; count += 1) await ground.settled(await send(), 'deferred')
    const [found] = await suppressions()
    assert.deepEqual([found?.origin, found?.expires_at], ['bounce', inDays(90)])
  })
})

describe('mail for addresses here', () => {
  const mailbox: Route = {
    kind: 'mailbox',
    addressId: newId(),
    accountId: ACCOUNT_ID,
    domainId: newId(),
    email: 'bob@here.test',
    detail: null,
    via: 'address',
  }

  test('never leaves; refusals are outcomes like those of others', async () => {
    const delivered: string[] = []
    const deliverLocal: QueueParts['deliverLocal'] = async ({ recipient, route, blob }) => {
      assert.ok(blob.size > 0)
      if (recipient.startsWith('full')) return { ok: false, code: 452, status: '4.2.2', text: 'Full', permanent: false }
      if (recipient.startsWith('no')) return { ok: false, code: 550, status: '5.7.1', text: 'No', permanent: true }
      delivered.push(`${recipient} ${route.email}`)
      return { ok: true }
    }
    const resolveRecipient: QueueParts['resolveRecipient'] = async (recipient) => {
      if (recipient.startsWith('post')) return { kind: 'outside', to: 'owner@example.test', accountId: ACCOUNT_ID }
      if (recipient.startsWith('unknown')) return { kind: 'unknown', domain: null }
      return recipient.endsWith('@here.test') ? mailbox : { kind: 'foreign' }
    }
    await start({ deliverLocal, resolveRecipient })
    const local = ['bob', 'full', 'no', 'unknown', 'postmaster'].map((name) => `${name}@here.test`)
    const id = await ground.send(local, { returnPath: '' })
    const rows = await ground.settled(id, 'delivered', 'deferred', 'bounced')
    assert.deepEqual(
      rows.map(({ state, last_status }) => `${state} ${last_status}`),
      ['delivered 2.0.0', 'deferred 4.2.2', 'bounced 5.7.1', 'bounced 5.1.1', 'delivered 2.0.0'],
    )
    assert.deepEqual(delivered, ['bob@here.test bob@here.test'])
    assert.deepEqual(
      smtp.messages.map(({ to }) => to),
      [['owner@example.test']],
    )
  })
})

test('forwarded mail is sealed and leaves with a sender of ours that leads back', async () => {
  const results = `${HOSTNAME}; spf=pass smtp.mailfrom=far.test; dkim=none; dmarc=pass header.from=far.test`
  await start()
  const text = 'From: far@far.test\r\nSubject: Far\r\nDate: x\r\n\r\nfar away\r\n'
  const prefix = Buffer.from(`Received: by ${HOSTNAME}\r\nAuthentication-Results: ${results}\r\n`)
  const id = await ground.send('you@example.test', { source: 'forward', returnPath: 'far@far.test', prefix, text })
  await ground.settled(id, 'delivered')
  const [mail] = smtp.messages
  const secret = new Secret('a secret of the tests, long enough for anyone')
  assert.match(mail?.from ?? '', /^SRS0=.*@mx\.stoa\.test$/)
  assert.equal(srsReverse((mail?.from ?? '').split('@')[0] ?? '', secret, ground.clock.now()), 'far@far.test')
  const raw = mail?.raw ?? Buffer.alloc(0)
  assert.match(raw.toString(), /^ARC-Seal: i=1;/)
  assert.match(raw.toString(), /ARC-Authentication-Results: i=1; mx\.stoa\.test; spf=pass/)
  const key = SIGNING_KEY.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const resolver = async () => [[`v=DKIM1; k=rsa; p=${key}`]]
  const checked = await authenticate(raw, { ip: '192.0.2.1', helo: HOSTNAME, mta: 'other.test', sender: '', resolver })
  assert.equal(checked.arc && 'status' in checked.arc && checked.arc.status.result, 'pass')
})

describe('a smart host', () => {
  const relay = async (auth: { user: string; password: string }, given = auth) => {
    const host = await startFakeSmtp({ auth, names: ['localhost', '127.0.0.1'] })
    const url = `smtp://${encodeURIComponent(given.user)}:${encodeURIComponent(given.password)}@localhost:${host.port}`
    const config = { relayUrl: new Secret(url) }
    open.push(await ground.start(1, { config, tuning: { trustedCa: [host.certificate.cert] } }), { stop: host.close })
    return host
  }

  test('gets all mail, signed in and over verified TLS', async () => {
    const host = await relay({ user: 'me@relay.test', password: 'p:w/d@' })
    const id = await ground.send(['x@example.test', 'y@other.test'])
    await ground.settled(id, 'delivered')
    assert.equal(host.messages.length, 2)
    assert.ok(host.messages.every(({ user, isSecure }) => user === 'me@relay.test' && isSecure))
    assert.equal(smtp.connections(), 0)
    assert.doesNotMatch(ground.logs.join(''), /p:w\/d@|p%3Aw/)
  })

  test('that refuses our credentials keeps mail waiting, not bouncing', async () => {
    await relay({ user: 'me', password: 'right' }, { user: 'me', password: 'wrong' })
    const [row] = await ground.settled(await ground.send('x@example.test'), 'deferred')
    assert.equal(row?.last_code, 535)
  })
})

describe('a destination that does not answer', () => {
  test('is left alone for longer and longer, all its mail together, until it answers', async () => {
    const { port } = smtp
    await smtp.close()
    await ground.start(port).then((queue) => open.push(queue))
    const first = await ground.send('x@example.test')
    await ground.settled(first, 'deferred')
    const second = await ground.send('y@example.test')
    await passTime(200, 'what is due would have been tried by now')
    assert.equal((await ground.rows(second))[0]?.attempts, 0)
    const failures = async () =>
      (await ground.query<{ failures: number }>('select * from queue_destination'))[0]?.failures
    assert.equal(await failures(), 1)
    ground.clock.advance(70_000)
    await ground.until('it was tried again', async () => (await failures()) === 2)
    const tried = (await ground.rows(first))[0]?.attempts ?? 0
    const waiting = (await ground.rows(second))[0]?.attempts ?? 0
    assert.equal(tried + waiting, 2)
  })
})

test('finished mail is forgotten after a month, with its attempts and the link to its bytes', async () => {
  const queue = await start()
  const id = await ground.send('x@example.test')
  await ground.settled(id, 'delivered')
  const waiting = await ground.send('x@example.test', { notBefore: new Date(ground.clock.now().getTime() + 9e9) })
  ground.clock.advance(29 * 86_400_000)
  await queue.prune()
  assert.equal((await ground.rows(id)).length, 1)
  ground.clock.advance(2 * 86_400_000)
  await queue.prune()
  assert.equal((await ground.rows(id)).length, 0)
  assert.equal((await ground.query('select 1 from queue_attempt where message_id = $1', [id])).length, 0)
  assert.equal((await ground.rows(waiting)).length, 1)
  assert.equal((await ground.query('select 1 from blob_link where ref_id = $1', [waiting])).length, 1)
})
