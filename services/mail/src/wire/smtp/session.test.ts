import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { SmtpClient } from '@stoa/tests/lib/smtp-client.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { loopback, startTestServer, type TestServer } from './testing/door.ts'

const opened: TestServer[] = []
const start: typeof startTestServer = async (setup) => {
  const made = await startTestServer(setup)
  opened.push(made)
  return made
}
after(async () => {
  for (const { server } of opened) await server.stop()
})

const hello = async ({ connect }: TestServer): Promise<SmtpClient> => {
  const client = await connect()
  assert.equal((await client.say('EHLO client.test')).code, 250)
  return client
}

const inData = async (ground: TestServer): Promise<SmtpClient> => {
  const client = await hello(ground)
  await client.say('MAIL FROM:<a@b.test>')
  await client.say('RCPT TO:<bob@ours.test>')
  assert.equal((await client.say('DATA')).code, 354)
  return client
}

describe('a message', () => {
  test('arrives as it was sent, its dots unstuffed, also when lines are long', async () => {
    const ground = await start()
    const client = await hello(ground)
    const message = `Subject: x\r\n\r\n.dot\r\n${'y'.repeat(100_000)}\r\n..\r\n`
    const { text } = await client.mail({ from: 'a@b.test', to: ['bob@ours.test'] }, message)
    assert.equal(text, '250 2.0.0 Ok')
    assert.equal(ground.kept[0]?.bytes.toString(), message)
    client.close()
  })

  test('cannot be ended by anything but CRLF.CRLF: a bare LF or CR is 550 5.5.2 and the end', async () => {
    const ground = await start()
    const sequences = [
      '\n.\n',
      '\n.\r\n',
      '\r.\r',
      '\r.\n',
      '\r.\r\n',
      '\r\n.\n',
      '\r\n.\r',
      '\r\r\n.\r\n',
      '\n\n.\r\n',
    ]
    for (const sequence of sequences) {
      const client = await inData(ground)
      const smuggled = 'MAIL FROM:<evil@b.test>\r\nRCPT TO:<bob@ours.test>\r\nDATA\r\nSubject: smuggled\r\n\r\n'
      client.raw(`Subject: x\r\n\r\nbody${sequence}${smuggled}.\r\n`)
      assert.match(await client.rest(), /^550 5\.5\.2 [^\r]*\r\n$/, JSON.stringify(sequence))
    }
    assert.deepEqual(ground.kept, [])
  })

  test('that is larger than the limit is 552, and the next one is taken', async () => {
    const ground = await start({ maxMessageBytes: 1_000 })
    const client = await hello(ground)
    const envelope = { from: 'a@b.test', to: ['bob@ours.test'] }
    assert.equal((await client.say('MAIL FROM:<a@b.test> SIZE=1001')).text.slice(0, 9), '552 5.3.4')
    assert.equal((await client.mail(envelope, 'x'.repeat(300_000))).text.slice(0, 9), '552 5.3.4')
    assert.equal((await client.mail(envelope, 'small')).code, 250)
    assert.equal(ground.kept.length, 1)
    client.close()
  })

  test('counts as acknowledged once the client continues after the answer, not by what was sent before it', async () => {
    const ground = await start()
    const client = await hello(ground)
    await client.mail({ from: 'a@b.test', to: ['bob@ours.test'] }, 'one')
    assert.equal(ground.kept[0]?.isAcknowledged, false)
    await client.say('NOOP')
    assert.equal(ground.kept[0]?.isAcknowledged, true)
    await client.say('MAIL FROM:<a@b.test>')
    await client.say('RCPT TO:<bob@ours.test>')
    await client.say('DATA')
    client.raw('two\r\n.\r\nQUIT\r\n')
    assert.match(await client.rest(), /250 2\.0\.0 Ok\r\n221/)
    assert.equal(ground.kept[1]?.isAcknowledged, false)
  })
})

describe('commands', () => {
  test('with a bare LF or CR are 550 5.5.2 and the end', async () => {
    const ground = await start()
    for (const line of ['EHLO x\n', 'EHLO x\rNOOP\r\n', '\n', 'NOOP\r\r\n']) {
      const client = await ground.connect()
      client.raw(line)
      assert.match(await client.rest(), /^550 5\.5\.2 /, JSON.stringify(line))
    }
  })

  test('of 1 MB are 500 and the end', async () => {
    const client = await (await start()).connect()
    client.raw('A'.repeat(1_000_000))
    assert.match(await client.rest(), /^500 5\.5\.2 /)
  })

  test('with NUL, control characters or 8 bits where they have no place are 501', async () => {
    const client = await hello(await start({ limits: { hardErrors: 100, softErrors: 100 } }))
    const lines = [
      'EHLO a\0b',
      'EHLO a\x07b',
      'EHLO a\x7fb',
      'EHLO gr\xc3\xbc\xc3\x9fe',
      'EHLO a\xff',
      'MAIL FROM:<a\0@b.test>',
      'MAIL FROM:<gr\xc3\xbc\xc3\x9fe@b.test>',
      'MAIL FROM:<a@b.test\t>',
      'MAIL FROM:<a@b.test> ENVID=ab+0D+0Acd',
      'MAIL FROM:a@b.test',
      'MAIL FROM:<a@b.test> SIZE=x',
      'MAIL FROM:<a@b.test> SIZE=1 SIZE=2',
      'EHLO',
      'EHLO a b',
    ]
    for (const line of lines) {
      client.raw(Buffer.from(`${line}\r\n`, 'latin1'))
      assert.equal((await client.reply()).code, 501, JSON.stringify(line))
    }
    client.raw(Buffer.from('MAIL FROM:<gr\xc3\xbc\xc3\x9fe@b.test> SMTPUTF8\r\n', 'latin1'))
    assert.equal((await client.reply()).code, 250)
    client.close()
  })

  test('that nobody knows, out of order or with unknown parameters are refused without effect', async () => {
    const client = await (await start()).connect()
    const said = async (line: string) => (await client.say(line)).text.slice(0, 9)
    assert.equal(await said('MAIL FROM:<a@b.test>'), '503 5.5.1')
    assert.equal(await said('HELO client.test'), '250 mx.ou')
    assert.equal(await said('RCPT TO:<bob@ours.test>'), '503 5.5.1')
    assert.equal(await said('DATA'), '503 5.5.1')
    assert.equal(await said('XYZ'), '500 5.5.1')
    assert.equal(await said('BDAT 10 LAST'), '500 5.5.1')
    assert.equal(await said('MAIL FROM:<a@b.test> NONSENSE=1'), '555 5.5.4')
    assert.equal(await said('EXPN all'), '502 5.5.1')
    assert.equal(await said('VRFY bob'), '252 2.1.5')
    assert.equal(await said('AUTH PLAIN AGEAYg=='), '503 5.5.1')
    client.close()
  })

  test('of a browser end the connection', async () => {
    const client = await (await start()).connect()
    client.raw('POST / HTTP/1.1\r\nHost: x\r\n\r\nMAIL FROM:<a@b.test>\r\n')
    assert.match(await client.rest(), /^554 5\.5\.1 [^\r]*\r\n$/)
  })

  test('come in groups only where RFC 2920 allows it', async () => {
    const ground = await start()
    const client = await hello(ground)
    client.raw('MAIL FROM:<a@b.test>\r\nRCPT TO:<bob@ours.test>\r\nRCPT TO:<x@foreign.test>\r\nDATA\r\n')
    const codes = [await client.reply(), await client.reply(), await client.reply(), await client.reply()]
    assert.deepEqual(
      codes.map(({ code }) => code),
      [250, 250, 550, 354],
    )
    client.close()

    const pusher = await hello(ground)
    pusher.raw('MAIL FROM:<a@b.test>\r\nRCPT TO:<bob@ours.test>\r\nDATA\r\nSubject: pushed\r\n\r\nx\r\n.\r\n')
    assert.match(await pusher.rest(), /503 5\.5\.0 [^\r]*\r\n$/)
    const greeter = await ground.connect()
    greeter.raw('EHLO client.test\r\nMAIL FROM:<a@b.test>\r\n')
    assert.match(await greeter.rest(), /^503 5\.5\.0 /)
    assert.deepEqual(ground.kept, [])
  })

  test('before the greeting end the connection', async () => {
    const ground = await start({ limits: { greetingMs: 500 } })
    const client = await ground.connect({ isSilent: true })
    client.raw('EHLO client.test\r\n')
    assert.match(await client.rest(), /^554 5\.5\.0 /)
  })

  test('that fail 20 times end the connection, late from the sixth on', async () => {
    const ground = await start({ limits: { tarpitMs: 20 } })
    const client = await hello(ground)
    await client.say('MAIL FROM:<a@b.test>')
    const began = performance.now()
    for (let guess = 0; guess < 19; guess += 1)
      assert.equal((await client.say(`RCPT TO:<guess${guess}@foreign.test>`)).code, 550)
    client.raw('RCPT TO:<last@foreign.test>\r\n')
    assert.match(await client.rest(), /^550 [^\r]*\r\n421 4\.7\.0 /)
    assert.ok(performance.now() - began >= 15 * 19)
  })

  test('that do nothing are not free for ever', async () => {
    const client = await hello(await start({ limits: { idleCommands: 5, hardErrors: 5 } }))
    client.raw('NOOP\r\n'.repeat(20))
    assert.match(await client.rest(), /421 4\.7\.0 [^\r]*\r\n$/)
  })
})

describe('recipients', () => {
  test('beyond 100 are 452, and the others get the message', async () => {
    const ground = await start()
    const client = await hello(ground)
    await client.say('MAIL FROM:<a@b.test>')
    const codes: number[] = []
    for (let index = 0; index < 120; index += 1) codes.push((await client.say(`RCPT TO:<r${index}@ours.test>`)).code)
    assert.deepEqual(
      [codes.filter((code) => code === 250).length, codes.filter((code) => code === 452).length],
      [100, 20],
    )
    await client.say('DATA')
    client.raw('x\r\n.\r\n')
    assert.equal((await client.reply()).code, 250)
    assert.equal(ground.kept[0]?.to.length, 100)
    client.close()
  })

  test('whose look-up fails by an error of ours are put off, and the connection goes on', async () => {
    const client = await hello(await start())
    await client.say('MAIL FROM:<a@b.test>')
    assert.match((await client.say('RCPT TO:<breaks@ours.test>')).text, /^451 4\.3\.0 /)
    assert.equal((await client.say('RCPT TO:<bob@ours.test>')).code, 250)
    client.close()
  })

  test('without end close the connection', async () => {
    const ground = await start({ limits: { recipients: 2 } })
    const client = await hello(ground)
    client.raw(`MAIL FROM:<a@b.test>\r\n${'RCPT TO:<a@ours.test>\r\nRCPT TO:<b@ours.test>\r\n'.repeat(30)}`)
    assert.match(await client.rest(), /421 4\.5\.3 [^\r]*\r\n$/)
  })

  test('that would be relayed are 550 5.7.1 in every spelling', async () => {
    const client = await hello(await start({ limits: { hardErrors: 100, softErrors: 100 } }))
    await client.say('MAIL FROM:<a@b.test> SMTPUTF8')
    const paths = [
      'user@foreign.test',
      '@ours.test:user@foreign.test',
      '@ours.test,@b.test:user@foreign.test',
      'user@foreign.test@ours.test',
      'user',
      'user@[127.0.0.1]',
      'user@[IPv6:::1]',
      'user@foreign.test.',
      'j\u00fcrgen@foreign.test',
    ]
    for (const path of paths) assert.equal((await client.say(`RCPT TO:<${path}>`)).text.slice(0, 9), '550 5.7.1', path)
    assert.equal((await client.say('RCPT TO:<Postmaster>')).code, 250)
    assert.equal((await client.say('RCPT TO:<"bob"@OURS.test>')).code, 250)
    client.close()
  })
})

describe('slow peers', () => {
  test('that take too long for a command are let go, however they drip', async () => {
    const ground = await start({ limits: { commandMs: 150 } })
    const client = await ground.connect()
    const drip = setInterval(() => client.raw('N'), 30)
    assert.match(await client.rest(), /^421 4\.4\.2 /)
    clearInterval(drip)
  })

  test('that say nothing are let go', async () => {
    const client = await (await start({ limits: { firstMs: 50 } })).connect()
    assert.match(await client.rest(), /^421 4\.4\.2 /)
  })

  test('that drip a message are let go, and nothing of it is kept', async () => {
    const ground = await start({ limits: { bytesPerSecond: 1_000, rateWindowMs: 200 } })
    const client = await inData(ground)
    const drip = setInterval(() => client.raw('x'), 30)
    assert.match(await client.rest(), /^421 4\.4\.2 /)
    clearInterval(drip)
    assert.deepEqual(ground.kept, [])
  })

  test('that do not read the answers are disconnected', async () => {
    const ground = await start({ limits: { writeMs: 200, idleCommands: 1e9, softErrors: 1e9, hardErrors: 1e9 } })
    const client = await hello(ground)
    client.socket.pause()
    // The longest answer to a short command.
    const questions = 'VRFY a\r\n'.repeat(5_000)
    for (let round = 0; round < 60 && !client.socket.destroyed; round += 1) {
      client.raw(questions)
      await passTime(10, 'the server answers into a pipe that fills up')
      if (ground.server.connections() === 0) break
    }
    await until(() => ground.server.connections() === 0, 'it is let go')
    client.close()
  })
})

describe('connections', () => {
  test('of one address are limited, those of exempt networks are not', async () => {
    const ground = await start({ server: { maxPerIp: 2 } })
    const first = await ground.connect()
    await ground.connect()
    const third = await ground.connect({ isSilent: true })
    assert.match(await third.rest(), /^421 4\.7\.0 /)
    first.close()
    await until(() => ground.server.connections() === 1, 'the first has left')
    assert.equal((await (await ground.connect()).say('NOOP')).code, 250)
    const free = await start({ server: { maxPerIp: 1, limitExempt: loopback } })
    await free.connect()
    assert.equal((await (await free.connect()).say('NOOP')).code, 250)
  })

  test('beyond what the process can hold are turned away', async () => {
    const ground = await start({ server: { maxConnections: 1 } })
    await ground.connect()
    assert.match(await (await ground.connect({ isSilent: true })).rest(), /^421 4\.3\.2 /)
  })

  test('in the middle of a message get 421 when the service stops; a complete message is finished', async () => {
    const arrived = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const ground = await startTestServer({
      beforeAnswer: () => {
        arrived.resolve()
        return held.promise
      },
    })
    const idle = await hello(ground)
    const partial = await inData(ground)
    partial.raw('Subject: half\r\n')
    const complete = await inData(ground)
    complete.raw('Subject: whole\r\n\r\nx\r\n.\r\n')
    await arrived.promise
    const stopped = ground.server.stop()
    assert.match(await idle.rest(), /^421 4\.3\.2 /)
    assert.match(await partial.rest(), /^421 4\.3\.2 /)
    held.resolve()
    assert.match(await complete.rest(), /^250 2\.0\.0 Ok\r\n421 4\.3\.2 /)
    await stopped
    assert.equal(ground.kept.length, 1)
  })
})
