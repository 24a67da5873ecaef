import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createTestClock } from '@stoa/kit/clock.ts'
import { messageBlobId, partBlobId } from '../blobs.ts'
import { type JmapGround, startJmap } from '../testing/ground.ts'

const clock = createTestClock(new Date())
let ground: JmapGround
before(async () => {
  ground = await startJmap({ clock, env: { MAX_MESSAGE_BYTES: '100000' } })
})
after(() => ground.close())

const MESSAGE = [
  'From: a@x.test',
  'Subject: parts',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'caf=C3=A9',
  '--b',
  'Content-Type: application/octet-stream',
  'Content-Transfer-Encoding: base64',
  '',
  'AAEC/w==',
  '--b',
  'Content-Type: message/rfc822',
  '',
  'Subject: inner',
  'Content-Type: text/plain',
  '',
  'inside',
  '--b--',
  '',
].join('\r\n')

const filesOf = async ({ config }: JmapGround): Promise<string[]> =>
  (await readdir(join(config.dataDir, 'mail'), { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile())
    .map(({ name }) => name)
    .sort()

const download = (accountId: string, blobId: string, { name = 'x.bin', type = '', headers = {} } = {}) =>
  ground.ann.client.fetch(
    `/jmap/download/${accountId}/${blobId}/${encodeURIComponent(name)}?type=${encodeURIComponent(type)}`,
    { headers },
  )
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer())

describe('upload and download', () => {
  test('give back the bytes with the type and name that are asked for', async () => {
    const { accountId, client } = ground.ann
    const bytes = Buffer.from([0, 1, 2, 255, 254])
    const uploaded = await client.upload(accountId, bytes, 'image/x-thing')
    assert.deepEqual([uploaded.accountId, uploaded.type, uploaded.size], [accountId, 'image/x-thing', 5])
    const answer = await download(accountId, uploaded.blobId, { name: 'é/"b.html', type: 'text/html; charset=utf-8' })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(
      answer.headers.get('content-disposition'),
      `attachment; filename="_/_b.html"; filename*=UTF-8''%C3%A9%2F%22b.html`,
    )
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/)
    assert.match(answer.headers.get('cache-control') ?? '', /private.*immutable/)
    assert.equal(answer.headers.get('content-length'), '5')
    assert.deepEqual(await bytesOf(answer), bytes)
  })

  test('a type that is none, or tries to add a header, becomes plain bytes', async () => {
    const { accountId, client } = ground.ann
    const { blobId } = await client.upload(accountId, 'x')
    for (const type of ['', 'nonsense', 'text/html\r\nset-cookie: a=b', 'text/html; é'])
      assert.equal(
        (await download(accountId, blobId, { type })).headers.get('content-type'),
        'application/octet-stream',
      )
  })

  test('a long name in any script is kept', async () => {
    const { accountId, client } = ground.ann
    const { blobId } = await client.upload(accountId, 'x')
    const name = `${'猫'.repeat(200)}.txt`
    const answer = await download(accountId, blobId, { name })
    assert.equal(answer.status, 200)
    assert.ok(answer.headers.get('content-disposition')?.endsWith(encodeURIComponent(name)))
  })

  test('a part of the bytes can be asked for', async () => {
    const { accountId, client } = ground.ann
    const { blobId } = await client.upload(accountId, '0123456789')
    const part = await download(accountId, blobId, { headers: { range: 'bytes=2-4' } })
    assert.deepEqual([part.status, part.headers.get('content-range'), await part.text()], [206, 'bytes 2-4/10', '234'])
    const outside = await download(accountId, blobId, { headers: { range: 'bytes=10-' } })
    assert.deepEqual([outside.status, outside.headers.get('content-range')], [416, 'bytes */10'])
    const same = await download(accountId, blobId, { headers: { 'if-none-match': `"${blobId}"` } })
    assert.equal(same.status, 304)
  })

  test('messages and their parts are blobs, also parts of messages in messages', async () => {
    const { ann } = ground
    const { messageId } = await ground.add(ann, { raw: MESSAGE })
    const whole = messageBlobId(messageId)
    assert.equal(await (await download(ann.accountId, whole)).text(), MESSAGE)
    assert.equal(await (await download(ann.accountId, partBlobId(whole, '1'))).text(), 'café')
    assert.deepEqual(await bytesOf(await download(ann.accountId, partBlobId(whole, '2'))), Buffer.from([0, 1, 2, 255]))
    const inner = partBlobId(whole, '3')
    assert.match(await (await download(ann.accountId, inner)).text(), /^Subject: inner/)
    assert.equal(await (await download(ann.accountId, partBlobId(inner, '1'))).text(), 'inside')
    const { blobId } = await ann.client.upload(ann.accountId, MESSAGE)
    assert.equal(await (await download(ann.accountId, partBlobId(blobId, '1'))).text(), 'café')
    for (const none of [
      partBlobId(whole, '4'),
      partBlobId(whole, '1.1'),
      partBlobId(inner, '2'),
      partBlobId(blobId, '9'),
    ])
      assert.equal((await download(ann.accountId, none)).status, 404, none)
  })

  test('what is another’s, expired, or no blob id at all is not found', async () => {
    const { ann, bob } = ground
    const { blobId } = await bob.client.upload(bob.accountId, 'secret')
    const { messageId } = await ground.add(bob)
    for (const id of [blobId, messageBlobId(messageId), 'nonexistent', `u${ann.accountId}`, 'm'.repeat(255)])
      assert.equal((await download(ann.accountId, id)).status, 404, id)
    assert.equal((await download(bob.accountId, blobId)).status, 404)
    assert.equal((await download('nobody', blobId)).status, 404)
    const own = await ann.client.upload(ann.accountId, 'short-lived')
    clock.advance(24 * 3_600_000 + 1)
    assert.equal((await download(ann.accountId, own.blobId)).status, 404)
  })

  test('one byte too many is refused, with or without a declared length, and leaves nothing', async () => {
    const { accountId, client } = ground.ann
    const count = async () =>
      (await ground.parts.database.pool.query('select count(*)::int as n from blob_link')).rows[0].n
    const before = await count()
    const large = Buffer.alloc(100_001)
    const post = (body: BodyInit, more = {}) =>
      client.fetch(`/jmap/upload/${accountId}`, { method: 'POST', body, ...more })
    const chunks = new ReadableStream({
      start(controller) {
        controller.enqueue(large)
        controller.close()
      },
    })
    for (const answer of [await post(large), await post(chunks, { duplex: 'half' })]) {
      assert.equal(answer.status, 413)
      assert.equal((await answer.json()).limit, 'maxSizeUpload')
    }
    assert.equal(await count(), before)
    assert.equal((await client.upload(accountId, Buffer.alloc(100_000))).size, 100_000)
  })

  test('uploads that are not used have a limit together', async () => {
    const carl = await ground.mailbox('carl@example.test')
    const make = (index: number) => Buffer.alloc(100_000, index)
    for (let index = 0; index < 10; index += 1) await carl.client.upload(carl.accountId, make(index))
    const path = `/jmap/upload/${carl.accountId}`
    const stored = await filesOf(ground)
    assert.equal((await carl.client.fetch(path, { method: 'POST', body: make(11) })).status, 413)
    const more = { 'data:asText': 'x'.repeat(100_000) }
    const { notCreated } = await carl.client.one('Blob/upload', {
      accountId: carl.accountId,
      create: { a: { data: [more] } },
    })
    assert.equal(notCreated.a.type, 'overQuota')
    assert.deepEqual(await filesOf(ground), stored, 'nothing is stored of what was refused')
    clock.advance(25 * 3_600_000)
    assert.equal((await carl.client.upload(carl.accountId, make(12))).size, 100_000)
  })

  test('to another’s account are refused: 404 for strangers, 403 for those who may only read', async () => {
    const dora = await ground.mailbox('dora@example.test')
    const path = `/jmap/upload/${dora.accountId}`
    assert.equal((await ground.ann.client.fetch(path, { method: 'POST', body: 'x' })).status, 404)
    await ground.share(dora, ground.ann, 'read')
    assert.equal((await ground.ann.client.fetch(path, { method: 'POST', body: 'x' })).status, 403)
  })
})

describe('Blob/get', () => {
  test('gives text, or base64 of what is none, with size and digests', async () => {
    const { accountId, client } = ground.ann
    const text = await client.upload(accountId, 'The quick é')
    const bytes = await client.upload(accountId, Buffer.from([0xff, 0xfe]))
    const answer = await client.one('Blob/get', { accountId, ids: [text.blobId, bytes.blobId, 'none'] })
    assert.deepEqual(answer.list, [
      { id: text.blobId, 'data:asText': 'The quick é', size: 12 },
      { id: bytes.blobId, 'data:asBase64': '//4=', size: 2, isEncodingProblem: true },
    ])
    assert.deepEqual(answer.notFound, ['none'])
    const digest = (name: string) => createHash(name).update('The quick é').digest('base64')
    const digests = await client.one('Blob/get', {
      accountId,
      ids: [text.blobId],
      properties: ['digest:sha', 'digest:sha-256', 'data:asBase64'],
    })
    assert.deepEqual(digests.list, [
      {
        id: text.blobId,
        'data:asBase64': Buffer.from('The quick é').toString('base64'),
        'digest:sha': digest('sha1'),
        'digest:sha-256': digest('sha256'),
      },
    ])
    assert.equal(
      await client.error('Blob/get', { accountId, ids: [text.blobId], properties: ['digest:md5'] }),
      'invalidArguments',
    )
  })

  test('returns a range, and whether it ends too early or cuts a character', async () => {
    const { accountId, client } = ground.ann
    const { blobId } = await client.upload(accountId, 'The quick é')
    const window = async (more: object) =>
      (await client.one('Blob/get', { accountId, ids: [blobId], properties: ['data:asText'], ...more })).list[0]
    assert.deepEqual(await window({ offset: 4, length: 5 }), { id: blobId, 'data:asText': 'quick' })
    assert.deepEqual(await window({ offset: 4, length: 50 }), {
      id: blobId,
      'data:asText': 'quick é',
      isTruncated: true,
    })
    assert.deepEqual(await window({ offset: 99 }), { id: blobId, 'data:asText': '', isTruncated: true })
    assert.deepEqual(await window({ offset: 0, length: 11 }), {
      id: blobId,
      'data:asText': null,
      isEncodingProblem: true,
    })
  })
})

test('Blob/get refuses what would be too much together, and gives it in windows', async () => {
  const { accountId, client } = ground.ann
  const { blobId } = await client.upload(accountId, Buffer.alloc(100_000, 'a'))
  // Parts of messages are blobs too, as many as there are ways to write their ids: the same bytes again and again.
  const { messageId } = await ground.add(ground.ann, {
    raw: `Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\n\r\n${'a'.repeat(99_000)}\r\n`.repeat(250)}--b--\r\n`,
  })
  const ids = Array.from({ length: 250 }, (_, index) => partBlobId(messageBlobId(messageId), String(index + 1)))
  const get = (properties: string[], more = {}) =>
    client.call(['Blob/get', { accountId, ids: [blobId, ...ids], properties, ...more }])
  const [both] = await get(['data:asText', 'data:asBase64', 'digest:sha'])
  assert.equal(both?.[1].type, 'requestTooLarge')
  const [windows] = await get(['data:asText', 'data:asBase64', 'digest:sha'], { offset: 0, length: 100 })
  assert.equal(windows?.[1].list.length, 251)
  const [sizes] = await get(['size'])
  assert.equal(sizes?.[1].list[0].size, 100_000)
})

describe('Blob/upload', () => {
  test('puts a blob together from text, base64 and parts of other blobs', async () => {
    const { accountId, client } = ground.ann
    const [made, got] = await client.call(
      [
        'Blob/upload',
        {
          accountId,
          create: {
            a: { data: [{ 'data:asText': 'How quick' }], type: 'text/plain' },
            b: {
              data: [
                { 'data:asText': 'The ' },
                { blobId: '#a', offset: 4, length: 5 },
                { 'data:asBase64': 'IGZveA==' },
              ],
            },
          },
        },
      ],
      ['Blob/get', { accountId, ids: ['#b'] }],
    )
    assert.deepEqual(
      [made?.[1].created.a.type, made?.[1].created.a.size, made?.[1].created.b.type],
      ['text/plain', 9, null],
    )
    assert.equal(got?.[1].list[0]['data:asText'], 'The quick fox')
    assert.equal((await download(accountId, made?.[1].created.b.id)).status, 200)
  })

  test('refuses sources that are none', async () => {
    const { accountId, client } = ground.ann
    const wrong: [unknown, string][] = [
      [[], 'invalidProperties'],
      ['x', 'invalidProperties'],
      [[{}], 'invalidProperties'],
      [[{ 'data:asText': 'a', 'data:asBase64': 'YQ==' }], 'invalidProperties'],
      [[{ 'data:asBase64': 'not base64!' }], 'invalidProperties'],
      [[{ blobId: 'none' }], 'blobNotFound'],
      [[{ 'data:asText': 'x'.repeat(100_001) }], 'tooLarge'],
      [Array(65).fill({ 'data:asText': 'x' }), 'tooLarge'],
    ]
    for (const [data, type] of wrong) {
      const answer = await client.one('Blob/upload', { accountId, create: { a: { data } } })
      assert.deepEqual([answer.created, answer.notCreated.a.type], [null, type])
    }
    const { blobId } = await client.upload(accountId, 'short')
    const long = await client.one('Blob/upload', { accountId, create: { a: { data: [{ blobId, length: 6 }] } } })
    assert.equal(long.notCreated.a.type, 'invalidProperties')
  })
})

describe('Blob/lookup', () => {
  test('returns where a blob is used', async () => {
    const { ann } = ground
    const { accountId, client } = ann
    const { messageId, threadId } = await ground.add(ann, { raw: MESSAGE.replace('parts', 'lookup') })
    const unused = await client.upload(accountId, 'unused')
    const whole = messageBlobId(messageId)
    const ids = [whole, partBlobId(whole, '1'), unused.blobId, 'none']
    const answer = await client.one('Blob/lookup', { accountId, typeNames: ['Mailbox', 'Thread', 'Email'], ids })
    const uses = { Mailbox: [ann.folders.inbox], Thread: [threadId], Email: [messageId] }
    assert.deepEqual(answer.list, [
      { id: whole, matchedIds: uses },
      { id: ids[1], matchedIds: uses },
      { id: unused.blobId, matchedIds: { Mailbox: [], Thread: [], Email: [] } },
    ])
    assert.deepEqual(answer.notFound, ['none'])
    assert.equal(await client.error('Blob/lookup', { accountId, typeNames: ['Cat'], ids }), 'unknownDataType')
  })
})

describe('Blob/copy', () => {
  test('copies uploads, messages and parts into another account that one may write to', async () => {
    const erin = await ground.mailbox('erin@example.test')
    await ground.share(erin, ground.ann, 'write')
    const { ann } = ground
    const { messageId } = await ground.add(ann, { raw: MESSAGE })
    const upload = await ann.client.upload(ann.accountId, 'to copy')
    const part = partBlobId(messageBlobId(messageId), '1')
    const answer = await ann.client.one('Blob/copy', {
      fromAccountId: ann.accountId,
      accountId: erin.accountId,
      blobIds: [upload.blobId, part, 'none'],
    })
    assert.deepEqual([answer.fromAccountId, answer.accountId], [ann.accountId, erin.accountId])
    assert.deepEqual(answer.notCopied, { none: { type: 'blobNotFound' } })
    const read = async (id: string) => (await erin.client.fetch(`/jmap/download/${erin.accountId}/${id}/x`)).text()
    assert.equal(await read(answer.copied[upload.blobId]), 'to copy')
    assert.equal(await read(answer.copied[part]), 'café')
  })

  test('is not done within one account, from where one has none, or to where one may not write', async () => {
    const { ann, bob } = ground
    const fred = await ground.mailbox('fred@example.test')
    await ground.share(fred, ann, 'read')
    const copy = (fromAccountId: string, accountId: string) =>
      ann.client.error('Blob/copy', { fromAccountId, accountId, blobIds: ['x'] })
    assert.equal(await copy(ann.accountId, ann.accountId), 'invalidArguments')
    assert.equal(await copy(bob.accountId, ann.accountId), 'fromAccountNotFound')
    assert.equal(await copy(ann.accountId, bob.accountId), 'accountNotFound')
    assert.equal(await copy(ann.accountId, fred.accountId), 'accountReadOnly')
  })
})

describe('Quota', () => {
  test('returns what a mailbox uses of its limit, and when that changes', async () => {
    const gina = await ground.mailbox('gina@example.test')
    const { accountId, client } = gina
    assert.deepEqual((await client.one('Quota/get', { accountId, ids: null })).list, [])
    await ground.parts.database.pool.query('update address set quota_bytes = 50000 where id = $1', [accountId])
    const before = await client.one('Quota/get', { accountId, ids: null })
    const [quota] = before.list
    assert.deepEqual(
      [quota.resourceType, quota.scope, quota.used, quota.hardLimit, quota.types],
      ['octets', 'account', 0, 50_000, ['Email']],
    )
    const none = await client.one('Quota/changes', { accountId, sinceState: before.state })
    assert.deepEqual(none.updated, [])
    await ground.add(gina)
    const changes = await client.one('Quota/changes', { accountId, sinceState: before.state })
    assert.deepEqual(changes.updated, [quota.id])
    assert.ok((await client.one('Quota/get', { accountId, ids: [quota.id] })).list[0].used > 0)
    const found = await client.one('Quota/query', {
      accountId,
      filter: { resourceType: 'octets' },
      sort: [{ property: 'used' }],
    })
    assert.deepEqual(found.ids, [quota.id])
    assert.deepEqual((await client.one('Quota/query', { accountId, filter: { scope: 'domain' } })).ids, [])
    const same = await client.one('Quota/queryChanges', { accountId, sinceQueryState: found.queryState })
    assert.deepEqual([same.removed, same.added], [[], []])
  })
})
