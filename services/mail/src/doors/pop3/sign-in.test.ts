import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import { createAppPassword, deleteAppPassword } from '../../hosting/addresses/app-passwords.ts'
import { changeAddressPassword, updateAddress } from '../../hosting/addresses/operations.ts'
import { MAILBOX_PASSWORD, type PlantedAddress } from '../../hosting/addresses/testing/hosting.ts'
import { folderByRole } from '../../store/folders/folders.ts'
import { listUids } from '../../store/messages/list.ts'
import { connectPop3, type Pop3Ground, type RawPop3, startPop3Ground } from './testing/ground.ts'

let ground: Pop3Ground
let ann: PlantedAddress
before(async () => {
  ground = await startPop3Ground()
  ann = await ground.plant()
  await ground.add(ann, 'Subject: x\r\n\r\ntext\r\n')
})
after(() => ground.close())

const plain = (name: string, password: string, actsFor = ''): string =>
  Buffer.from(`${actsFor}\0${name}\0${password}`).toString('base64')
const capabilities = async (client: RawPop3): Promise<string[]> =>
  (await client.ask('CAPA')).block.trimEnd().split('\r\n')
const uidsOf = async ({ id }: PlantedAddress): Promise<number[]> => {
  const { db } = ground.mail.database
  return listUids(db, id, (await folderByRole(db, id, 'inbox'))?.id ?? '')
}
const ALWAYS = ['TOP', 'UIDL', 'RESP-CODES', 'AUTH-RESP-CODE', 'PIPELINING', 'EXPIRE NEVER', 'UTF8 USER']
const WRONG = '-ERR [AUTH] Wrong address or password'

describe('before TLS', () => {
  test('no password is taken, in any way, and none is looked at', async () => {
    const client = await connectPop3(ground.stls.port)
    assert.deepEqual(await capabilities(client), [...ALWAYS, 'STLS', 'IMPLEMENTATION Stoa'])
    for (const command of [`USER ${ann.email}`, 'PASS x', `AUTH PLAIN ${plain(ann.email, MAILBOX_PASSWORD)}`, 'AUTH'])
      assert.match((await client.say(command)) ?? '', /^-ERR Encryption is required, use STLS/, command)
    assert.match((await client.say('STAT')) ?? '', /^-ERR/)
    client.close()
  })

  test('STLS makes it possible, and offers itself no more', async () => {
    const client = await connectPop3(ground.stls.port)
    assert.equal(await client.say('STLS'), '+OK Begin TLS negotiation')
    await client.startTls()
    assert.deepEqual(await capabilities(client), [...ALWAYS, 'USER', 'SASL PLAIN', 'IMPLEMENTATION Stoa'])
    assert.match((await client.say('STLS')) ?? '', /^-ERR/)
    assert.equal(await client.signIn(ann), '+OK 1 messages, 20 octets')
    assert.deepEqual(await capabilities(client), [...ALWAYS, 'USER', 'SASL PLAIN', 'IMPLEMENTATION Stoa'])
    assert.match((await client.say('STLS')) ?? '', /^-ERR/)
    client.close()
  })

  test('what came before the handshake is forgotten', async () => {
    const client = await connectPop3(ground.stls.port)
    client.send(`STLS\r\nUSER ${ann.email}\r\nNOOP\r\n`)
    assert.equal(await client.line(), '+OK Begin TLS negotiation')
    await client.startTls()
    assert.equal(await client.say(`PASS ${MAILBOX_PASSWORD}`), '-ERR Send USER first')
    assert.equal(await client.say('NOOP'), '+OK')
    client.close()
  })
})

describe('signing in', () => {
  test('takes AUTH PLAIN with and without an initial response', async () => {
    const said = plain(ann.email, MAILBOX_PASSWORD)
    const client = await connectPop3(ground.secure.port, { tls: true })
    assert.equal((await client.ask('AUTH')).block, 'PLAIN\r\n')
    assert.equal(await client.say('auth plain'), '+ ')
    assert.equal(await client.say('*'), '-ERR Canceled')
    assert.equal(await client.say('AUTH PLAIN'), '+ ')
    assert.match((await client.say(said)) ?? '', /^\+OK 1 messages/)
    const other = await connectPop3(ground.secure.port, { tls: true })
    assert.match((await other.say(`AUTH PLAIN ${plain(ann.email, MAILBOX_PASSWORD, ann.email)}`)) ?? '', /^\+OK/)
    client.close()
    other.close()
  })

  test('refuses what is not well-formed, and acting for somebody else', async () => {
    const responses = [
      '???',
      'YQ',
      '=',
      plain('', 'x'),
      plain(ann.email, ''),
      plain(ann.email, MAILBOX_PASSWORD, 'x@y.z'),
    ]
    for (const response of responses) {
      const client = await connectPop3(ground.plain.port)
      assert.equal(await client.say(`AUTH PLAIN ${response}`), '-ERR Malformed response', response)
      assert.match((await client.say('AUTH CRAM-MD5')) ?? '', /^-ERR/)
      assert.match((await client.say('AUTH PLAIN a b')) ?? '', /^-ERR/)
      assert.match((await client.say(`APOP ${ann.email} abc`)) ?? '', /^-ERR/)
      client.close()
    }
  })

  test('gives one answer for whatever is wrong, and ends after three', async () => {
    const client = await connectPop3(ground.plain.port)
    await client.say(`USER ${ann.email}`)
    assert.equal(await client.say('PASS wrong'), WRONG)
    assert.equal(await client.say('PASS wrong'), '-ERR Send USER first')
    assert.equal(await client.say('USER nobody@pop1.test'), '+OK Send the password')
    assert.equal(await client.say(`PASS ${MAILBOX_PASSWORD}`), WRONG)
    assert.equal(await client.say(`AUTH PLAIN ${plain(ann.email, 'wrong')}`), WRONG)
    assert.equal(await client.line(), null)
  })

  test('takes app passwords for POP3, and only those where they are a must', async () => {
    const address = await ground.plant()
    const { accountId, id: addressId } = address
    const { database, clock } = ground.mail
    const make = async (scope: 'pop3' | 'imap') => {
      const input = { accountId, addressId, name: 'x', scopes: [scope], now: clock.now() }
      return (await database.tx((tx) => createAppPassword(tx, input))).token.reveal()
    }
    const [right, other] = [await make('pop3'), await make('imap')]
    const change = { requireAppPassword: true }
    await database.tx((tx) => updateAddress(tx, { accountId, addressId, change, now: clock.now() }))
    const answers = []
    for (const password of [other, MAILBOX_PASSWORD, right]) {
      const client = await connectPop3(ground.plain.port)
      answers.push(await client.say(`AUTH PLAIN ${plain(address.email, password)}`))
      client.close()
    }
    assert.deepEqual(answers, [WRONG, WRONG, '+OK 0 messages, 0 octets'])
  })

  test('is asked to retry later, not for another password, after too many wrong ones', async () => {
    const address = await ground.plant()
    for (let n = 0; n < 10; n += 1) {
      const client = await connectPop3(ground.plain.port)
      assert.equal(await client.say(`AUTH PLAIN ${plain(address.email, `guess ${n}`)}`), WRONG)
      client.close()
    }
    const client = await connectPop3(ground.plain.port)
    assert.match((await client.signIn(address)) ?? '', /^-ERR \[SYS\/TEMP\] Too many failed sign-ins/)
    client.close()
  })

  test('is limited to so many connections of one mailbox; one that ends makes room', async () => {
    const address = await ground.plant()
    const { imapMaxPerUser } = ground.mail.config
    const clients = []
    for (let n = 0; n < imapMaxPerUser; n += 1) clients.push(await connectPop3(ground.plain.port))
    for (const client of clients) assert.match((await client.signIn(address)) ?? '', /^\+OK/)
    const more = await connectPop3(ground.plain.port)
    assert.match((await more.signIn(address)) ?? '', /^-ERR \[IN-USE\]/)
    assert.equal(await more.line(), null)
    assert.equal(await clients[0]?.say('QUIT'), '+OK Bye')
    assert.equal(await clients[0]?.line(), null)
    const next = await connectPop3(ground.plain.port)
    assert.match((await next.signIn(address)) ?? '', /^\+OK/)
    for (const client of [...clients, next]) client.close()
  })

  test('ends with the password it rests on, and removes nothing then', async () => {
    const address = await ground.plant()
    await ground.add(address, 'Subject: x\r\n\r\n')
    const { accountId, id: addressId } = address
    const { database, clock } = ground.mail
    const input = { accountId, addressId, name: 'x', now: clock.now() }
    const { appPassword, token } = await database.tx((tx) => createAppPassword(tx, input))
    const [byApp, byPassword] = [await connectPop3(ground.plain.port), await connectPop3(ground.plain.port)]
    assert.match((await byApp.say(`AUTH PLAIN ${plain(address.email, token.reveal())}`)) ?? '', /^\+OK/)
    assert.match((await byPassword.signIn(address)) ?? '', /^\+OK/)
    for (const client of [byApp, byPassword]) await client.say('DELE 1')
    await database.tx((tx) => deleteAppPassword(tx, { accountId, addressId, id: appPassword.id }))
    assert.equal(await byApp.line(), '-ERR [SYS/TEMP] Closing the connection, try again')
    assert.equal(await byApp.line(), null)
    assert.equal(await byPassword.say('NOOP'), '+OK')
    const passwordHash = 'another'
    await database.tx((tx) => changeAddressPassword(tx, { accountId, addressId, passwordHash, now: clock.now() }))
    assert.equal(await byPassword.line(), '-ERR [SYS/TEMP] Closing the connection, try again')
    assert.equal(await byPassword.line(), null)
    assert.deepEqual(await uidsOf(address), [1])
  })
})

describe('what a client sends', () => {
  test('in the wrong state, or wrongly, is refused, and nothing happens', async () => {
    const client = await connectPop3(ground.plain.port)
    for (const command of ['STAT', 'LIST', 'RETR 1', 'DELE 1', 'RSET', 'UIDL', 'TOP 1 1'])
      assert.equal(await client.say(command), '-ERR Not allowed now', command)
    assert.equal(await client.say('UTF8'), '+OK UTF-8')
    await client.signIn(ann)
    for (const command of ['USER x', 'PASS y', 'AUTH PLAIN', 'UTF8'])
      assert.equal(await client.say(command), '-ERR Not allowed now', command)
    for (const command of ['RETR', 'RETR 0', 'RETR 2', 'RETR -1', 'RETR 1x', 'RETR 99999999999', 'DELE', 'LIST 0'])
      assert.equal(await client.say(command), '-ERR No such message', command)
    for (const command of ['TOP 1', 'TOP 1 -1', 'TOP', 'STAT 1', 'LAST', '']) {
      assert.match((await client.say(command)) ?? '', /^-ERR/, command)
      assert.equal(await client.say('STAT'), '+OK 1 20')
    }
    assert.equal(await client.say('stat'), '+OK 1 20')
    assert.equal(await client.say('list 1 '), '+OK 1 20')
    client.close()
  })

  test('may come all at once, and is answered in order', async () => {
    const client = await connectPop3(ground.plain.port)
    client.send(`USER ${ann.email}\r\nPASS ${MAILBOX_PASSWORD}\r\nSTAT\r\nLIST\r\nRETR 1\r\nNOOP\r\nQUIT\r\n`)
    assert.equal(await client.line(), '+OK Send the password')
    assert.equal(await client.line(), '+OK 1 messages, 20 octets')
    assert.equal(await client.line(), '+OK 1 20')
    assert.equal(await client.line(), '+OK 1 messages')
    assert.equal(await client.block(), '1 20\r\n')
    assert.equal(await client.line(), '+OK 20 octets')
    assert.equal(await client.block(), 'Subject: x\r\n\r\ntext\r\n')
    assert.equal(await client.line(), '+OK')
    assert.equal(await client.line(), '+OK Bye')
    assert.equal(await client.line(), null)
  })

  test('may end its lines with LF alone, and its side of the connection with the last of them', async () => {
    const client = await connectPop3(ground.plain.port)
    client.socket.end(`USER ${ann.email}\nPASS ${MAILBOX_PASSWORD}\nSTAT\nQUIT\n`)
    assert.equal(await client.line(), '+OK Send the password')
    await client.line()
    assert.equal(await client.line(), '+OK 1 20')
    assert.equal(await client.line(), '+OK Bye')
  })

  test('ends the connection when it is too much: long lines, nonsense, and nothing but commands', async () => {
    const long = await connectPop3(ground.plain.port)
    assert.equal(await long.say('x'.repeat(5_000)), '-ERR The line is too long')
    assert.equal(await long.line(), null)
    const endless = await connectPop3(ground.plain.port)
    endless.send('x'.repeat(300_000))
    assert.equal(await endless.line(), '-ERR The line is too long')
    const nonsense = await connectPop3(ground.plain.port)
    for (let n = 0; n < 19; n += 1) assert.equal(await nonsense.say('FOO'), '-ERR Unknown command')
    assert.equal(await nonsense.say('FOO'), '-ERR Too many invalid commands')
    assert.equal(await nonsense.line(), null)
    const busy = await connectPop3(ground.plain.port)
    for (let n = 0; n < 50; n += 1) assert.equal(await busy.say('NOOP'), '+OK')
    assert.equal(await busy.say('NOOP'), '-ERR Too many commands')
    assert.equal(await busy.line(), null)
  })

  test('has to come in time', async () => {
    const forWords = await ground.open({ limits: { strangerMs: 30 } })
    const silent = await connectPop3(forWords.port)
    assert.equal(await silent.line(), '-ERR [SYS/TEMP] Connection closed after inactivity')
    const forLines = await ground.open({ limits: { commandMs: 30 } })
    const slow = await connectPop3(forLines.port)
    slow.send('NO')
    assert.equal(await slow.line(), '-ERR [SYS/TEMP] Timed out')
    assert.equal(await slow.line(), null)
  })

  test('of any kind leaves the server alive and the mail where it is', async () => {
    const words = fc.constantFrom(
      ...['USER', 'PASS', 'AUTH PLAIN', 'STAT', 'LIST', 'RETR', 'DELE', 'TOP', 'UIDL', 'RSET', 'CAPA', 'STLS', 'UTF8'],
      ...['1', '2', '-1', '0', '99999999999999999999', ' ', '\0', '\xff', '=', '*', 'AAAA', '\r', 'x'.repeat(300)],
    )
    const lines = fc.array(
      fc.tuple(fc.array(words, { maxLength: 5 }), fc.constantFrom(' ', ''), fc.constantFrom('\r\n', '\n', '\r\r\n')),
      { maxLength: 15 },
    )
    const address = await ground.plant()
    await ground.add(address, 'Subject: x\r\n\r\n')
    await fc.assert(
      fc.asyncProperty(lines, fc.boolean(), async (said, isSignedIn) => {
        const client = await connectPop3(ground.plain.port)
        if (isSignedIn) await client.signIn(address)
        client.socket.end(said.map(([parts, between, end]) => parts.join(between) + end).join(''), 'latin1')
        for (let line = await client.line(); line !== null; line = await client.line())
          assert.match(line, /^(\+OK|-ERR|\+ $|\d+ |[A-Z]|\.|$)/)
        client.close()
      }),
      { seed: 3, numRuns: runs(40, 150) },
    )
    assert.deepEqual(await uidsOf(address), [1])
    const client = await connectPop3(ground.plain.port)
    assert.match((await client.signIn(address)) ?? '', /^\+OK 1 /)
    client.close()
  })
})
