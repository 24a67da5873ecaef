import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Answer } from '../testing/client.ts'
import { type GroundMailbox, type JmapGround, startJmap } from '../testing/ground.ts'

let ground: JmapGround
let box: GroundMailbox
before(async () => {
  ground = await startJmap()
  box = ground.ann
})
after(() => ground.close())

const RAW = [
  'Received: from a by b; Sun, 1 Feb 2026 10:00:00 +0000',
  'From: Ann <ann@example.org>',
  'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
  'Message-ID: <import@example.org>',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Hello there',
].join('\r\n')

const importing = (emails: Record<string, unknown>, more: Record<string, unknown> = {}): Promise<Answer> =>
  box.client.one('Email/import', { accountId: box.accountId, emails, ...more })

describe('Email/import', () => {
  test('puts an upload into mailboxes, bit by bit', async () => {
    const { blobId } = await box.client.upload(box.accountId, RAW, 'message/rfc822')
    const mailboxIds = { [box.folders.inbox]: true, [box.folders.archive]: true }
    const answer = await importing({
      a: { blobId, mailboxIds, keywords: { $seen: true }, receivedAt: '2025-06-15T10:30:00Z' },
      b: { blobId, mailboxIds: { [box.folders.inbox]: true } },
    })
    assert.notEqual(answer.oldState, answer.newState)
    assert.equal(answer.notCreated, null)
    const { a, b } = answer.created
    assert.notEqual(a.id, b.id)
    assert.equal(a.size, Buffer.byteLength(RAW))
    const { list } = await box.client.one('Email/get', {
      accountId: box.accountId,
      ids: [a.id, b.id],
      properties: ['receivedAt', 'keywords', 'mailboxIds', 'subject', 'threadId'],
    })
    assert.deepEqual(
      [list[0].receivedAt, list[0].keywords, list[0].mailboxIds],
      ['2025-06-15T10:30:00Z', { $seen: true }, mailboxIds],
    )
    assert.equal(list[0].subject, 'Grüße')
    assert.equal(list[1].receivedAt, '2026-02-01T10:00:00Z')
    assert.equal(list[0].threadId, a.threadId)
    const path = `/jmap/download/${box.accountId}/${a.blobId}/x?type=message/rfc822`
    assert.equal(await (await box.client.fetch(path)).text(), RAW)
  })

  test('takes messages and parts of messages for blobs too', async () => {
    const outer = `From: x@example.org\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(RAW).toString('base64')}\r\n`
    const { messageId } = await ground.add(box, { raw: outer })
    const mailboxIds = { [box.folders.inbox]: true }
    const { created } = await importing({
      whole: { blobId: `m${messageId}`, mailboxIds },
      part: { blobId: `p${messageId}-1`, mailboxIds },
    })
    assert.equal(created.whole.size, outer.length)
    assert.equal(created.part.size, Buffer.byteLength(RAW))
  })

  test('refuses what is no message, or goes nowhere, each for itself', async () => {
    const text = await box.client.upload(box.accountId, 'this is not an email')
    const note = await box.client.upload(box.accountId, 'Note: neither is this\n\nreally')
    const good = await box.client.upload(box.accountId, RAW)
    const mailboxIds = { [box.folders.inbox]: true }
    const total = async () =>
      (await box.client.one('Email/query', { accountId: box.accountId, calculateTotal: true })).total
    const before = await total()
    const { created, notCreated } = await importing({
      text: { blobId: text.blobId, mailboxIds },
      note: { blobId: note.blobId, mailboxIds },
      nothing: { blobId: 'nonexistent-blob-xyz', mailboxIds },
      none: { mailboxIds },
      mailbox: { blobId: good.blobId, mailboxIds: { nothing: true } },
      mailboxes: { blobId: good.blobId, mailboxIds: {} },
      foreign: { blobId: good.blobId, mailboxIds: { [ground.bob.folders.inbox]: true } },
      keywords: { blobId: good.blobId, mailboxIds, keywords: { 'a b': true } },
      date: { blobId: good.blobId, mailboxIds, receivedAt: 'yesterday' },
      more: { blobId: good.blobId, mailboxIds, subject: 'x' },
      good: { blobId: good.blobId, mailboxIds },
    })
    assert.deepEqual(Object.keys(created), ['good'])
    assert.deepEqual([notCreated.text.type, notCreated.note.type], ['invalidEmail', 'invalidEmail'])
    for (const name of ['nothing', 'none', 'mailbox', 'mailboxes', 'foreign', 'keywords', 'date', 'more'])
      assert.equal(notCreated[name].type, 'invalidProperties', name)
    assert.equal(await total(), before + 1)
    const args = { accountId: box.accountId, emails: {}, ifInState: 'x' }
    assert.equal(await box.client.error('Email/import', args), 'stateMismatch')
  })

  test('takes any bytes that begin like mail, and shows them', async () => {
    const accountId = box.accountId
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (tail) => {
        const bytes = Buffer.concat([
          Buffer.from('From: x@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n'),
          tail,
        ])
        const { blobId } = await box.client.upload(accountId, bytes)
        const { created } = await importing({ a: { blobId, mailboxIds: { [box.folders.trash]: true } } })
        const properties = ['bodyStructure', 'headers', 'textBody', 'preview', 'bodyValues']
        const { list } = await box.client.one('Email/get', {
          accountId,
          ids: [created.a.id],
          properties,
          fetchAllBodyValues: true,
        })
        assert.equal(list.length, 1)
      }),
      { seed: 20260301, numRuns: 25 },
    )
  })
})

describe('Email/parse', () => {
  const parse = (args: Record<string, unknown>): Promise<Answer> =>
    box.client.one('Email/parse', { accountId: box.accountId, ...args })

  test('reads uploads without storing them; what only a mailbox knows is null', async () => {
    const { blobId } = await box.client.upload(box.accountId, RAW)
    const { parsed, notParsable, notFound } = await parse({ blobIds: [blobId] })
    assert.deepEqual([notParsable, notFound], [null, null])
    const email = parsed[blobId]
    assert.deepEqual(Object.keys(email).sort(), [
      ...['attachments', 'bcc', 'bodyValues', 'cc', 'from', 'hasAttachment', 'htmlBody', 'inReplyTo', 'messageId'],
      ...['preview', 'references', 'replyTo', 'sender', 'sentAt', 'subject', 'textBody', 'to'],
    ])
    assert.deepEqual([email.subject, email.preview, email.sentAt], ['Grüße', 'Hello there', null])
    const metadata = ['id', 'blobId', 'threadId', 'mailboxIds', 'keywords', 'receivedAt', 'size']
    const other = await parse({
      blobIds: [blobId],
      properties: [...metadata, 'header:Received:all', 'bodyValues'],
      fetchTextBodyValues: true,
    })
    assert.deepEqual(other.parsed[blobId], {
      ...{ id: null, blobId, threadId: null, mailboxIds: null, keywords: null, receivedAt: null },
      size: Buffer.byteLength(RAW),
      'header:Received:all': [' from a by b; Sun, 1 Feb 2026 10:00:00 +0000'],
      bodyValues: { 1: { value: 'Hello there', isEncodingProblem: false, isTruncated: false } },
    })
  })

  test('reads messages that are inside of messages, and their parts can be had', async () => {
    const inner = `From: in@example.org\r\nSubject: Inner\r\nContent-Type: multipart/mixed; boundary=i\r\n\r\n--i\r\n\r\ntext\r\n--i\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nAAEC\r\n--i--\r\n`
    const raw = `From: out@example.org\r\nSubject: Outer\r\nContent-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\n\r\nsee\r\n--o\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--o--\r\n`
    const { messageId } = await ground.add(box, { raw })
    const { list } = await box.client.one('Email/get', {
      accountId: box.accountId,
      ids: [messageId],
      properties: ['attachments'],
    })
    const { blobId } = list[0].attachments[0]
    const { parsed } = await parse({ blobIds: [blobId], properties: ['subject', 'attachments'] })
    assert.equal(parsed[blobId].subject, 'Inner')
    const [file] = parsed[blobId].attachments
    const path = `/jmap/download/${box.accountId}/${file.blobId}/x?type=application/pdf`
    assert.deepEqual([...new Uint8Array(await (await box.client.fetch(path)).arrayBuffer())], [0, 1, 2])
  })

  test('reports what is not there and what is no message', async () => {
    const { blobId } = await box.client.upload(box.accountId, 'this is not an email at all')
    const foreign = await ground.bob.client.upload(ground.bob.accountId, RAW)
    const answer = await parse({ blobIds: [blobId, 'nonexistent-blob-xyz', foreign.blobId] })
    assert.deepEqual(
      [answer.parsed, answer.notParsable, answer.notFound],
      [null, [blobId], ['nonexistent-blob-xyz', foreign.blobId]],
    )
    const error = (args: Record<string, unknown>) =>
      box.client.error('Email/parse', { accountId: box.accountId, ...args })
    assert.equal(await error({}), 'invalidArguments')
    assert.equal(await error({ blobIds: [], properties: ['header:From:asDate'] }), 'invalidArguments')
    assert.equal(await error({ blobIds: Array.from({ length: 501 }, (_, index) => `b${index}`) }), 'requestTooLarge')
  })
})

describe('Email/copy', () => {
  let shared: GroundMailbox
  before(async () => {
    shared = await ground.mailbox('other@example.test')
    await ground.share(shared, box, 'write')
  })

  const copy = (args: Record<string, unknown>) =>
    box.client.call(['Email/copy', { fromAccountId: box.accountId, accountId: shared.accountId, ...args }])

  test('makes a message of another account, and may destroy the original', async () => {
    const { messageId: id } = await ground.add(box, { subject: 'To copy', keywords: ['$flagged'] })
    const mailboxIds = { [shared.folders.inbox]: true }
    const [kept] = await copy({
      create: {
        a: { id, mailboxIds },
        b: { id, mailboxIds, keywords: { new: true }, receivedAt: '2020-01-01T00:00:00Z' },
      },
    })
    const { created, fromAccountId, oldState, newState } = kept?.[1] ?? {}
    assert.equal(fromAccountId, box.accountId)
    assert.notEqual(oldState, newState)
    const { list } = await box.client.one('Email/get', {
      accountId: shared.accountId,
      ids: [created.a.id, created.b.id],
      properties: ['subject', 'keywords', 'receivedAt', 'mailboxIds', 'size'],
    })
    assert.deepEqual(
      [list[0].subject, list[0].keywords, list[0].mailboxIds],
      ['To copy', { $flagged: true }, mailboxIds],
    )
    assert.deepEqual([list[1].keywords, list[1].receivedAt], [{ new: true }, '2020-01-01T00:00:00Z'])
    assert.equal(list[0].size, created.a.size)
    const responses = await copy({ create: { a: { id, mailboxIds } }, onSuccessDestroyOriginal: true })
    assert.deepEqual(
      responses.map(([name]) => name),
      ['Email/copy', 'Email/set'],
    )
    assert.deepEqual(responses[1]?.[1].destroyed, [id])
    const gone = await box.client.one('Email/get', { accountId: box.accountId, ids: [id] })
    assert.deepEqual(gone.notFound, [id])
  })

  test('refuses what cannot be copied, and leaves the original', async () => {
    const { messageId: id } = await ground.add(box)
    const mailboxIds = { [shared.folders.inbox]: true }
    const [answer, ...more] = await copy({
      create: {
        nothing: { id: 'nonexistent-email-xyz', mailboxIds },
        gone: { id: '0192f0c1-2222-7aaa-8bbb-0123456789ab', mailboxIds },
        nowhere: { id },
        wrong: { id, mailboxIds: { [box.folders.inbox]: true } },
        changed: { id, mailboxIds, subject: 'x' },
      },
      onSuccessDestroyOriginal: true,
    })
    assert.equal(more.length, 0)
    const { created, notCreated } = answer?.[1] ?? {}
    assert.equal(created, null)
    assert.deepEqual([notCreated.nothing.type, notCreated.gone.type], ['notFound', 'notFound'])
    for (const name of ['nowhere', 'wrong', 'changed']) assert.equal(notCreated[name].type, 'invalidProperties', name)
    assert.equal((await box.client.one('Email/get', { accountId: box.accountId, ids: [id] })).list.length, 1)
    const args = { accountId: box.accountId, create: { a: { id, mailboxIds } } }
    const error = (more: Record<string, unknown>) => box.client.error('Email/copy', { ...args, ...more })
    assert.equal(await error({ fromAccountId: box.accountId }), 'invalidArguments')
    assert.equal(await error({ fromAccountId: ground.bob.accountId }), 'fromAccountNotFound')
    assert.equal(await error({ fromAccountId: shared.accountId, ifFromInState: 'x' }), 'stateMismatch')
    const read = await ground.mailbox('readonly@example.test')
    await ground.share(read, box, 'read')
    assert.equal(await error({ fromAccountId: box.accountId, accountId: read.accountId }), 'accountReadOnly')
  })

  test('an original in another state than wanted stays', async () => {
    const { messageId: id } = await ground.add(box)
    const responses = await copy({
      create: { a: { id, mailboxIds: { [shared.folders.inbox]: true } } },
      onSuccessDestroyOriginal: true,
      destroyFromIfInState: 'x',
    })
    assert.deepEqual([responses[1]?.[0], responses[1]?.[1].type], ['error', 'stateMismatch'])
    assert.equal((await box.client.one('Email/get', { accountId: box.accountId, ids: [id] })).list.length, 1)
  })
})
