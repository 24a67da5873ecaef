import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { parseCidr } from '@stoa/kit/http/client-address.ts'
import { MAILBOX_PASSWORD } from '../../hosting/addresses/testing/hosting.ts'
import { startImap } from './server.ts'
import { type ImapGround, startImapGround } from './testing/ground.ts'
import { openTranscript } from './testing/transcript.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('behind a proxy', () => {
  test('a client whose address the proxy sends is answered', async () => {
    const proxy = [parseCidr('127.0.0.0/8')]
    const listen = { config: { host: '127.0.0.1', trustedProxies: proxy, imapMaxPerIp: 5, limitExempt: [] } }
    const server = await startImap(ground.parts, { ...listen, port: 0, certificate: null, isImplicit: false })
    const socket = connect(server.port, '127.0.0.1')
    try {
      socket.write('PROXY TCP4 192.0.2.7 198.51.100.1 1234 143\r\n')
      const [greeting] = await once(socket, 'data')
      assert.match(String(greeting), /^\* OK /)
      socket.write('a1 noop\r\n')
      const [answer] = await once(socket, 'data')
      assert.match(String(answer), /^a1 OK /)
    } finally {
      socket.destroy()
      await server.stop()
    }
  })
})

describe('before sign-in', () => {
  test('a client is greeted with what there is, and may ask for it again', async () => {
    const anna = await ground.address()
    await openTranscript(ground, anna, { isStranger: true }).play(`
      C: a1 capability
      S: * CAPABILITY IMAP4rev2 IMAP4rev1 <*>
      S: a1 OK <*>
      C: a2 noop
      S: a2 OK <*>
      C: a3 id ("name" "test" "version" NIL)
      S: * ID ("name" "Stoa" <*>)
      S: a3 OK <*>
      C: a4 logout
      S: * BYE <*>
      S: a4 OK <*>
      S: END
    `)
  })

  test('commands that need a sign-in are refused and change nothing', async () => {
    const anna = await ground.address()
    const play = openTranscript(ground, anna, { isStranger: true })
    const needing = ['select inbox', 'list "" *', 'append inbox {5}', 'fetch 1 flags', 'uid fetch 1 flags', 'idle']
    for (const command of needing) await play.play(`C: a1 ${command}\nS: a1 BAD Sign in first`)
    await play.play(`
      C: a2 frobnicate {10+}
      C: 1234567890
      S: a2 BAD Unknown command
      C: a3 noop
      S: a3 OK <*>
    `)
  })

  test('LOGIN takes atoms, quoted strings and literals', async () => {
    const anna = await ground.address()
    for (const password of [`"${MAILBOX_PASSWORD}"`, `{${MAILBOX_PASSWORD.length}+}\r\n${MAILBOX_PASSWORD}`]) {
      const client = await ground.connect()
      client.write(`a1 LOGIN ${anna.email} ${password}\r\n`)
      assert.match((await client.response()) ?? '', /^a1 OK \[CAPABILITY .*IDLE.*\]/)
    }
    const client = await ground.connect()
    await client.ok([`login {${anna.email.length}}`, anna.email, ` {${MAILBOX_PASSWORD.length}}`, MAILBOX_PASSWORD])
  })

  test('AUTHENTICATE PLAIN works with and without an initial response, and can be cancelled', async () => {
    const anna = await ground.address()
    const plain = base64(`\0${anna.email}\0${MAILBOX_PASSWORD}`)
    await openTranscript(ground, anna, { isStranger: true }).play(`
      C: a1 authenticate plain
      S: +<*>
      C: *
      S: a1 BAD Canceled
      C: a2 authenticate plain
      S: +<*>
      C: ${plain}
      S: a2 OK <*>
      C: a3 login x y
      S: a3 BAD <*>
      C: a4 unauthenticate
      S: a4 OK <*>
      C: a5 authenticate plain ${plain}
      S: a5 OK <*>
      C: a6 select inbox
      S: ...
      S: a6 OK <*>
    `)
  })

  test('AUTHENTICATE LOGIN asks for name and password', async () => {
    const anna = await ground.address()
    await openTranscript(ground, anna, { isStranger: true }).play(`
      C: a1 authenticate login
      S: + VXNlcm5hbWU6
      C: ${base64(anna.email)}
      S: + UGFzc3dvcmQ6
      C: ${base64(MAILBOX_PASSWORD)}
      S: a1 OK <*>
    `)
  })

  test('a wrong password is refused, and the third one ends the connection', async () => {
    const anna = await ground.address()
    await openTranscript(ground, anna, { isStranger: true }).play(`
      C: a1 login ${anna.email} wrong-one
      S: a1 NO [AUTHENTICATIONFAILED] <*>
      C: a2 authenticate plain ${base64(`\0${anna.email}\0wrong-two`)}
      S: a2 NO [AUTHENTICATIONFAILED] <*>
      C: a3 authenticate plain ${base64(`other\0${anna.email}\0${MAILBOX_PASSWORD}`)}
      S: a3 NO [AUTHORIZATIONFAILED] <*>
      C: a4 login ${anna.email} wrong-three
      S: a4 NO [AUTHENTICATIONFAILED] <*>
      S: * BYE <*>
      S: END
    `)
  })
})

describe('the state of a session', () => {
  test('commands that need a folder are refused without one', async () => {
    const anna = await ground.address()
    const play = openTranscript(ground, anna)
    for (const command of [
      'fetch 1 flags',
      'expunge',
      'close',
      'unselect',
      'check',
      'uid expunge 1',
      'store 1 flags ()',
    ])
      await play.play(`C: a1 ${command}\nS: a1 BAD Select a folder first`)
    await play.play(`
      C: a2 starttls
      S: a2 BAD <*>
      C: a3 uid noop
      S: a3 BAD Unknown command
    `)
  })

  test('selecting a folder that is not there leaves none selected', async () => {
    const anna = await ground.address()
    await openTranscript(ground, anna).play(`
      C: a1 select inbox
      S: ...
      S: a1 OK [READ-WRITE] <*>
      C: a2 select nothing
      S: * OK [CLOSED] <*>
      S: a2 NO [NONEXISTENT] <*>
      C: a3 check
      S: a3 BAD <*>
    `)
  })

  test('what is enabled is answered once', async () => {
    const anna = await ground.address()
    await openTranscript(ground, anna).play(`
      C: a1 enable condstore x-nothing
      S: * ENABLED CONDSTORE
      S: a1 OK <*>
      C: a2 enable qresync imap4rev2 utf8=accept
      S: * ENABLED QRESYNC IMAP4rev2 UTF8=ACCEPT
      S: a2 OK <*>
      C: a3 enable qresync
      S: * ENABLED
      S: a3 OK <*>
    `)
  })

  test('clients learn where JMAP is', async () => {
    const anna = await ground.address()
    await openTranscript(ground, anna).play(`
      C: a1 getjmapaccess
      S: * JMAPACCESS "https://mail.stoa.test/.well-known/jmap"
      S: a1 OK <*>
    `)
  })
})
