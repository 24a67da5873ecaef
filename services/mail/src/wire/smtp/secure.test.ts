import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
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

const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('STARTTLS', () => {
  test('discards what came before the handshake and the state of the session', async () => {
    const ground = await start()
    const client = await ground.connect()
    const offered = await client.say('EHLO client.test')
    assert.ok(offered.lines.includes('STARTTLS'))
    await client.say('MAIL FROM:<before@b.test>')
    await client.startTls('RSET\r\nMAIL FROM:<injected@b.test>\r\n')
    // The injected commands would be answered first.
    assert.equal((await client.say('RCPT TO:<bob@ours.test>')).text.slice(0, 9), '503 5.5.1')
    assert.equal((await client.say('MAIL FROM:<a@b.test>')).text.slice(0, 9), '503 5.5.1')
    const again = await client.say('EHLO client.test')
    assert.ok(!again.lines.includes('STARTTLS'))
    assert.equal((await client.mail({ from: 'a@b.test', to: ['bob@ours.test'] }, 'x')).code, 250)
    assert.equal((await client.say('STARTTLS')).code, 503)
    assert.equal(ground.kept[0]?.from, 'a@b.test')
    client.close()
  })

  test('that is not followed by a handshake ends the connection', async () => {
    const ground = await start()
    const client = await ground.connect()
    await client.say('EHLO client.test')
    client.raw('STARTTLS\r\n')
    await client.reply()
    client.raw('NOOP\r\nNOOP\r\nMAIL FROM:<a@b.test>\r\n')
    assert.doesNotMatch(await client.rest(), /250/)
  })

  test('that stalls ends the connection', async () => {
    const ground = await start({ limits: { handshakeMs: 100 } })
    const client = await ground.connect()
    await client.say('EHLO client.test')
    client.raw('STARTTLS\r\n')
    await client.reply()
    assert.equal(await client.rest(), '')
  })
})

describe('AUTH', () => {
  const users = { 'ann@ours.test': 'right password' }

  test('before TLS is 538 and not offered', async () => {
    const ground = await start({ users })
    const client = await ground.connect()
    const { lines } = await client.say('EHLO client.test')
    assert.ok(!lines.some((line) => line.startsWith('AUTH')))
    const given = base64('\0ann@ours.test\0right password')
    assert.equal((await client.say(`AUTH PLAIN ${given}`)).text.slice(0, 10), '538 5.7.11')
    assert.equal((await client.say('MAIL FROM:<a@b.test>')).code, 530)
    client.close()
  })

  test('PLAIN and LOGIN let the right one in, once', async () => {
    const ground = await start({ users })
    const client = await ground.connect()
    await client.say('EHLO client.test')
    await client.startTls()
    const { lines } = await client.say('EHLO client.test')
    assert.ok(lines.includes('AUTH PLAIN LOGIN'))
    assert.equal((await client.say('MAIL FROM:<a@b.test>')).code, 530)
    assert.equal((await client.say('AUTH PLAIN')).code, 334)
    assert.equal((await client.say(base64('\0ann@ours.test\0right password'))).code, 235)
    assert.equal((await client.say('AUTH PLAIN x')).code, 503)
    assert.equal((await client.mail({ from: 'a@b.test', to: ['bob@ours.test'] }, 'x')).code, 250)
    assert.equal(ground.kept[0]?.user, 'ann@ours.test')
    client.close()
    const other = await ground.connect()
    await other.say('EHLO client.test')
    await other.startTls()
    await other.say('EHLO client.test')
    assert.equal((await other.say('AUTH LOGIN')).code, 334)
    assert.equal((await other.say(base64('ann@ours.test'))).code, 334)
    assert.equal((await other.say(base64('right password'))).code, 235)
    other.close()
  })

  test('with garbage, for somebody else or with a wrong password is refused; others are unaffected', async () => {
    const ground = await start({ users, server: { isImplicit: true } })
    const client = await ground.connect({ tls: true })
    await client.say('EHLO client.test')
    assert.equal((await client.say('AUTH PLAIN !!!!')).code, 501)
    assert.equal((await client.say(`AUTH PLAIN ${base64('no separators')}`)).code, 501)
    assert.equal((await client.say('AUTH PLAIN')).code, 334)
    assert.equal((await client.say('*')).code, 501)
    assert.equal((await client.say('AUTH CRAM-MD5')).code, 504)
    const forOther = base64('boss@ours.test\0ann@ours.test\0right password')
    assert.equal((await client.say(`AUTH PLAIN ${forOther}`)).code, 535)
    const wrong = base64('\0ann@ours.test\0wrong')
    assert.equal((await client.say(`AUTH PLAIN ${wrong}`)).code, 535)
    assert.equal((await client.say(`AUTH PLAIN ${wrong}`)).code, 535)
    client.raw(`AUTH PLAIN ${wrong}\r\n`)
    assert.match(await client.rest(), /^535/)
    const other = await ground.connect({ tls: true })
    await other.say('EHLO client.test')
    assert.equal((await other.say(`AUTH PLAIN ${base64('\0ann@ours.test\0right password')}`)).code, 235)
    other.close()
  })
})

describe('the PROXY protocol', () => {
  const v2 = (address: Buffer, family: number) => {
    const head = Buffer.from('\r\n\r\n\0\r\nQUIT\n\x21', 'latin1')
    const ports = Buffer.from([0x30, 0x39, 0, 25])
    const rest = Buffer.concat([address, address, ports])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(rest.length)
    return Buffer.concat([head, Buffer.from([family]), length, rest])
  }

  test('of a trusted peer names the client', async () => {
    const ground = await start({ server: { trustedProxies: loopback, proxyMs: 60_000 } })
    const headers: [Buffer, string][] = [
      [Buffer.from('PROXY TCP4 192.0.2.7 198.51.100.1 1234 25\r\n'), '192.0.2.7'],
      [Buffer.from('PROXY TCP6 2001:db8::7 2001:db8::1 1234 25\r\n'), '2001:db8::7'],
      [v2(Buffer.from([192, 0, 2, 9]), 0x11), '192.0.2.9'],
      [v2(Buffer.from('20010db8000000000000000000000009', 'hex'), 0x21), '2001:db8:0:0:0:0:0:9'],
      [Buffer.from('PROXY UNKNOWN\r\n'), '127.0.0.1'],
    ]
    for (const [index, [header, ip]] of headers.entries()) {
      const client = await ground.connect({ isSilent: true })
      client.raw(header.subarray(0, 4))
      client.raw(header.subarray(4))
      assert.equal((await client.reply()).code, 220)
      await client.say('EHLO client.test')
      await client.mail({ from: 'a@b.test', to: ['bob@ours.test'] }, 'x')
      assert.equal(ground.kept[index]?.ip, ip)
      client.close()
    }
  })

  test('of a trusted peer comes before TLS on the secure port', async () => {
    const ground = await start({
      server: { trustedProxies: loopback, proxyMs: 60_000, isImplicit: true, limitExempt: [] },
    })
    const socket = connect(ground.server.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('PROXY TCP4 192.0.2.7 198.51.100.1 1234 465\r\n')
    const secured = connectTls({ socket, rejectUnauthorized: false })
    const [greeting] = await once(secured, 'data')
    assert.match(String(greeting), /^220 /)
    secured.destroy()
  })

  test('that is broken ends the connection, and of anybody else it is no command', async () => {
    const trusting = await start({ server: { trustedProxies: loopback, proxyMs: 500 } })
    for (const header of ['PROXY TCP4 1.2.3.4\r\n', 'PROXY TCP4 x y 1 2\r\n', `PROXY ${'x'.repeat(200)}`]) {
      const client = await trusting.connect({ isSilent: true })
      client.raw(header)
      assert.equal(await client.rest(), '')
    }
    const ground = await start()
    const client = await ground.connect()
    assert.equal((await client.say('PROXY TCP4 192.0.2.7 198.51.100.1 1234 25')).code, 500)
    client.close()
  })

  test('is not needed: a trusted peer may connect for itself', async () => {
    const ground = await start({ server: { trustedProxies: loopback, proxyMs: 50 } })
    const client = await ground.connect()
    assert.equal((await client.say('EHLO client.test')).code, 250)
    client.close()
  })
})
