import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ImapFlow } from 'imapflow'
import { MAILBOX_PASSWORD, type PlantedAddress } from '../../../hosting/addresses/testing/hosting.ts'
import { listUids } from '../../../store/messages/list.ts'
import type { ImapClient } from '../testing/client.ts'
import { type ImapGround, startImapGround } from '../testing/ground.ts'
import { openTranscript } from '../testing/transcript.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

const lines = (...texts: string[]): string => `${texts.join('\r\n')}\r\n`
const literal = (text: string): string => `{${Buffer.byteLength(text, 'latin1')}+}\r\n${text}`
const HELLO = lines('From: foo@example.org', 'Subject: Hello', '', 'Hello world')

const somebody = async () => {
  const address = await ground.address()
  const client = await ground.signIn(address)
  return { address, client, transcript: openTranscript(ground, address) }
}
const uidsIn = async (address: PlantedAddress, path: string) =>
  listUids(ground.database.db, address.id, await ground.folderId(address, path))
const bodies = async (client: ImapClient, folder: string): Promise<string[]> => {
  await client.ok(`examine ${folder}`)
  const answers = await client.ok('uid fetch 1:* body.peek[]')
  return answers.map((answer) => /BODY\[\] (?:\{\d+\}\r\n([\s\S]*)|"")\)$/.exec(answer)?.[1] ?? '')
}

describe('APPEND', () => {
  test('keeps bytes, flags and date, and gives the UID', async () => {
    const { transcript, address } = await somebody()
    await transcript.play(`
      C: a1 select inbox
      S: ...
      S: a1 OK <*>
      C: a2 append inbox (\\Seen $Forwarded) "17-Jul-1996 02:44:25 -0700" {${HELLO.length}}
      S: + <*>
      C: ${HELLO.replaceAll('\r\n', '\\r\\n')}
      S: * 1 EXISTS
      S: * 1 RECENT
      S: a2 OK [APPENDUID <v> 1] <*>
      C: a3 fetch 1 (flags internaldate rfc822.size body.peek[])
      S: * 1 FETCH (FLAGS ($Forwarded \\Seen \\Recent) INTERNALDATE "17-Jul-1996 02:44:25 -0700" RFC822.SIZE ${HELLO.length} BODY[] {${HELLO.length}}\\r\\n${HELLO.replaceAll('\r\n', '\\r\\n')})
      S: a3 OK <*>
      C: a4 append inbox (\\Deleted) ${literal('x: y\r\n\r\n').replaceAll('\r\n', '\\r\\n')}
      S: * 2 EXISTS
      S: * 2 RECENT
      S: a4 OK [APPENDUID <v> 2] <*>
      C: a5 fetch 2 flags
      S: * 2 FETCH (FLAGS (\\Deleted \\Recent))
      S: a5 OK <*>
    `)
    await ground.check(address)
  })

  test('a folder that is not there may be created', async () => {
    const { client } = await somebody()
    const { tagged } = await client.say(`append Nowhere ${literal(HELLO)}`)
    assert.match(tagged, /^NO \[TRYCREATE\]/)
    await client.ok('create Nowhere')
    await client.ok(`append Nowhere ${literal(HELLO)}`)
    assert.deepEqual(await bodies(client, 'Nowhere'), [HELLO])
  })

  test('bytes are the user’s: bare line ends, NUL and 8 bits stay, and can be read', async () => {
    const { client } = await somebody()
    const bare = 'Subject: bare\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\npart one\n--b--\n'
    await client.ok(`append inbox ${literal(bare)}`)
    await client.ok(
      `append inbox (\\Seen) ~${literal('Subject: nul\r\nContent-Transfer-Encoding: binary\r\n\r\na\0b\r\n')}`,
    )
    const utf8 = Buffer.from('Subject: grüße\r\n\r\nx\r\n')
    await client.ok([`append inbox utf8 (~{${utf8.length}}`, utf8, ')'])
    await client.ok('select inbox')
    assert.deepEqual(await client.ok('fetch 1 (body.peek[1] body.peek[])'), [
      `* 1 FETCH (BODY[1] {8}\r\npart one BODY[] {${bare.length}}\r\n${bare})`,
    ])
    assert.deepEqual(await client.ok('fetch 2 (binary.peek[1])'), ['* 2 FETCH (BINARY[1] ~{5}\r\na\0b\r\n)'])
    const [envelope] = await client.ok('fetch 3 envelope')
    assert.match(envelope ?? '', /^\* 3 FETCH \(ENVELOPE \(NIL \{7\}\r\ngr\xc3\xbc\xc3\x9fe NIL/)
  })

  test('several messages are added together, or none is', async () => {
    const { client, address } = await somebody()
    const { tagged } = await client.say(
      `append inbox (\\Seen) ${literal(HELLO)} "01-Feb-2026 10:00:00 +0000" ${literal(HELLO)} (a b) ${literal(HELLO)}`,
    )
    assert.match(tagged, /^OK \[APPENDUID \d+ 1:3\]/)
    await client.ok('select inbox')
    assert.deepEqual(await client.ok('fetch 1:3 (flags internaldate)'), [
      '* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft a b)',
      '* OK [PERMANENTFLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft a b \\*)] Flags that are stored',
      '* 1 FETCH (FLAGS (\\Seen \\Recent) INTERNALDATE " 1-Mar-2026 12:00:00 +0000")',
      '* 2 FETCH (FLAGS (\\Recent) INTERNALDATE " 1-Feb-2026 10:00:00 +0000")',
      '* 3 FETCH (FLAGS (a b \\Recent) INTERNALDATE " 1-Mar-2026 12:00:00 +0000")',
    ])
    const refused = await client.say(`append inbox ${literal(HELLO)} ${literal('')}`)
    assert.match(refused.tagged, /^NO \[CANNOT\]/)
    await ground.database.pool.query('update address set quota_bytes = $2 where id = $1', [
      address.id,
      HELLO.length * 4 + 10,
    ])
    assert.match((await client.say(`append inbox ${literal(HELLO)} ${literal(HELLO)}`)).tagged, /^NO \[OVERQUOTA\]/)
    assert.deepEqual(await uidsIn(address, 'Inbox'), [1, 2, 3])
    await ground.check(address)
  })

  test('what is too large or no message is refused', async () => {
    const { client, address } = await somebody()
    assert.match((await client.say('append inbox {2000001}')).tagged, /^NO \[TOOBIG\]/)
    const half = 'x'.repeat(1_100_000)
    assert.match(
      (await client.say(`append inbox catenate (text ${literal(half)} text ${literal(half)})`)).tagged,
      /^NO \[TOOBIG\]/,
    )
    for (const command of [
      'append inbox',
      'append inbox (\\Seen)',
      `append inbox "no date" ${literal(HELLO)}`,
      `append inbox (\\Nonsense) ${literal(HELLO)}`,
      `append inbox ${literal(HELLO)} x`,
      `append inbox catenate ()`,
      `append inbox catenate (file "x")`,
      `append inbox utf8 ${literal(HELLO)}`,
    ])
      assert.match((await client.say(command)).tagged, /^BAD/, command)
    assert.deepEqual(await uidsIn(address, 'Inbox'), [])
  })

  test('a large message is read aside and comes back whole', async () => {
    const { client } = await somebody()
    const large = `${HELLO}${`${'y'.repeat(70)}\r\n`.repeat(20_000)}`
    await client.ok(`append inbox ${literal(large)}`)
    assert.deepEqual(await bodies(client, 'inbox'), [large])
  })

  test('costs few statements', async () => {
    const { client } = await somebody()
    await client.ok(`append inbox ${literal(HELLO)}`)
    const watch = ground.database.watchStatements()
    await client.ok(`append inbox ${literal(HELLO)}`)
    watch.stop()
    assert.ok(watch.texts.length <= 7, watch.texts.join('\n'))
  })
})

describe('CATENATE', () => {
  test('puts a message together of texts and parts of others', async () => {
    const { client } = await somebody()
    const two = lines('From: foo2@example.org', '', 'Lookslike: header', '', 'Another body')
    const [, uidvalidity = ''] =
      /APPENDUID (\d+)/.exec((await client.say(`append inbox ${literal(HELLO)}`)).tagged) ?? []
    await client.ok(`append inbox catenate (text ${literal(two)})`)
    await client.ok('create made')
    const make = (parts: string) => client.ok(`append made (\\Seen) catenate (${parts})`)
    await make(`url "/inbox/;uid=1/;section=header" text ${literal('body1\r\n')}`)
    await make(`url "/INBOX;uidvalidity=${uidvalidity}/;uid=2/;section=text" text ${literal('body2\r\n')}`)
    await make(`text ${literal('A: b\r\n')} text ${literal('\r\n')} url "/inbox/;uid=1/;section=1"`)
    await make(`url "/inbox/;uid=2/;partial=100000.1" text ${literal('A: b\r\n\r\n')}`)
    await make('url "/inbox/;uid=1"')
    await client.ok('select inbox')
    await make('url ";uid=1/;section=text/;partial=0.5"')
    assert.deepEqual(await bodies(client, 'made'), [
      `${HELLO.slice(0, HELLO.indexOf('\r\n\r\n') + 4)}body1\r\n`,
      lines('Lookslike: header', '', 'Another body', 'body2'),
      lines('A: b', '', 'Hello world'),
      lines('A: b', ''),
      HELLO,
      'Hello',
    ])
  })

  test('a URL that leads nowhere is named, and nothing is added', async () => {
    const { client, address } = await somebody()
    const other = await somebody()
    await other.client.ok(`append inbox ${literal(HELLO)}`)
    await client.ok(`append inbox ${literal(HELLO)}`)
    for (const url of [
      '/inbox/;uid=77',
      '/inbox;uidvalidity=12345/;uid=1',
      '/inbox/;uid=1/;section=3',
      '/nowhere/;uid=1',
      `/Shared/${other.address.email}/INBOX/;uid=1`,
      'http://example.org/',
      ';uid=1',
      'x"y',
    ]) {
      const quoted = url.replaceAll('"', '\\"')
      const { tagged } = await client.say(
        `append inbox catenate (text ${literal('A: b\r\n')} url "${quoted}") ${literal(HELLO)}`,
      )
      assert.ok(tagged.startsWith(`NO [BADURL "${quoted}"]`), `${url}: ${tagged}`)
    }
    assert.match((await client.say('append gone catenate (url "/inbox/;uid=77")')).tagged, /^NO \[TRYCREATE\]/)
    assert.deepEqual(await uidsIn(address, 'Inbox'), [1])
  })
})

describe('REPLACE', () => {
  test('the new message comes and the old one goes', async () => {
    const { transcript, address } = await somebody()
    const hello = literal(HELLO).replaceAll('\r\n', '\\r\\n')
    await transcript.play(`
      C: a1 append Drafts ${hello}
      S: a1 OK <*>
      C: a2 append Drafts ${hello}
      S: a2 OK <*>
      C: a3 select Drafts
      S: ...
      S: a3 OK <*>
      C: a4 replace 1 Drafts (\\Draft \\Seen) ${hello}
      S: * OK [APPENDUID <v> 3] <*>
      S: * 1 EXPUNGE
      S: * 2 EXISTS
      S: * 2 RECENT
      S: a4 OK <*>
      C: a5 fetch 1:2 (uid flags)
      S: * 1 FETCH (UID 2 FLAGS (\\Recent))
      S: * 2 FETCH (UID 3 FLAGS (\\Draft \\Seen \\Recent))
      S: a5 OK <*>
      C: a6 uid replace 2 Sent ${hello}
      S: * OK [APPENDUID <w> 1] <*>
      S: * 1 EXPUNGE
      S: a6 OK <*>
      C: a7 replace 7 Sent ${hello}
      S: a7 BAD <*>
      C: a8 uid replace 7 Sent ${hello}
      S: a8 NO <*>
      C: a9 uid replace 3 Nowhere ${hello}
      S: a9 NO [TRYCREATE] <*>
    `)
    assert.deepEqual(await uidsIn(address, 'Drafts'), [3])
    assert.deepEqual(await uidsIn(address, 'Sent'), [1])
    await ground.check(address)
  })

  test('takes * for the last message, also with UID; where there is none, nothing comes', async () => {
    const { transcript, address } = await somebody()
    const hello = literal(HELLO).replaceAll('\r\n', '\\r\\n')
    await transcript.play(`
      C: a1 append Drafts ${hello}
      S: a1 OK <*>
      C: a2 append Drafts ${hello}
      S: a2 OK <*>
      C: a3 select Drafts
      S: ...
      S: a3 OK <*>
      C: a4 replace * Drafts ${hello}
      S: * OK [APPENDUID <v> 3] <*>
      S: * 2 EXPUNGE
      S: * 2 EXISTS
      S: * 2 RECENT
      S: a4 OK <*>
      C: a5 uid replace * Sent ${hello}
      S: * OK [APPENDUID <w> 1] <*>
      S: * 2 EXPUNGE
      S: a5 OK <*>
      C: a6 replace 1:* Sent ${hello}
      S: a6 BAD <*>
      C: a7 select Trash
      S: ...
      S: a7 OK <*>
      C: a8 replace * Sent ${hello}
      S: a8 NO [NONEXISTENT] <*>
      C: a9 uid replace * Sent ${hello}
      S: a9 NO [NONEXISTENT] <*>
    `)
    assert.deepEqual(await uidsIn(address, 'Drafts'), [1])
    assert.deepEqual(await uidsIn(address, 'Sent'), [1])
    await ground.check(address)
  })

  test('needs no more room than the new message takes', async () => {
    const { client, address } = await somebody()
    await client.ok(`append Drafts ${literal(HELLO)}`)
    await ground.database.pool.query('update address set quota_bytes = $2 where id = $1', [
      address.id,
      HELLO.length + 5,
    ])
    await client.ok('select Drafts')
    await client.ok(`replace 1 Drafts ${literal(HELLO)}`)
    assert.match((await client.say(`replace 1 Drafts ${literal(`${HELLO}much more`)}`)).tagged, /^NO \[OVERQUOTA\]/)
    assert.deepEqual(await uidsIn(address, 'Drafts'), [2])
    await ground.check(address)
  })
})

test('a real client appends, reads, marks and moves', async () => {
  const address = await ground.address()
  const flow = new ImapFlow({
    host: '127.0.0.1',
    port: ground.server.port,
    secure: false,
    doSTARTTLS: false,
    auth: { user: address.email, pass: MAILBOX_PASSWORD },
    logger: false,
  })
  await flow.connect()
  const made = await flow.append('INBOX', Buffer.from(HELLO), ['\\Seen'], new Date('2026-01-02T03:04:05Z'))
  assert.ok(made && made.uid === 1)
  const lock = await flow.getMailboxLock('INBOX')
  const found = await flow.fetchOne('1', {
    uid: true,
    flags: true,
    envelope: true,
    bodyStructure: true,
    size: true,
    internalDate: true,
    source: true,
    threadId: true,
  })
  assert.ok(found)
  assert.equal(found.source?.toString(), HELLO)
  assert.equal(found.envelope?.subject, 'Hello')
  assert.deepEqual([found.size, found.bodyStructure?.type], [HELLO.length, 'text/plain'])
  assert.ok(found.flags?.has('\\Seen'))
  assert.equal(new Date(found.internalDate ?? 0).toISOString(), '2026-01-02T03:04:05.000Z')
  const { content } = await flow.download('1', 'text')
  let text = ''
  for await (const chunk of content ?? []) text += chunk
  assert.equal(text, 'Hello world\r\n')
  assert.equal(await flow.messageFlagsAdd('1', ['\\Flagged', '$label1']), true)
  const copied = await flow.messageCopy('1', 'Archive')
  assert.ok(copied && copied.uidMap?.get(1) === 1)
  const moved = await flow.messageMove('1', 'Trash')
  assert.ok(moved && moved.uidMap?.get(1) === 1)
  lock.release()
  const trash = await flow.getMailboxLock('Trash')
  const [only] = await flow.fetchAll('1:*', { flags: true })
  assert.deepEqual([...(only?.flags ?? [])].filter((flag) => flag !== '\\Recent').sort(), [
    '$label1',
    '\\Flagged',
    '\\Seen',
  ])
  trash.release()
  await flow.logout()
  await ground.check(address)
})
