import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { afterEach, test } from 'node:test'
import tls from 'node:tls'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type FakeSmtp, type FakeSmtpOptions, startFakeSmtp } from './fake-smtp.ts'

let smtp: FakeSmtp
const start = async (options: FakeSmtpOptions = {}) => {
  smtp = await startFakeSmtp(options)
  return smtp
}
afterEach(() => smtp.close())

/** The least SMTP client that can show what the server did. */
const client = async (open: () => net.Socket = () => net.connect(smtp.port, smtp.host)) => {
  const socket = open()
  let text = ''
  let isClosed = false
  const attach = (stream: net.Socket) =>
    stream
      .on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
      })
      .on('close', () => {
        isClosed = true
      })
      .on('error', () => undefined)
  let stream = attach(socket)
  const reply = (): Promise<string> =>
    until(() => {
      const complete = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n/.exec(text)
      if (!complete) return isClosed && 'closed'
      text = text.slice(complete[0].length)
      return complete[0].trim()
    }, 'a reply')
  return {
    reply,
    send: (line: string) => {
      stream.write(line, 'latin1')
      return reply()
    },
    async secure() {
      const secured = tls.connect({ socket, servername: 'localhost', ca: [smtp.certificate.cert] })
      stream = attach(secured)
      await once(secured, 'secureConnect')
    },
    isClosed: () => isClosed,
    end: () => stream.destroy(),
  }
}
const envelope = async (peer: Awaited<ReturnType<typeof client>>) => {
  assert.match(await peer.send('MAIL FROM:<a@one.test>\r\n'), /^250/)
  assert.match(await peer.send('RCPT TO:<b@two.test>\r\n'), /^250/)
  assert.match(await peer.send('DATA\r\n'), /^354/)
}
const greeted = async () => {
  const peer = await client()
  assert.match(await peer.reply(), /^220/)
  assert.match(await peer.send('EHLO sender.test\r\n'), /250[ -]STARTTLS/)
  return peer
}

test('keeps envelope and bytes exactly, dots unstuffed', async () => {
  await start()
  const peer = await greeted()
  await envelope(peer)
  const stuffed = 'Subject: x\r\n\r\n..\r\n...two\r\nb\xfcte\x00 \r\n\r\n'
  assert.match(await peer.send(`${stuffed}.\r\n`), /^250/)
  const [mail] = await smtp.waitFor(1)
  assert.deepEqual(mail?.raw, Buffer.from('Subject: x\r\n\r\n.\r\n..two\r\nb\xfcte\x00 \r\n\r\n', 'latin1'))
  assert.equal(mail.from, 'a@one.test')
  assert.deepEqual(mail.to, ['b@two.test'])
  assert.equal(mail.helo, 'sender.test')
  assert.equal(mail.isSecure, false)
  peer.end()
})

test('supports STARTTLS and implicit TLS with a certificate that can be trusted', async () => {
  await start()
  const peer = await greeted()
  assert.match(await peer.send('STARTTLS\r\n'), /^220/)
  await peer.secure()
  assert.match(await peer.send('EHLO sender.test\r\n'), /^250/)
  await envelope(peer)
  assert.match(await peer.send('x\r\n.\r\n'), /^250/)
  assert.equal((await smtp.waitFor(1))[0]?.isSecure, true)
  peer.end()
  await smtp.close()

  await start({ tls: 'implicit', names: ['mx.test'] })
  const options = { port: smtp.port, host: smtp.host, servername: 'mx.test', ca: [smtp.certificate.cert] }
  const direct = await client(() => tls.connect(options))
  assert.match(await direct.reply(), /^220/)
  direct.end()
})

test('demands authentication when configured to', async () => {
  await start({ auth: { user: 'me', password: 'right' }, tls: 'implicit' })
  const peer = await client(() => tls.connect({ port: smtp.port, host: smtp.host, ca: [smtp.certificate.cert] }))
  await peer.reply()
  await peer.send('EHLO sender.test\r\n')
  assert.match(await peer.send('MAIL FROM:<a@one.test>\r\n'), /^530/)
  const token = (password: string) => Buffer.from(`\0me\0${password}`).toString('base64')
  assert.match(await peer.send(`AUTH PLAIN ${token('wrong')}\r\n`), /^535/)
  assert.match(await peer.send(`AUTH PLAIN ${token('right')}\r\n`), /^235/)
  await envelope(peer)
  await peer.send('x\r\n.\r\n')
  assert.equal((await smtp.waitFor(1))[0]?.user, 'me')
  peer.end()
})

test('refuses by script at every stage and then goes on', async () => {
  await start()
  smtp.script('connect', [{ reply: { code: 421, text: '4.3.2 busy' } }])
  const turnedAway = await client()
  assert.match(await turnedAway.reply(), /^421 4.3.2 busy/)
  smtp.script('mail', [{ reply: { code: 451, text: '4.7.1 greylisted' } }])
  smtp.script('rcpt', ({ address }) =>
    address?.startsWith('nobody') ? { reply: { code: 550, text: '5.1.1 no such user' } } : undefined,
  )
  smtp.script('message', [{ reply: { code: 452, text: '4.3.1 full' } }])
  const peer = await greeted()
  assert.match(await peer.send('MAIL FROM:<a@one.test>\r\n'), /^451 4.7.1 greylisted/)
  assert.match(await peer.send('MAIL FROM:<a@one.test>\r\n'), /^250/)
  assert.match(await peer.send('RCPT TO:<nobody@two.test>\r\n'), /^550 5.1.1/)
  assert.match(await peer.send('RCPT TO:<b@two.test>\r\n'), /^250/)
  await peer.send('DATA\r\n')
  assert.match(await peer.send('x\r\n.\r\n'), /^452 4.3.1 full/)
  assert.equal(smtp.messages.length, 0)
  await envelope(peer)
  assert.match(await peer.send('x\r\n.\r\n'), /^250/)
  assert.deepEqual(smtp.messages[0]?.to, ['b@two.test'])
  assert.equal(smtp.connections(), 2)
  peer.end()
})

for (const [cut, kept, answered] of [
  ['before-effect', 0, false],
  ['before-reply', 1, false],
  ['after-reply', 1, true],
] as const)
  test(`a connection cut ${cut} of the message`, async () => {
    await start()
    smtp.script('message', [{ cut, delayMs: 5 }])
    const peer = await greeted()
    await peer.send('STARTTLS\r\n')
    await peer.secure()
    await peer.send('EHLO sender.test\r\n')
    await envelope(peer)
    assert.equal(/^250/.test(await peer.send('x\r\n.\r\n')), answered)
    assert.equal(await peer.reply(), 'closed')
    assert.equal(smtp.messages.length, kept)
  })

for (const [what, bytes] of [
  ['line feed', 'a\nb\r\n'],
  ['carriage return', 'a\rb\r\n'],
])
  test(`a bare ${what} is refused and reported`, async () => {
    await start()
    const peer = await greeted()
    await envelope(peer)
    assert.match(await peer.send(`${bytes}.\r\n`), /^550 5.5.2/)
    assert.deepEqual([smtp.messages.length, smtp.problems.length], [0, 1])
    await envelope(peer)
    assert.match(await peer.send('a\r\n.\r\n'), /^250/)
    peer.end()
  })

test('a message over the size limit is refused', async () => {
  await start({ maxBytes: 100 })
  const peer = await greeted()
  await envelope(peer)
  assert.match(await peer.send(`${'x'.repeat(200)}\r\n.\r\n`), /^552/)
  assert.equal(smtp.messages.length, 0)
  peer.end()
})
