import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { PlantedAddress } from '../../hosting/addresses/testing/hosting.ts'
import { type InstanceSettings, putInstanceSettings } from '../../hosting/instance-settings/instance-settings.ts'
import { gatherContacts } from '../../sending/contacts/contacts.ts'
import type { Tables } from '../../tables.ts'
import { forgetGreylist, MAX_WAITING, noteAttempt } from '../greylisting/greylisting.ts'
import { plainMessage, type ReceiveGround, startReceiving } from './testing/ground.ts'

/** Where mail comes from: 127.0.0.1 may be on no list. */
const IP = '127.0.0.9'
const SERVER = '9.0.0.127'
const MINUTE_MS = 60_000

let ground: ReceiveGround
before(async () => {
  ground = await startReceiving()
})
after(() => ground.close())

const OFF = { dnsbl: [], dnswl: [], domain_dnsbl: [], greylisting: false, greylisting_minutes: 5 }
const set = (settings: Partial<InstanceSettings>) =>
  ground.database.tx((tx) => putInstanceSettings(tx, { ...OFF, ...settings }, ground.clock.now()))

beforeEach(async () => {
  await ground.database.pool.query('delete from listed_sender')
  await ground.database.pool.query('delete from greylist')
  for (const name of Object.keys(ground.zone)) delete ground.zone[name]
  ground.zone[`A ${SERVER}.bl.test`] = ['127.0.0.2']
  // Past the pause of lists that did not work
  ground.clock.advance(2 * MINUTE_MS)
  await set({})
})

let boxes = 0
const newBox = (): Promise<PlantedAddress> => ground.address(`bob@held-${++boxes}.test`)
const send = (box: PlantedAddress, more: { from?: string; ip?: string; message?: string } = {}) =>
  ground.send({ to: box.email, message: plainMessage(), ip: IP, ...more })
const lastLine = async (box: PlantedAddress) => (await ground.activity(box)).at(-1)
const list = (owner: { address_id?: string; domain_id?: string }, action: 'allow' | 'block', pattern: string) => {
  const entry = { id: newId(), address_id: null, domain_id: null, ...owner, pattern, action }
  return ground.database.tx((tx) =>
    tx
      .insertInto('listed_sender')
      .values({ ...entry, created_at: ground.clock.now() })
      .execute(),
  )
}

describe('DNS lists', () => {
  test('add their points to the score, and header and trace name each list and its result', async () => {
    const box = await newBox()
    await set({ dnsbl: ['bl.test*20'], dnswl: ['wl.test'] })
    assert.equal((await send(box)).code, 250)
    const [mail] = await ground.mails(box)
    assert.deepEqual(mail?.folders, ['Junk'])
    assert.match(mail?.prefix ?? '', /X-Spam-Status: Yes[\s\S]*dnsbl_bl\.test=20/)
    const line = await lastLine(box)
    assert.equal(line?.type, 'spam')
    assert.match(line?.result ?? '', /^junk: score 2\d(\.\d)? of 5; listed by bl\.test \(127\.0\.0\.2\)$/)
  })

  test('of those who are wanted take points off', async () => {
    const box = await newBox()
    ground.zone[`A ${SERVER}.wl.test`] = ['127.0.1.1']
    await set({ dnsbl: ['bl.test*4'], dnswl: ['wl.test*10'] })
    await send(box)
    assert.deepEqual((await ground.mails(box))[0]?.folders, ['Inbox'])
    assert.equal((await lastLine(box))?.result, 'inbox: listed by bl.test (127.0.0.2); trusted by wl.test (127.0.1.1)')
  })

  test('of domains know those of the sender, of the author and of links', async () => {
    const box = await newBox()
    await set({ domain_dnsbl: ['dbl.test*20'] })
    ground.zone['A link.example.dbl.test'] = ['127.0.1.2']
    await send(box, { message: plainMessage({}, 'Look at https://www.link.example/offer\r\n') })
    assert.match((await lastLine(box))?.result ?? '', /listed by dbl\.test \(link\.example, 127\.0\.1\.2\)$/)
    delete ground.zone['A link.example.dbl.test']
    ground.zone['A envelope.example.dbl.test'] = ['127.0.1.2']
    await send(box, { from: 'x@mail.envelope.example' })
    assert.match((await lastLine(box))?.result ?? '', /listed by dbl\.test \(envelope\.example, 127\.0\.1\.2\)$/)
  })

  test('that reject do so with a reason, unless a list of our own or one of wanted servers says otherwise', async () => {
    const box = await newBox()
    await set({ dnsbl: ['bl.test*reject'], dnswl: ['wl.test'] })
    const answer = await send(box)
    assert.deepEqual([answer.code, answer.text.includes(`${IP} is listed by bl.test (127.0.0.2)`)], [550, true])
    assert.deepEqual([(await ground.mails(box)).length, (await lastLine(box))?.type], [0, 'rejected'])
    await list({ address_id: box.id }, 'allow', IP)
    assert.equal((await send(box)).code, 250)
    assert.equal(
      (await lastLine(box))?.result,
      `inbox: the sender list of the mailbox allows ${IP}; listed by bl.test (127.0.0.2)`,
    )
    const other = await newBox()
    ground.zone[`A ${SERVER}.wl.test`] = ['127.0.1.1']
    assert.equal((await send(other)).code, 250)
  })

  test('that fail or list everything hold nobody up and say nothing', async () => {
    const box = await newBox()
    for (const name of ['1.0.0.127', SERVER]) ground.zone[`A ${name}.all.test`] = ['127.0.0.2']
    ground.zone[`A ${SERVER}.away.test`] = Object.assign(new Error('no answer'), { code: 'ESERVFAIL' })
    await set({ dnsbl: ['all.test*reject', 'away.test*reject'] })
    assert.equal((await send(box)).code, 250)
    assert.equal((await lastLine(box))?.result, 'inbox')
  })
})

describe('networks on lists of senders', () => {
  test('that a mailbox or its domain blocks are in Junk, the narrowest entry counts', async () => {
    const box = await newBox()
    await list({ domain_id: box.domainId }, 'block', '127.0.0.0/8')
    await send(box)
    assert.equal((await lastLine(box))?.result, 'junk: the sender list of the domain blocks 127.0.0.0/8')
    await list({ domain_id: box.domainId }, 'allow', '127.0.0.0/24')
    await send(box)
    assert.equal((await lastLine(box))?.result, 'inbox: the sender list of the domain allows 127.0.0.0/24')
  })

  test('that the instance blocks are refused whatever a mailbox allows, and recorded once an hour', async () => {
    const box = await newBox()
    await list({}, 'block', '127.0.0.8/30')
    await list({ address_id: box.id }, 'allow', IP)
    for (const from of ['ann@example.org', 'eve@example.org']) {
      const answer = await send(box, { from })
      assert.deepEqual([answer.code, /blocked/.test(answer.text)], [550, true])
    }
    assert.deepEqual(await ground.activity(box), [
      { type: 'rejected', result: 'the sender list of the instance blocks 127.0.0.8/30' },
    ])
    assert.equal((await send(box, { ip: '127.0.0.20' })).code, 250)
    await list({}, 'allow', IP)
    assert.equal((await send(box)).code, 250)
  })

  test('that are allowed do not let a forged author through', async () => {
    const box = await newBox()
    ground.zone['TXT example.org'] = [['v=spf1 -all']]
    ground.zone['TXT _dmarc.example.org'] = [['v=DMARC1; p=quarantine']]
    await list({ address_id: box.id }, 'allow', IP)
    await send(box)
    assert.deepEqual((await ground.mails(box))[0]?.folders, ['Junk'])
    assert.doesNotMatch((await lastLine(box))?.result ?? '', /allows/)
  })
})

describe('greylisting', () => {
  test('delays suspicious mail of strangers, takes it when it comes back, and the trace shows both', async () => {
    const box = await newBox()
    await set({ dnsbl: ['bl.test*2'], greylisting: true })
    const message = plainMessage()
    const first = ground.clock.now()
    const until = new Date(first.getTime() + 5 * MINUTE_MS).toISOString()
    for (let n = 0; n < 2; n += 1) {
      const answer = await send(box, { message })
      assert.deepEqual([answer.code, answer.text.includes(`4.7.1 Greylisted, try again after ${until}`)], [451, true])
      ground.clock.advance(MINUTE_MS)
    }
    assert.deepEqual(await ground.activity(box), [
      { type: 'deferred', result: `greylisted until ${until}; listed by bl.test (127.0.0.2)` },
    ])
    ground.clock.advance(3 * MINUTE_MS)
    // Large senders come back from a neighbor
    ground.zone['A 77.0.0.127.bl.test'] = ['127.0.0.2']
    assert.equal((await send(box, { message, ip: '127.0.0.77' })).code, 250)
    assert.match(
      (await lastLine(box))?.result ?? '',
      new RegExp(`^inbox: .*accepted after greylisting since ${first.toISOString()}$`),
    )
    ground.clock.advance(MINUTE_MS)
    assert.equal((await send(box)).code, 250)
    assert.doesNotMatch((await lastLine(box))?.result ?? '', /greylisting/)
    assert.equal((await send(box, { from: 'other@example.org' })).code, 451)
    assert.equal((await ground.mails(box)).length, 2)
    await ground.check(box)
  })

  test('is off unless set, and delays nobody who looks fine, is listed as wanted, allowed or known', async () => {
    const box = await newBox()
    await set({ dnsbl: ['bl.test*2'] })
    assert.equal((await send(box)).code, 250)
    await set({ dnsbl: ['bl.test*2'], dnswl: ['wl.test'], greylisting: true })
    assert.equal((await send(box)).code, 451)

    ground.zone[`PTR 20.0.0.127.in-addr.arpa`] = ['mail.example.org']
    ground.zone['TXT example.org'] = [['v=spf1 ip4:127.0.0.20 ~all']]
    assert.equal((await send(box, { ip: '127.0.0.20' })).code, 250)

    ground.zone['A 21.0.0.127.bl.test'] = ['127.0.0.2']
    ground.zone['A 21.0.0.127.wl.test'] = ['127.0.1.1']
    assert.equal((await send(box, { ip: '127.0.0.21' })).code, 250)

    await list({ address_id: box.id }, 'block', 'blocked@example.org')
    assert.equal((await send(box, { from: 'blocked@example.org' })).code, 250)
    await list({ address_id: box.id }, 'allow', IP)
    assert.equal((await send(box)).code, 250)
    await ground.database.pool.query('delete from listed_sender')

    const recipients = [{ address: 'Friend@Known.example' }]
    await ground.database.tx((tx) =>
      gatherContacts(tx, { addressId: box.id, recipients, named: [], now: ground.clock.now() }),
    )
    const message = plainMessage({ From: 'friend@known.example' })
    assert.equal((await send(box, { from: 'bounces@elsewhere.example', message })).code, 250)
    assert.equal((await send(box, { from: 'friend@known.example' })).code, 250)
  })

  test('of one message for two delays the one, and the other has it once', async () => {
    const [stranger, friend] = [await newBox(), await newBox()]
    await set({ dnsbl: ['bl.test*2'], greylisting: true })
    await list({ address_id: friend.id }, 'allow', IP)
    const mail = { to: [stranger.email, friend.email], message: plainMessage(), ip: IP }
    assert.equal((await ground.send(mail)).code, 451)
    ground.clock.advance(6 * MINUTE_MS)
    assert.equal((await ground.send(mail)).code, 250)
    assert.deepEqual([(await ground.mails(stranger)).length, (await ground.mails(friend)).length], [1, 1])
  })

  test('is shared by processes: who was delayed by one is taken by another, and both write one line', async () => {
    const box = await newBox()
    const other = openDatabase<Tables>({ url: ground.databaseUrl, poolSize: 2, log: ground.parts.log })
    try {
      const now = ground.clock.now()
      const attempt = { addressId: box.id, ip: '192.0.2.7', sender: 'Ann@Example.org', waitMinutes: 5, now }
      const both = [ground.database, other, ground.database, other]
      const answers = await Promise.all(both.map(({ tx }) => tx((tx) => noteAttempt(tx, attempt))))
      const until = new Date(now.getTime() + 5 * MINUTE_MS)
      assert.ok(answers.every((answer) => answer.kind === 'wait' && answer.until.getTime() === until.getTime()))
      assert.equal((await ground.database.pool.query('select from greylist')).rowCount, 1)
      const again = await other.tx((tx) =>
        noteAttempt(tx, { ...attempt, ip: '192.0.2.200', sender: 'ann@example.org', now: until }),
      )
      assert.deepEqual(again, { kind: 'passed', since: now })
    } finally {
      await other.close()
    }
  })

  test('forgets who never came back after two days, and who did after a month', async () => {
    const box = await newBox()
    const now = ground.clock.now()
    const later = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS)
    const DAY = 24 * 60
    const note = (sender: string, at: Date) =>
      ground.database.tx((tx) =>
        noteAttempt(tx, { addressId: box.id, ip: '192.0.2.7', sender, waitMinutes: 5, now: at }),
      )
    await note('gone@x.test', now)
    await note('back@x.test', now)
    await note('back@x.test', later(6))
    const left = async () =>
      (await ground.database.pool.query('select sender from greylist order by sender')).rows.map(({ sender }) => sender)
    await forgetGreylist(ground.database, later(2 * DAY - 1))
    assert.deepEqual(await left(), ['back@x.test', 'gone@x.test'])
    assert.equal((await note('gone@x.test', later(2 * DAY + 1))).kind, 'wait')
    await forgetGreylist(ground.database, later(30 * DAY))
    assert.deepEqual(await left(), ['back@x.test'])
    await forgetGreylist(ground.database, later(37 * DAY))
    assert.deepEqual(await left(), [])
  })

  test('of one network records so many, and defers the others', async () => {
    const box = await newBox()
    const now = ground.clock.now()
    await ground.database.pool.query(
      `insert into greylist (address_id, network, sender, first_seen_at, expires_at)
       select $1, '192.0.2.0/24', 's' || n || '@x.test', $2, $3 from generate_series(1, $4) n`,
      [box.id, now, new Date(now.getTime() + 86_400_000), MAX_WAITING],
    )
    const note = (sender: string, ip: string, at = now) =>
      ground.database.tx((tx) => noteAttempt(tx, { addressId: box.id, ip, sender, waitMinutes: 5, now: at }))
    assert.deepEqual(await note('more@x.test', '192.0.2.7'), {
      kind: 'wait',
      until: new Date(now.getTime() + 5 * MINUTE_MS),
      isNew: false,
    })
    assert.equal((await note('s1@x.test', '192.0.2.7', new Date(now.getTime() + 6 * MINUTE_MS))).kind, 'passed')
    await note('else@x.test', '198.51.100.7')
    const { rows } = await ground.database.pool.query(`select sender from greylist where sender !~ '^s[0-9]'`)
    assert.deepEqual(rows, [{ sender: 'else@x.test' }])
  })
})
