import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Mailbox, NOW, type StoreGround, startStore } from '../testing/ground.ts'
import { assertClean, changesAt, messageOf, modseqOf } from '../testing/views.ts'
import type { AnyRole } from './folder-roles.ts'
import {
  createFolder,
  deleteFolder,
  ensureFolderPath,
  folderByPath,
  folderByRole,
  listFolders,
  removeFolder,
  updateFolder,
} from './folders.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

const create = (mailbox: Mailbox, name: string, parentId: string | null = null) =>
  store.database.tx((tx) => createFolder(tx, { addressId: mailbox.addressId, name, parentId }))
const update = (mailbox: Mailbox, folderId: string, change: object) =>
  store.database.tx((tx) => updateFolder(tx, { addressId: mailbox.addressId, folderId, ...change }))
const remove = (mailbox: Mailbox, folderId: string, messages: 'refuse' | 'destroy' | 'trash') =>
  store.database.tx((tx) => deleteFolder(tx, { addressId: mailbox.addressId, folderId, messages, now: NOW }))
const pathsOf = async (mailbox: Mailbox) =>
  (await listFolders(store.database.db, mailbox.addressId)).map(({ path }) => path)
const refusedWithoutTrace = async (mailbox: Mailbox, work: () => Promise<unknown>, kind: string) => {
  const earlier = await listFolders(store.database.db, mailbox.addressId)
  await assert.rejects(work(), { kind })
  assert.deepEqual(await listFolders(store.database.db, mailbox.addressId), earlier)
}

describe('creating a folder', () => {
  test('gives it a path below its parent and a UIDVALIDITY of its own', async () => {
    const mailbox = await store.mailbox()
    const projects = await create(mailbox, 'Projects')
    const roof = await create(mailbox, 'Roof', projects.id)
    assert.equal(roof.path, 'Projects/Roof')
    assert.equal(roof.uidValidity, projects.uidValidity + 1)
    assert.deepEqual(await changesAt(store, mailbox, await modseqOf(store, mailbox)), ['folder created 1'])
    await assertClean(store, mailbox)
  })

  test('the same name again is refused, also in another normal form; the same name elsewhere is not', async () => {
    const mailbox = await store.mailbox()
    const cafe = await create(mailbox, 'Caf\u00e9')
    await refusedWithoutTrace(mailbox, () => create(mailbox, 'Cafe\u0301'), 'folder_exists')
    await create(mailbox, 'Caf\u00e9', cafe.id)
    assert.equal(cafe.name, 'Caf\u00e9')
  })

  test('INBOX in any case is taken at the top only', async () => {
    const mailbox = await store.mailbox()
    for (const name of ['INBOX', 'inbox', 'InBox'])
      await refusedWithoutTrace(mailbox, () => create(mailbox, name), 'folder_exists')
    const parent = await create(mailbox, 'Old')
    assert.equal((await create(mailbox, 'INBOX', parent.id)).path, 'Old/INBOX')
  })

  test('names with slashes, control characters, nothing or too much are refused', async () => {
    const mailbox = await store.mailbox()
    for (const name of ['', ' ', 'a/b', 'a\0b', 'a\nb', '\u2028', '\ud800', 'x'.repeat(256)])
      await refusedWithoutTrace(mailbox, () => create(mailbox, name), 'bad_name')
    await create(mailbox, 'x'.repeat(255))
  })

  test('below a folder of another mailbox is refused', async () => {
    const [mailbox, other] = [await store.mailbox(), await store.mailbox()]
    await refusedWithoutTrace(mailbox, () => create(mailbox, 'Mine', other.folders.inbox), 'no_such_folder')
  })

  test('too deep is refused', async () => {
    const mailbox = await store.mailbox()
    const path = Array.from({ length: 20 }, (_, n) => `d${n}`).join('/')
    const deep = await store.database.tx((tx) => ensureFolderPath(tx, mailbox.addressId, path))
    assert.equal(deep.path, path)
    await refusedWithoutTrace(mailbox, () => create(mailbox, 'more', deep.id), 'too_many')
  })

  test('a path is made with its parents once', async () => {
    const mailbox = await store.mailbox()
    const first = await store.database.tx((tx) => ensureFolderPath(tx, mailbox.addressId, 'Lists/News/Today'))
    const second = await store.database.tx((tx) => ensureFolderPath(tx, mailbox.addressId, 'Lists/News/Today'))
    assert.equal(second.id, first.id)
    assert.equal((await folderByPath(store.database.db, mailbox.addressId, 'Lists/News'))?.id, first.parentId)
    const bad = store.database.tx((tx) => ensureFolderPath(tx, mailbox.addressId, 'Lists//x'))
    await assert.rejects(bad, { kind: 'bad_name' })
  })

  test('a path that two make at once is one folder', async () => {
    const mailbox = await store.mailbox()
    const second = store.openSecond()
    const made = await Promise.all(
      [store.database, second, store.database, second].map((database) =>
        database.tx((tx) => ensureFolderPath(tx, mailbox.addressId, 'Both/Inner')),
      ),
    )
    assert.equal(new Set(made.map(({ id }) => id)).size, 1)
    await assertClean(store, mailbox)
  })

  test('two at once of one name are one folder and a refusal', async () => {
    const mailbox = await store.mailbox()
    const second = store.openSecond()
    const results = await Promise.allSettled([
      create(mailbox, 'Race'),
      second.tx((tx) => createFolder(tx, { addressId: mailbox.addressId, name: 'Race' })),
    ])
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal((await pathsOf(mailbox)).filter((path) => path === 'Race').length, 1)
  })
})

describe('finding a folder', () => {
  test('by role, and by path with INBOX in any case', async () => {
    const mailbox = await store.mailbox()
    const { db } = store.database
    assert.equal((await folderByRole(db, mailbox.addressId, 'junk'))?.id, mailbox.folders.junk)
    assert.equal((await folderByPath(db, mailbox.addressId, 'iNbOx'))?.id, mailbox.folders.inbox)
    assert.equal(await folderByPath(db, mailbox.addressId, 'trash'), null)
    assert.equal(await folderByPath(db, mailbox.addressId, ''), null)
  })
})

describe('changing a folder', () => {
  test('renames and moves it with all below', async () => {
    const mailbox = await store.mailbox()
    const [a, b] = [await create(mailbox, 'A'), await create(mailbox, 'B')]
    const inner = await create(mailbox, 'Inner', a.id)
    await update(mailbox, a.id, { name: 'C', parentId: b.id, position: 4, subscribed: false, purgeDays: 30 })
    const folders = await listFolders(store.database.db, mailbox.addressId)
    assert.equal(folders.find(({ id }) => id === inner.id)?.path, 'B/C/Inner')
    const changed = folders.find(({ id }) => id === a.id)
    assert.deepEqual([changed?.position, changed?.subscribed, changed?.purgeDays], [4, false, 30])
    await assertClean(store, mailbox)
  })

  test('into itself, onto a taken name, or of the inbox is refused', async () => {
    const mailbox = await store.mailbox()
    const a = await create(mailbox, 'A')
    const inner = await create(mailbox, 'Inner', a.id)
    await refusedWithoutTrace(mailbox, () => update(mailbox, a.id, { parentId: inner.id }), 'bad_name')
    await refusedWithoutTrace(mailbox, () => update(mailbox, a.id, { parentId: a.id }), 'bad_name')
    await refusedWithoutTrace(mailbox, () => update(mailbox, a.id, { name: 'Sent' }), 'folder_exists')
    await refusedWithoutTrace(mailbox, () => update(mailbox, a.id, { name: 'inbox' }), 'folder_exists')
    await refusedWithoutTrace(
      mailbox,
      () => update(mailbox, mailbox.folders.inbox, { name: 'Mine' }),
      'folder_protected',
    )
    await refusedWithoutTrace(mailbox, () => update(mailbox, a.id, { purgeDays: 0 }), 'bad_name')
  })
})

describe('a role', () => {
  const withRole = (mailbox: Mailbox, name: string, role: AnyRole) =>
    store.database.tx((tx) => createFolder(tx, { addressId: mailbox.addressId, name, role }))

  test('may be given to one folder, moved to another, and goes with its folder', async () => {
    const mailbox = await store.mailbox()
    const first = await withRole(mailbox, 'Read me', 'important')
    assert.equal(first.role, 'important')
    const second = await create(mailbox, 'Second')
    await refusedWithoutTrace(mailbox, () => withRole(mailbox, 'Third', 'important'), 'role_taken')
    await refusedWithoutTrace(mailbox, () => update(mailbox, second.id, { role: 'important' }), 'role_taken')
    assert.equal((await update(mailbox, first.id, { name: 'Renamed' })).role, 'important')
    assert.equal((await update(mailbox, first.id, { role: null })).role, null)
    assert.equal((await update(mailbox, second.id, { role: 'important' })).role, 'important')
    await remove(mailbox, second.id, 'refuse')
    assert.equal(await folderByRole(store.database.db, mailbox.addressId, 'important'), null)
    assert.equal((await withRole(mailbox, 'Again', 'important')).role, 'important')
    await assertClean(store, mailbox)
  })

  test('that every mailbox has stays where it is', async () => {
    const mailbox = await store.mailbox()
    const { junk, archive } = mailbox.folders
    await refusedWithoutTrace(mailbox, () => withRole(mailbox, 'Spam', 'junk'), 'role_taken')
    await refusedWithoutTrace(mailbox, () => update(mailbox, junk, { role: null }), 'folder_protected')
    await refusedWithoutTrace(mailbox, () => update(mailbox, archive, { role: 'important' }), 'folder_protected')
    const other = await create(mailbox, 'Other')
    await refusedWithoutTrace(mailbox, () => update(mailbox, other.id, { role: 'junk' }), 'role_taken')
  })
})

describe('deleting a folder', () => {
  test('with a role, with folders inside, or with messages if that is refused, does not happen', async () => {
    const mailbox = await store.mailbox()
    const a = await create(mailbox, 'A')
    await refusedWithoutTrace(mailbox, () => remove(mailbox, mailbox.folders.junk, 'destroy'), 'folder_protected')
    const inner = await create(mailbox, 'Inner', a.id)
    await refusedWithoutTrace(mailbox, () => remove(mailbox, a.id, 'destroy'), 'folder_has_children')
    await store.add(mailbox, { folderIds: [inner.id] })
    await refusedWithoutTrace(mailbox, () => remove(mailbox, inner.id, 'refuse'), 'folder_not_empty')
  })

  test('moves its messages to the trash, unless they are elsewhere too', async () => {
    const mailbox = await store.mailbox()
    const a = await create(mailbox, 'A')
    const alone = await store.add(mailbox, { folderIds: [a.id] })
    const shared = await store.add(mailbox, { folderIds: [a.id, mailbox.folders.archive] })
    await remove(mailbox, a.id, 'trash')
    assert.deepEqual((await messageOf(store, mailbox, alone.messageId))?.folderIds, [mailbox.folders.trash])
    assert.deepEqual((await messageOf(store, mailbox, shared.messageId))?.folderIds, [mailbox.folders.archive])
    assert.ok(!(await pathsOf(mailbox)).includes('A'))
    await assertClean(store, mailbox)
  })

  test('with its messages destroys those that are nowhere else', async () => {
    const mailbox = await store.mailbox()
    const a = await create(mailbox, 'A')
    const alone = await store.add(mailbox, { folderIds: [a.id] })
    const shared = await store.add(mailbox, { folderIds: [a.id, mailbox.folders.archive] })
    await removeFolder(store.database, { addressId: mailbox.addressId, folderId: a.id, messages: 'destroy', now: NOW })
    assert.equal(await messageOf(store, mailbox, alone.messageId), null)
    assert.deepEqual((await messageOf(store, mailbox, shared.messageId))?.folderIds, [mailbox.folders.archive])
    await assertClean(store, mailbox)
  })

  test('that is deleted and made again has a greater UIDVALIDITY', async () => {
    const mailbox = await store.mailbox()
    const first = await create(mailbox, 'A')
    await remove(mailbox, first.id, 'refuse')
    assert.ok((await create(mailbox, 'A')).uidValidity > first.uidValidity)
  })
})
