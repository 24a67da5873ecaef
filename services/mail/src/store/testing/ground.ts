import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger, type Log } from '@stoa/kit/log.ts'
import { cloneDatabase, PATIENT } from '@stoa/tests/lib/cluster.ts'
import { mailTemplate } from '@stoa/tests/lib/mail.ts'
import type { Tables } from '../../tables.ts'
import type { FolderRole } from '../folders/folder-roles.ts'
import { listFolders } from '../folders/folders.ts'
import type { MailDatabase, MailTx } from '../handles.ts'
import { createMailbox } from '../mailbox/mailbox.ts'
import { type AddedMessage, addMessage } from '../messages/messages.ts'
import { readMessage } from '../messages/read.ts'

/** Any moment will do. */
export const NOW = new Date('2026-03-01T12:00:00.000Z')
export const silent: Log = createLogger({ name: 'test', level: 'silent' })

export type Mailbox = { addressId: string; folders: Record<FolderRole, string> }

export type StoreGround = {
  url: string
  database: MailDatabase
  blobs: Blobs
  blobFolder: string
  /** A second process, as far as the database can tell. */
  openSecond(): MailDatabase
  mailbox(): Promise<Mailbox>
  add(mailbox: Mailbox, mail?: MailOptions): Promise<AddedMessage>
  addIn(tx: MailTx, mailbox: Mailbox, mail?: MailOptions): Promise<AddedMessage>
  close(): Promise<void>
}

export type MailOptions = {
  viewerId?: string
  raw?: string
  id?: string
  subject?: string
  from?: string
  to?: string
  text?: string
  references?: string[]
  folderIds?: string[]
  keywords?: string[]
  receivedAt?: Date
  now?: Date
  quotaBytes?: number | null
}

/** A database with the store's tables and a folder for blobs. */
export const startStore = async (): Promise<StoreGround> => {
  const own = await cloneDatabase(await mailTemplate())
  const open = () => openDatabase<Tables>({ url: own.url, poolSize: 5, log: silent, ...PATIENT })
  const database = open()
  const seconds: MailDatabase[] = []
  const folder = await mkdtemp(join(tmpdir(), 'store-test-'))
  const blobFolder = join(folder, 'mail')
  const blobs = await openLocalBlobs(blobFolder)
  const addIn = async (tx: MailTx, mailbox: Mailbox, mail: MailOptions = {}) => {
    const bytes = Buffer.from(mail.raw ?? rawOf(mail), 'latin1')
    const blob = await blobs.put(bytes, { maxBytes: 10_000_000 })
    return addMessage(tx, {
      addressId: mailbox.addressId,
      viewerId: mail.viewerId ?? null,
      blob,
      prefix: Buffer.alloc(0),
      read: readMessage(bytes),
      folderIds: mail.folderIds ?? [mailbox.folders.inbox],
      keywords: mail.keywords ?? [],
      receivedAt: mail.receivedAt ?? NOW,
      now: mail.now ?? NOW,
      quotaBytes: mail.quotaBytes ?? null,
    })
  }
  return {
    url: own.url,
    database,
    blobs,
    blobFolder,
    openSecond() {
      const second = open()
      seconds.push(second)
      return second
    },
    mailbox: () => makeMailbox(database),
    addIn,
    add: (mailbox, mail) => database.tx((tx) => addIn(tx, mailbox, mail)),
    async close() {
      await Promise.all([database, ...seconds].map((each) => each.close()))
      await own.drop()
      await rm(folder, { recursive: true })
    },
  }
}

const makeMailbox = async (database: MailDatabase): Promise<Mailbox> => {
  const addressId = newId()
  const email = `${addressId}@example.test`
  await database.pool.query(
    `with a as (insert into account (id, email, password_hash, role, referral_code, created_at, updated_at)
        values ($1, $2, 'x', 'member', $3, now(), now()) returning id),
      d as (insert into domain (id, account_id, name, ownership_token, created_at, updated_at)
        select $1, id, $4, 'x', now(), now() from a returning id)
      insert into address (id, account_id, domain_id, local_part, email, password_hash, created_at, updated_at)
      select $1, a.id, d.id, 'x', $2, 'x', now(), now() from a, d`,
    [addressId, email, addressId.slice(-12), `${addressId}.test`],
  )
  await database.tx((tx) => createMailbox(tx, { addressId, now: NOW }))
  const folders = await listFolders(database.db, addressId)
  const byRole = (role: FolderRole) => folders.find((folder) => folder.role === role)?.id ?? ''
  return {
    addressId,
    folders: {
      inbox: byRole('inbox'),
      drafts: byRole('drafts'),
      sent: byRole('sent'),
      archive: byRole('archive'),
      junk: byRole('junk'),
      trash: byRole('trash'),
      snoozed: byRole('snoozed'),
    },
  }
}

let counter = 0

export const rawOf = ({ id, subject, from, to, text, references = [] }: MailOptions): string => {
  counter += 1
  return [
    `From: ${from ?? 'Ann <ann@example.org>'}`,
    `To: ${to ?? 'Bob <bob@example.test>'}`,
    `Subject: ${subject ?? `Message ${counter}`}`,
    `Message-ID: <${id ?? `m${counter}@example.org`}>`,
    ...(references.length > 0 ? [`References: ${references.map((each) => `<${each}>`).join(' ')}`] : []),
    'Date: Sun, 1 Mar 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text ?? `This is message ${counter}.`,
    '',
  ].join('\r\n')
}
