import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import fc from 'fast-check'
import { changeKeywords } from '../../../store/messages/keywords.ts'
import { type PlantedMail, plantReader, type Reader } from '../testing/ground.ts'

let mail: MailService
let reader: Reader
before(async () => {
  mail = await startMail()
  reader = await plantReader(mail, 'bob@lists.test')
})
after(() => mail.close())

const plant = (name: string): Promise<Reader> => plantReader(mail, `${name}@lists.test`, reader.address.accountId)

const UNKNOWN = '0198b5a0-0000-7000-8000-000000000000'
const errorOf = ({ status, body }: { status: number; body: { name: string } }) => [status, body.name]
const minutes = (count: number): Date => new Date(mail.clock.now().getTime() - count * 60_000)

describe('folders of a mailbox', () => {
  test('are listed with counts, in their order', async () => {
    const bob = await plant('counts')
    await bob.add({})
    await bob.add({ keywords: ['$seen'] })
    const { status, body } = await bob.client.get('/api/mail/folders')
    assert.equal(status, 200)
    assert.deepEqual([body.object, body.total, body.pages, body.per_page], ['list', 7, 1, 10])
    assert.deepEqual(body.data[0], {
      object: 'folder',
      id: bob.folders.inbox,
      name: 'Inbox',
      path: 'Inbox',
      parent_id: null,
      role: 'inbox',
      total: 2,
      unread: 1,
      threads: 2,
      unread_threads: 1,
      position: 0,
    })
    const names = (answer: { body: { data: { name: string }[] } }) => answer.body.data.map(({ name }) => name)
    assert.equal(names({ body })[6], 'Snoozed')
    const byName = await bob.client.get('/api/mail/folders?sort=name&direction=desc&search=a')
    assert.deepEqual(names(byName), ['Trash', 'Drafts', 'Archive'])
  })

  test('are made, renamed, moved and deleted; their messages go to the trash', async () => {
    const { client, folders, add } = await plant('own')
    const made = await client.post('/api/mail/folders', { name: ' Projects ' })
    assert.equal(made.status, 201)
    assert.partialDeepStrictEqual(made.body, { name: 'Projects', path: 'Projects', role: null, total: 0 })
    const inner = await client.post('/api/mail/folders', { name: 'Roof', parent_id: made.body.id })
    assert.equal(inner.body.path, 'Projects/Roof')
    const path = `/api/mail/folders/${inner.body.id}`
    const renamed = await client.send('PATCH', path, { body: { name: 'Dach', parent_id: null, position: 3 } })
    assert.partialDeepStrictEqual(renamed.body, { name: 'Dach', path: 'Dach', parent_id: null, position: 3 })
    const id = await add({ folderId: inner.body.id })
    const deleted = await client.send('DELETE', path)
    assert.deepEqual([deleted.status, deleted.body], [200, { object: 'folder', id: inner.body.id, deleted: true }])
    assert.deepEqual((await client.get(`/api/mail/messages/${id}`)).body.folder_ids, [folders.trash])
    assert.deepEqual(errorOf(await client.send('DELETE', path)), [404, 'not_found'])
  })

  test('refuse what they cannot be, and stay as they are', async () => {
    const { client, folders } = await plant('refused')
    const { body: outer } = await client.post('/api/mail/folders', { name: 'Outer' })
    const { body: inner } = await client.post('/api/mail/folders', { name: 'Inner', parent_id: outer.id })
    const before = (await client.get('/api/mail/folders?per_page=100')).body
    const post = (body: unknown) => client.post('/api/mail/folders', body)
    const patch = (id: string, body: unknown) => client.send('PATCH', `/api/mail/folders/${id}`, { body })
    const drop = (id: string) => client.send('DELETE', `/api/mail/folders/${id}`)
    const cases: [Promise<{ status: number; body: { name: string } }>, [number, string]][] = [
      [post({}), [422, 'missing_required_field']],
      [post({ name: '' }), [400, 'validation_error']],
      [post({ name: 'a/b' }), [400, 'validation_error']],
      [post({ name: 'x'.repeat(256) }), [400, 'validation_error']],
      [post({ name: 'Outer' }), [409, 'conflict']],
      [post({ name: 'inbox' }), [409, 'conflict']],
      [post({ name: 'x', parent_id: UNKNOWN }), [404, 'not_found']],
      [post({ name: 'x', parent_id: 'x' }), [400, 'validation_error']],
      [patch(outer.id, { parent_id: inner.id }), [400, 'validation_error']],
      [patch(outer.id, { name: 'Sent' }), [409, 'conflict']],
      [patch(outer.id, { position: -1 }), [400, 'validation_error']],
      [patch(folders.inbox, { name: 'x' }), [403, 'forbidden']],
      [patch(UNKNOWN, { name: 5 }), [404, 'not_found']],
      [drop(folders.trash), [403, 'forbidden']],
      [drop(outer.id), [409, 'conflict']],
      [drop(UNKNOWN), [404, 'not_found']],
      [drop('x'), [404, 'not_found']],
    ]
    for (const [index, [answer, expected]] of cases.entries())
      assert.deepEqual(errorOf(await answer), expected, `case ${index}`)
    assert.deepEqual((await client.get('/api/mail/folders?per_page=100')).body, before)
  })

  test('of the same name are made once, however many ask', async () => {
    const { client } = await plant('race')
    const answers = await Promise.all([1, 2, 3].map(() => client.post('/api/mail/folders', { name: 'Same' })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  })
})

describe('lists of messages', () => {
  test('have the newest first, page by page, with a known total and four statements', async () => {
    const { client, folders, add } = await plant('pages')
    const ids: string[] = []
    for (let index = 0; index < 12; index += 1) ids.push(await add({ receivedAt: minutes(index) }))
    const list = (query: string) => client.get(`/api/mail/messages?folder_id=${folders.inbox}${query}`)
    const watch = mail.database.watchStatements()
    const first = await list('')
    watch.stop()
    assert.equal(watch.texts.length, 4)
    const idsOf = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id)
    assert.deepEqual(idsOf(first), ids.slice(0, 10))
    assert.partialDeepStrictEqual(first.body, { object: 'list', page: 1, per_page: 10, total: 12, pages: 2 })
    assert.deepEqual(idsOf(await list('&page=2')), ids.slice(10))
    assert.deepEqual(idsOf(await list('&page=3')), [])
    assert.deepEqual(idsOf(await list('&direction=asc&per_page=25')), ids.toReversed())
    assert.deepEqual(idsOf(await list('&per_page=7&page=x&sort=y')), ids.slice(0, 10))
    assert.partialDeepStrictEqual((await client.get('/api/mail/messages')).body, { total: 12 })
  })

  test('show of each message what its headers and marks say', async () => {
    const { client, folders, add } = await plant('items')
    const id = await add({
      subject: '=?utf-8?q?Caf=C3=A9?=',
      from: '"Ann <script>" <ann@outside.test>',
      to: 'Bob <bob@ours.test>, eve@ours.test',
      text: 'word '.repeat(200),
      keywords: ['$seen', '$flagged', 'work'],
    })
    const { body } = await client.get('/api/mail/messages')
    const [item] = body.data
    assert.equal(item.preview.length, 200)
    assert.deepEqual(
      { ...item, preview: '', size_bytes: 0, thread_id: '' },
      {
        object: 'message',
        id,
        thread_id: '',
        folder_id: folders.inbox,
        folder_ids: [folders.inbox],
        keywords: ['$flagged', '$seen', 'work'],
        subject: 'Café',
        from: { name: 'Ann <script>', email: 'ann@outside.test' },
        to: [
          { name: 'Bob', email: 'bob@ours.test' },
          { name: null, email: 'eve@ours.test' },
        ],
        cc: [],
        date: '2026-02-28T09:00:00.000Z',
        received_at: '2026-03-01T12:00:00.000Z',
        preview: '',
        size_bytes: 0,
        flags: { seen: true, flagged: true, answered: false, draft: false, forwarded: false },
        has_attachments: false,
        snoozed_until: null,
      },
    )
  })

  test('are sorted by what the contract names', async () => {
    const { client, add } = await plant('sorts')
    const b = await add({ subject: 'Banana', from: 'Zoe <z@x.test>', text: 'long '.repeat(50), receivedAt: minutes(1) })
    const a = await add({ subject: 'Apple', from: 'Ann <a@x.test>', receivedAt: minutes(2) })
    const order = async (query: string) => {
      const { body } = await client.get(`/api/mail/messages?${query}`)
      return body.data.map(({ id }: { id: string }) => (id === a ? 'a' : id === b ? 'b' : '?')).join('')
    }
    assert.equal(await order('sort=received_at'), 'ba')
    assert.equal(await order('sort=subject&direction=asc'), 'ab')
    assert.equal(await order('sort=from&direction=asc'), 'ab')
    assert.equal(await order('sort=size_bytes'), 'ba')
    assert.equal(await order('sort=size_bytes&direction=asc'), 'ab')
  })

  test('can have each conversation once, with its counts', async () => {
    const { client, folders, add } = await plant('threads')
    const first = await add({ id: 'one@x.test', subject: 'Roof', receivedAt: minutes(3), keywords: ['$seen'] })
    await add({ subject: 'Other', receivedAt: minutes(2) })
    const answer = { subject: 'Re: Roof', references: '<one@x.test>' }
    const last = await add({ ...answer, receivedAt: minutes(1) })
    const sent = await add({ ...answer, folderId: folders.sent, keywords: ['$seen'], receivedAt: minutes(0) })
    const { body } = await client.get(`/api/mail/messages?folder_id=${folders.inbox}&collapse_threads=1`)
    assert.equal(body.total, 2)
    assert.deepEqual(
      body.data.map((item: Record<string, unknown>) => [item.subject, item.thread_count, item.thread_unread]),
      [
        ['Re: Roof', 3, 1],
        ['Other', 1, 1],
      ],
    )
    const thread = await client.get(`/api/mail/threads/${body.data[0].thread_id}`)
    assert.deepEqual([thread.body.object, thread.body.id], ['thread', body.data[0].thread_id])
    assert.deepEqual(
      thread.body.messages.map(({ id }: { id: string }) => id),
      [first, last, sent],
    )
    for (const id of [UNKNOWN, 'x'])
      assert.deepEqual(errorOf(await client.get(`/api/mail/threads/${id}`)), [404, 'not_found'])
  })

  test('refuse filters that say nothing', async () => {
    const { client } = reader
    const bad = [
      'folder_id=x',
      'unread=maybe',
      'since=soon',
      `search=${'x'.repeat(201)}`,
      'search=a&search=b',
      'from=%00',
    ]
    for (const query of bad)
      assert.deepEqual(errorOf(await client.get(`/api/mail/messages?${query}`)), [400, 'invalid_parameter'], query)
    assert.deepEqual(errorOf(await client.get(`/api/mail/messages?folder_id=${UNKNOWN}`)), [404, 'not_found'])
  })

  test('and folders of another mailbox are not there, in the same account either', async () => {
    const eve = await plant('eve')
    const id = await eve.add({})
    const thread = (await eve.client.get('/api/mail/messages')).body.data[0].thread_id
    const { client } = reader
    const paths = [
      `/api/mail/messages?folder_id=${eve.folders.inbox}`,
      `/api/mail/messages/${id}`,
      `/api/mail/messages/${id}/view`,
      `/api/mail/messages/${id}/raw`,
      `/api/mail/messages/${id}/part/1`,
      `/api/mail/threads/${thread}`,
    ]
    const missing = (await client.get(`/api/mail/threads/${UNKNOWN}`)).text
    for (const path of paths) {
      const { status, text } = await client.get(path)
      assert.deepEqual([status, text], [404, missing], path)
    }
    const inbox = `/api/mail/folders/${eve.folders.archive}`
    assert.equal((await client.send('PATCH', inbox, { body: { position: 9 } })).status, 404)
    assert.equal((await client.send('DELETE', inbox)).status, 404)
    for (const path of paths) assert.equal((await mail.client().get(path)).status, 401, path)
  })
})

describe('searching', () => {
  const names = new Map<string, string>()
  let search: (query: string) => Promise<string>

  before(async () => {
    const { client, folders, add } = await plant('search')
    const keep = async (name: string, planted: PlantedMail) => names.set(await add(planted), name)
    await keep('a', {
      subject: 'Invoice 42',
      from: 'Ann Lee <ann@x.test>',
      text: 'The final draft of it',
      receivedAt: new Date('2026-01-10T08:00:00Z'),
    })
    await keep('b', {
      subject: 'Holiday',
      from: 'Bert <bert@y.test>',
      to: 'Team <team@z.test>',
      text: 'draft, not final',
      keywords: ['$seen', '$flagged'],
      receivedAt: new Date('2026-02-10T08:00:00Z'),
    })
    await keep('c', {
      raw: WITH_FILE,
      keywords: ['$seen', 'work', '$answered'],
      receivedAt: new Date('2026-02-27T08:00:00Z'),
    })
    await keep('d', {
      subject: 'Café übung',
      from: 'Dora <dora@w.test>',
      text: `${'lorem '.repeat(500)}`,
      folderId: folders.archive,
      keywords: ['$seen'],
      receivedAt: new Date('2026-03-01T08:00:00Z'),
    })
    search = async (query) => {
      const { body, text } = await client.get(`/api/mail/messages?${query}`)
      assert.ok(body.data, text)
      return body.data
        .map(({ id }: { id: string }) => names.get(id))
        .sort()
        .join('')
    }
  })

  const cases: readonly (readonly [string, string])[] = [
    ['', 'abcd'],
    ['invoice', 'a'],
    ['invo', 'a'],
    ['draft', 'ab'],
    ['draft final', 'ab'],
    ['"final draft"', 'a'],
    ['cafe UBUNG', 'd'],
    ['from:ann', 'a'],
    ['from:"Ann Lee"', 'a'],
    ['from:"Lee x"', ''],
    ['to:team', 'b'],
    ['to:carol', 'c'],
    ['subject:holiday', 'b'],
    ['subject:draft', ''],
    ['body:draft', 'ab'],
    ['has:attachment', 'c'],
    ['-has:attachment', 'abd'],
    ['filename:plan', 'c'],
    ['is:unread', 'a'],
    ['is:read', 'bcd'],
    ['is:flagged', 'b'],
    ['is:starred OR is:unread', 'ab'],
    ['is:answered', 'c'],
    ['label:work', 'c'],
    ['in:archive', 'd'],
    ['in:Inbox is:unread', 'a'],
    ['-in:inbox', 'd'],
    ['in:nowhere', ''],
    ['in:anywhere draft', 'ab'],
    ['before:2026-02-01', 'a'],
    ['after:2026/02/10 before:2026-02-28', 'bc'],
    ['on:2026-02-10', 'b'],
    ['since:2026-02', 'bcd'],
    ['older_than:1m', 'a'],
    ['newer_than:3d', 'cd'],
    ['on:today', 'd'],
    ['larger:2k', 'd'],
    ['smaller:1k -is:unread', 'bc'],
    ['(invoice OR holiday) draft', 'ab'],
    ['-(invoice OR holiday)', 'cd'],
    ['invoice -from:bert', 'a'],
    ['unknown:thing', ''],
    ['before:yesteryear', ''],
    ['" ', 'abcd'],
  ]
  test('finds by words and operators', async () => {
    for (const [query, expected] of cases)
      assert.equal(await search(`search=${encodeURIComponent(query)}`), expected, query)
  })

  test('finds by members of the query, all of them together', async () => {
    const queries: Record<string, string> = {
      'unread=1': 'a',
      'unread=0': 'bcd',
      'flagged=true': 'b',
      'flagged=0': 'acd',
      'has_attachments=1': 'c',
      'from=bert': 'b',
      'to=carol': 'c',
      'since=2026-02-27': 'cd',
      'before=2026-02-10T08:00:00Z': 'a',
      'since=2026-02-01&has_attachments=0&search=in:inbox': 'b',
    }
    for (const [query, expected] of Object.entries(queries)) assert.equal(await search(query), expected, query)
  })

  test('answers whatever is typed', async () => {
    const pieces = [
      'from:',
      'is:',
      '(',
      ')',
      '"',
      '-',
      'OR',
      'a',
      'before:1y',
      'in:',
      'larger:9g',
      '*',
      '%',
      '\\',
      "'",
      ':',
      '&',
      '|',
      'é',
      '日本',
    ]
    const typed = fc.sample(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), { seed: 8, numRuns: 60 })
    for (const words of typed)
      await search(`search=${encodeURIComponent(words.join(words.length % 2 ? ' ' : '').slice(0, 200))}`)
    await search(`search=${'('.repeat(200)}`)
    await search(`search=${'-a '.repeat(66)}`)
    await search('search=newer_than:9999y')
  })

  test('does not show what is marked as deleted, and counts it not', async () => {
    const { client, add, address, folders } = await plant('gone')
    const id = await add({ subject: 'Ghost' })
    await mail.database.tx((tx) => changeKeywords(tx, { addressId: address.id, messageIds: [id], add: ['$seen'] }))
    await mail.database.pool.query('update message_folder set deleted = true where message_id = $1', [id])
    assert.equal((await client.get('/api/mail/messages?search=ghost')).body.total, 0)
    assert.equal((await client.get(`/api/mail/messages/${id}`)).status, 404)
    assert.equal((await client.get(`/api/mail/messages?folder_id=${folders.inbox}&search=ghost`)).body.total, 0)
  })
})

const WITH_FILE = `From: Carl <carl@x.test>
To: Bob <bob@ours.test>
Cc: Carol <carol@ours.test>
Subject: Files
Message-ID: <file@x.test>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

Here it is.
--b
Content-Type: application/pdf; name="plan.pdf"
Content-Disposition: attachment; filename="plan.pdf"
Content-Transfer-Encoding: base64

JVBERi0=
--b--
`.replaceAll('\n', '\r\n')
