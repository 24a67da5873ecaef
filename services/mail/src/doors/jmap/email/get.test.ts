import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Answer } from '../testing/client.ts'
import { type JmapGround, startJmap } from '../testing/ground.ts'

let ground: JmapGround
before(async () => {
  ground = await startJmap()
})
after(() => ground.close())

const RELATED = [
  'Received: from somewhere; Sun, 1 Mar 2026 10:00:01 +0000',
  'From: "Ann, A." <ann@example.org>, Team: x@example.org, =?utf-8?Q?J=C3=BCrgen?= <j@example.org>;',
  'To: bob@example.test',
  'Subject: =?utf-8?B?R3LDvMOfZQ==?=',
  'Date: Sun, 1 Mar 2026 12:00:00 +0200',
  'Message-ID: <related@example.org>',
  'List-Unsubscribe: <https://example.org/u>, <mailto:u@example.org>',
  'X-Twice: one',
  'X-Twice: two',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=a',
  '',
  '--a',
  'Content-Type: multipart/alternative; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  'Content-Language: de, en',
  '',
  'Gr=C3=BC=C3=9Fe an alle',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Hello <a href="https://example.org/long">you</a></p>',
  '--b--',
  '--a',
  "Content-Type: application/pdf; name*=utf-8''r%C3%A9sum%C3%A9.pdf",
  'Content-Disposition: attachment',
  'Content-ID: <pdf@example.org>',
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERg==',
  '--a--',
  '',
].join('\r\n')

const get = async (id: string, args: Record<string, unknown>): Promise<Answer> => {
  const { client, accountId } = ground.ann
  const { list } = await client.one('Email/get', { accountId, ids: [id], ...args })
  assert.equal(list.length, 1)
  return list[0]
}

describe('Email/get', () => {
  test('lists come from the database: one statement for all messages, no blob is read', async () => {
    const { accountId, client, folders } = ground.ann
    const added = [await ground.add(ground.ann, { raw: RELATED, keywords: ['$seen', 'work'] })]
    for (let index = 0; index < 3; index += 1) added.push(await ground.add(ground.ann))
    const ids = added.map(({ messageId }) => messageId)
    const properties = [
      ...['id', 'blobId', 'threadId', 'mailboxIds', 'keywords', 'size', 'receivedAt', 'from', 'to', 'subject'],
      ...['sentAt', 'hasAttachment', 'preview', 'messageId', 'cc', 'bodyValues'],
    ]
    const { rows } = await ground.parts.database.pool.query('select blob_key from message where id = $1', [ids[3]])
    await ground.parts.blobs.delete(rows[0].blob_key)
    const watch = ground.parts.database.watchStatements()
    const { list, notFound, state } = await client.one('Email/get', { accountId, ids: [...ids, 'nothing'], properties })
    watch.stop()
    assert.equal(watch.texts.filter((text) => /\bfrom message\b|join message\b/.test(text)).length, 1)
    assert.equal(list.length, 4)
    assert.equal(list[3].preview.startsWith('This is message'), true)
    assert.equal(
      ground.logs.some((line) => line.includes('damaged')),
      false,
    )
    assert.deepEqual(notFound, ['nothing'])
    assert.match(state, /^\d+$/)
    const [first] = list
    assert.deepEqual(first.mailboxIds, { [folders.inbox]: true })
    assert.deepEqual(first.keywords, { $seen: true, work: true })
    assert.equal(first.size, RELATED.length)
    assert.equal(first.subject, 'Grüße')
    assert.equal(first.sentAt, '2026-03-01T12:00:00+02:00')
    assert.equal(first.hasAttachment, true)
    assert.equal(first.preview, 'Grüße an alle')
    assert.deepEqual(first.messageId, ['related@example.org'])
    assert.equal(first.cc, null)
    assert.deepEqual(first.bodyValues, {})
    assert.equal(first.blobId, `m${first.id}`)
  })

  test('header fields are given in every form, by the name that was asked for', async () => {
    const { messageId } = await ground.add(ground.ann, { raw: RELATED })
    const email = await get(messageId, {
      properties: [
        ...['header:SUBJECT', 'header:subject:asText', 'header:From:asGroupedAddresses', 'header:From:asAddresses'],
        ...['header:Message-ID:asMessageIds', 'header:Date:asDate', 'header:List-Unsubscribe:asURLs'],
        ...['header:X-Twice', 'header:x-twice:asText:all', 'header:X-Twice:all', 'header:X-None', 'header:X-None:all'],
        'header:X-Twice:asDate',
      ],
    })
    assert.deepEqual(email, {
      id: messageId,
      'header:SUBJECT': ' =?utf-8?B?R3LDvMOfZQ==?=',
      'header:subject:asText': 'Grüße',
      'header:From:asGroupedAddresses': [
        { name: null, addresses: [{ name: 'Ann, A.', email: 'ann@example.org' }] },
        {
          name: 'Team',
          addresses: [
            { name: null, email: 'x@example.org' },
            { name: 'Jürgen', email: 'j@example.org' },
          ],
        },
      ],
      'header:From:asAddresses': [
        { name: 'Ann, A.', email: 'ann@example.org' },
        { name: null, email: 'x@example.org' },
        { name: 'Jürgen', email: 'j@example.org' },
      ],
      'header:Message-ID:asMessageIds': ['related@example.org'],
      'header:Date:asDate': '2026-03-01T12:00:00+02:00',
      'header:List-Unsubscribe:asURLs': ['https://example.org/u', 'mailto:u@example.org'],
      'header:X-Twice': ' two',
      'header:x-twice:asText:all': ['one', 'two'],
      'header:X-Twice:all': [' one', ' two'],
      'header:X-None': null,
      'header:X-None:all': [],
      'header:X-Twice:asDate': null,
    })
  })

  test('forms that a field does not have, and properties that nothing has, are invalidArguments', async () => {
    const { accountId, client } = ground.ann
    for (const property of [
      ...['header:From:asDate', 'header:Subject:asAddresses', 'header:Date:asText', 'header:Received:asText'],
      ...['header:', 'header:a b', 'header:X:asNothing', 'header:X:all:asText', 'header:X:asText:all:all', 'nothing'],
    ])
      assert.equal(await client.error('Email/get', { accountId, ids: [], properties: [property] }), 'invalidArguments')
    assert.equal(
      await client.error('Email/get', { accountId, ids: [], bodyProperties: ['preview'] }),
      'invalidArguments',
    )
    assert.equal(await client.error('Email/get', { accountId, ids: [], maxBodyValueBytes: -1 }), 'invalidArguments')
    const many = Array.from({ length: 60 }, (_, index) => `header:X-${index}`)
    assert.equal(await client.error('Email/get', { accountId, ids: [], properties: many }), 'requestTooLarge')
    assert.equal(await client.error('Email/get', { accountId, ids: [], bodyProperties: many }), 'requestTooLarge')
  })

  test('parts are shown with what their headers say', async () => {
    const { messageId } = await ground.add(ground.ann, { raw: RELATED })
    const email = await get(messageId, {
      properties: ['bodyStructure', 'textBody', 'htmlBody', 'attachments'],
      bodyProperties: [
        'partId',
        'type',
        'name',
        'size',
        'cid',
        'language',
        'disposition',
        'charset',
        'subParts',
        'blobId',
      ],
    })
    const [text] = email.textBody
    const [file] = email.attachments
    assert.deepEqual(
      [text.partId, text.type, text.charset, text.language],
      ['1.1', 'text/plain', 'utf-8', ['de', 'en']],
    )
    assert.equal(text.size, Buffer.byteLength('Grüße an alle'))
    assert.equal(email.htmlBody[0].partId, '1.2')
    assert.deepEqual(
      [file.partId, file.name, file.size, file.cid, file.disposition, file.charset, file.subParts],
      ['2', 'résumé.pdf', 4, 'pdf@example.org', 'attachment', null, null],
    )
    const { bodyStructure } = email
    assert.deepEqual([bodyStructure.type, bodyStructure.partId, bodyStructure.blobId], ['multipart/mixed', null, null])
    assert.deepEqual(
      bodyStructure.subParts[0].subParts.map((part: Answer) => part.type),
      ['text/plain', 'text/html'],
    )
    const { accountId, client } = ground.ann
    const download = await client.fetch(`/jmap/download/${accountId}/${file.blobId}/x?type=application/pdf`)
    assert.equal(await download.text(), '%PDF')
  })

  test('the default properties have a tree of parts, and header fields of parts by name', async () => {
    const { messageId } = await ground.add(ground.ann, { raw: RELATED })
    const whole = await get(messageId, { properties: ['bodyStructure'] })
    assert.equal(whole.bodyStructure.subParts[1].name, 'résumé.pdf')
    assert.equal('subParts' in whole.bodyStructure.subParts[1], false)
    const named = await get(messageId, {
      properties: ['attachments', 'headers'],
      bodyProperties: ['headers', 'header:Content-Id:asMessageIds'],
    })
    assert.deepEqual(named.attachments[0]['header:Content-Id:asMessageIds'], ['pdf@example.org'])
    assert.equal(named.attachments[0].headers.length, 4)
    assert.equal(named.headers[0].name, 'Received')
    assert.equal(named.headers.length, 11)
  })

  test('what parts a message has is known without reading it', async () => {
    const { messageId } = await ground.add(ground.ann, { raw: RELATED.replace('an alle', 'an viele') })
    const properties = ['bodyStructure', 'textBody', 'attachments', 'hasAttachment']
    const whole = await get(messageId, { properties, bodyProperties: ['type', 'name', 'headers', 'subParts'] })
    const { rows } = await ground.parts.database.pool.query('select blob_key from message where id = $1', [messageId])
    await ground.parts.blobs.delete(rows[0].blob_key)
    const kept = await get(messageId, { properties, bodyProperties: ['type', 'name', 'subParts'] })
    assert.equal(kept.attachments[0].name, whole.attachments[0].name)
    assert.equal(kept.textBody[0].type, 'text/plain')
    assert.equal(kept.bodyStructure.subParts[1].name, 'résumé.pdf')
  })

  test('texts are given for the parts that were asked for', async () => {
    const { messageId } = await ground.add(ground.ann, { raw: RELATED })
    const keys = async (args: Record<string, unknown>) =>
      Object.keys((await get(messageId, { properties: ['bodyValues'], ...args })).bodyValues)
    assert.deepEqual(await keys({}), [])
    assert.deepEqual(await keys({ fetchTextBodyValues: true }), ['1.1'])
    assert.deepEqual(await keys({ fetchHTMLBodyValues: true }), ['1.2'])
    assert.deepEqual(await keys({ fetchAllBodyValues: true }), ['1.1', '1.2'])
    const { bodyValues } = await get(messageId, { properties: ['bodyValues'], fetchAllBodyValues: true })
    assert.deepEqual(bodyValues['1.1'], { value: 'Grüße an alle', isEncodingProblem: false, isTruncated: false })
  })

  test('texts are cut between characters, and never inside a tag', async () => {
    const { messageId } = await ground.add(ground.ann, { raw: RELATED })
    const cut = async (maxBodyValueBytes: number) =>
      (await get(messageId, { properties: ['bodyValues'], fetchAllBodyValues: true, maxBodyValueBytes })).bodyValues
    assert.deepEqual((await cut(5))['1.1'], { value: 'Grü', isEncodingProblem: false, isTruncated: true })
    assert.deepEqual((await cut(20))['1.2'], { value: '<p>Hello ', isEncodingProblem: false, isTruncated: true })
  })

  test('our own header fields are part of the message', async () => {
    const { accountId, folders } = ground.ann
    const { messageId } = await ground.add(ground.ann, { raw: RELATED })
    const prefix = 'Received: by us; Sun, 1 Mar 2026 10:00:02 +0000\r\nX-Ours: yes\r\n'
    await ground.parts.database.pool.query(
      'update message set prefix = $3, size = size + $4 where address_id = $1 and id = $2',
      [accountId, messageId, Buffer.from(prefix), prefix.length],
    )
    const email = await get(messageId, {
      properties: ['size', 'header:X-Ours:asText', 'header:Received:all', 'headers', 'mailboxIds', 'bodyStructure'],
      bodyProperties: ['headers'],
    })
    assert.equal(email.size, RELATED.length + prefix.length)
    assert.equal(email['header:X-Ours:asText'], 'yes')
    assert.equal(email['header:Received:all'].length, 2)
    assert.equal(email.headers[1].name, 'X-Ours')
    assert.equal(email.bodyStructure.headers[1].name, 'X-Ours')
    assert.deepEqual(email.mailboxIds, { [folders.inbox]: true })
  })

  test('a damaged message is shown as far as it is known, and the others whole', async () => {
    const { accountId, client } = ground.ann
    const raw = RELATED.replace('an alle', 'an keine')
    const damaged = await ground.add(ground.ann, { raw })
    const whole = await ground.add(ground.ann, { raw: RELATED })
    const { rows } = await ground.parts.database.pool.query('select blob_key from message where id = $1', [
      damaged.messageId,
    ])
    await ground.parts.blobs.delete(rows[0].blob_key)
    const { list, notFound } = await client.one('Email/get', {
      accountId,
      ids: [damaged.messageId, whole.messageId],
      properties: ['subject', 'bodyValues', 'textBody', 'bodyStructure'],
      fetchTextBodyValues: true,
    })
    assert.deepEqual(notFound, [])
    assert.equal(list[0].subject, 'Grüße')
    assert.equal(list[0].bodyStructure.type, 'multipart/mixed')
    assert.equal(list[0].bodyValues['1.1'].isEncodingProblem || list[0].bodyValues['1.1'].isTruncated, true)
    assert.equal(list[1].bodyValues['1.1'].value, 'Grüße an alle')
  })

  test('a message larger than what is read at once has all its parts', async () => {
    const big = Buffer.alloc(5_000_000, 65).toString('base64').replace(/.{76}/g, '$&\r\n')
    const { messageId } = await ground.add(ground.ann, { raw: RELATED.replace('JVBERg==', big) })
    const email = await get(messageId, {
      properties: ['bodyValues', 'attachments', 'header:X-Twice', 'textBody'],
      fetchAllBodyValues: true,
    })
    assert.equal(email.bodyValues['1.1'].value, 'Grüße an alle')
    assert.equal(email.bodyValues['1.2'].isTruncated, false)
    assert.equal(email.attachments[0].size, 5_000_000)
    assert.equal(email.attachments[0].name, 'résumé.pdf')
    assert.equal(email['header:X-Twice'], ' two')
  })

  test('an answer has an end: texts that are too long together are not read', async () => {
    const { accountId, client } = ground.ann
    const big = `From: x@example.org\r\nContent-Type: text/plain\r\n\r\n${'a line of text\r\n'.repeat(1_500_000)}`
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1)
      ids.push((await ground.add(ground.ann, { raw: `X-Number: ${index}\r\n${big}` })).messageId)
    const args = { accountId, properties: ['bodyValues'], fetchAllBodyValues: true }
    assert.equal(await client.error('Email/get', { ...args, ids }), 'requestTooLarge')
    const { list } = await client.one('Email/get', { ...args, ids, maxBodyValueBytes: 20 })
    assert.deepEqual(list[2].bodyValues['1'], {
      value: 'a line of text\na lin',
      isEncodingProblem: false,
      isTruncated: true,
    })
  })

  test('without ids all are given, and \\Deleted ones never', async () => {
    const box = await ground.mailbox('few@example.test')
    const one = await ground.add(box)
    const two = await ground.add(box)
    await ground.parts.database.pool.query('update message_folder set deleted = true where message_id = $1', [
      two.messageId,
    ])
    const all = await box.client.one('Email/get', { accountId: box.accountId, ids: null, properties: ['id'] })
    assert.deepEqual(all.list, [{ id: one.messageId }])
    const asked = await box.client.one('Email/get', { accountId: box.accountId, ids: [two.messageId] })
    assert.deepEqual([asked.list, asked.notFound], [[], [two.messageId]])
    const other = await ground.ann.client.one('Email/get', { accountId: ground.ann.accountId, ids: [one.messageId] })
    assert.deepEqual(other.notFound, [one.messageId])
    const upper = await box.client.one('Email/get', { accountId: box.accountId, ids: [one.messageId.toUpperCase()] })
    assert.equal(upper.list.length, 0)
  })
})
