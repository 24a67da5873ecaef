import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { BlobError } from '@stoa/kit/blobs/blobs.ts'
import { message } from '../../../formats/mime/testing/corpus.ts'
import type { PlantedAddress } from '../../../hosting/addresses/testing/hosting.ts'
import { addMessage } from '../../../store/messages/messages.ts'
import { readMessage } from '../../../store/messages/read.ts'
import { type ImapGround, NOW, startImapGround } from '../testing/ground.ts'
import { openTranscript } from '../testing/transcript.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

const lines = (...texts: string[]): string => `${texts.join('\r\n')}\r\n`
const SIMPLE = lines('From: Ann <ann@example.org>', 'To: bob@example.test', 'Subject: One', '', 'Hello', 'World')

/** Somebody with these messages in the inbox. */
const having = async (...raws: string[]) => {
  const address = await ground.address()
  for (const raw of raws) await ground.add(address, { raw })
  return { address, transcript: openTranscript(ground, address) }
}

/** A message that came from outside: our own fields stand before it. */
const addWithPrefix = async (address: PlantedAddress, prefix: string, raw: string): Promise<void> => {
  const bytes = Buffer.from(raw, 'latin1')
  const blob = await ground.blobs.put(bytes, { maxBytes: 100_000_000 })
  const folderIds = [await ground.folderId(address)]
  await ground.database.tx((tx) =>
    addMessage(tx, {
      addressId: address.id,
      blob,
      prefix: Buffer.from(prefix),
      read: readMessage(bytes),
      folderIds,
      keywords: [],
      receivedAt: NOW,
      now: NOW,
      quotaBytes: null,
    }),
  )
}

describe('FETCH', () => {
  test('returns what the database has', async () => {
    const { transcript } = await having(SIMPLE)
    await transcript.play(`
      C: a1 select inbox
      S: ...
      S: a1 OK <*>
      C: a2 fetch 1 (uid flags internaldate rfc822.size)
      S: * 1 FETCH (UID 1 FLAGS (\\Recent) INTERNALDATE " 1-Mar-2026 12:00:00 +0000" RFC822.SIZE ${SIMPLE.length})
      S: a2 OK <*>
      C: a3 fetch 1 (emailid threadid savedate preview)
      S: * 1 FETCH (EMAILID (<emailid>) THREADID (<threadid>) SAVEDATE " 1-Mar-2026 12:00:00 +0000" PREVIEW "Hello World")
      S: a3 OK <*>
      C: a4 fetch 1 preview (lazy)
      S: * 1 FETCH (PREVIEW "Hello World")
      S: a4 OK <*>
      C: a5 fetch 1 envelope
      S: * 1 FETCH (ENVELOPE (NIL "One" (("Ann" NIL "ann" "example.org")) (("Ann" NIL "ann" "example.org")) (("Ann" NIL "ann" "example.org")) ((NIL NIL "bob" "example.test")) NIL NIL NIL NIL))
      S: a5 OK <*>
      C: a6 fetch 1 (body bodystructure)
      S: * 1 FETCH (BODY ("TEXT" "PLAIN" ("CHARSET" "us-ascii") NIL NIL "7BIT" 14 2) BODYSTRUCTURE ("TEXT" "PLAIN" ("CHARSET" "us-ascii") NIL NIL "7BIT" 14 2 NIL NIL NIL NIL))
      S: a6 OK <*>
      C: a7 fetch 1 fast
      S: * 1 FETCH (FLAGS (\\Recent) INTERNALDATE <*> RFC822.SIZE ${SIMPLE.length})
      S: a7 OK <*>
    `)
  })

  test('sets \\Seen and reports it, unless it peeks or the folder is only examined', async () => {
    const { transcript, address } = await having(SIMPLE, SIMPLE, SIMPLE)
    await transcript.play(`
      C: a1 examine inbox
      S: ...
      S: a1 OK <*>
      C: a2 fetch 1 body[text]
      S: * 1 FETCH (BODY[TEXT] {14}\\r\\nHello\\r\\nWorld\\r\\n)
      S: a2 OK <*>
      C: a3 select inbox
      S: ...
      S: a3 OK <*>
      C: a4 fetch 1 (body.peek[text] rfc822.header)
      S: * 1 FETCH (BODY[TEXT] <*> RFC822.HEADER <*>)
      S: a4 OK <*>
      C2: b1 select inbox
      S2: ...
      S2: b1 OK <*>
      C: a5 fetch 1:2 (body[text])
      S: * 1 FETCH (BODY[TEXT] {14}\\r\\nHello\\r\\nWorld\\r\\n FLAGS (\\Seen<*>))
      S: * 2 FETCH (BODY[TEXT] {14}\\r\\nHello\\r\\nWorld\\r\\n FLAGS (\\Seen<*>))
      S: a5 OK <*>
      C: a6 noop
      S: a6 OK <*>
      C: a7 fetch 1 (rfc822.text flags)
      S: * 1 FETCH (RFC822.TEXT {14}<*> FLAGS (\\Seen<*>))
      S: a7 OK <*>
      C2: b2 noop
      S2: * 1 FETCH (FLAGS (\\Seen))
      S2: * 2 FETCH (FLAGS (\\Seen))
      S2: b2 OK <*>
    `)
    await ground.check(address)
  })

  test('a page of messages is marked as seen in one transaction', async () => {
    const { transcript, address } = await having(...Array.from({ length: 30 }, () => SIMPLE))
    await transcript.play(`
      C: a1 select inbox
      S: ...
      S: a1 OK <*>`)
    const { rows } = await ground.database.pool.query<{ modseq: string }>(
      'select modseq from mailbox where address_id = $1',
      [address.id],
    )
    const client = await transcript.session()
    const watch = ground.database.watchStatements()
    assert.equal((await client.ok('fetch 1:* (flags body[text])')).length, 30)
    watch.stop()
    const after = await ground.database.pool.query<{ modseq: string }>(
      'select modseq from mailbox where address_id = $1',
      [address.id],
    )
    assert.equal(Number(after.rows[0]?.modseq), Number(rows[0]?.modseq) + 1)
    assert.ok(watch.texts.length <= 9, watch.texts.join('\n'))
  })

  test('sections, fields and ranges are those of the message', async () => {
    const { transcript } = await having(message('nested-messages').toString('latin1'), SIMPLE)
    await transcript.play(`
      C: a1 examine inbox
      S: ...
      S: a1 OK <*>
      C: a2 fetch 1 (body[2.2.text] body[2.header.fields (subject)] body[7] body[1.header])
      S: * 1 FETCH (BODY[2.2.TEXT] {20}\\r\\ninner text\\r\\nline two BODY[2.HEADER.FIELDS (subject)] {19}\\r\\nSubject: Middle\\r\\n\\r\\n BODY[7] NIL BODY[1.HEADER] NIL)
      S: a2 OK <*>
      C: a3 fetch 2 (body[text]<0.3> body[text]<3.4> body[text]<100.5> body[text]<10>)
      S: * 2 FETCH (BODY[TEXT]<0> {3}\\r\\nHel BODY[TEXT]<3> {4}\\r\\nlo\\r\\n BODY[TEXT]<100> "" BODY[TEXT]<10> {4}\\r\\nld\\r\\n)
      S: a3 OK <*>
      C: a4 fetch 2 body[header.fields (to from)]
      S: * 2 FETCH (BODY[HEADER.FIELDS (to from)] {53}\\r\\nFrom: Ann <ann@example.org>\\r\\nTo: bob@example.test\\r\\n\\r\\n)
      S: a4 OK <*>
      C: a5 fetch 2 body[header.fields.not (from to)]
      S: * 2 FETCH (BODY[HEADER.FIELDS.NOT (from to)] {16}\\r\\nSubject: One\\r\\n\\r\\n)
      S: a5 OK <*>
    `)
  })

  test('our own fields are part of the message, and of its sizes', async () => {
    const prefix = 'Return-Path: <x@example.org>\r\nReceived: by us\r\n'
    const address = await ground.address()
    await addWithPrefix(address, prefix, SIMPLE)
    const client = await ground.signIn(address)
    await client.ok('examine inbox')
    const whole = prefix + SIMPLE
    const header = prefix + SIMPLE.slice(0, SIMPLE.indexOf('\r\n\r\n') + 4)
    assert.deepEqual(await client.ok('fetch 1 (rfc822.size body[] body[header] binary.size[])'), [
      `* 1 FETCH (RFC822.SIZE ${whole.length} BODY[] {${whole.length}}\r\n${whole} BODY[HEADER] {${header.length}}\r\n${header} BINARY.SIZE[] ${whole.length})`,
    ])
    assert.deepEqual(await client.ok('fetch 1 (body[header.fields (received subject)] body[]<20.20>)'), [
      `* 1 FETCH (BODY[HEADER.FIELDS (received subject)] {33}\r\nReceived: by us\r\nSubject: One\r\n\r\n BODY[]<20> {20}\r\n${whole.slice(20, 40)})`,
    ])
  })

  test('BINARY takes the encoding off, and shows NUL where BODY must not', async () => {
    const raw = (encoding: string, body: string) =>
      lines('Content-Type: application/x', `Content-Transfer-Encoding: ${encoding}`, '', body)
    const { transcript } = await having(
      raw('base64', 'aGVs\r\nbG8Ad29ybGQ='),
      raw('x-strange', 'abc'),
      raw('binary', 'a\0b'),
    )
    await transcript.play(`
      C: a1 examine inbox
      S: ...
      S: a1 OK <*>
      C: a2 fetch 1 (binary.size[1] binary[1]<0.5> body[1]<0.4>)
      S: * 1 FETCH (BINARY.SIZE[1] 11 BINARY[1]<0> {5}\\r\\nhello BODY[1]<0> {4}\\r\\naGVs)
      S: a2 OK <*>
      C: a4 fetch 2 binary[1]
      S: a4 NO [UNKNOWN-CTE] <*>
      C: a5 fetch 3 (body[1]<0.3> binary.size[1])
      S: * 3 FETCH (BODY[1]<0> {3}\\r\\na\x80b BINARY.SIZE[1] 5)
      S: a5 OK <*>
    `)
    const client = await transcript.session()
    const [whole] = await client.ok('fetch 1 binary[1]')
    assert.equal(whole, '* 1 FETCH (BINARY[1] ~{11}\r\nhello\0world)')
  })

  test('a damaged message does not keep others from being read', async () => {
    const { transcript, address } = await having(SIMPLE, SIMPLE.replace('World', 'Moon'), `${SIMPLE}third\r\n`)
    const { rows } = await ground.database.pool.query<{ key: string }>(
      `select m.blob_key as key from message m join message_folder p on p.message_id = m.id
       where p.address_id = $1 and p.uid = 2`,
      [address.id],
    )
    await ground.blobs.delete(rows[0]?.key ?? '')
    await transcript.play(`
      C: a1 examine inbox
      S: ...
      S: a1 OK <*>
      C: a2 fetch 1:3 body.peek[text]
      S: * 1 FETCH (BODY[TEXT] <*>
      S: * 3 FETCH (BODY[TEXT] <*>
      S: a2 NO [SERVERBUG] 1 of the messages could not be read; the others were sent
      C: a3 fetch 2 (flags envelope)
      S: * 2 FETCH (FLAGS <*>)
      S: a3 OK <*>
    `)
  })

  test('large messages come whole, also in ranges and decoded', async () => {
    const body = 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2\r\n'.repeat(12_000)
    const raw = `${lines('Subject: Large', 'Content-Type: application/x', 'Content-Transfer-Encoding: base64', '')}${body}`
    const { transcript } = await having(raw)
    const client = await transcript.session()
    await client.ok('examine inbox')
    assert.deepEqual(await client.ok('fetch 1 body[]'), [`* 1 FETCH (BODY[] {${raw.length}}\r\n${raw})`])
    const part = body.slice(300_000, 600_000)
    assert.deepEqual(await client.ok('fetch 1 body[text]<300000.300000>'), [
      `* 1 FETCH (BODY[TEXT]<300000> {300000}\r\n${part})`,
    ])
    const decoded = Buffer.from(body, 'base64').toString('latin1')
    const [answer] = await client.ok('fetch 1 binary[1]<100000.200000>')
    assert.equal(answer, `* 1 FETCH (BINARY[1]<100000> ~{200000}\r\n${decoded.slice(100_000, 300_000)})`)
    assert.deepEqual(await client.ok('fetch 1 (body[header.fields (subject)] body[1]<5.3>)'), [
      `* 1 FETCH (BODY[HEADER.FIELDS (subject)] {18}\r\nSubject: Large\r\n\r\n BODY[1]<5> {3}\r\n${body.slice(5, 8)})`,
    ])
  })

  test('many large sections of one message all come', async () => {
    const raw = `${SIMPLE}${'0123456789'.repeat(20_000)}`
    const { transcript } = await having(raw)
    const client = await transcript.session()
    await client.ok('examine inbox')
    const items = Array.from({ length: 20 }, (_, at) => `body.peek[]<${at}.150000>`)
    const [answer] = await client.ok(`fetch 1 (${items.join(' ')})`)
    const wanted = items.map((_, at) => `BODY[]<${at}> {150000}\r\n${raw.slice(at, at + 150_000)}`)
    assert.equal(answer, `* 1 FETCH (${wanted.join(' ')})`)
  })

  test('a large message that turns out to be damaged while it is sent leaves the conversation whole', async () => {
    const raw = `${SIMPLE}${'x'.repeat(98)}\r\n`.repeat(4_000)
    const { transcript } = await having(raw, SIMPLE)
    const client = await transcript.session()
    await client.ok('examine inbox')
    const { get } = ground.blobs
    ground.blobs.get = async (key, options) => {
      const read = await get(key, options)
      const broken = async function* () {
        yield* read.stream.take(2) as AsyncIterable<Buffer>
        throw new BlobError('corrupt', 'not what was stored')
      }
      return { ...read, stream: Readable.from(broken()) }
    }
    const { lines, tagged } = await client.say('fetch 1 (body.peek[] uid)')
    ground.blobs.get = get
    assert.match(tagged, /^NO \[SERVERBUG\]/)
    assert.equal(lines[0]?.length, `* 1 FETCH (BODY[] {${raw.length}}\r\n${raw} UID 1)`.length)
    assert.deepEqual(await client.ok('fetch 2 (uid body.peek[text]<0.5>)'), [
      '* 2 FETCH (UID 2 BODY[TEXT]<0> {5}\r\nHello)',
    ])
  })

  test('lists need no message to be read, and the same few statements however many there are', async () => {
    const { transcript } = await having(...Array.from({ length: 60 }, (_, n) => SIMPLE.replace('One', `N${n}`)))
    const client = await transcript.session()
    await client.ok('examine inbox')
    const reads: string[] = []
    const { get } = ground.blobs
    ground.blobs.get = (key, options) => {
      reads.push(key)
      return get(key, options)
    }
    const watch = ground.database.watchStatements()
    const answers = await client.ok('fetch 1:* (uid flags envelope bodystructure rfc822.size preview internaldate)')
    watch.stop()
    ground.blobs.get = get
    assert.equal(answers.length, 60)
    assert.deepEqual(reads, [])
    assert.equal(watch.texts.length, 1, watch.texts.join('\n'))
  })
})

describe('flags of many messages', () => {
  test('are one statement, and the same as those of each one', async () => {
    const address = await ground.address()
    const other = await ground.signIn(address)
    for (let n = 0; n < 120; n += 1) await ground.add(address, { raw: SIMPLE })
    await other.ok('select inbox')
    await other.ok('store 3:90 +flags.silent (\\Seen)')
    await other.ok('store 50:100 +flags.silent (work \\Flagged)')
    await other.ok('store 80:81 +flags.silent (\\Deleted)')
    await other.ok('uid store 7,9 +flags.silent (\\Deleted)')
    await other.ok('uid expunge 7,9')
    const client = await ground.signIn(address)
    await client.ok('select inbox')
    const fetched = (line: string) => / FETCH /.test(line)
    for (const items of ['(flags)', '(uid flags modseq)', '(modseq flags uid)']) {
      const watch = ground.database.watchStatements()
      const all = (await client.ok(`fetch 1:* ${items}`)).filter(fetched)
      watch.stop()
      assert.equal(watch.texts.length, 1)
      const each: string[] = []
      for (let n = 1; n <= 118; n += 1) each.push(...(await client.ok(`fetch ${n} ${items}`)).filter(fetched))
      assert.deepEqual(all, each)
      const some = (await client.ok(`uid fetch 1:60,62:* ${items}`)).filter(fetched)
      assert.deepEqual(some.length, 117)
    }
    const changed = await client.ok('fetch 1:* (flags) (changedsince 1)')
    assert.equal(changed.filter(fetched).length, 118)
    await ground.check(address)
  })
})
