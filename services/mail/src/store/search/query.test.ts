import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { blobPath } from '@stoa/kit/blobs/blobs.ts'
import { newId } from '@stoa/kit/ids.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { readMailbox } from '../mailbox/mailbox.ts'
import { copyToMailbox } from '../messages/copy-to-mailbox.ts'
import { changeKeywords } from '../messages/keywords.ts'
import { getWholeMessage } from '../messages/list.ts'
import { copyMessages } from '../messages/moves.ts'
import { destroyMessages, setDeleted } from '../messages/removal.ts'
import { type Mailbox, type MailOptions, NOW, type StoreGround, silent, startStore } from '../testing/ground.ts'
import { assertClean } from '../testing/views.ts'
import type { Condition, Filter } from './filter.ts'
import { type MessageQuery, queryMessages, queryUids, type SortKey } from './query.ts'
import { indexMailbox, indexPending, type StoreParts } from './search.ts'
import { SEARCH_FIELDS } from './words.ts'

let store: StoreGround
let parts: StoreParts
before(async () => {
  store = await startStore()
  parts = { database: store.database, blobs: store.blobs, log: silent }
})
after(() => store.close())

const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000)
type Named = { mailbox: Mailbox; ids: Record<string, string>; names(ids: readonly string[]): string }

/** Messages by a letter each. */
const fill = async (mails: Record<string, MailOptions>): Promise<Named> => {
  const mailbox = await store.mailbox()
  const ids: Record<string, string> = {}
  for (const [name, mail] of Object.entries(mails)) ids[name] = (await store.add(mailbox, mail)).messageId
  const names = (found: readonly string[]) =>
    found.map((id) => Object.entries(ids).find(([, each]) => each === id)?.[0] ?? '?').join('')
  return { mailbox, ids, names }
}
const find = async (named: Named, query: Partial<MessageQuery> & { filter: Filter }) => {
  const result = await queryMessages(parts, { addressId: named.mailbox.addressId, limit: 50, ...query })
  return named.names(result.ids)
}

describe('filters', () => {
  let named: Named
  before(async () => {
    const html = [
      'From: "Zoë Müller" <zoe@shop.example>',
      'To: bob@example.test, carol@example.test',
      'Cc: dave@example.test',
      'Subject: =?utf-8?q?Rechnung_f=C3=BCr_M=C3=A4rz?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Der <b>Betrag</b> steht im Anhang</p>',
      '--x',
      'Content-Type: application/pdf; name="Rechnung 2026.pdf"',
      'Content-Disposition: attachment; filename="Rechnung 2026.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      'AAAA',
      '--x--',
      '',
    ].join('\r\n')
    named = await fill({
      a: { subject: 'Alpha plan', text: 'The quick brown fox', receivedAt: at(1), keywords: ['$seen'] },
      b: { raw: Buffer.from(html, 'utf8').toString('latin1'), receivedAt: at(2), keywords: ['$flagged'] },
      c: { subject: 'Gamma', text: `fox 50%_off ${'x'.repeat(3000)}`, receivedAt: at(3) },
    })
  })

  const CASES: [string, Condition, string][] = [
    ['a folder', { inFolderOtherThan: [] }, 'cba'],
    ['before', { before: at(2) }, 'a'],
    ['after', { after: at(2) }, 'cb'],
    ['sent since', { sentSince: at(-2), sentBefore: at(0) }, 'ca'],
    ['size', { minSize: 2000 }, 'c'],
    ['smaller', { maxSize: 2000 }, 'ba'],
    ['keyword', { hasKeyword: '$Flagged' }, 'b'],
    ['no keyword', { notKeyword: '$seen' }, 'cb'],
    ['unread', { isUnread: true }, 'cb'],
    ['read', { isUnread: false }, 'a'],
    ['attachment', { hasAttachment: true }, 'b'],
    ['none', { hasAttachment: false }, 'ca'],
    ['a word of the body', { text: 'FOX' }, 'ca'],
    ['all words', { text: 'fox alpha' }, 'a'],
    ['a word with marks', { text: 'marz' }, 'b'],
    ['the same with them', { subject: 'MÄRZ' }, 'b'],
    ['a word of HTML', { body: 'betrag' }, 'b'],
    ['not in that field', { subject: 'betrag' }, ''],
    ['sender by name', { from: 'müller' }, 'b'],
    ['sender by address', { from: 'zoe@shop.example' }, 'b'],
    ['recipient', { to: 'carol' }, 'b'],
    ['copy', { cc: 'dave', to: 'bob' }, 'b'],
    ['name of a file', { attachments: '2026.pdf' }, 'b'],
    ['beginning of a word', { text: 'rech*' }, 'b'],
    ['no whole word', { text: 'rech' }, ''],
    ['part of a word', { contains: { fields: ['body'], text: 'ROW' } }, 'a'],
    ['two characters', { contains: { fields: SEARCH_FIELDS, text: 'ow' } }, 'a'],
    ['percent and underscore mean themselves', { contains: { fields: ['body'], text: '0%_o' } }, 'c'],
    ['not as patterns', { contains: { fields: ['body'], text: 'f%x' } }, ''],
    ['part in another field', { contains: { fields: ['subject', 'to'], text: 'row' } }, ''],
    ['a header field', { header: { name: 'CC', value: null } }, 'b'],
    ['with that text', { header: { name: 'Content-Type', value: 'MIXED' } }, 'b'],
    ['not of the next field', { header: { name: 'cc', value: 'rechnung' } }, ''],
    ['a field that none has', { header: { name: 'X-None', value: null } }, ''],
    ['any text of a field', { header: { name: 'subject', value: '' } }, 'cba'],
    ['both', { hasKeyword: '$flagged', text: 'fox' }, ''],
    ['nothing but signs', { text: '!?' }, 'cba'],
    ['SQL', { text: `'; drop table message; --` }, ''],
  ]
  for (const [name, condition, expected] of CASES)
    test(`${name}: ${JSON.stringify(condition)}`, async () => {
      assert.equal(await find(named, { filter: condition }), expected)
      const inFolder = named.mailbox.folders.inbox
      assert.equal(await find(named, { filter: { ...condition, inFolder } }), expected)
      const uids = await queryUids(parts, {
        addressId: named.mailbox.addressId,
        folderId: inFolder,
        filter: condition,
      })
      assert.equal(
        uids
          .map((uid) => 'abc'[uid - 1])
          .reverse()
          .join(''),
        expected,
      )
    })

  test('combine with and, or, not', async () => {
    const [fox, flagged]: Filter[] = [{ text: 'fox' }, { hasKeyword: '$flagged' }]
    assert.ok(fox && flagged)
    const inFolder = { inFolder: named.mailbox.folders.inbox }
    assert.equal(await find(named, { filter: { operator: 'or', conditions: [fox, flagged] } }), 'cba')
    assert.equal(await find(named, { filter: { operator: 'and', conditions: [inFolder, fox] } }), 'ca')
    assert.equal(await find(named, { filter: { operator: 'not', conditions: [fox, flagged] } }), '')
    assert.equal(await find(named, { filter: { operator: 'not', conditions: [fox] } }), 'b')
    assert.equal(await find(named, { filter: { operator: 'or', conditions: [] } }), '')
  })

  test('too many or too deep are refused', async () => {
    const many: Filter = { operator: 'or', conditions: Array.from({ length: 300 }, () => ({ isUnread: true })) }
    await assert.rejects(find(named, { filter: many }), { kind: 'too_many' })
    let deep: Filter = { isUnread: true }
    for (let n = 0; n < 30; n += 1) deep = { operator: 'not', conditions: [deep] }
    await assert.rejects(find(named, { filter: deep }), { kind: 'too_many' })
  })

  test('find nothing of other mailboxes', async () => {
    const other = await fill({ z: { text: 'unrelated' } })
    assert.equal(await find(other, { filter: { text: 'fox' } }), '')
    const { inbox } = named.mailbox.folders
    assert.equal(await find(other, { filter: { inFolder: inbox } }), '')
  })

  test('a message marked \\Deleted is found by IMAP only', async () => {
    const one = await fill({ a: { text: 'hidden' } })
    const { addressId, folders } = one.mailbox
    await store.database.tx((tx) =>
      setDeleted(tx, { addressId, folderId: folders.inbox, uids: [1], deleted: true, now: NOW }),
    )
    assert.equal(await find(one, { filter: { text: 'hidden' } }), '')
    assert.deepEqual(await queryUids(parts, { addressId, folderId: folders.inbox, filter: { text: 'hidden' } }), [1])
  })
})

describe('order and windows', () => {
  let named: Named
  before(async () => {
    named = await fill({
      a: { subject: 'Re: banana', from: 'Zed <a@x.test>', receivedAt: at(1), text: 'x'.repeat(500), id: 'a@o' },
      b: { subject: 'apple', from: 'bob@x.test', receivedAt: at(2), keywords: ['$flagged'] },
      c: { subject: 'Fwd: cherry', from: 'Ann <z@x.test>', receivedAt: at(3), text: 'x'.repeat(100) },
      d: { subject: 'Re: banana', from: 'Carl <c@x.test>', receivedAt: at(4), references: ['a@o'] },
    })
  })
  const all = (): Condition => ({ inFolder: named.mailbox.folders.inbox })
  const by = (key: 'receivedAt' | 'sentAt' | 'size' | 'from' | 'to' | 'subject', ascending: boolean): SortKey[] => [
    { by: key, ascending },
  ]

  test('every sort key works both ways', async () => {
    const orders: [SortKey[], string][] = [
      [by('receivedAt', false), 'dcba'],
      [by('receivedAt', true), 'abcd'],
      [by('from', true), 'cbda'],
      [[...by('subject', true), ...by('receivedAt', true)], 'badc'],
      [[{ by: 'hasKeyword', keyword: '$flagged', ascending: false }, ...by('receivedAt', true)], 'bacd'],
      [[{ by: 'someInThreadHaveKeyword', keyword: '$flagged', ascending: true }, ...by('receivedAt', true)], 'acdb'],
      [[{ by: 'allInThreadHaveKeyword', keyword: '$flagged', ascending: false }, ...by('receivedAt', false)], 'bdca'],
    ]
    for (const [sort, expected] of orders) {
      assert.equal(await find(named, { filter: all(), sort }), expected, JSON.stringify(sort))
      assert.equal(await find(named, { filter: {}, sort }), expected, JSON.stringify(sort))
    }
    assert.match(await find(named, { filter: all(), sort: by('size', false) }), /^ac/)
  })

  test('positions count from both ends and past the end', async () => {
    assert.equal(await find(named, { filter: all(), position: 1, limit: 2 }), 'cb')
    assert.equal(await find(named, { filter: all(), position: -2 }), 'ba')
    assert.equal(await find(named, { filter: all(), position: -20 }), 'dcba')
    assert.equal(await find(named, { filter: all(), position: 20 }), '')
  })

  test('anchors place the window; one that is not among the results is refused', async () => {
    const anchor = (name: string, offset: number) => ({ messageId: named.ids[name] ?? '', offset })
    assert.equal(await find(named, { filter: all(), anchor: anchor('b', -1), limit: 2 }), 'cb')
    assert.equal(await find(named, { filter: all(), anchor: anchor('d', -5), limit: 1 }), 'd')
    const missing = find(named, { filter: { hasKeyword: '$flagged' }, anchor: anchor('a', 0) })
    await assert.rejects(missing, { kind: 'no_such_message' })
  })

  test('collapsed threads show their first message only, in every order', async () => {
    assert.equal(await find(named, { filter: all(), collapseThreads: true }), 'dcb')
    assert.equal(await find(named, { filter: all(), collapseThreads: true, position: 1, limit: 1 }), 'c')
    assert.equal(await find(named, { filter: {}, collapseThreads: true }), 'dcb')
    assert.equal(await find(named, { filter: all(), collapseThreads: true, sort: by('receivedAt', true) }), 'abc')
    const hidden = { messageId: named.ids.a ?? '', offset: 0 }
    const anchored = find(named, { filter: all(), collapseThreads: true, anchor: hidden })
    await assert.rejects(anchored, { kind: 'no_such_message' })
  })

  test('a thread that fills all of what is read at once hides no older one', async () => {
    const mailbox = await store.mailbox()
    const old = await store.add(mailbox, { receivedAt: at(-1) })
    const newest = await store.database.tx(async (tx) => {
      let added = await store.addIn(tx, mailbox, { id: 'first@long', subject: 'Long', receivedAt: at(0) })
      for (let hour = 1; hour <= 200; hour += 1)
        added = await store.addIn(tx, mailbox, { references: ['first@long'], subject: 'Long', receivedAt: at(hour) })
      return added
    })
    const query = { addressId: mailbox.addressId, filter: { inFolder: mailbox.folders.inbox }, collapseThreads: true }
    const { ids } = await queryMessages(parts, { ...query, limit: 10 })
    assert.deepEqual(ids, [newest.messageId, old.messageId])
    assert.deepEqual((await queryMessages(parts, { ...query, position: 1, limit: 1 })).ids, [old.messageId])
  })

  test('totals count messages, or threads', async () => {
    const total = async (query: Partial<MessageQuery> & { filter: Filter }) =>
      (await queryMessages(parts, { addressId: named.mailbox.addressId, limit: 1, wantsTotal: true, ...query })).total
    for (const filter of [all(), {}, { ...all(), minSize: 0 }]) {
      assert.equal(await total({ filter }), 4)
      assert.equal(await total({ filter, collapseThreads: true }), 3)
    }
    assert.equal(await total({ filter: { text: 'cherry' } }), 1)
  })

  test('keywords of the thread are those of its visible messages', async () => {
    const { addressId } = named.mailbox
    await store.database.tx((tx) => changeKeywords(tx, { addressId, messageIds: [named.ids.a ?? ''], add: ['todo'] }))
    assert.equal(await find(named, { filter: { someInThreadHaveKeyword: 'todo' } }), 'da')
    assert.equal(await find(named, { filter: { allInThreadHaveKeyword: 'todo' } }), '')
    assert.equal(await find(named, { filter: { noneInThreadHaveKeyword: 'todo' } }), 'cb')
  })

  test('a folder is listed in one statement, and in three with its total', async () => {
    const statements = async (query: Partial<MessageQuery>) => {
      const watch = store.database.watchStatements()
      await find(named, { filter: all(), ...query })
      watch.stop()
      return watch.texts.length
    }
    for (const collapseThreads of [false, true]) {
      assert.equal(await statements({ collapseThreads }), 1)
      assert.equal(await statements({ collapseThreads, wantsTotal: true }), 3)
    }
  })

  test('a folder that was listed before needs the threads of new messages alone', async () => {
    const mailbox = await store.mailbox()
    const query = { addressId: mailbox.addressId, filter: { inFolder: mailbox.folders.inbox }, collapseThreads: true }
    const list = async () => {
      const watch = store.database.watchStatements()
      const { ids } = await queryMessages(parts, { ...query, limit: 10 })
      watch.stop()
      return {
        ids,
        statements: watch.texts.length,
        readsMessages: watch.texts.some((text) => /join message\b/.test(text)),
      }
    }
    const first = await store.add(mailbox, { id: 'first@known', subject: 'Known', receivedAt: at(0) })
    assert.deepEqual(await list(), { ids: [first.messageId], statements: 1, readsMessages: true })
    assert.deepEqual(await list(), { ids: [first.messageId], statements: 1, readsMessages: false })
    const second = await store.add(mailbox, { references: ['first@known'], subject: 'Known', receivedAt: at(1) })
    assert.deepEqual(await list(), { ids: [second.messageId], statements: 2, readsMessages: true })
  })

  test('give the state of the mailbox, and refuse one that does not exist', async () => {
    const { addressId } = named.mailbox
    const { modseq } = await readMailbox(store.database.db, addressId)
    for (const query of [{}, { collapseThreads: true }, { wantsTotal: true }, { limit: 0 }])
      assert.equal((await queryMessages(parts, { addressId, filter: all(), limit: 2, ...query })).modseq, modseq)
    for (const collapseThreads of [false, true]) {
      const nowhere = { addressId: newId(), filter: all(), limit: 2, collapseThreads }
      await assert.rejects(queryMessages(parts, nowhere), { kind: 'no_such_folder' })
    }
  })
})

/** As a process of the version before leaves a message that it has just added. */
const unread = (mailbox: Mailbox) =>
  store.database.pool.query(
    `with gone as (delete from message_unindexed where address_id = $1)
      update message set indexed = false where address_id = $1`,
    [mailbox.addressId],
  )
const waiting = async ({ addressId }: Mailbox): Promise<string[]> => {
  const { rows } = await store.database.pool.query<{ id: string }>(
    'select message_id as id from message_unindexed where address_id = $1',
    [addressId],
  )
  return rows.map(({ id }) => id)
}

describe('the index', () => {
  test('is not waited for: a message is found in one statement as soon as it is there, in every process', async () => {
    const named = await fill({ a: { text: 'freshword' } })
    const other = { ...parts, database: store.openSecond() }
    const query = { addressId: named.mailbox.addressId, filter: { body: 'freshword' }, limit: 10 }
    const watch = other.database.watchStatements()
    assert.equal(named.names((await queryMessages(other, query)).ids), 'a')
    watch.stop()
    assert.equal(watch.texts.length, 1)
    assert.deepEqual(await waiting(named.mailbox), [named.ids.a])
    assert.equal(await indexMailbox(parts, named.mailbox.addressId), 1)
    assert.deepEqual(await waiting(named.mailbox), [])
    assert.equal(named.names((await queryMessages(other, query)).ids), 'a')
    await assertClean(store, named.mailbox)
  })

  test('gives the same answers whether messages wait for it or not', async () => {
    const filters: Filter[] = [
      { subject: 'plan' },
      { contains: { fields: ['body'], text: 'ick bro' } },
      { contains: { fields: SEARCH_FIELDS, text: 'lph' } },
      { containsAnywhere: 'x-mark:so' },
      { header: { name: 'x-mark', value: 'some' } },
      { header: { name: 'x-none', value: null } },
      { sentSinceDay: '2026-03-02' },
      { operator: 'not', conditions: [{ text: 'fox' }] },
    ]
    const named = await fill({
      a: { subject: 'Alpha plan', text: 'The quick brown fox' },
      b: { raw: 'From: b@x\r\nX-Mark: Some thing\r\nDate: Sun, 1 Mar 2026 23:30:00 -0800\r\n\r\nBeta\r\n' },
    })
    const answers = () => Promise.all(filters.map((filter) => find(named, { filter })))
    const before = await answers()
    assert.deepEqual(before, ['a', 'a', 'a', 'b', 'b', '', '', 'b'])
    await indexPending(parts)
    assert.deepEqual(await answers(), before)
  })

  test('has a copy under what its original is found by, in its own mailbox and in another one', async () => {
    const named = await fill({ a: { text: 'copiedword' } })
    const { addressId, folders } = named.mailbox
    const other = await store.mailbox()
    const copy = async () =>
      store.database.tx(async (tx) => {
        const place = { addressId, folderId: folders.inbox, toFolderId: folders.inbox, uids: [1] }
        await copyMessages(tx, { ...place, quotaBytes: null, now: NOW })
        await copyToMailbox(tx, {
          from: { addressId },
          to: { addressId: other.addressId },
          messages: [{ messageId: named.ids.a ?? '', folderIds: [other.folders.inbox] }],
          quotaBytes: null,
          now: NOW,
        })
      })
    const count = async (mailbox: Mailbox) => {
      const filter = { inFolder: mailbox.folders.inbox, text: 'copiedword' }
      return (await queryMessages(parts, { addressId: mailbox.addressId, filter, limit: 10 })).ids.length
    }
    await copy()
    assert.deepEqual([await count(named.mailbox), await count(other)], [2, 1])
    await indexPending(parts)
    await copy()
    assert.deepEqual([await count(named.mailbox), await count(other)], [3, 2])
    for (const mailbox of [named.mailbox, other]) await assertClean(store, mailbox)
  })

  test('is filled in the background for every message but one that it refuses', async (t) => {
    const bad = await store.mailbox()
    const good = await fill({ a: { text: 'neighbour' } })
    const [worse, fine] = [await store.add(bad, { text: 'besides' }), await store.add(bad, { text: 'besides' })]
    const undo = await failOn(store.database, 'insert', 'message_search', `new.message_id = '${worse.messageId}'`)
    t.after(undo)
    await indexPending(parts)
    assert.equal(await indexMailbox(parts, bad.addressId), 0)
    assert.deepEqual(await waiting(bad), [worse.messageId])
    const search = (text: string) => queryMessages(parts, { addressId: bad.addressId, filter: { text }, limit: 10 })
    assert.deepEqual((await search('besides')).ids.toSorted(), [worse.messageId, fine.messageId].toSorted())
    assert.equal(await find(good, { filter: { text: 'neighbour' } }), 'a')
    await undo()
    assert.equal(await indexMailbox(parts, bad.addressId), 1)
  })

  test('is filled in the background for every mailbox, and for what the version before added', async () => {
    const [old, named] = [await fill({ a: { text: 'oldword' } }), await fill({ a: {} })]
    await unread(old.mailbox)
    await indexPending(parts)
    for (const { mailbox } of [old, named]) assert.deepEqual(await waiting(mailbox), [])
    assert.equal(await find(old, { filter: { text: 'oldword' } }), 'a')
    const { rows } = await store.database.pool.query('select from message where not indexed')
    assert.equal(rows.length, 0)
    for (const { mailbox } of [old, named]) await assertClean(store, mailbox)
  })

  test('is filled for the others while one that the version before added cannot be taken over', async (t) => {
    const [old, named] = [await fill({ a: { text: 'oldword' } }), await fill({ a: {} })]
    await unread(old.mailbox)
    const isTaken = `new.indexed and new.address_id = '${old.mailbox.addressId}'`
    const undo = await failOn(store.database, 'update', 'message', isTaken)
    t.after(undo)
    await assert.rejects(indexPending(parts))
    assert.deepEqual(await waiting(named.mailbox), [])
    await undo()
    await indexPending(parts)
  })

  test('skips a message that is being deleted, and keeps nobody waiting', async () => {
    const named = await fill({ a: { text: 'leaving' } })
    const { addressId } = named.mailbox
    await store.database.tx(async (tx) => {
      await destroyMessages(tx, { addressId, messageIds: [named.ids.a ?? ''], now: NOW })
      assert.equal(await indexMailbox({ ...parts, database: store.openSecond() }, addressId), 0)
    })
    assert.deepEqual(await waiting(named.mailbox), [])
  })

  test('knows a message with missing bytes by its header, and all others by everything', async () => {
    const named = await fill({
      a: { subject: 'Broken one', text: 'bodyword first' },
      b: { subject: 'Whole one', text: 'bodyword second' },
    })
    const { blobKey } = await getWholeMessage(store.database.db, named.mailbox.addressId, named.ids.a ?? '')
    await rm(join(store.blobFolder, blobPath(blobKey)))
    await unread(named.mailbox)
    await indexPending(parts)
    assert.equal(await find(named, { filter: { text: 'bodyword' } }), 'b')
    assert.equal(await find(named, { filter: { subject: 'broken' } }), 'a')
  })

  test('takes as many long words as a message may have, of any script', async () => {
    const word = (letter: string, n: number) => letter.repeat(40) + n.toString(36).padStart(4, '0')
    for (const letter of ['x', 'ж', '\u{10428}']) {
      const text = Array.from({ length: 14_000 }, (_, n) => word(letter, n)).join(' ')
      const named = await fill({ a: { text: Buffer.from(text, 'utf8').toString('latin1'), subject: 'Wordy' } })
      assert.equal(await find(named, { filter: { subject: 'wordy', body: word(letter, 7) } }), 'a')
    }
  })

  test('takes a message of several megabytes', async () => {
    const text = `${'word '.repeat(1_200_000)}lateword`
    const named = await fill({ a: { text, subject: 'Hugemail' } })
    assert.equal(await find(named, { filter: { subject: 'hugemail', body: 'word' } }), 'a')
    await unread(named.mailbox)
    await indexPending(parts)
    assert.equal(await find(named, { filter: { subject: 'hugemail', body: 'word' } }), 'a')
  })
})
