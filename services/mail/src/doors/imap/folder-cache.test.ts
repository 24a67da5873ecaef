import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { MailDatabase } from '../../store/handles.ts'
import { checkMailbox, repairMailbox } from '../../store/mailbox/check.ts'
import { listFlags } from '../../store/messages/flags.ts'
import { changeKeywords } from '../../store/messages/keywords.ts'
import { listUids } from '../../store/messages/list.ts'
import { moveMessages } from '../../store/messages/moves.ts'
import { expunge, setDeleted } from '../../store/messages/removal.ts'
import type { Filter } from '../../store/search/filter.ts'
import { queryUidModseqs } from '../../store/search/uid-search.ts'
import { type Mailbox, NOW, type StoreGround, silent, startStore } from '../../store/testing/ground.ts'
import { createFolderCache, type FolderCache, type KnownFlags } from './folder-cache.ts'
import { findByFlags, isOfFlags } from './search/from-flags.ts'

let store: StoreGround
let other: MailDatabase
before(async () => {
  store = await startStore()
  other = store.openSecond()
})
after(() => store.close())

const inboxOf = ({ addressId, folders }: Mailbox) => ({ addressId, folderId: folders.inbox })

const shown = (known: KnownFlags | null) =>
  known &&
  [...known.uids.values()].map((uid, place) => {
    const { keywords, deleted } = known.flags.sets[known.flags.setAt(place)] ?? { keywords: ['none'], deleted: false }
    return { uid, modseq: known.flags.modseqAt(place), keywords: [...keywords], deleted }
  })

const stored = async (mailbox: Mailbox) => {
  const query = { ...inboxOf(mailbox), fromUid: 1, toUid: 2 ** 32 }
  const entries = await listFlags(store.database.db, query)
  return entries.map(({ uid, modseq, flags: { keywords, deleted } }) => ({ uid, modseq, keywords, deleted }))
}

const assertTrue = async (cache: FolderCache, mailbox: Mailbox): Promise<void> => {
  const expected = await stored(mailbox)
  const selected = await cache.select(inboxOf(mailbox))
  assert.deepEqual(
    [...(selected?.uids.values() ?? [])],
    expected.map(({ uid }) => uid),
  )
  assert.deepEqual(shown(await cache.flags(inboxOf(mailbox))), expected)
  const unread = expected.find(({ keywords }) => !keywords.includes('$seen') && !keywords.includes('$draft'))
  assert.equal((await cache.select(inboxOf(mailbox)))?.firstUnread, unread?.uid ?? null)
}

test('returns what the database has, whatever two processes do', async () => {
  const numbers = fc.array(fc.nat(11), { minLength: 1, maxLength: 4 })
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), keyword: fc.constantFrom('$seen', '$draft', 'k1', 'k2') }),
    fc.record({
      kind: fc.constant('keyword' as const),
      places: numbers,
      keyword: fc.constantFrom('$seen', 'k1', 'k3'),
    }),
    fc.record({ kind: fc.constant('mark' as const), places: numbers, deleted: fc.boolean() }),
    fc.record({ kind: fc.constant('expunge' as const) }),
    fc.record({ kind: fc.constant('move' as const), places: numbers }),
    fc.record({ kind: fc.constant('look' as const), who: fc.nat(1) }),
  )
  const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]): Promise<void> => {
    const mailbox = await store.mailbox()
    const { addressId, folders } = mailbox
    const caches = [createFolderCache(store.database.db), createFolderCache(other.db)]
    const ids: string[] = []
    for (const [index, each] of steps.entries()) {
      const { tx } = index % 2 === 0 ? store.database : other
      const uids = await listUids(store.database.db, addressId, folders.inbox)
      const some = 'places' in each ? each.places.flatMap((place) => uids[place] ?? []) : []
      const messages = 'places' in each ? each.places.flatMap((place) => ids[place] ?? []) : []
      if (each.kind === 'add')
        ids.push((await tx((tx) => store.addIn(tx, mailbox, { keywords: [each.keyword] }))).messageId)
      if (each.kind === 'keyword')
        await tx((tx) => changeKeywords(tx, { addressId, messageIds: messages, add: [each.keyword] }))
      if (each.kind === 'mark' && some.length > 0)
        await tx((tx) =>
          setDeleted(tx, { addressId, folderId: folders.inbox, uids: some, deleted: each.deleted, now: NOW }),
        )
      if (each.kind === 'expunge')
        await tx((tx) => expunge(tx, { addressId, folderId: folders.inbox, uids: null, now: NOW }))
      if (each.kind === 'move')
        await tx((tx) => moveMessages(tx, { addressId, messageIds: messages, folderId: folders.archive, now: NOW }))
      const cache = each.kind === 'look' ? caches[each.who] : undefined
      if (cache) await assertTrue(cache, mailbox)
    }
    for (const cache of caches) await assertTrue(cache, mailbox)
  }
  const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), run)
  await fc.assert(property, { seed: 11, numRuns: 12 })
})

test('what is cached costs one statement, and is never returned without a query', async () => {
  const mailbox = await store.mailbox()
  for (let n = 0; n < 3; n += 1) await store.add(mailbox)
  const cache = createFolderCache(store.database.db)
  await assertTrue(cache, mailbox)
  for (const ask of [() => cache.select(inboxOf(mailbox)), () => cache.flags(inboxOf(mailbox))]) {
    const watch = store.database.watchStatements()
    await ask()
    watch.stop()
    assert.equal(watch.texts.length, 1)
  }
})

test('many readers at once read the folder once, and each gets what happened before it asked', async () => {
  const mailbox = await store.mailbox()
  for (let n = 0; n < 3; n += 1) await store.add(mailbox)
  const cache = createFolderCache(store.database.db)
  const watch = store.database.watchStatements()
  const first = cache.flags(inboxOf(mailbox))
  const { messageId } = await other.tx((tx) => store.addIn(tx, mailbox, { keywords: ['$seen'] }))
  await other.tx((tx) => changeKeywords(tx, { addressId: mailbox.addressId, messageIds: [messageId], add: ['later'] }))
  const answers = await Promise.all([first, ...Array.from({ length: 5 }, () => cache.flags(inboxOf(mailbox)))])
  watch.stop()
  assert.equal(watch.texts.filter((text) => text.includes('int8send')).length, 1)
  for (const answer of answers.slice(1)) assert.deepEqual(shown(answer), await stored(mailbox))
})

test('UIDs and modseqs of 32 bits are read at once, and larger modseqs too, page by page', async () => {
  const mailbox = await store.mailbox()
  const { addressId, folderId } = inboxOf(mailbox)
  await store.database.pool.query('update folder set uid_next = $2 where id = $1', [folderId, 2 ** 32 - 3])
  for (const modseq of [2 ** 31, 2 ** 32 - 5, 2 ** 40]) {
    await store.database.pool.query('update mailbox set modseq = $2 where address_id = $1', [addressId, modseq])
    await store.add(mailbox)
    await assertTrue(createFolderCache(store.database.db), mailbox)
  }
})

test('folders that were not used longest make room for others, and are read again', async () => {
  const [one, two] = [await store.mailbox(), await store.mailbox()]
  for (const mailbox of [one, two]) for (let n = 0; n < 40; n += 1) await store.add(mailbox)
  const cache = createFolderCache(store.database.db, 2_000)
  for (const mailbox of [one, two, one, two]) {
    await assertTrue(cache, mailbox)
    assert.ok(cache.bytes <= 2_000 && cache.bytes > 0, `${cache.bytes} bytes`)
  }
})

test('a folder is read anew when what changed is not known any more, and is not there once it was removed', async () => {
  const mailbox = await store.mailbox()
  for (let n = 0; n < 3; n += 1) await store.add(mailbox)
  const cache = createFolderCache(store.database.db)
  await assertTrue(cache, mailbox)
  await store.database.tx((tx) => repairMailbox(tx, mailbox.addressId))
  assert.deepEqual(await checkMailbox(store.database.db, mailbox.addressId), [])
  await assertTrue(cache, mailbox)
  const nowhere = { addressId: mailbox.addressId, folderId: mailbox.addressId }
  assert.equal(await cache.select(nowhere), null)
  assert.equal(await cache.flags(nowhere), null)
})

test('what is found by flags, UIDs and modseqs is what the database finds', async () => {
  const mailbox = await store.mailbox()
  const { addressId, folders } = mailbox
  const sets = [[], ['$seen'], ['$flagged', '$seen'], ['k1'], ['$draft', 'k1'], ['$answered']]
  for (let n = 0; n < 24; n += 1) await store.add(mailbox, { keywords: sets[n % sets.length] ?? [] })
  const place = { addressId, folderId: folders.inbox }
  await store.database.tx((tx) => setDeleted(tx, { ...place, uids: [2, 3, 9, 20], deleted: true, now: NOW }))
  await store.database.tx((tx) => expunge(tx, { ...place, uids: [3, 9], now: NOW }))
  const keyword = fc.constantFrom('$seen', '$Flagged', 'k1', '$draft', 'none')
  const range = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.nat(10))
  const leaf: fc.Arbitrary<Filter> = fc.oneof(
    keyword.map((hasKeyword) => ({ hasKeyword })),
    keyword.map((notKeyword) => ({ notKeyword })),
    fc.boolean().map((deleted) => ({ row: { deleted } })),
    range.map(([first, more]) => ({ row: { uids: [{ first, last: first + more }] } })),
    fc.nat(40).map((minModseq) => ({ row: { minModseq } })),
    fc.tuple(keyword, fc.boolean()).map(([hasKeyword, deleted]) => ({ hasKeyword, row: { deleted } })),
  )
  const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.record({
        operator: fc.constantFrom('and' as const, 'or' as const, 'not' as const),
        conditions: fc.array(tie('filter'), { maxLength: 3 }),
      }),
    ),
  }))
  const cache = createFolderCache(store.database.db)
  const parts = { database: store.database, blobs: store.blobs, log: silent }
  const property = fc.asyncProperty(filter, async (wanted) => {
    assert.ok(isOfFlags(wanted))
    const known = await cache.flags(place)
    const expected = await queryUidModseqs(parts, { ...place, filter: wanted })
    const found = known && findByFlags(known, wanted)
    assert.deepEqual(found, { uids: expected.map(({ uid }) => uid), modseqs: expected.map(({ modseq }) => modseq) })
  })
  await fc.assert(property, { seed: 17, numRuns: 60 })
  for (const other of [{ text: 'x' }, { row: { savedBefore: NOW } }, { isUnread: true }]) assert.ok(!isOfFlags(other))
})
