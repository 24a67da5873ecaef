import assert from 'node:assert/strict'
import type { MailClient, MailService } from '@stoa/tests/lib/mail.ts'
import { formatMailDate } from '../../../formats/mime/mail-date.ts'
import type { AddressSettings } from '../../../hosting/addresses/operations.ts'
import { MAILBOX_PASSWORD, type PlantedAddress, plantAddress } from '../../../hosting/addresses/testing/hosting.ts'
import { putMessage } from '../../../store/blobs/blobs.ts'
import type { FolderRole } from '../../../store/folders/folder-roles.ts'
import { listFolders } from '../../../store/folders/folders.ts'
import { addMessage } from '../../../store/messages/messages.ts'
import { readMessage } from '../../../store/messages/read.ts'

export type Reader = {
  client: MailClient
  address: PlantedAddress
  /** Ids of the folders that every mailbox has. */
  folders: Record<FolderRole, string>
  /** Puts a message into the mailbox and gives its id. */
  add(mail: PlantedMail): Promise<string>
}

export type PlantedMail = {
  /** The bytes, in place of what the members below would make. */
  raw?: string
  subject?: string
  from?: string
  to?: string
  text?: string
  html?: string
  references?: string
  id?: string
  folderId?: string
  keywords?: string[]
  receivedAt?: Date
  /** Header fields of ours. */
  prefix?: string
}

/** Somebody signed in to a new mailbox. */
export const plantReader = async (
  mail: MailService,
  email: string,
  accountId?: string,
  settings: AddressSettings = {},
): Promise<Reader> => {
  const owner = accountId === undefined ? {} : { accountId }
  const address = await plantAddress(mail.database, email, { ...settings, ...owner })
  const client = mail.client()
  const signedIn = await client.post('/api/mail/login', { email, password: MAILBOX_PASSWORD })
  assert.equal(signedIn.status, 200)
  const listed = await listFolders(mail.database.db, address.id)
  const idOf = (role: FolderRole): string => listed.find((folder) => folder.role === role)?.id ?? ''
  const folders = {
    inbox: idOf('inbox'),
    drafts: idOf('drafts'),
    sent: idOf('sent'),
    archive: idOf('archive'),
    junk: idOf('junk'),
    trash: idOf('trash'),
    snoozed: idOf('snoozed'),
  }
  const add = async (planted: PlantedMail): Promise<string> => {
    const bytes = Buffer.from(planted.raw ?? rawOf(planted), 'utf8')
    const blob = await putMessage(mail.parts.blobs, bytes, { maxBytes: 60_000_000 })
    const receivedAt = planted.receivedAt ?? mail.clock.now()
    const { messageId } = await mail.database.tx((tx) =>
      addMessage(tx, {
        addressId: address.id,
        blob,
        prefix: Buffer.from(planted.prefix ?? ''),
        read: readMessage(bytes),
        folderIds: [planted.folderId ?? folders.inbox],
        keywords: planted.keywords ?? [],
        receivedAt,
        now: mail.clock.now(),
        quotaBytes: null,
      }),
    )
    return messageId
  }
  return { client, address, folders, add }
}

let count = 0

const rawOf = (mail: PlantedMail): string => {
  count += 1
  return [
    `From: ${mail.from ?? 'Ann <ann@outside.test>'}`,
    `To: ${mail.to ?? 'Bob <bob@ours.test>'}`,
    `Subject: ${mail.subject ?? `Message ${count}`}`,
    `Message-ID: <${mail.id ?? `m${count}@outside.test`}>`,
    ...(mail.references ? [`References: ${mail.references}`] : []),
    `Date: ${mail.receivedAt ? formatMailDate(mail.receivedAt) : 'Sat, 28 Feb 2026 10:00:00 +0100'}`,
    'MIME-Version: 1.0',
    `Content-Type: text/${mail.html === undefined ? 'plain' : 'html'}; charset=utf-8`,
    '',
    mail.html ?? mail.text ?? `This is message ${count}.`,
    '',
  ].join('\r\n')
}
