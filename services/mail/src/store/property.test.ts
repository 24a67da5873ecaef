import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type ChangeCursor, changesSince } from './changes/changes.ts'
import { createFolder, deleteFolder, listFolders } from './folders/folders.ts'
import { isUnread } from './messages/keyword-rules.ts'
import { changeKeywords } from './messages/keywords.ts'
import { getMessages, listEntries, modseqsOf } from './messages/list.ts'
import { copyMessages, moveUids, setFolders } from './messages/moves.ts'
import { destroyMessages, expunge, setDeleted } from './messages/removal.ts'
import { snooze, wakeDue } from './messages/snooze.ts'
import { queryMessages } from './search/query.ts'
import { type Mailbox, NOW, type StoreGround, silent, startStore } from './testing/ground.ts'
import { assertClean } from './testing/views.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

/** A message of the model; the store's ids may change when threads merge, its places and UIDs do not. */
type Copy = {
  keywords: Set<string>
  places: Map<string, { uid: number; deleted: boolean }>
  from: string[] | null
  until: number
}
type Model = { folders: Map<string, number>; messages: Copy[] }
type Step = { op: keyof typeof OPERATIONS; a: number; b: number; c: number }
type World = { mailbox: Mailbox; model: Model; step: Step }

const pick = <T>(items: readonly T[], n: number): T | undefined => items[n % Math.max(1, items.length)]
const folderAt = (model: Model, n: number): string => pick([...model.folders.keys()], n) ?? ''
const nextUid = (model: Model, folderId: string): number => {
  const uid = model.folders.get(folderId) ?? 1
  model.folders.set(folderId, uid + 1)
  return uid
}
const isVisible = (copy: Copy) => [...copy.places.values()].some(({ deleted }) => !deleted)
const uidsIn = (model: Model, folderId: string): number[] =>
  model.messages.flatMap(({ places }) => places.get(folderId)?.uid ?? []).toSorted((x, y) => x - y)
const copyAt = (model: Model, folderId: string, uid: number) =>
  model.messages.find(({ places }) => places.get(folderId)?.uid === uid)

/** The id that the store has for a message of the model. */
const idOf = async ({ mailbox }: World, copy: Copy): Promise<string> => {
  const [place] = [...copy.places]
  assert.ok(place)
  const [folderId, { uid }] = place
  const { addressId } = mailbox
  const [entry] = await listEntries(store.database.db, { addressId, folderId, fromUid: uid, toUid: uid })
  assert.ok(entry)
  return entry.messageId
}

/** Each wakes at another moment, so that their order is known. */
let snoozes = 0

const KEYWORDS = ['$seen', '$flagged', '$draft', 'work']

const OPERATIONS = {
  async add({ mailbox, model, step }: World) {
    const folderIds = [...new Set([folderAt(model, step.a), folderAt(model, step.b)])]
    const keywords = KEYWORDS.filter((_, index) => (step.c >> index) & 1)
    const related = step.c % 3 === 0 ? [`t${step.a % 4}@x`, `t${step.b % 4}@x`] : [`t${step.a % 4}@x`]
    const added = await store.add(mailbox, { subject: 'Same', references: related, folderIds, keywords })
    const places = new Map(folderIds.map((id) => [id, { uid: nextUid(model, id), deleted: false }]))
    for (const { folderId, uid } of added.uids) assert.equal(uid, places.get(folderId)?.uid)
    model.messages.push({ keywords: new Set(keywords), places, from: null, until: 0 })
  },
  async keywords(world: World) {
    const copy = pick(world.model.messages, world.step.a)
    const keyword = pick(KEYWORDS, world.step.b)
    if (!copy || !keyword) return
    const isAdded = world.step.c % 2 === 0
    const change = isAdded ? { add: [keyword] } : { remove: [keyword] }
    const messageIds = [await idOf(world, copy)]
    await store.database.tx((tx) => changeKeywords(tx, { addressId: world.mailbox.addressId, messageIds, ...change }))
    if (isAdded) copy.keywords.add(keyword)
    else copy.keywords.delete(keyword)
  },
  async setFolders(world: World) {
    const { model, mailbox, step } = world
    const copy = pick(model.messages, step.a)
    if (!copy) return
    const folderIds = [...new Set([folderAt(model, step.b), folderAt(model, step.c)])]
    const items = [{ messageId: await idOf(world, copy), folderIds }]
    const wasVisible = isVisible(copy)
    await store.database.tx((tx) => setFolders(tx, { addressId: mailbox.addressId, items, now: NOW }))
    if (wasVisible) place(model, mailbox, copy, folderIds)
  },
  async move({ mailbox, model, step }: World) {
    const [folderId, toFolderId] = [folderAt(model, step.a), folderAt(model, step.b)]
    const uid = pick(uidsIn(model, folderId), step.c)
    const copy = uid === undefined ? undefined : copyAt(model, folderId, uid)
    if (uid === undefined || !copy) return
    const input = { addressId: mailbox.addressId, folderId, toFolderId, quotaBytes: null, now: NOW }
    await store.database.tx((tx) => moveUids(tx, { ...input, uids: [uid] }))
    const isTwin = toFolderId !== folderId && copy.places.has(toFolderId)
    copy.places.delete(folderId)
    const arrived = { uid: nextUid(model, toFolderId), deleted: false }
    if (isTwin) model.messages.push({ ...twinOf(copy), places: new Map([[toFolderId, arrived]]) })
    else copy.places.set(toFolderId, arrived)
    settle(model, mailbox, copy)
  },
  async copy({ mailbox, model, step }: World) {
    const [folderId, toFolderId] = [folderAt(model, step.a), folderAt(model, step.b)]
    const uid = pick(uidsIn(model, folderId), step.c)
    const copy = uid === undefined ? undefined : copyAt(model, folderId, uid)
    if (uid === undefined || !copy) return
    const input = { addressId: mailbox.addressId, folderId, toFolderId, quotaBytes: null, now: NOW }
    await store.database.tx((tx) => copyMessages(tx, { ...input, uids: [uid] }))
    const arrived = { uid: nextUid(model, toFolderId), deleted: false }
    if (copy.places.has(toFolderId)) model.messages.push({ ...twinOf(copy), places: new Map([[toFolderId, arrived]]) })
    else copy.places.set(toFolderId, arrived)
    settle(model, mailbox, copy)
  },
  async mark({ mailbox, model, step }: World) {
    const folderId = folderAt(model, step.a)
    const uid = pick(uidsIn(model, folderId), step.b)
    const copy = uid === undefined ? undefined : copyAt(model, folderId, uid)
    if (uid === undefined || !copy) return
    const deleted = step.c % 3 !== 0
    const input = { addressId: mailbox.addressId, folderId, deleted, now: NOW }
    const changed = await store.database.tx((tx) => setDeleted(tx, { ...input, uids: [uid] }))
    copy.places.set(folderId, { uid, deleted })
    if (changed.uids.length > 0) settle(model, mailbox, copy)
  },
  async expunge({ mailbox, model, step }: World) {
    const folderId = folderAt(model, step.a)
    const input = { addressId: mailbox.addressId, folderId, uids: null, now: NOW }
    await store.database.tx((tx) => expunge(tx, input))
    for (const copy of model.messages)
      if (copy.places.get(folderId)?.deleted) {
        copy.places.delete(folderId)
        settle(model, mailbox, copy)
      }
  },
  async destroy(world: World) {
    const { model, mailbox, step } = world
    const copy = pick(model.messages, step.a)
    if (!copy) return
    const messageIds = [await idOf(world, copy)]
    await store.database.tx((tx) => destroyMessages(tx, { addressId: mailbox.addressId, messageIds, now: NOW }))
    if (isVisible(copy)) model.messages = model.messages.filter((each) => each !== copy)
  },
  async folder({ mailbox, model, step }: World) {
    const { addressId } = mailbox
    if (model.folders.size < 10) {
      const name = `f${step.a}-${step.b}-${step.c}-${model.folders.size}`
      const made = await store.database.tx((tx) => createFolder(tx, { addressId, name }))
      model.folders.set(made.id, 1)
      return
    }
    const folderId = [...model.folders.keys()].at(-1) ?? ''
    await store.database.tx((tx) => deleteFolder(tx, { addressId, folderId, messages: 'trash', now: NOW }))
    model.folders.delete(folderId)
    const { trash } = mailbox.folders
    // In the order of the UIDs that they had.
    const leaving = model.messages
      .filter(({ places }) => places.has(folderId))
      .toSorted((x, y) => (x.places.get(folderId)?.uid ?? 0) - (y.places.get(folderId)?.uid ?? 0))
    for (const copy of leaving) {
      const wasVisible = copy.places.get(folderId)?.deleted === false
      copy.places.delete(folderId)
      if (wasVisible && !isVisible(copy)) copy.places.set(trash, { uid: nextUid(model, trash), deleted: false })
      settle(model, mailbox, copy)
    }
  },
  async snooze(world: World) {
    const { model, mailbox, step } = world
    const copy = pick(model.messages, step.a)
    if (!copy) return
    const messageIds = [await idOf(world, copy)]
    const { addressId, folders } = mailbox
    const until = NOW.getTime() + ++snoozes
    await store.database.tx((tx) => snooze(tx, { addressId, messageIds, until: new Date(until), now: NOW }))
    if (!isVisible(copy)) return
    copy.until = until
    const visible = [...copy.places].filter(([id, { deleted }]) => !deleted && id !== folders.snoozed)
    copy.from ??= visible.map(([id]) => id)
    place(model, mailbox, copy, [folders.snoozed])
  },
  async wake({ mailbox, model }: World) {
    const due = model.messages.filter(({ from }) => from !== null).toSorted((x, y) => x.until - y.until)
    await wakeDue({ database: store.database, log: silent }, new Date(NOW.getTime() + 3_600_000))
    for (const copy of due) {
      const origins = (copy.from ?? []).filter((id) => model.folders.has(id)).toSorted()
      if (isVisible(copy)) {
        place(model, mailbox, copy, origins.length > 0 ? origins : [mailbox.folders.inbox])
        copy.keywords.delete('$seen')
      }
      copy.from = null
    }
  },
}

const twinOf = (copy: Copy): Omit<Copy, 'places'> => ({
  keywords: new Set(copy.keywords),
  from: null,
  until: 0,
})

const place = (model: Model, mailbox: Mailbox, copy: Copy, folderIds: readonly string[]): void => {
  for (const [id, { deleted }] of copy.places) if (!deleted && !folderIds.includes(id)) copy.places.delete(id)
  for (const id of folderIds) {
    const known = copy.places.get(id)
    copy.places.set(id, { uid: known?.uid ?? nextUid(model, id), deleted: false })
  }
  settle(model, mailbox, copy)
}

/** A message without a place is gone; one that left Snoozed is not snoozed. */
const settle = (model: Model, mailbox: Mailbox, copy: Copy): void => {
  if (copy.places.get(mailbox.folders.snoozed)?.deleted !== false) copy.from = null
  if (copy.places.size === 0) model.messages = model.messages.filter((each) => each !== copy)
}

const compare = async ({ addressId }: Mailbox, model: Model): Promise<void> => {
  const folders = await listFolders(store.database.db, addressId)
  for (const [folderId, uidNext] of model.folders) {
    const folder = folders.find(({ id }) => id === folderId)
    const here = model.messages.filter(({ places }) => places.get(folderId)?.deleted === false)
    const expected = [here.length, here.filter(({ keywords }) => isUnread([...keywords])).length, uidNext]
    assert.deepEqual([folder?.total, folder?.unread, folder?.uidNext], expected)
    const entries = await listEntries(store.database.db, { addressId, folderId, fromUid: 1, toUid: 1e9 })
    assert.deepEqual(
      entries.map(({ uid, deleted, keywords }) => [uid, deleted, keywords]),
      uidsIn(model, folderId).map((uid) => {
        const copy = copyAt(model, folderId, uid)
        return [uid, copy?.places.get(folderId)?.deleted, [...(copy?.keywords ?? [])].toSorted()]
      }),
    )
  }
}

/** The state of a client that only ever read changes. */
type Known = { message: Set<string>; thread: Set<string> }

const follow = async ({ addressId }: Mailbox, known: Known, since: ChangeCursor): Promise<ChangeCursor> => {
  const { rows } = await store.database.pool.query<{ message: string; thread: string }>(
    `select distinct m.id as message, m.thread_id as thread
      from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
      where p.address_id = $1 and not p.deleted`,
    [addressId],
  )
  let next = since
  for (const kind of ['message', 'thread'] as const) {
    const changes = await changesSince(store.database.db, { addressId, kinds: [kind], since })
    const ids = known[kind]
    for (const id of changes.updated) assert.ok(ids.has(id), `an updated ${kind} was known`)
    for (const id of changes.destroyed) ids.delete(id)
    for (const id of changes.created) ids.add(id)
    assert.deepEqual([...ids].toSorted(), [...new Set(rows.map((row) => row[kind]))].toSorted(), kind)
    next = changes.next
  }
  return next
}

/** Messages as they were listed, by id and modseq: what has the same modseq has not changed. */
const checkListed = async ({ addressId }: Mailbox, listed: Map<string, unknown>): Promise<void> => {
  const { db, pool } = store.database
  const { rows } = await pool.query<{ id: string }>('select id from message where address_id = $1', [addressId])
  const ids = rows.map(({ id }) => id)
  const { modseqs } = await modseqsOf(db, addressId, ids)
  const now = new Map(
    (await getMessages(db, addressId, ids)).map(({ id, threadId, keywords, folderIds, snoozedUntil }) => [
      id,
      { threadId, keywords, folderIds, snoozedUntil },
    ]),
  )
  for (const id of ids) {
    const key = `${id} ${modseqs.get(id)}`
    const shown = now.get(id) ?? null
    if (listed.has(key)) assert.deepEqual(shown, listed.get(key))
    listed.set(key, shown)
  }
}

/** A folder that was listed before is listed like one that was not. */
const checkThreads = async ({ addressId }: Mailbox, folderId: string): Promise<void> => {
  const parts = { ...store, log: silent }
  const query = { addressId, collapseThreads: true, limit: 5, position: 1 }
  const known = await queryMessages(parts, { ...query, filter: { inFolder: folderId } })
  const read = await queryMessages(parts, { ...query, filter: { inFolder: folderId, minSize: 0 } })
  assert.deepEqual(known, read)
}

const number = fc.nat({ max: 1_000 })
const names: (keyof typeof OPERATIONS)[] = ['add', 'add', 'add', 'keywords', 'keywords', 'setFolders', 'move', 'copy']
const others: (keyof typeof OPERATIONS)[] = ['mark', 'mark', 'expunge', 'destroy', 'folder', 'snooze', 'wake']
const steps = fc.array(fc.record({ op: fc.constantFrom(...names, ...others), a: number, b: number, c: number }), {
  minLength: 40,
  maxLength: 60,
})

test('any sequence of operations leaves what a simple model says, and every invariant', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const mailbox = await store.mailbox()
      const { inbox, archive, trash, snoozed } = mailbox.folders
      const model: Model = { folders: new Map([inbox, archive, trash, snoozed].map((id) => [id, 1])), messages: [] }
      const known: Known = { message: new Set(), thread: new Set() }
      const listed = new Map<string, unknown>()
      let cursor: ChangeCursor = { modseq: 1, objectId: null }
      for (const [index, step] of sequence.entries()) {
        await OPERATIONS[step.op]({ mailbox, model, step })
        await checkListed(mailbox, listed)
        await checkThreads(mailbox, folderAt(model, step.a))
        if (index % 5 === 4) cursor = await follow(mailbox, known, cursor)
        if (index % 10 === 9) await compare(mailbox, model)
      }
      await compare(mailbox, model)
      await assertClean(store, mailbox)
    }),
    { seed: 11, numRuns: 10, endOnFailure: true },
  )
})
