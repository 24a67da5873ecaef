import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { SMTP_TIMEOUTS } from './smtp-connection.ts'
import { openGround, type QueueGround } from './testing/ground.ts'
import { type Answer, ehlo, polite, type RawPeer, startRawPeer } from './testing/raw-peer.ts'

let ground: QueueGround
const open: { stop(): Promise<void> }[] = []

before(async () => {
  ground = await openGround()
  ground.route('example.test', [{ host: 'raw.example.test', address: '127.0.0.1' }])
})
after(() => ground.close())
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop()
  await ground.query('delete from queue_message')
  await ground.query('delete from queue_destination')
})

/** A peer with a queue that sends to it; less patient only with one that is late, because any may be on a busy machine. */
const talkTo = async (answer: Answer, greeting?: string | null, timeouts = SMTP_TIMEOUTS): Promise<RawPeer> => {
  const peer = await startRawPeer(answer, greeting)
  const queue = await ground.start(peer.port, { tuning: { timeouts } })
  open.push(queue, { stop: peer.close })
  return peer
}
const sendOne = async (states: string[], message: Parameters<QueueGround['send']>[1] = {}) => {
  const id = await ground.send('you@example.test', message)
  const [row] = await ground.settled(id, ...states)
  assert.ok(row)
  return row
}
const but =
  (special: Record<string, string>): Answer =>
  (line, peer) => {
    const key = Object.keys(special).find((word) => line.startsWith(word))
    return key === undefined ? polite('PIPELINING', 'SIZE 1000000')(line, peer) : special[key]
  }

describe('a peer that', () => {
  test('supports DSN is sent envelope id, RET, NOTIFY and ORCPT in xtext', async () => {
    const peer = await talkTo(polite('DSN', 'SIZE 1000000', '8BITMIME', 'SMTPUTF8'))
    await sendOne(['delivered'], {
      envid: 'an id+1',
      ret: 'hdrs',
      needs8bit: true,
      needsUtf8: true,
      recipients: [{ address: 'you@example.test', notify: ['success', 'failure'], orcpt: 'rfc822;you=x@example.org' }],
    })
    const mail = peer.lines.find((line) => line.startsWith('MAIL'))
    assert.match(
      mail ?? '',
      /^MAIL FROM:<ann@stoa\.test> SIZE=\d+ BODY=8BITMIME SMTPUTF8 RET=HDRS ENVID=an\+20id\+2B1$/,
    )
    const rcpt = peer.lines.find((line) => line.startsWith('RCPT'))
    assert.equal(rcpt, 'RCPT TO:<you@example.test> NOTIFY=SUCCESS,FAILURE ORCPT=rfc822;you+3Dx@example.org')
    assert.equal((await ground.query(`select 1 from queue_message where source = 'dsn'`)).length, 0)
  })

  test('does not pipeline is sent one command at a time', async () => {
    let isWaiting = false
    const peer = await talkTo((line, { socket, isData }) => {
      if (line.startsWith('EHLO')) return ehlo('SIZE')
      if (isWaiting) socket.destroy()
      if (line === 'DATA') return '354 go\r\n'
      isWaiting = !isData
      setTimeout(() => {
        isWaiting = false
        socket.write('250 ok\r\n')
      }, 5)
      return undefined
    })
    await sendOne(['delivered'])
    assert.equal(peer.lines.filter((line) => line.startsWith('MAIL')).length, 1)
  })

  test('knows only HELO gets the mail too', async () => {
    const peer = await talkTo((line, peerOf) => (line.startsWith('EHLO') ? '502 what?\r\n' : polite()(line, peerOf)))
    await sendOne(['delivered'])
    assert.ok(peer.lines.includes('HELO mx.stoa.test'))
  })

  test('sends a reply without end is left, and the mail waits', async () => {
    const peer = await talkTo(but({ MAIL: `250-${'x'.repeat(200_000)}` }))
    const row = await sendOne(['deferred'])
    assert.equal(row.last_status, '4.5.0')
    assert.match(row.last_reply ?? '', /too long/)
    assert.equal(peer.data.length, 0)
  })

  test('sends a reply of endless lines is left, and the mail waits', async () => {
    await talkTo(but({ MAIL: '250-more\r\n'.repeat(5_000) }))
    assert.match((await sendOne(['deferred'])).last_reply ?? '', /too many lines/)
  })

  test('drips its reply byte by byte is left when the time for the whole reply is over', async () => {
    const drip: Answer = (line, { socket, isData }) => {
      if (!line.startsWith('MAIL')) return polite()(line, { socket, isData })
      const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('2')), 50)
      return undefined
    }
    await talkTo(drip, undefined, { ...SMTP_TIMEOUTS, command: 300 })
    const row = await sendOne(['deferred'])
    assert.match(row.last_reply ?? '', /in time/)
  })

  test('never greets is left in time, and the destination is left alone', async () => {
    await talkTo(polite(), null, { ...SMTP_TIMEOUTS, greeting: 300 })
    const row = await sendOne(['deferred'])
    assert.equal(row.last_status, '4.4.2')
    const [destination] = await ground.query<{ failures: number; retry_at: Date }>('select * from queue_destination')
    assert.equal(destination?.failures, 1)
    assert.ok((destination?.retry_at ?? 0) > ground.clock.now())
  })

  test('greets with 554 or 421 is no bounce', async () => {
    for (const greeting of ['554 5.7.1 go away\r\n', '421 4.3.2 busy\r\n']) {
      const peer = await talkTo(polite(), greeting)
      const row = await sendOne(['deferred'])
      assert.equal(row.last_reply, greeting.trim())
      assert.equal(peer.lines.length, 0)
      await ground.query('delete from queue_message')
      await ground.query('delete from queue_destination')
      for (const one of open.splice(0)) await one.stop()
    }
  })

  test('closes with 421 at MAIL, at RCPT or after the message keeps its reply, and the mail waits', async () => {
    for (const command of ['MAIL', 'RCPT', '.']) {
      const peer = await talkTo(but({ [command]: '421 4.3.2 shutting down\r\n' }))
      const row = await sendOne(['deferred'])
      assert.equal(row.last_reply, '421 4.3.2 shutting down', command)
      assert.equal(row.last_code, 421)
      for (const one of open.splice(0)) await one.stop()
      await ground.query('delete from queue_message')
      await ground.query('delete from queue_destination')
      await peer.close().catch(() => undefined)
    }
  })

  test('refuses MAIL for good means a bounce, and the connection is still good for the next message', async () => {
    let isFirst = true
    const peer = await talkTo((line, peerOf) => {
      if (line.startsWith('MAIL') && isFirst) {
        isFirst = false
        return '550 5.7.1 not you\r\n'
      }
      if (line.startsWith('RCPT') && peer.lines.filter((one) => one.startsWith('MAIL')).length === 1)
        return '503 5.5.1 no mail\r\n'
      if (line === 'DATA' && peer.lines.filter((one) => one.startsWith('MAIL')).length === 1)
        return '503 5.5.1 no mail\r\n'
      return polite('PIPELINING')(line, peerOf)
    })
    const row = await sendOne(['bounced'])
    assert.equal(row.last_reply, '550 5.7.1 not you')
    await sendOne(['delivered'])
    assert.equal(peer.connections(), 1)
    assert.ok(peer.lines.includes('RSET'))
  })

  test('goes ahead after refusing every recipient gets an empty message', async () => {
    const peer = await talkTo(but({ RCPT: '550 5.1.1 nobody\r\n' }))
    const row = await sendOne(['bounced'])
    assert.equal(row.last_status, '5.1.1')
    assert.deepEqual(peer.data, [])
    assert.ok(peer.lines.includes('.'))
  })

  test('answers DATA with 250 has not accepted the message', async () => {
    await talkTo(but({ DATA: '250 ok\r\n' }))
    const row = await sendOne(['deferred'])
    assert.equal(row.last_code, 451)
  })

  test('announces a smaller limit than the message is not sent it', async () => {
    const peer = await talkTo(polite('SIZE 100'))
    const row = await sendOne(['failed'])
    assert.equal(row.last_status, '5.3.4')
    assert.equal(peer.lines.filter((line) => line.startsWith('MAIL')).length, 0)
  })

  test('cannot take 8-bit or internationalized mail is not sent it', async () => {
    await talkTo(polite('SIZE'))
    assert.equal((await sendOne(['failed'], { needs8bit: true })).last_status, '5.6.3')
    assert.equal((await sendOne(['failed'], { needsUtf8: true })).last_status, '5.6.7')
  })

  test('puts control characters into its reply does not get them into the trace', async () => {
    await talkTo(but({ RCPT: '550 5.1.1 no\u0000\u001b[31m\u009b such\u2028user\r\n' }))
    const row = await sendOne(['bounced'])
    assert.doesNotMatch(row.last_reply ?? '', /[\p{Cc}\u2028]/u)
    assert.match(row.last_reply ?? '', /^550 5\.1\.1 no/)
  })

  test('sends something between STARTTLS and the handshake is not trusted', async () => {
    const peer = await talkTo((line, peerOf) => {
      if (line.startsWith('EHLO')) return ehlo('STARTTLS')
      if (line === 'STARTTLS') return '220 go\r\n250 injected\r\n'
      return polite()(line, peerOf)
    })
    // Nothing was promised for this domain, so it is tried once more without TLS.
    const row = await sendOne(['delivered'])
    assert.equal(row.attempts, 1)
    assert.equal(peer.connections(), 2)
    const [attempt] = await ground.query<{ tls: string | null }>('select tls from queue_attempt')
    assert.equal(attempt?.tls, null)
  })
})
