import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { ImapFlow } from 'imapflow'
import { startImap } from './doors/imap/server.ts'
import { type GroundMailbox, type JmapGround, startJmap } from './doors/jmap/testing/ground.ts'
import { createCredentials } from './hosting/addresses/credentials.ts'
import { MAILBOX_PASSWORD } from './hosting/addresses/testing/hosting.ts'
import { changesSince, expungedSince } from './store/changes/changes.ts'
import { listFolders } from './store/folders/folders.ts'
import { checkMailbox } from './store/mailbox/check.ts'
import { type ChangeKind, readMailbox } from './store/mailbox/mailbox.ts'
import { getMessages, listEntries } from './store/messages/list.ts'
import { queryMessages } from './store/search/query.ts'
import { rawOf } from './store/testing/ground.ts'
import type { DoorServer } from './wire/listen/listen.ts'

let ground: JmapGround
let imap: DoorServer
before(async () => {
  ground = await startJmap()
  const { parts, config } = ground
  const credentials = createCredentials({ ...parts, secret: config.secret, limitExempt: config.limitExempt })
  const door = { port: 0, config: { ...config, host: '127.0.0.1' }, certificate: null, isImplicit: false }
  imap = await startImap({ ...parts, credentials }, door)
})
after(async () => {
  await imap.stop()
  await ground.close()
})

const signIn = async ({ email }: GroundMailbox): Promise<ImapFlow> => {
  const auth = { user: email, pass: MAILBOX_PASSWORD }
  const client = new ImapFlow({ host: '127.0.0.1', port: imap.port, secure: false, auth, logger: false })
  await client.connect()
  return client
}

/** One way to do things to a mailbox. Messages are named by their subjects, folders by their paths. */
type Door = {
  createFolder(name: string): Promise<void>
  add(subject: string, isSeen: boolean): Promise<void>
  flag(subject: string, folder: string): Promise<void>
  move(subject: string, from: string, to: string): Promise<void>
  copy(subject: string, from: string, to: string): Promise<void>
  /** Takes it out of one folder; out of the last one it is gone. */
  remove(subject: string, from: string): Promise<void>
  renameFolder(from: string, to: string): Promise<void>
  close(): Promise<void>
}

const RECEIVED = new Date('2026-03-01T11:30:00Z')
const rawMail = (subject: string): string => rawOf({ subject, id: `${subject}@example.org`, text: `About ${subject}.` })

const imapDoor = async (mailbox: GroundMailbox): Promise<Door> => {
  const client = await signIn(mailbox)
  const uidOf = async (subject: string, folder: string): Promise<string> => {
    await client.mailboxOpen(folder)
    const found = await client.search({ subject }, { uid: true })
    return String(found ? found[0] : '')
  }
  const uid = { uid: true }
  return {
    createFolder: async (name) => void (await client.mailboxCreate(name)),
    add: async (subject, isSeen) =>
      void (await client.append('INBOX', rawMail(subject), isSeen ? ['\\Seen'] : [], RECEIVED)),
    flag: async (subject, folder) =>
      void (await client.messageFlagsAdd(await uidOf(subject, folder), ['\\Flagged', '$Work'], uid)),
    move: async (subject, from, to) => void (await client.messageMove(await uidOf(subject, from), to, uid)),
    copy: async (subject, from, to) => void (await client.messageCopy(await uidOf(subject, from), to, uid)),
    remove: async (subject, from) => void (await client.messageDelete(await uidOf(subject, from), uid)),
    renameFolder: async (from, to) => void (await client.mailboxRename(from, to)),
    close: () => client.logout(),
  }
}

const jmapDoor = ({ accountId, client }: GroundMailbox): Door => {
  const one = (name: string, args: object) => client.one(name, { accountId, ...args })
  const folderOf = async (path: string): Promise<string> => {
    const { ids } = await one('Mailbox/query', { filter: path === 'INBOX' ? { role: 'inbox' } : { name: path } })
    return ids[0]
  }
  const emailOf = async (subject: string): Promise<string> => (await one('Email/query', { filter: { subject } })).ids[0]
  const update = async (subject: string, patch: object): Promise<void> => {
    const id = await emailOf(subject)
    assert.deepEqual(Object.keys((await one('Email/set', { update: { [id]: patch } })).updated), [id])
  }
  const patchOf = async (folder: string, value: true | null) => ({ [`mailboxIds/${await folderOf(folder)}`]: value })
  return {
    createFolder: (name) => one('Mailbox/set', { create: { folder: { name, isSubscribed: true } } }),
    async add(subject, isSeen) {
      const { blobId } = await client.upload(accountId, rawMail(subject))
      const mailboxIds = { [await folderOf('INBOX')]: true }
      const keywords = isSeen ? { $seen: true } : {}
      const email = { blobId, mailboxIds, keywords, receivedAt: RECEIVED.toISOString() }
      assert.ok((await one('Email/import', { emails: { email } })).created.email)
    },
    flag: (subject) => update(subject, { 'keywords/$flagged': true, 'keywords/$work': true }),
    move: async (subject, _from, to) => update(subject, { mailboxIds: { [await folderOf(to)]: true } }),
    copy: async (subject, _from, to) => update(subject, await patchOf(to, true)),
    async remove(subject, from) {
      const id = await emailOf(subject)
      const { mailboxIds } = (await one('Email/get', { ids: [id], properties: ['mailboxIds'] })).list[0]
      if (Object.keys(mailboxIds).length > 1) return update(subject, await patchOf(from, null))
      assert.deepEqual((await one('Email/set', { destroy: [id] })).destroyed, [id])
    },
    async renameFolder(from, to) {
      await one('Mailbox/set', { update: { [await folderOf(from)]: { name: to } } })
    },
    close: async () => undefined,
  }
}

const scenario: readonly ((door: Door) => Promise<void>)[] = [
  (door) => door.createFolder('Projects'),
  (door) => door.add('roof', false),
  (door) => door.add('cellar', true),
  (door) => door.flag('roof', 'INBOX'),
  (door) => door.move('roof', 'INBOX', 'Projects'),
  (door) => door.copy('cellar', 'INBOX', 'Projects'),
  (door) => door.remove('cellar', 'INBOX'),
  (door) => door.remove('roof', 'Projects'),
  (door) => door.renameFolder('Projects', 'Done'),
]

/** Hangs if nothing is reported; the delay is measured elsewhere. */
const EVENT_MS = 15_000

const KINDS: readonly ChangeKind[] = ['folder', 'folder_counts', 'message', 'thread']

/** A mailbox as the store has it, without ids, and what changed in it since a modseq. */
const stateOf = async ({ accountId: addressId }: GroundMailbox, since: number) => {
  const { db } = ground.parts.database
  const folders = await listFolders(db, addressId)
  const pathOf = new Map(folders.map(({ id, path }) => [id, path]))
  const { ids } = await queryMessages(ground.parts, { addressId, filter: {}, limit: 100 })
  const messages = await getMessages(db, addressId, ids)
  const { usedBytes, messageCount } = await readMailbox(db, addressId)
  const rowsOf = async (folderId: string) => {
    const entries = await listEntries(db, { addressId, folderId, fromUid: 1, toUid: 1_000 })
    return entries.map(({ uid, deleted, keywords, size, receivedAt }) => ({ uid, deleted, keywords, size, receivedAt }))
  }
  return {
    usedBytes,
    messageCount,
    folders: await Promise.all(
      folders.map(async ({ id, path, role, subscribed, uidNext, total, unread, threads, sizeBytes }) => ({
        ...{ path, role, subscribed, uidNext, total, unread, threads, sizeBytes },
        rows: await rowsOf(id),
        expunged: (await expungedSince(db, { addressId, folderId: id, since })).uids,
      })),
    ),
    messages: messages.map(({ subject, keywords, folderIds, size, receivedAt, preview, envelope }) => ({
      ...{ subject, keywords, size, receivedAt, preview, envelope },
      folders: folderIds.map((id) => pathOf.get(id)),
    })),
    changes: await Promise.all(
      KINDS.map(async (kind) => {
        const changes = await changesSince(db, { addressId, kinds: [kind], since: { modseq: since, objectId: null } })
        const { created, updated, destroyed } = changes
        return { kind, created: created.length, updated: updated.length, destroyed: destroyed.length }
      }),
    ),
  }
}

describe('the same, done through IMAP and through JMAP', () => {
  test('ends in the same state of the store after each step', async () => {
    const one = await ground.mailbox('by-imap@example.test')
    const other = await ground.mailbox('by-jmap@example.test')
    const byImap = await imapDoor(one)
    const byJmap = jmapDoor(other)
    const { db } = ground.parts.database
    const since = async (mailbox: GroundMailbox) => (await readMailbox(db, mailbox.accountId)).modseq
    for (const step of scenario) {
      const before = [await since(one), await since(other)] as const
      await step(byImap)
      await step(byJmap)
      assert.deepEqual(await stateOf(one, before[0]), await stateOf(other, before[1]), String(step))
    }
    const { folders, messages } = await stateOf(other, 0)
    const filled = folders.filter(({ total }) => total > 0)
    assert.deepEqual(
      filled.map(({ path, uidNext, rows, expunged }) => [path, uidNext, rows.map(({ uid }) => uid), expunged]),
      [['Done', 3, [2], [1]]],
    )
    assert.deepEqual(
      messages.map(({ subject, keywords }) => [subject, keywords]),
      [['cellar', ['$seen']]],
    )
    for (const { accountId } of [one, other]) assert.deepEqual(await checkMailbox(db, accountId), [])
    await byImap.close()
  })

  test('an idle IMAP client is notified at once of what JMAP does', async () => {
    const mailbox = await ground.mailbox('idle@example.test')
    const door = jmapDoor(mailbox)
    await door.createFolder('Projects')
    const client = await signIn(mailbox)
    await client.mailboxOpen('INBOX')
    const idling = client.idle()
    const eventAfter = async (event: string, act: () => Promise<void>) => {
      const [[detail]] = await Promise.all([once(client, event, { signal: AbortSignal.timeout(EVENT_MS) }), act()])
      return detail
    }
    assert.equal((await eventAfter('exists', () => door.add('roof', false))).count, 1)
    const flags: Set<string> = (await eventAfter('flags', () => door.flag('roof', 'INBOX'))).flags
    assert.deepEqual([...flags].sort(), ['$work', '\\Flagged'])
    assert.equal((await eventAfter('expunge', () => door.move('roof', 'INBOX', 'Projects'))).seq, 1)
    assert.equal((await eventAfter('exists', () => door.move('roof', 'Projects', 'INBOX'))).count, 1)
    await eventAfter('expunge', () => door.remove('roof', 'INBOX'))
    await client.noop()
    await idling
    await client.logout()
  })

  test('JMAP shows at once what IMAP did', async () => {
    const mailbox = await ground.mailbox('states@example.test')
    const { accountId, client } = mailbox
    const door = await imapDoor(mailbox)
    const one = (name: string, args: object) => client.one(name, { accountId, ...args })
    const seen = async (type: string, act: () => Promise<void>) => {
      const { state } = await one(`${type}/get`, { ids: [] })
      await act()
      const { created, updated, destroyed } = await one(`${type}/changes`, { sinceState: state })
      return [created.length, updated.length, destroyed.length]
    }
    assert.deepEqual(await seen('Mailbox', () => door.createFolder('Projects')), [1, 0, 0])
    assert.deepEqual(await seen('Email', () => door.add('roof', false)), [1, 0, 0])
    assert.deepEqual(await seen('Email', () => door.flag('roof', 'INBOX')), [0, 1, 0])
    assert.deepEqual(await seen('Email', () => door.move('roof', 'INBOX', 'Projects')), [0, 1, 0])
    assert.deepEqual(await seen('Mailbox', () => door.copy('roof', 'Projects', 'INBOX')), [0, 1, 0])
    assert.deepEqual(await seen('Email', () => door.remove('roof', 'INBOX')), [0, 1, 0])
    assert.deepEqual(await seen('Email', () => door.remove('roof', 'Projects')), [0, 0, 1])
    assert.deepEqual(await seen('Mailbox', () => door.renameFolder('Projects', 'Done')), [0, 1, 0])
    await door.close()
  })
})
