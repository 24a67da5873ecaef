import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import fc from 'fast-check'
import { listFolders } from './folders/folders.ts'
import { endViewing, startViewing } from './mailbox/viewers.ts'
import { changeKeywords } from './messages/keywords.ts'
import { type FolderEntry, listEntries } from './messages/list.ts'
import { copyMessages, moveUids } from './messages/moves.ts'
import { destroyMessages, setDeleted } from './messages/removal.ts'
import { queryUids } from './search/query.ts'
import { type Mailbox, NOW, type StoreGround, silent, startStore } from './testing/ground.ts'
import { assertClean } from './testing/views.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

const OWNER = 0
/** Who acts: the owner and two others, of whom the second comes and goes. */
const PEOPLE = 3
const COMING_AND_GOING = 2

/** A message in one folder; `seenBy` has numbers of people. */
type Row = { folderId: string; uid: number; shared: Set<string>; seenBy: Set<number>; deleted: boolean }
type World = { mailbox: Mailbox; people: (string | null)[]; isSharing: boolean; rows: Row[]; step: Step }
type Step = { op: keyof typeof OPERATIONS; who: number; a: number; b: number; c: number }

const pick = <T>(items: readonly T[], n: number): T | undefined => items[n % Math.max(1, items.length)]
const folderAt = ({ mailbox: { folders } }: World, n: number): string => (n % 2 === 0 ? folders.inbox : folders.archive)
const actorOf = ({ step, isSharing }: World): number => (step.who === COMING_AND_GOING && !isSharing ? OWNER : step.who)
const keywordsOf = (row: Row, who: number): string[] =>
  [...row.shared, ...(row.seenBy.has(who) ? ['$seen'] : [])].toSorted()
const isUnread = (row: Row, who: number): boolean => !row.seenBy.has(who) && !row.shared.has('$draft')

const entriesOf = (world: World, folderId: string, who: number): Promise<FolderEntry[]> => {
  const { addressId } = world.mailbox
  const viewerId = world.people[who] ?? null
  return listEntries(store.database.db, { addressId, viewerId, folderId, fromUid: 1, toUid: 1e6 })
}
const idOf = async (world: World, row: Row): Promise<string> => {
  const entry = (await entriesOf(world, row.folderId, OWNER)).find(({ uid }) => uid === row.uid)
  assert.ok(entry)
  return entry.messageId
}

const KEYWORDS = ['$seen', '$draft', 'work']
const chosen = (bits: number): string[] => KEYWORDS.filter((_, index) => (bits >> index) & 1)
const unseen = (keywords: readonly string[]): string[] => keywords.filter((keyword) => keyword !== '$seen')

const OPERATIONS = {
  async add(world: World) {
    const { mailbox, people, rows, step } = world
    const folderId = folderAt(world, step.a)
    const who = actorOf(world)
    const viewerId = people[who]
    const keywords = chosen(step.b)
    // Messages of few threads, which sometimes join.
    const references = step.c % 4 === 0 ? [`t${step.a % 3}@x`, `t${step.b % 3}@x`] : [`t${step.a % 3}@x`]
    const mail = { subject: 'Same', references, folderIds: [folderId], keywords }
    const added = await store.add(mailbox, viewerId ? { ...mail, viewerId } : mail)
    const seenBy = new Set(keywords.includes('$seen') ? [who] : [])
    const uid = added.uids[0]?.uid ?? 0
    rows.push({ folderId, uid, shared: new Set(unseen(keywords)), seenBy, deleted: false })
  },
  async change(world: World) {
    const row = pick(world.rows, world.step.a)
    if (!row) return
    const who = actorOf(world)
    const keywords = chosen(world.step.b)
    const how = (['add', 'remove', 'replace'] as const)[world.step.c % 3] ?? 'add'
    const messageIds = [await idOf(world, row)]
    const input = { addressId: world.mailbox.addressId, viewerId: world.people[who] ?? null, messageIds }
    const { updated } = await store.database.tx((tx) => changeKeywords(tx, { ...input, [how]: keywords }))
    const before = keywordsOf(row, who).join()
    for (const keyword of how === 'add' ? [] : how === 'remove' ? keywords : KEYWORDS) {
      row.shared.delete(keyword)
      if (keyword === '$seen') row.seenBy.delete(who)
    }
    for (const keyword of how === 'remove' ? [] : keywords)
      if (keyword === '$seen') row.seenBy.add(who)
      else row.shared.add(keyword)
    const now = keywordsOf(row, who)
    assert.deepEqual([...updated.values()], now.join() === before ? [] : [now])
  },
  async copy(world: World) {
    const row = pick(world.rows, world.step.a)
    if (!row) return
    const toFolderId = row.folderId
    const input = { addressId: world.mailbox.addressId, folderId: row.folderId, toFolderId, quotaBytes: null, now: NOW }
    const { uids } = await store.database.tx((tx) => copyMessages(tx, { ...input, uids: [row.uid] }))
    const copy = { shared: new Set(row.shared), seenBy: new Set(row.seenBy), deleted: false }
    world.rows.push({ ...copy, folderId: toFolderId, uid: uids[0]?.newUid ?? 0 })
  },
  async move(world: World) {
    const row = pick(world.rows, world.step.a)
    if (!row) return
    const toFolderId = folderAt(world, world.step.b)
    const input = { addressId: world.mailbox.addressId, folderId: row.folderId, toFolderId, quotaBytes: null, now: NOW }
    const { uids } = await store.database.tx((tx) => moveUids(tx, { ...input, uids: [row.uid] }))
    Object.assign(row, { folderId: toFolderId, uid: uids[0]?.newUid ?? 0, deleted: false })
  },
  async mark(world: World) {
    const row = pick(world.rows, world.step.a)
    if (!row) return
    row.deleted = world.step.b % 2 === 0
    const { addressId } = world.mailbox
    const input = { addressId, folderId: row.folderId, uids: [row.uid], deleted: row.deleted, now: NOW }
    await store.database.tx((tx) => setDeleted(tx, input))
  },
  async destroy(world: World) {
    const row = pick(world.rows, world.step.a)
    if (!row || row.deleted) return
    const input = { addressId: world.mailbox.addressId, messageIds: [await idOf(world, row)], now: NOW }
    await store.database.tx((tx) => destroyMessages(tx, input))
    world.rows = world.rows.filter((each) => each !== row)
  },
  async share(world: World) {
    const { addressId } = world.mailbox
    const viewerId = world.people[COMING_AND_GOING] ?? ''
    if (world.isSharing) {
      await store.database.tx((tx) => endViewing(tx, { addressId, viewerId }))
      await store.database.pool.query('delete from share where with_address_id = $1', [viewerId])
      for (const row of world.rows) row.seenBy.delete(COMING_AND_GOING)
    } else {
      await share(addressId, viewerId)
      for (const row of world.rows) if (row.seenBy.has(OWNER)) row.seenBy.add(COMING_AND_GOING)
    }
    world.isSharing = !world.isSharing
  },
}

const share = async (addressId: string, viewerId: string): Promise<void> => {
  await store.database.pool.query(
    `insert into share (address_id, id, with_address_id, access, created_at) values ($1, $2, $3, 'full', now())`,
    [addressId, newId(), viewerId],
  )
  await store.database.tx((tx) => startViewing(tx, { addressId, viewerId }))
}

const compare = async (world: World): Promise<void> => {
  const { addressId, folders } = world.mailbox
  const parts = { database: store.database, blobs: store.blobs, log: silent }
  for (let who = 0; who < PEOPLE; who += 1) {
    const viewerId = world.people[who] ?? null
    const all = await listFolders(store.database.db, addressId, viewerId)
    for (const folderId of [folders.inbox, folders.archive]) {
      const rows = world.rows.filter((row) => row.folderId === folderId).toSorted((x, y) => x.uid - y.uid)
      const entries = await entriesOf(world, folderId, who)
      assert.deepEqual(
        entries.map(({ uid, keywords }) => [uid, keywords]),
        rows.map((row) => [row.uid, keywordsOf(row, who)]),
      )
      const unread = rows.filter((row) => isUnread(row, who))
      const counted = entries.filter(({ uid, deleted }) => !deleted && unread.some((row) => row.uid === uid))
      const folder = all.find(({ id }) => id === folderId)
      assert.deepEqual(
        [folder?.total, folder?.unread, folder?.unreadThreads],
        [rows.filter(({ deleted }) => !deleted).length, counted.length, new Set(counted.map((e) => e.threadId)).size],
      )
      const found = await queryUids(parts, { addressId, viewerId, folderId, filter: { isUnread: true } })
      assert.deepEqual(
        found,
        unread.map(({ uid }) => uid),
      )
    }
  }
}

const number = fc.nat({ max: 1_000 })
const steps = fc.array(
  fc.record({
    op: fc.constantFrom<keyof typeof OPERATIONS>(
      ...(['add', 'add', 'add', 'change', 'change', 'change', 'change'] as const),
      ...(['copy', 'move', 'mark', 'destroy', 'share'] as const),
    ),
    who: fc.nat({ max: PEOPLE - 1 }),
    a: number,
    b: number,
    c: number,
  }),
  { minLength: 40, maxLength: 60 },
)

test('whatever the owner and viewers do, each sees their own marks and counts', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const mailbox = await store.mailbox()
      const people = [null, (await store.mailbox()).addressId, (await store.mailbox()).addressId]
      await share(mailbox.addressId, people[1] ?? '')
      const world: World = { mailbox, people, isSharing: false, rows: [], step: sequence[0] ?? assert.fail() }
      for (const [index, step] of sequence.entries()) {
        world.step = step
        await OPERATIONS[step.op](world)
        if (index % 10 === 9) await compare(world)
      }
      await compare(world)
      await assertClean(store, mailbox)
    }),
    { seed: 6, numRuns: 10, endOnFailure: true },
  )
})
