import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { constants, createDeflateRaw, createInflateRaw, deflateRawSync } from 'node:zlib'
import { until } from '@stoa/tests/lib/waiting.ts'
import { createAppPassword, deleteAppPassword } from '../../hosting/addresses/app-passwords.ts'
import { MAILBOX_PASSWORD } from '../../hosting/addresses/testing/hosting.ts'
import { type ImapGround, NOW, startImapGround } from './testing/ground.ts'
import { openTranscript } from './testing/transcript.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround({ tls: 'starttls' })
})
after(() => ground.close())

const base64 = (text: string) => Buffer.from(text).toString('base64')

const secured = async () => {
  const client = await ground.connect()
  await client.ok('starttls')
  await client.startTls()
  return client
}

const appPassword = async (address: Awaited<ReturnType<ImapGround['address']>>) =>
  ground.database.tx((tx) =>
    createAppPassword(tx, { accountId: address.accountId, addressId: address.id, name: 'phone', now: NOW }),
  )

describe('STARTTLS', () => {
  test('nobody signs in without it', async () => {
    const anna = await ground.address()
    await openTranscript(ground, anna, { isStranger: true }).play(`
      C: a1 capability
      S: * CAPABILITY <*> STARTTLS LOGINDISABLED
      S: a1 OK <*>
      C: a2 login ${anna.email} "${MAILBOX_PASSWORD}"
      S: a2 NO [PRIVACYREQUIRED] <*>
      C: a3 authenticate plain ${base64(`\0${anna.email}\0${MAILBOX_PASSWORD}`)}
      S: a3 NO [PRIVACYREQUIRED] <*>
      C: a4 authenticate oauthbearer
      S: a4 NO [PRIVACYREQUIRED] <*>
    `)
  })

  test('afterwards passwords are welcome, and TLS cannot begin again', async () => {
    const anna = await ground.address()
    const client = await secured()
    const [line = ''] = await client.ok('capability')
    assert.match(line, /AUTH=PLAIN/)
    assert.doesNotMatch(line, /STARTTLS|LOGINDISABLED/)
    assert.match((await client.say('starttls')).tagged, /^BAD/)
    await client.ok(`login ${anna.email} "${MAILBOX_PASSWORD}"`)
  })

  test('commands that were sent before the handshake are forgotten', async () => {
    const client = await ground.connect()
    client.write('a1 starttls\r\na2 capability\r\na3 logout\r\n')
    assert.match((await client.response()) ?? '', /^a1 OK/)
    await client.startTls()
    const { lines } = await client.say('noop')
    assert.deepEqual(lines, [])
  })
})

describe('OAUTHBEARER', () => {
  test('takes an app password of the address, and no other', async () => {
    const [anna, bert] = [await ground.address(), await ground.address()]
    const { token } = await appPassword(anna)
    const said = (email: string, secret: string) =>
      base64(`n,a=${email},\x01host=mail.stoa.test\x01auth=Bearer ${secret}\x01\x01`)
    const client = await secured()
    assert.match((await client.say(`authenticate oauthbearer ${said(anna.email, token.reveal())}`)).tagged, /^OK/)
    const stranger = await secured()
    const answer = await stranger.say([`authenticate oauthbearer ${said(bert.email, token.reveal())}`, 'AQ=='])
    assert.match(answer.tagged, /^NO \[AUTHENTICATIONFAILED\]/)
    const wrong = await stranger.say([`authenticate oauthbearer ${said('', MAILBOX_PASSWORD)}`, 'AQ=='])
    assert.match(wrong.tagged, /^BAD|^NO/)
    assert.match((await stranger.say(`authenticate oauthbearer ${base64('n,,no token')}`)).tagged, /^BAD/)
  })
})

describe('an app password that is revoked', () => {
  test('ends the connections that signed in with it, also while they idle, and no others', async () => {
    const anna = await ground.address()
    const {
      appPassword: { id },
      token,
    } = await appPassword(anna)
    const [idling, waiting, other] = [await secured(), await secured(), await secured()]
    for (const client of [idling, waiting]) await client.ok(`login ${anna.email} ${token.reveal()}`)
    await other.ok(`login ${anna.email} "${MAILBOX_PASSWORD}"`)
    await idling.ok('select inbox')
    idling.write('a1 idle\r\n')
    assert.equal(await idling.response(), '+ idling')
    await ground.database.tx((tx) => deleteAppPassword(tx, { accountId: anna.accountId, addressId: anna.id, id }))
    for (const client of [idling, waiting]) {
      assert.match((await client.response()) ?? '', /^\* BYE/)
      assert.equal(await client.response(), null)
    }
    await other.ok('noop')
  })
})

describe('COMPRESS', () => {
  const compressed = async () => {
    const anna = await ground.address()
    const client = await secured()
    await client.ok(`login ${anna.email} "${MAILBOX_PASSWORD}"`)
    await client.ok('compress deflate')
    client.socket.removeAllListeners('data')
    client.socket.setEncoding('binary')
    const inflate = createInflateRaw()
    const deflate = createDeflateRaw()
    client.socket.on('data', (chunk: string) => inflate.write(Buffer.from(chunk, 'latin1')))
    deflate.on('data', (chunk: Buffer) => client.socket.write(chunk))
    let received = ''
    inflate.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
    })
    const receives = (text: string) => until(() => received.includes(text), `${text} is received`)
    const say = (text: string) => {
      deflate.write(text)
      deflate.flush(constants.Z_SYNC_FLUSH)
    }
    return { client, say, receives }
  }

  test('both directions are compressed, once', async () => {
    const { say, receives } = await compressed()
    say('a1 select inbox\r\na2 compress deflate\r\n')
    await receives('a1 OK [READ-WRITE]')
    await receives('a2 NO [COMPRESSIONACTIVE]')
    say('a3 capability\r\n')
    await receives('a3 OK')
  })

  test('a bomb is read line by line: it ends the connection, not the process', async () => {
    const { client, receives } = await compressed()
    // 50 MB of `a` without a line end in 50 kB.
    client.socket.write(deflateRawSync(Buffer.alloc(50_000_000, 'a'), { finishFlush: constants.Z_SYNC_FLUSH }))
    await receives('* BYE')
    const anna = await ground.address()
    const good = await secured()
    await good.ok(`login ${anna.email} "${MAILBOX_PASSWORD}"`)
  })

  test('what is no compressed data ends the connection', async () => {
    const { client } = await compressed()
    const ended = new Promise((resolve) => client.socket.once('end', resolve))
    client.socket.write('\x07\x07\x07\x07 hello hello hello\r\n')
    await ended
  })
})
