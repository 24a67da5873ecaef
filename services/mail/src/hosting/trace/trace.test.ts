import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { freePort } from '@stoa/tests/lib/free-port.ts'
import type { MailClient } from '@stoa/tests/lib/mail.ts'
import { connectSmtp } from '@stoa/tests/lib/smtp-client.ts'
import { forgetReceived } from '../../receiving/receive/forget.ts'
import { type Ground, openSending, type Sender } from '../../sending/emails/testing/ground.ts'
import { type PlantedAddress, plantAddress } from '../addresses/testing/hosting.ts'

const SIMULATOR = 'simulator.mx.stoa.test'
const DAY_MS = 86_400_000

type Line = Record<string, unknown> & { type: string; to: string | null; result: string | null }

let ground: Ground
let dns: FakeDns
let port: number
let ann: Sender
let client: MailClient
let box: PlantedAddress
before(async () => {
  dns = await startFakeDns()
  port = await freePort()
  ground = await openSending({
    MAIL_ROLES: 'http,worker,smtp',
    MAIL_HOST: '127.0.0.1',
    DNS_RESOLVERS: dns.address,
    SMTP_PORT: String(port),
    SUBMISSION_PORT: '0',
    SUBMISSIONS_PORT: '0',
  })
  ann = await ground.sender()
  client = ground.mail.client({ cookie: ann.cookie })
  box = await plantAddress(ground.mail.database, `box@${ann.domain}`, {
    accountId: ann.accountId,
    now: ground.mail.clock.now(),
  })
})
after(async () => {
  await ground.mail.close()
  await dns.close()
})

const rcpt = async (from: string, ...recipients: string[]): Promise<string[]> => {
  const smtp = await connectSmtp({ port })
  await smtp.say('EHLO client.example')
  await smtp.say(`MAIL FROM:<${from}>`)
  const answers: string[] = []
  for (const recipient of recipients) answers.push((await smtp.say(`RCPT TO:<${recipient}>`)).text.slice(0, 9))
  smtp.close()
  return answers
}
const trace = async (query = '', who = client) => {
  const answer = await who.get(`/api/trace?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as { object: string; data: Line[]; total: number; pages: number; page: number }
}
const activity = async (address: PlantedAddress, line: object, ago = 0) => {
  const created_at = new Date(ground.mail.clock.now().getTime() - ago)
  const row = { address_id: address.id, id: newId(), type: 'received', direction: 'in', created_at, ...line } as const
  await ground.mail.database.tx((tx) => tx.insertInto('activity').values(row).execute())
  return row.id
}

describe('the trace', () => {
  test('has a recipient that nobody is, with the domain and without an address', async () => {
    const recipient = `Nobody@${ann.domain}`
    assert.deepEqual(await rcpt('eve@elsewhere.example', recipient), ['550 5.1.1'])
    const { data, total } = await trace('search=nobody@')
    assert.equal(total, 1)
    const { id, ...line } = data[0] ?? assert.fail('no line')
    assert.match(String(id), /^[0-9a-f-]{36}$/)
    assert.deepEqual(line, {
      object: 'activity',
      type: 'rejected',
      direction: 'in',
      from: 'eve@elsewhere.example',
      to: recipient,
      subject: null,
      message_id: null,
      size_bytes: null,
      remote_ip: '127.0.0.1',
      result: 'no_such_mailbox',
      address_id: null,
      domain_id: ann.domainId,
      count: 1,
      created_at: ground.mail.clock.now().toISOString(),
    })
  })

  test('has mail of all addresses and of programs, each to be found by who, whom, subject and message id', async () => {
    const other = await plantAddress(ground.mail.database, 'b@second-trace.test', {
      accountId: ann.accountId,
      now: ground.mail.clock.now(),
    })
    const facts = { sender: 'carl@far.example', recipient: box.email, subject: 'Blue kites', message_id: 'kites@far' }
    const first = await activity(box, { ...facts, result: 'inbox' })
    const second = await activity(other, { ...facts, recipient: other.email, result: 'inbox' })
    const sent = await ann.send({
      from: `shop@${ann.domain}`,
      to: `delivered@${SIMULATOR}`,
      subject: 'Kites',
      text: 'x',
    })
    assert.equal(sent.status, 200, sent.text)
    await ground.settled(ann, sent.body.id, 'delivered')
    for (const search of ['carl@FAR', 'blue kites', 'kites@far']) {
      const { data } = await trace(`search=${encodeURIComponent(search)}`)
      assert.deepEqual(data.map(({ id }) => id).sort(), [first, second].sort(), search)
    }
    const api = await trace(`search=${encodeURIComponent(`shop@${ann.domain}`)}`)
    assert.deepEqual(
      api.data.map(({ type, direction, to, subject, address_id, domain_id }) => [
        type,
        direction,
        to,
        subject,
        address_id,
        domain_id,
      ]),
      [['sent', 'out', `delivered@${SIMULATOR}`, 'Kites', null, ann.domainId]],
    )
    assert.deepEqual(
      (await trace(`address_id=${other.id}`)).data.map(({ id }) => id),
      [second],
    )
    assert.equal((await trace(`domain_id=${other.domainId}`)).total, 1)
    // What a search looks at: not the result, not the type.
    assert.equal((await trace('search=inbox')).total, 0)
  })

  test('is filtered by type, way and time, ordered by time, and paged', async () => {
    const { accountId, id } = await plantOwner()
    const who = ground.mail.client({ cookie: await ground.mail.openSession(accountId) })
    const hours = [5, 1, 4, 2, 3]
    for (const hour of hours)
      await activity(id, { subject: `${hour}`, type: hour === 2 ? 'spam' : 'received' }, hour * 3_600_000)
    await activity(id, { subject: 'out', type: 'sent', direction: 'out' }, 0)
    const subjects = async (query: string) => (await trace(query, who)).data.map(({ subject }) => subject)
    assert.deepEqual(await subjects(''), ['out', '1', '2', '3', '4', '5'])
    assert.deepEqual(await subjects('order=asc'), ['5', '4', '3', '2', '1', 'out'])
    assert.deepEqual(await subjects('type=spam'), ['2'])
    assert.deepEqual(await subjects('direction=out'), ['out'])
    const at = (hour: number) => new Date(ground.mail.clock.now().getTime() - hour * 3_600_000).toISOString()
    assert.deepEqual(await subjects(`since=${at(3)}&before=${at(1)}`), ['2', '3'])
    for (let n = 0; n < 6; n += 1) await activity(id, { subject: 'more' }, 6 * 3_600_000)
    const page = await trace('page=2&per_page=10', who)
    assert.deepEqual([page.object, page.total, page.pages, page.data.length], ['list', 12, 2, 2])
    assert.equal((await trace('page=9', who)).data.length, 0)
  })

  test('refuses what it cannot filter by', async () => {
    for (const query of [
      'domain_id=x',
      'address_id=1',
      'type=lost',
      'direction=up',
      'since=soon',
      'before=2026-13-01',
    ]) {
      const answer = await client.get(`/api/trace?${query}`)
      assert.deepEqual([answer.status, answer.body.name], [400, 'invalid_parameter'], query)
    }
    for (const query of ['sort=id', 'order=up', 'page=-1', 'per_page=7'])
      assert.equal((await client.get(`/api/trace?${query}`)).status, 200, query)
  })

  test('shows nothing of others, and nothing of what is deleted', async () => {
    const { accountId, id } = await plantOwner()
    const who = ground.mail.client({ cookie: await ground.mail.openSession(accountId) })
    await activity(id, { subject: 'kept' })
    assert.deepEqual(await rcpt('x@y.example', `ghost@${id.email.split('@')[1]}`), ['550 5.1.1'])
    assert.equal((await trace('', who)).total, 2)
    for (const query of ['', 'search=kept', 'search=ghost@', `address_id=${id.id}`, `domain_id=${id.domainId}`])
      assert.ok(!(await trace(query)).data.some(({ domain_id }) => domain_id === id.domainId), query)
    assert.equal((await who.send('DELETE', `/api/domains/${id.domainId}`)).status, 200)
    assert.equal((await trace('', who)).total, 0)
  })

  test('is kept for 30 days', async () => {
    const { accountId, id } = await plantOwner()
    await rcpt('x@y.example', `old@${id.email.split('@')[1]}`)
    await activity(id, {})
    const open = async () => ground.mail.client({ cookie: await ground.mail.openSession(accountId) })
    assert.equal((await trace('', await open())).total, 2)
    ground.mail.clock.advance(30 * DAY_MS + 60_000)
    assert.equal((await trace('', await open())).total, 0)
    await forgetReceived(ground.mail.database, ground.mail.clock.now())
    const { rows } = await ground.mail.database.pool.query('select 1 from refused_recipient where account_id = $1', [
      accountId,
    ])
    assert.deepEqual(rows, [])
    client = ground.mail.client({ cookie: await ground.mail.openSession(ann.accountId) })
  })
})

describe('the overview', () => {
  test('counts mail of programs, in the words of the API', async () => {
    const sender = await ground.sender()
    const cookie = await ground.mail.openSession(sender.accountId)
    const mine = ground.mail.client({ cookie })
    await mine.post('/api/suppressions', { email: 'no@withheld.example' })
    const send = async (to: string[], more: object = {}): Promise<string> => {
      const answer = await sender.send({ from: `a@${sender.domain}`, to, subject: 'x', text: 'x', ...more })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.id
    }
    const at = (name: string) => `${name}@${SIMULATOR}`
    await ground.settled(sender, await send([at('delivered')]), 'delivered')
    await ground.settled(sender, await send([at('bounced')]), 'bounced')
    await ground.settled(sender, await send([at('complained')]), 'complained')
    await ground.settled(sender, await send([at('delayed')]), 'delayed')
    await ground.settled(sender, await send(['no@withheld.example']), 'suppressed')
    const later = { scheduled_at: new Date(ground.mail.clock.now().getTime() + DAY_MS).toISOString() }
    await send([at('delivered')], later)
    const taken = await send([at('delivered')], later)
    assert.equal((await sender.call('POST', `/api/emails/${taken}/cancel`)).status, 200)
    await rcpt('x@y.example', `ghost@${sender.domain}`)
    const { sending, series, recent_activity } = (await mine.get('/api/overview')).body
    assert.deepEqual(sending.by_status, {
      bounced: 1,
      cancelled: 1,
      complained: 1,
      delayed: 1,
      delivered: 1,
      scheduled: 1,
      suppressed: 1,
    })
    const { sent, rejected } = series.at(-1)
    assert.deepEqual([sent, rejected], [2, 1])
    assert.deepEqual(recent_activity.map(({ type }: Line) => type).sort(), ['bounced', 'deferred', 'sent', 'sent'])
  })
})

let owners = 0
/** An account with an address at a domain of its own. */
const plantOwner = async () => {
  owners += 1
  const id = await plantAddress(ground.mail.database, `a@owner-${owners}.test`, { now: ground.mail.clock.now() })
  return { accountId: id.accountId, id }
}
