import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sieveExtensions } from '@stoa/mail-model/sieve-extensions.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { MAILBOX_PASSWORD } from '../../hosting/addresses/testing/hosting.ts'
import { listScripts } from '../../receiving/filters/client-scripts.ts'
import { literal, plain, type SieveReply } from './testing/client.ts'
import { type SieveGround, startGround } from './testing/ground.ts'

let ground: SieveGround
before(async () => {
  ground = await startGround()
})
after(() => ground.close())

let people = 0
const person = async () => {
  people += 1
  const email = `p${people}@sieve.test`
  const address = await ground.address(email)
  return { email, address, client: await ground.signedIn(email) }
}
const named = ({ lines }: SieveReply, name: string) => lines.find(([first]) => first === name)
const GOOD = 'require "fileinto";\r\nfileinto "Work";\r\n'

describe('the greeting', () => {
  test('lists what can be done, and no mechanism before TLS', async () => {
    const { client, greeting } = await ground.connect()
    assert.equal(greeting.status, 'OK')
    assert.deepEqual(named(greeting, 'SASL'), ['SASL', ''])
    assert.deepEqual(named(greeting, 'STARTTLS'), ['STARTTLS'])
    assert.deepEqual(named(greeting, 'VERSION'), ['VERSION', '1.0'])
    assert.deepEqual(named(greeting, 'SIEVE')?.[1]?.split(' '), [...sieveExtensions])
    assert.equal(named(greeting, 'OWNER'), undefined)
    assert.deepEqual(await client.say('capability'), { ...greeting, text: 'Capabilities listed.' })
    client.close()
  })

  test('comes again after STARTTLS, with PLAIN and without STARTTLS', async () => {
    const { client } = await ground.connect()
    const again = await client.startTls()
    assert.deepEqual(named(again, 'SASL'), ['SASL', 'PLAIN'])
    assert.equal(named(again, 'STARTTLS'), undefined)
    assert.equal((await client.say('STARTTLS')).status, 'NO')
    client.close()
  })
})

describe('sign-in', () => {
  test('needs TLS first, and what was sent before the handshake is forgotten', async () => {
    const { email } = await person()
    const { client } = await ground.connect()
    const early = await client.signIn(email, MAILBOX_PASSWORD)
    assert.deepEqual([early.status, early.code], ['NO', 'ENCRYPT-NEEDED'])
    await client.startTls(`AUTHENTICATE "PLAIN" "${plain(email, MAILBOX_PASSWORD)}"\r\n`)
    assert.equal((await client.say('LISTSCRIPTS')).status, 'NO')
    assert.equal((await client.signIn(email, MAILBOX_PASSWORD)).status, 'OK')
    const listed = await client.say('CAPABILITY')
    assert.deepEqual(named(listed, 'OWNER'), ['OWNER', email])
    assert.deepEqual(named(listed, 'SASL'), ['SASL', ''])
    client.close()
  })

  test('takes the response with the command as a literal, or when it is asked for', async () => {
    const { email } = await person()
    const { client } = await ground.connect()
    await client.startTls()
    const response = plain(email, MAILBOX_PASSWORD)
    assert.equal((await client.say(`AUTHENTICATE "plain" ${literal(response)}`)).status, 'OK')
    assert.equal((await client.signIn(email, MAILBOX_PASSWORD)).status, 'NO')
    assert.equal((await client.say('UNAUTHENTICATE')).status, 'OK')
    assert.equal((await client.say('LISTSCRIPTS')).status, 'NO')
    client.raw('AUTHENTICATE "PLAIN"\r\n')
    assert.equal(await client.challenge(), '')
    assert.equal((await client.say(`"${response}"`)).status, 'OK')
    await client.say('UNAUTHENTICATE')
    client.raw('AUTHENTICATE "PLAIN"\r\n')
    await client.challenge()
    assert.equal((await client.say(literal(response))).status, 'OK')
    client.close()
  })

  test('that is cancelled, malformed or for somebody else lets nobody in, and the third wrong password is the last', async () => {
    const { email } = await person()
    const { client } = await ground.connect()
    await client.startTls()
    client.raw('AUTHENTICATE "PLAIN"\r\n')
    await client.challenge()
    assert.equal((await client.say('"*"')).status, 'NO')
    const bad = ['', 'not base64!', Buffer.from('a').toString('base64'), plain(email, '')]
    for (const response of bad)
      assert.equal((await client.say(`AUTHENTICATE "PLAIN" "${response}"`)).status, 'NO', response)
    const other = Buffer.from(`boss@sieve.test\0${email}\0${MAILBOX_PASSWORD}`).toString('base64')
    assert.equal((await client.say(`AUTHENTICATE "PLAIN" "${other}"`)).status, 'NO')
    assert.equal((await client.say('AUTHENTICATE "GSSAPI"')).status, 'NO')
    assert.equal((await client.say('LISTSCRIPTS')).status, 'NO')
    for (const status of ['NO', 'NO', 'BYE'])
      assert.equal((await client.signIn(email, 'a wrong password')).status, status)
    await client.closed()
  })

  test('ends when the password is changed', async () => {
    const { address, client } = await person()
    await ground.database.tx(async (tx) => {
      await tx.updateTable('address').set({ password_hash: 'another' }).where('id', '=', address.id).execute()
      tx.changes.push({ topic: 'address', event: 'changed', data: { addressId: address.id } })
    })
    const { status, text } = await client.reply()
    assert.deepEqual([status, text], ['BYE', 'Your session has ended. Sign in again.'])
    await client.closed()
  })

  test('is counted: a mailbox has so many connections', async () => {
    const small = await startGround({ limits: { perAddress: 1 } })
    try {
      await small.address('few@sieve.test')
      const first = await small.signedIn('few@sieve.test')
      const { client } = await small.connect()
      await client.startTls()
      const refused = await client.signIn('few@sieve.test', MAILBOX_PASSWORD)
      assert.deepEqual([refused.status, refused.code], ['NO', 'TRYLATER'])
      await first.say('LOGOUT')
      await first.closed()
      assert.equal((await client.signIn('few@sieve.test', MAILBOX_PASSWORD)).status, 'OK')
    } finally {
      await small.close()
    }
  })
})

describe('scripts', () => {
  test('are stored, listed, read back byte by byte, made active, renamed and deleted', async () => {
    const { client } = await person()
    const source = '# Grüße\r\nkeep;\r\n'
    assert.equal((await client.put('main', source)).status, 'OK')
    assert.equal((await client.say(`PUTSCRIPT "ä \\"b\\" \\\\c" "keep;"`)).status, 'OK')
    assert.deepEqual((await client.say('LISTSCRIPTS')).lines, [['main'], ['ä "b" \\c']])
    assert.deepEqual((await client.say('GETSCRIPT "main"')).lines, [[source]])
    assert.equal((await client.say('SETACTIVE "main"')).status, 'OK')
    assert.deepEqual((await client.say('LISTSCRIPTS')).lines, [['main', 'ACTIVE'], ['ä "b" \\c']])
    assert.equal((await client.say('RENAMESCRIPT "main" "first"')).status, 'OK')
    assert.deepEqual((await client.say('LISTSCRIPTS')).lines, [['first', 'ACTIVE'], ['ä "b" \\c']])
    const active = await client.say('DELETESCRIPT "first"')
    assert.deepEqual([active.status, active.code], ['NO', 'ACTIVE'])
    assert.equal((await client.say('SETACTIVE ""')).status, 'OK')
    assert.equal((await client.say('DELETESCRIPT "first"')).status, 'OK')
    assert.deepEqual((await client.say('LISTSCRIPTS')).lines, [['ä "b" \\c']])
  })

  test('with mistakes are refused with their places, and the one before stays', async () => {
    const { address, client } = await person()
    await client.put('main', GOOD)
    const refused = await client.put('main', 'keep;\r\nfileinto "Work";\r\nnonsense')
    assert.equal(refused.status, 'NO')
    assert.match(refused.text, /^line 3, column \d+: /m)
    const checked = await client.say(`CHECKSCRIPT ${literal('keep;\r\nfileinto "Work";')}`)
    assert.match(checked.text, /^line 2, column 1: unknown command "fileinto"; add require "fileinto"$/)
    assert.equal((await client.say(`CHECKSCRIPT ${literal(GOOD)}`)).status, 'OK')
    assert.deepEqual((await client.say('GETSCRIPT "main"')).lines, [[GOOD]])
    assert.equal((await client.say(`CHECKSCRIPT ${literal('')}`)).status, 'OK')
    assert.equal((await listScripts(ground.database.db, address.id)).length, 1)
  })

  test('that are not there, exist already or have no good name are refused', async () => {
    const { client } = await person()
    await client.put('a', 'keep;')
    await client.put('b', 'keep;')
    for (const command of ['GETSCRIPT "x"', 'DELETESCRIPT "x"', 'SETACTIVE "x"', 'RENAMESCRIPT "x" "y"'])
      assert.equal((await client.say(command)).code, 'NONEXISTENT', command)
    assert.equal((await client.say('RENAMESCRIPT "a" "b"')).code, 'ALREADYEXISTS')
    for (const name of ['""', literal('two\r\nlines'), `"${'x'.repeat(513)}"`, literal('a\0b')])
      assert.equal((await client.say(`PUTSCRIPT ${name} "keep;"`)).status, 'NO')
    assert.equal((await client.say(`PUTSCRIPT "${'ü'.repeat(256)}" "keep;"`)).status, 'OK')
    assert.equal((await client.say('LISTSCRIPTS')).lines.length, 3)
  })

  test('have limits in number and size, which HAVESPACE reports in advance', async () => {
    const { client } = await person()
    for (let n = 0; n < 32; n += 1) assert.equal((await client.put(`s${n}`, 'keep;')).status, 'OK')
    assert.equal((await client.put('one more', 'keep;')).code, 'QUOTA/MAXSCRIPTS')
    assert.equal((await client.say('HAVESPACE "one more" 10')).code, 'QUOTA/MAXSCRIPTS')
    assert.equal((await client.say('HAVESPACE "s1" 65536')).status, 'OK')
    assert.equal((await client.say('HAVESPACE "s1" 65537')).code, 'QUOTA/MAXSIZE')
    const large = `#${'x'.repeat(65_535)}`
    assert.equal((await client.put('s1', large)).status, 'OK')
    assert.equal((await client.put('s1', `${large}y`)).code, 'QUOTA/MAXSIZE')
    assert.deepEqual((await client.say('GETSCRIPT "s1"')).lines, [[large]])
    assert.equal((await client.say('LISTSCRIPTS')).lines.length, 32)
  })

  test('of one mailbox are not those of another, and those of the panel are not shown', async () => {
    const ann = await person()
    const bob = await person()
    await ann.client.put('secret', 'keep;')
    assert.equal((await bob.client.say('GETSCRIPT "secret"')).code, 'NONEXISTENT')
    const { id, accountId } = ann.address
    await ground.database.pool.query(
      `insert into sieve_script (id, account_id, address_id, origin, name, source, enabled, created_at, updated_at)
       values (gen_random_uuid(), $1, $2, 'panel', 'of the panel', 'keep;', true, now(), now())`,
      [accountId, id],
    )
    assert.deepEqual((await ann.client.say('LISTSCRIPTS')).lines, [['secret']])
  })

  test('that two connections put at once are one script', async () => {
    const { email, client } = await person()
    const other = await ground.signedIn(email)
    const answers = await Promise.all([client.put('same', 'keep;'), other.put('same', 'discard;')])
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['OK', 'OK'],
    )
    assert.deepEqual((await client.say('LISTSCRIPTS')).lines, [['same']])
  })
})

describe('the connection', () => {
  test('answers NOOP with its tag and LOGOUT with OK', async () => {
    const { client } = await ground.connect()
    assert.equal((await client.say('NOOP')).code, null)
    assert.equal((await client.say('NOOP "a \\"tag\\""')).code, 'TAG a "tag"')
    assert.equal((await client.say(`NOOP ${literal('x\r\ny')}`)).code, 'TAG x\r\ny')
    assert.equal((await client.say('LOGOUT')).status, 'OK')
    await client.closed()
  })

  test('answers commands that come together one after the other', async () => {
    const { client } = await person()
    client.raw(`PUTSCRIPT "p" ${literal('keep;')}\r\nSETACTIVE "p"\r\nLISTSCRIPTS\r\nNOOP "x"\r\n`)
    assert.equal((await client.reply()).status, 'OK')
    assert.equal((await client.reply()).status, 'OK')
    assert.deepEqual((await client.reply()).lines, [['p', 'ACTIVE']])
    assert.equal((await client.reply()).code, 'TAG x')
  })

  test('takes a script that comes in single bytes', async () => {
    const { client } = await person()
    for (const byte of Buffer.from(`PUTSCRIPT "slow" ${literal('keep;')}\r\n`)) {
      client.raw(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.equal((await client.reply()).status, 'OK')
  })

  test('ends after many wrong commands, a bare line feed, or a line without end', async () => {
    const { client } = await ground.connect()
    for (let n = 1; n < 10; n += 1) assert.equal((await client.say('NONSENSE')).status, 'NO')
    assert.equal((await client.say('NONSENSE')).status, 'BYE')
    await client.closed()
    const { client: bare } = await ground.connect()
    bare.raw('NOOP\nNOOP\r\n')
    assert.equal((await bare.reply()).status, 'BYE')
    const { client: endless } = await ground.connect()
    endless.raw('x'.repeat(9_000))
    assert.equal((await endless.reply()).status, 'BYE')
    await endless.closed()
  })

  test('bounds literals: 8 kB before somebody has signed in, and nobody is listened to for ever', async () => {
    const { client } = await ground.connect()
    client.raw('AUTHENTICATE "PLAIN" {8193+}\r\n')
    assert.equal((await client.reply()).status, 'BYE')
    await client.closed()
    const { client: member } = await person()
    member.raw('PUTSCRIPT "x" {4294967295+}\r\n')
    assert.equal((await member.reply()).status, 'BYE')
    await member.closed()
  })

  test('forgets too large a script while it comes and goes on', async () => {
    const { client } = await person()
    assert.equal((await client.put('x', 'y'.repeat(500_000))).code, 'QUOTA/MAXSIZE')
    assert.equal((await client.say('NOOP')).status, 'OK')
  })

  test('ends when nothing comes, and when a command does not come to its end', async () => {
    const quick = await startGround({ limits: { earlyIdleMs: 50, commandMs: 50 } })
    try {
      const { client } = await quick.connect()
      assert.equal((await client.reply()).status, 'BYE')
      const { client: slow } = await quick.connect()
      slow.raw('NOOP {10+}\r\nabc')
      assert.equal((await slow.reply()).status, 'BYE')
    } finally {
      await quick.close()
    }
  })

  test('ends for those who do not read what they ask for', async () => {
    const quick = await startGround({ isPlain: true, limits: { writeMs: 100 } })
    try {
      await quick.address('mute@sieve.test')
      const client = await quick.signedIn('mute@sieve.test')
      await client.put('large', `#${'x'.repeat(65_000)}`)
      client.socket.pause()
      client.raw('GETSCRIPT "large"\r\n'.repeat(500))
      await until(() => quick.server.connections() === 0, 'it is let go')
    } finally {
      await quick.close()
    }
  })

  test('answers somebody who has closed their side, and closes', async () => {
    const { client } = await ground.connect()
    client.raw('NOOP "a"\r\nNOOP "b"\r\n')
    client.socket.end()
    assert.equal((await client.reply()).code, 'TAG a')
    assert.equal((await client.reply()).code, 'TAG b')
    await client.closed()
  })

  test('sends BYE when the service stops', async () => {
    const other = await startGround({ isPlain: true })
    const { client } = await other.connect()
    const stopped = other.server.stop()
    assert.deepEqual(await client.reply().then(({ status, code }) => [status, code]), ['BYE', 'TRYLATER'])
    client.close()
    await stopped
    await other.close()
  })
})
