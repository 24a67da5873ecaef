import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newKey, signed, txt } from '../../formats/authenticity/testing/zone.ts'
import { COPIES } from './replays.ts'
import { plainMessage, type ReceiveGround, startReceiving } from './testing/ground.ts'

let ground: ReceiveGround
before(async () => {
  ground = await startReceiving()
})
after(() => ground.close())

describe('mail from outside', () => {
  test('is in the inbox with its trace and its authentication results, bit by bit as it came', async () => {
    const bob = await ground.address('bob@ours.test')
    const key = newKey()
    ground.zone['TXT s1._domainkey.signed.org'] = txt(key.record)
    ground.zone['TXT _dmarc.signed.org'] = txt('v=DMARC1; p=reject')
    ground.zone['TXT signed.org'] = txt('v=spf1 ip4:127.0.0.1 -all')
    const message = await signed(plainMessage({ From: 'ann@signed.org' }), { domain: 'signed.org', key })
    const answer = await ground.send({ from: 'ann@signed.org', to: 'bob@ours.test', message })
    assert.match(answer.text, /^250 2\.0\.0 Ok/)
    const [mail, ...others] = await ground.mails(bob)
    assert.deepEqual(others, [])
    assert.deepEqual(mail?.folders, ['Inbox'])
    assert.equal(mail?.text, message.toString())
    assert.match(mail?.prefix ?? '', /^Return-Path: <ann@signed\.org>\r\nDelivered-To: bob@ours\.test\r\n/)
    assert.match(mail?.prefix ?? '', /Authentication-Results: mx\.stoa\.test;.*dkim=pass.*spf=pass.*dmarc=pass/s)
    assert.match(
      mail?.prefix ?? '',
      /Received: from client\.test \(\[127\.0\.0\.1\]\)\r\n\tby mx\.stoa\.test with ESMTP /,
    )
    assert.deepEqual(
      (await ground.activity(bob)).map(({ type }) => type),
      ['received'],
    )
    await ground.check(bob)
  })

  test('M32: signed once and sent a hundred times, it is deferred for every recipient', async () => {
    const bob = await ground.address('replayed@ours.test')
    const key = newKey()
    ground.zone['TXT s1._domainkey.replayed.org'] = txt(key.record)
    const message = await signed(plainMessage({ From: 'ann@replayed.org' }), { domain: 'replayed.org', key })
    const client = await ground.connect()
    const answers: string[] = []
    for (let count = 0; count <= COPIES.limit; count += 1) {
      const envelope = { from: `n${count}@replayed.org`, to: ['replayed@ours.test'] }
      answers.push((await client.mail(envelope, message)).text.slice(0, 9))
    }
    client.close()
    assert.deepEqual([...new Set(answers)], ['250 2.0.0', '451 4.7.1'])
    assert.equal((await ground.mails(bob)).length, COPIES.limit)
    assert.equal(ground.logs.filter((line) => line.includes('again and again')).length, 1)
  })

  test('that fails DMARC with p=reject is 550 5.7.1, with p=quarantine it is junk', async () => {
    const bob = await ground.address('dmarc@ours.test')
    ground.zone['TXT _dmarc.strict.org'] = txt('v=DMARC1; p=reject')
    ground.zone['TXT _dmarc.careful.org'] = txt('v=DMARC1; p=quarantine')
    const refused = await ground.send({ to: 'dmarc@ours.test', message: plainMessage({ From: 'boss@strict.org' }) })
    assert.match(refused.text, /^550 5\.7\.1 /)
    assert.deepEqual(await ground.mails(bob), [])
    const taken = await ground.send({ to: 'dmarc@ours.test', message: plainMessage({ From: 'boss@careful.org' }) })
    assert.equal(taken.code, 250)
    const [mail] = await ground.mails(bob)
    assert.deepEqual([mail?.folders, mail?.keywords], [['Junk'], ['$junk']])
    assert.deepEqual(
      (await ground.activity(bob)).map(({ type }) => type),
      ['rejected', 'spam'],
    )
  })

  test('with the test string for spam filters is in Junk, and says why', async () => {
    const bob = await ground.address('gtube@ours.test')
    const gtube = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'
    for (const encoding of ['7bit', 'base64']) {
      const header = plainMessage({ 'Content-Transfer-Encoding': encoding, Subject: encoding }).toString()
      const text = encoding === '7bit' ? gtube : Buffer.from(gtube).toString('base64')
      const message = Buffer.from(`${header.slice(0, header.indexOf('\r\n\r\n'))}\r\n\r\n${text}\r\n`)
      assert.equal((await ground.send({ to: 'gtube@ours.test', message })).code, 250)
    }
    const mails = await ground.mails(bob)
    assert.equal(mails.length, 2)
    for (const mail of mails) {
      assert.deepEqual([mail.folders, mail.keywords], [['Junk'], ['$junk']])
      assert.match(mail.prefix, /^X-Spam-Status: Yes, score=[\d.]+ required=\d+\r\n tests=gtube=1000/m)
    }
  })

  test('whose author is not clear is 550 5.6.0', async () => {
    const bob = await ground.address('author@ours.test')
    const message = `From: a@one.org\r\n${plainMessage({ From: 'b@two.org' })}`
    assert.match((await ground.send({ to: 'author@ours.test', message })).text, /^550 5\.6\.0 /)
    assert.deepEqual(await ground.mails(bob), [])
  })

  test('that claims our own results loses them', async () => {
    const bob = await ground.address('claims@ours.test')
    const forged = 'Authentication-Results: mx.stoa.test; dmarc=pass header.from=boss.org\r\n'
    const message = plainMessage()
    assert.equal((await ground.send({ to: 'claims@ours.test', message: forged + message })).code, 250)
    const [mail] = await ground.mails(bob)
    assert.equal(mail?.text, message)
  })

  test('that went through 50 hosts is 554 5.4.6', async () => {
    const bob = await ground.address('hops@ours.test')
    const hop = 'Received: from a by b; Sun, 1 Mar 2026 11:00:00 +0000\r\n'
    const refused = await ground.send({ to: 'hops@ours.test', message: hop.repeat(50) + plainMessage() })
    assert.match(refused.text, /^554 5\.4\.6 /)
    assert.equal((await ground.send({ to: 'hops@ours.test', message: hop.repeat(49) + plainMessage() })).code, 250)
    assert.equal((await ground.mails(bob)).length, 1)
  })

  test('that was acknowledged is another message when it comes again; one that was not is the same', async () => {
    const bob = await ground.address('twice@ours.test')
    const message = plainMessage()
    const lost = await ground.connect()
    assert.equal((await lost.mail({ from: 'ann@example.org', to: ['twice@ours.test'] }, message)).code, 250)
    // The answer is lost, as far as we can tell.
    lost.close()
    assert.equal((await ground.send({ to: 'twice@ours.test', message })).code, 250)
    assert.equal((await ground.mails(bob)).length, 1)
    await ground.parts.receipts.flush()
    // The second try ended with QUIT.
    assert.equal((await ground.send({ to: 'twice@ours.test', message })).code, 250)
    assert.equal((await ground.mails(bob)).length, 2)
    await ground.check(bob)
  })

  test('of the same bytes from somebody else or to somebody else is another message', async () => {
    const [one, two] = [await ground.address('one@ours.test'), await ground.address('two@ours.test')]
    const message = plainMessage()
    const client = await ground.connect()
    await client.mail({ from: 'ann@example.org', to: ['one@ours.test'] }, message)
    client.close()
    await ground.send({ from: 'eve@example.org', to: ['one@ours.test', 'two@ours.test'], message })
    assert.equal((await ground.mails(one)).length, 2)
    assert.equal((await ground.mails(two)).length, 1)
  })

  test('to several addresses of one mailbox is there once', async () => {
    const bob = await ground.address('many@ours.test', { aliases: ['alias@ours.test'] })
    const to = ['many@ours.test', 'alias@ours.test', 'many+detail@ours.test']
    assert.equal((await ground.send({ to, message: plainMessage() })).code, 250)
    assert.equal((await ground.mails(bob)).length, 1)
  })

  test('larger than what is kept in memory arrives whole', async () => {
    const large = await startReceiving({ maxMessageBytes: 8_000_000 })
    try {
      const bob = await large.address('large@ours.test')
      const message = plainMessage({}, `${'x'.repeat(998)}\r\n`.repeat(5_000))
      assert.equal((await large.send({ to: 'large@ours.test', message })).code, 250)
      const [mail] = await large.mails(bob)
      assert.equal(mail?.text.length, message.length)
      assert.ok(mail?.text === message)
    } finally {
      await large.close()
    }
  })
})

describe('recipients', () => {
  const rcpt = async (...paths: string[]): Promise<string[]> => {
    const client = await ground.connect()
    await client.say('MAIL FROM:<ann@example.org>')
    const answers: string[] = []
    for (const path of paths) answers.push((await client.say(`RCPT TO:<${path}>`)).text.slice(0, 9))
    client.close()
    return answers
  }

  test('that nobody is, are 550 5.1.1; names elsewhere are 550 5.7.1 in every spelling', async () => {
    await ground.address('real@ours.test')
    assert.deepEqual(await rcpt('real@ours.test', 'REAL+x@Ours.Test', 'postmaster@ours.test', 'postmaster'), [
      '250 2.1.5',
      '250 2.1.5',
      '250 2.1.5',
      // Nobody owns this instance yet.
      '550 5.1.1',
    ])
    assert.deepEqual(await rcpt('nobody@ours.test'), ['550 5.1.1'])
    const relayed = [
      'user@foreign.test',
      'user%foreign.test@ours.test',
      'foreign.test!user@ours.test',
      '"user@foreign.test"@ours.test',
      '@ours.test:user@foreign.test',
      'user@foreign.test@ours.test',
      'user',
      'user@[127.0.0.1]',
    ]
    assert.deepEqual(
      await rcpt(...relayed),
      relayed.map(() => '550 5.7.1'),
    )
    assert.deepEqual(await ground.queued(), [])
  })

  test('whose mailbox is full are 452 4.2.2, also when only the announced size does not fit', async () => {
    const full = await ground.address('full@ours.test', { quotaBytes: 500 })
    const client = await ground.connect()
    await client.say('MAIL FROM:<ann@example.org> SIZE=600')
    for (let tries = 0; tries < 2; tries++)
      assert.match((await client.say('RCPT TO:<full@ours.test>')).text, /^452 4\.2\.2 /)
    client.close()
    // The trace says where the mail is, once for all its tries
    assert.deepEqual(await ground.activity(full), [{ type: 'deferred', result: 'The mailbox is full' }])
  })

  test('whose mailbox gets full by this message are 452, and nothing is stored', async () => {
    const bob = await ground.address('nearly@ours.test', { quotaBytes: 800 })
    const answer = await ground.send({ to: 'nearly@ours.test', message: plainMessage({}, 'x'.repeat(900)) })
    assert.match(answer.text, /^452 4\.2\.2 /)
    assert.deepEqual(await ground.mails(bob), [])
    assert.deepEqual(await ground.activity(bob), [{ type: 'deferred', result: 'The mailbox is full' }])
    await ground.check(bob)
  })

  test('whose account has used up the storage of its plan are 452, however empty their mailbox is', async () => {
    const bob = await ground.address('small@plan.test')
    const other = await ground.address('large@plan.test', { accountId: bob.accountId })
    const { pool } = ground.database
    await pool.query(`update account set plan = 'free' where id = $1`, [bob.accountId])
    assert.equal((await ground.send({ to: 'small@plan.test', message: plainMessage({}, 'one') })).code, 250)
    await pool.query('update mailbox set used_bytes = $2 where address_id = $1', [other.id, 2 ** 30])
    assert.match((await ground.send({ to: 'small@plan.test', message: plainMessage({}, 'two') })).text, /^452 4\.2\.2 /)
    assert.equal((await ground.mails(bob)).length, 1)
    await pool.query(`update account set plan = 'unlimited' where id = $1`, [bob.accountId])
  })

  test('of a suspended account still take mail: it may not send, but nothing for it is lost', async () => {
    const bob = await ground.address('kept@suspended.test')
    const suspend = 'update account set suspended_at = $2 where id = $1'
    await ground.database.pool.query(suspend, [bob.accountId, new Date()])
    assert.equal((await ground.send({ to: 'kept@suspended.test', message: plainMessage({}, 'one') })).code, 250)
    assert.equal((await ground.mails(bob)).length, 1)
    await ground.database.pool.query(suspend, [bob.accountId, null])
  })

  test('of an account that never paid take mail, keep what they would forward, and answer nobody', async () => {
    const bob = await ground.address('kept@unpaid.test', { forwardTo: ['away@elsewhere.test'], keepCopy: false })
    const due = `update account set plan = $2, past_due_at = $3 where id = $1`
    await ground.database.pool.query(due, [bob.accountId, 'starter', new Date(0)])
    assert.equal((await ground.send({ to: 'kept@unpaid.test', message: plainMessage({}, 'one') })).code, 250)
    assert.equal((await ground.mails(bob)).length, 1)
    await ground.database.pool.query(due, [bob.accountId, 'unlimited', null])
  })

  test('of whom one cannot take it now make 451, and the others do not get it twice', async () => {
    const well = await ground.address('well@ours.test')
    const full = await ground.address('almost@ours.test', { quotaBytes: 800 })
    const message = plainMessage({}, 'y'.repeat(900))
    const to = ['well@ours.test', 'almost@ours.test']
    assert.match((await ground.send({ to, message })).text, /^451 4\.3\.0 /)
    assert.match((await ground.send({ to, message })).text, /^451 4\.3\.0 /)
    await ground.database.pool.query('update address set quota_bytes = null where id = $1', [full.id])
    assert.equal((await ground.send({ to, message })).code, 250)
    assert.equal((await ground.mails(well)).length, 1)
    assert.equal((await ground.mails(full)).length, 1)
  })
})

describe('too much mail', () => {
  test('from one sender in a minute is put off', async () => {
    const limited = await startReceiving({ messagesPerMinute: 2 })
    try {
      const client = await limited.connect()
      const mail = async (from: string) => {
        const { text } = await client.say(`MAIL FROM:<${from}>`)
        await client.say('RSET')
        return text.slice(0, 9)
      }
      assert.equal(await mail('loud@example.org'), '250 2.1.0')
      assert.equal(await mail('LOUD@example.org'), '250 2.1.0')
      assert.equal(await mail('loud@example.org'), '451 4.7.1')
      assert.equal(await mail('other@example.org'), '250 2.1.0')
      limited.clock.advance(61_000)
      assert.equal(await mail('loud@example.org'), '250 2.1.0')
      client.close()
    } finally {
      await limited.close()
    }
  })
})
