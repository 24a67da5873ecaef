import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { changesSince } from '../changes/changes.ts'
import { destroyMessages, setDeleted } from '../messages/removal.ts'
import { type Mailbox, NOW, type StoreGround, startStore } from '../testing/ground.ts'
import { assertClean } from '../testing/views.ts'
import { allMailboxes, checkLocked, checkMailbox, repairMailbox } from './check.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

const fill = async (): Promise<Mailbox> => {
  const mailbox = await store.mailbox()
  const { addressId, folders } = mailbox
  await store.add(mailbox, { id: `a${addressId}`, subject: 'Plan', folderIds: [folders.inbox, folders.archive] })
  await store.add(mailbox, { references: [`a${addressId}`], subject: 'Re: Plan', keywords: ['$seen'] })
  const gone = await store.add(mailbox)
  await store.add(mailbox)
  await store.database.tx((tx) => destroyMessages(tx, { addressId, messageIds: [gone.messageId], now: NOW }))
  await store.database.tx((tx) =>
    setDeleted(tx, { addressId, folderId: folders.inbox, uids: [4], deleted: true, now: NOW }),
  )
  return mailbox
}

/** Every invariant with a way to break it. */
const DAMAGE: Record<string, string> = {
  'mailbox totals are correct': 'update mailbox set used_bytes = used_bytes + 1 where address_id = $1',
  'folder counts are correct': 'update folder set unread = unread + 1 where address_id = $1',
  'thread counts in folders are correct': 'update folder_thread set total = total + 1 where address_id = $1',
  'folder thread totals are correct': 'update folder set threads = threads + 1 where address_id = $1',
  'UIDs are below UIDNEXT': 'update folder set uid_next = 1 where address_id = $1',
  'expunged UIDs are gone': `insert into expunged (address_id, folder_id, modseq, uid)
    select address_id, folder_id, 1, uid from message_folder where address_id = $1`,
  'no change is newer than the mailbox': 'update mailbox set modseq = 2 where address_id = $1',
  'every message is in a folder': 'delete from message_folder where address_id = $1 and uid = 1',
  'dates in folders match the messages': `update message_folder set received_at = received_at + interval '1 day'
    where address_id = $1`,
  'every message has its blob link': 'delete from blob_link where owner_id = $1',
  'every blob link has a message': `insert into blob_link (owner_id, blob_key, kind, ref_id, size, created_at)
    values ($1, 'x', 'message', $1, 1, now())`,
  'message IDs point to the right thread': 'update thread_link set thread_id = $1 where address_id = $1',
  'every change is logged': 'delete from change where address_id = $1 and kind = $$message$$',
  'read states belong to existing messages': `with s as (
      insert into share (address_id, id, with_address_id, access, created_at)
      select $1, $1, id, 'read', now() from address where id <> $1 limit 1 returning with_address_id
    ) insert into viewed select $1, with_address_id, $1 from s`,
  'every message is searchable': 'delete from message_unindexed where address_id = $1',
}

describe('the check', () => {
  for (const [name, damage] of Object.entries(DAMAGE))
    test(`finds and repairs: ${name}`, async () => {
      const mailbox = await fill()
      await assertClean(store, mailbox)
      await store.database.pool.query(damage, [mailbox.addressId])
      const problems = await checkMailbox(store.database.db, mailbox.addressId)
      assert.ok(
        problems.some(({ check }) => check === name),
        JSON.stringify(problems),
      )
      assert.deepEqual(await store.database.tx((tx) => repairMailbox(tx, mailbox.addressId)), [])
      assert.deepEqual(await checkLocked(store.database, mailbox.addressId), [])
      await store.add(mailbox)
      await assertClean(store, mailbox)
    })

  test('does not touch other mailboxes', async () => {
    const [one, two] = [await fill(), await fill()]
    await store.database.pool.query('update folder set total = total + 1 where address_id = $1', [one.addressId])
    await assertClean(store, two)
    await store.database.tx((tx) => repairMailbox(tx, two.addressId))
    assert.notDeepEqual(await checkMailbox(store.database.db, one.addressId), [])
  })

  test('after a repair, clients read everything anew', async () => {
    const mailbox = await fill()
    await store.database.tx((tx) => repairMailbox(tx, mailbox.addressId))
    const asking = changesSince(store.database.db, {
      addressId: mailbox.addressId,
      kinds: ['message'],
      since: { modseq: 1, objectId: null },
    })
    await assert.rejects(asking, { kind: 'state_mismatch' })
  })

  test('walks all mailboxes', async () => {
    const { rows } = await store.database.pool.query<{ count: string }>('select count(*) from mailbox')
    const found = await Array.fromAsync(allMailboxes(store.database.db))
    assert.equal(new Set(found).size, Number(rows[0]?.count))
  })
})
