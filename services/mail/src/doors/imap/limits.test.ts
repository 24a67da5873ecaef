import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import { MAILBOX_PASSWORD } from '../../hosting/addresses/testing/hosting.ts'
import { type ImapGround, startImapGround } from './testing/ground.ts'
import { openTranscript } from './testing/transcript.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround({ maxMessageBytes: 300_000, imapMaxPerUser: 5 })
})
after(() => ground.close())

const isAlive = async () => {
  const client = await ground.connect()
  await client.ok('noop')
  client.close()
}

describe('many commands at once', () => {
  test('let others have their turn between them', async () => {
    const anna = await ground.address()
    const client = await ground.signIn(anna)
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    count()
    client.write('p noop\r\n'.repeat(8_000))
    await client.ok('noop')
    isDone = true
    assert.ok(turns > 200, `${turns} turns`)
    client.close()
  })

  test('of single bytes are understood', async () => {
    const client = await ground.connect()
    const line = `a1 login ${'x'.repeat(300)} y\r\n`
    for (const byte of line) {
      client.write(byte)
      await new Promise(setImmediate)
    }
    assert.match((await client.response()) ?? '', /^a1 NO /)
    client.close()
  })
})

describe('what is too large', () => {
  test('before sign-in, a literal of more than 8 KiB is refused without being asked for', async () => {
    const anna = await ground.address()
    await openTranscript(ground, anna, { isStranger: true }).play(`
      C: a1 login {8193}
      S: a1 NO [TOOBIG] <*>
      C: a2 login {8192}
      S: + <*>
    `)
  })

  test('before sign-in, one that does not wait for us is read past, and a huge one ends the connection', async () => {
    const anna = await ground.address()
    const play = openTranscript(ground, anna, { isStranger: true })
    const client = await play.session()
    client.write(`a1 login {9000+}\r\n${'x'.repeat(9_000)} {3+}\r\nabc\r\na2 noop\r\n`)
    await play.play('S: a1 NO [TOOBIG] <*>\nS: a2 OK <*>\nC: a3 login {9999999999+}\nS: a3 NO [TOOBIG] <*>')
    await play.play('S: * BYE <*>\nS: END')
  })

  test('a message above the limit is refused, and nothing of it is kept', async () => {
    const anna = await ground.address()
    const play = openTranscript(ground, anna)
    await play.play('C: a1 append inbox {300001}\nS: a1 NO [TOOBIG] <*>')
    const client = await play.session()
    client.write(`a2 append inbox {300001+}\r\n${'x'.repeat(300_001)}\r\n`)
    await play.play('S: a2 NO [TOOBIG] <*>\nC: a3 status inbox (messages)\nS: * STATUS <*> (MESSAGES 0)\nS: a3 OK <*>')
  })

  test('a line of more than 64 KiB is refused, one without an end closes the connection', async () => {
    const anna = await ground.address()
    const play = openTranscript(ground, anna)
    const client = await play.session()
    client.write(`a1 uid fetch ${'1,'.repeat(40_000)}1 flags\r\n`)
    await play.play('S: * BAD [TOOBIG] <*>\nC: a2 noop\nS: a2 OK <*>')
    for (let n = 0; n < 100; n += 1) client.write('x'.repeat(65_536))
    await play.play('S: * BAD [TOOBIG] <*>\nS: * BYE <*>')
    await isAlive()
  })

  test('brackets inside of brackets are bounded', async () => {
    const anna = await ground.address()
    const play = openTranscript(ground, anna)
    await play.play('C: a0 select inbox\nS: ...\nS: a0 OK <*>')
    await play.play(`C: a1 search ${'('.repeat(10_000)}all${')'.repeat(10_000)}\nS: a1 BAD <*>`)
    await play.play(`C: a2 search ${'not '.repeat(10_000)}all\nS: a2 <*>\nC: a3 noop\nS: a3 OK <*>`)
  })

  test('a literal that ends in the middle leaves nothing in the blob store', async () => {
    const anna = await ground.address()
    const before = ground.server.connections()
    const client = await ground.signIn(anna)
    client.write(`a1 append inbox {200000+}\r\n${'x'.repeat(100_000)}`)
    const unfinished = () => readdirSync(join(ground.blobFolder, 'tmp'))
    await until(() => unfinished().length > 0, 'the server has begun to store it')
    client.close()
    await until(() => ground.server.connections() <= before, 'the session has ended')
    await until(() => unfinished().length === 0, 'what was stored of it is gone')
    await ground.check(anna)
    await isAlive()
  })
})

describe('too many', () => {
  test('connections of one mailbox are refused', async () => {
    const anna = await ground.address()
    const clients = await Promise.all(Array.from({ length: 5 }, () => ground.signIn(anna)))
    const client = await ground.connect()
    assert.match((await client.say(`login ${anna.email} "${MAILBOX_PASSWORD}"`)).tagged, /^NO \[LIMIT\]/)
    clients[0]?.close()
    const isIn = async () => (await client.say(`login ${anna.email} "${MAILBOX_PASSWORD}"`)).tagged.startsWith('OK')
    await until(isIn, 'the place of a connection that ended is free again')
  })

  test('commands that make no sense end the connection', async () => {
    const client = await ground.connect()
    for (let n = 0; n < 30; n += 1) client.write('GET / HTTP/1.1\r\n')
    const lines: string[] = []
    for (let line = await client.response(); line !== null; line = await client.response()) lines.push(line)
    assert.equal(lines.length, 21)
    assert.match(lines.at(-1) ?? '', /^\* BYE/)
  })

  test('commands of strangers end the connection, even good ones', async () => {
    const client = await ground.connect()
    client.write('a noop\r\n'.repeat(100))
    let last = ''
    for (let line = await client.response(); line !== null; line = await client.response()) last = line
    assert.match(last, /^\* BYE/)
  })

  test('ten thousand commands in one go are answered one after the other', async () => {
    const anna = await ground.address()
    const client = await ground.signIn(anna)
    const count = 10_000
    client.write(Array.from({ length: count }, (_, n) => `p${n} noop\r\n`).join(''))
    for (let n = 0; n < count; n += 1) assert.ok((await client.response(20_000))?.startsWith(`p${n} OK`))
  })
})

describe('time', () => {
  test('strangers have a minute, whatever they say; slow lines and literals are not waited for', async () => {
    const hasty = await startImapGround({ limits: { signInMs: 300 } })
    try {
      const silent = await hasty.connect()
      assert.match((await silent.response()) ?? '', /^\* BYE/)
      assert.equal(await silent.response(), null)
    } finally {
      await hasty.close()
    }

    const quick = await startImapGround({
      limits: { lineMs: 200, rateWindowMs: 200, bytesPerSecond: 1_000, idleMs: 1_000 },
    })
    try {
      const anna = await quick.address()
      const slow = await quick.signIn(anna)
      slow.write('a1 no')
      assert.equal(await slow.response(), null)

      const drop = await quick.signIn(anna)
      drop.write('a1 append inbox {10000+}\r\nabc')
      assert.equal(await drop.response(), null)

      const idle = await quick.signIn(anna)
      assert.match((await idle.response()) ?? '', /^\* BYE/)
      const idling = await quick.signIn(anna)
      idling.write('a1 idle\r\n')
      assert.equal(await idling.response(), '+ idling')
      assert.match((await idling.response()) ?? '', /^\* BYE/)
    } finally {
      await quick.close()
    }
  })

  test('while it idles a client is sent keepalives', async () => {
    const quick = await startImapGround({ limits: { keepAliveMs: 50 } })
    try {
      const client = await quick.signIn(await quick.address())
      client.write('a1 idle\r\n')
      assert.equal(await client.response(), '+ idling')
      assert.equal(await client.response(), '* OK Still here')
    } finally {
      await quick.close()
    }
  })

  test('who does not read answers is cut off, and others are served', async () => {
    const quick = await startImapGround({ limits: { writeMs: 300 } })
    try {
      const anna = await quick.address()
      await quick.add(anna, { raw: `Subject: big\r\n\r\n${'x'.repeat(1_000_000)}` })
      const reader = await quick.signIn(anna)
      await reader.ok('select inbox')
      reader.socket.pause()
      for (let n = 0; n < 40; n += 1) reader.write(`b${n} fetch 1 body.peek[]\r\n`)
      const good = await quick.signIn(anna)
      await good.ok('noop')
      await until(() => quick.server.connections() === 1, 'the one that does not read is let go')
      await good.ok('noop')
    } finally {
      await quick.close()
    }
  })
})

describe('the end', () => {
  test('a client that closes its side gets the answers to what it sent', async () => {
    const anna = await ground.address()
    const socket = connect({ port: ground.server.port, host: '127.0.0.1', allowHalfOpen: true })
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.end(`a1 login ${anna.email} "${MAILBOX_PASSWORD}"\r\na2 select inbox\r\n`)
    await once(socket, 'end')
    assert.match(received, /a1 OK.*a2 OK/s)
    socket.destroy()
  })

  test('a service that stops sends BYE to all clients', async () => {
    const other = await startImapGround()
    const client = await other.signIn(await other.address())
    const idling = await other.signIn(await other.address())
    idling.write('a1 idle\r\n')
    assert.equal(await idling.response(), '+ idling')
    const stopping = other.server.stop()
    for (const each of [client, idling]) {
      assert.match((await each.response()) ?? '', /^\* BYE/)
      assert.equal(await each.response(), null)
    }
    await stopping
    await other.close()
  })
})
