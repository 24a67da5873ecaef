import assert from 'node:assert/strict'
import type { MailAnswer, MailClient, MailService } from '@stoa/tests/lib/mail.ts'
import type { AddressSettings } from '../../../hosting/addresses/operations.ts'
import { MAILBOX_PASSWORD, type PlantedAddress, plantAddress } from '../../../hosting/addresses/testing/hosting.ts'
import type { FolderRole } from '../../../store/folders/folder-roles.ts'
import { listFolders } from '../../../store/folders/folders.ts'
import { addMessage } from '../../../store/messages/messages.ts'
import { readMessage } from '../../../store/messages/read.ts'
import { type MailOptions, rawOf } from '../../../store/testing/ground.ts'

/** Somebody signed in to a mailbox of their own. */
export type Owner = {
  client: MailClient
  address: PlantedAddress
  folders: Record<FolderRole, string>
  post(path: string, body?: unknown): Promise<MailAnswer>
  /** Puts a message into the mailbox and gives its id. */
  receive(mail?: MailOptions): Promise<string>
  receiveMany(count: number): Promise<string[]>
  /** Where a message is and what it is marked with; null when it is gone. */
  look(id: string): Promise<{ folders: string[]; keywords: string[] } | null>
}

export const signInAs = async (mail: MailService, address: PlantedAddress): Promise<MailClient> => {
  const client = mail.client()
  const answer = await client.post('/api/mail/login', { email: address.email, password: MAILBOX_PASSWORD })
  assert.equal(answer.status, 200, answer.text)
  return client
}

export const plantOwner = async (
  mail: MailService,
  email: string,
  settings: AddressSettings & { accountId?: string } = {},
): Promise<Owner> => {
  const address = await plantAddress(mail.database, email, { ...settings, now: mail.clock.now() })
  const client = await signInAs(mail, address)
  const list = await listFolders(mail.database.db, address.id)
  const names = new Map(list.map(({ id, path }) => [id, path]))
  const byRole = (role: FolderRole): string => list.find((folder) => folder.role === role)?.id ?? assert.fail(role)
  const folders = {
    inbox: byRole('inbox'),
    drafts: byRole('drafts'),
    sent: byRole('sent'),
    archive: byRole('archive'),
    junk: byRole('junk'),
    trash: byRole('trash'),
    snoozed: byRole('snoozed'),
  }
  /** So many messages, each of a thread of its own. Their bytes are written once: nobody reads those. */
  const add = async (given: MailOptions, count: number): Promise<string[]> => {
    const bytes = Buffer.from(given.raw ?? rawOf(given))
    const blob = await mail.parts.blobs.put(bytes, { maxBytes: 10_000_000 })
    return mail.database.tx(async (tx) => {
      const ids: string[] = []
      while (ids.length < count) {
        const { messageId } = await addMessage(tx, {
          addressId: address.id,
          blob,
          prefix: Buffer.alloc(0),
          read: readMessage(ids.length === 0 ? bytes : Buffer.from(rawOf({}))),
          folderIds: given.folderIds ?? [folders.inbox],
          keywords: given.keywords ?? [],
          receivedAt: given.receivedAt ?? mail.clock.now(),
          now: mail.clock.now(),
          quotaBytes: null,
        })
        ids.push(messageId)
      }
      return ids
    })
  }
  return {
    client,
    address,
    folders,
    post: (path, body) => client.post(`/api/mail/${path}`, body),
    receive: async (given = {}) => (await add(given, 1))[0] ?? assert.fail(),
    receiveMany: (count) => add({}, count),
    async look(id) {
      const { db } = mail.database
      const message = await db
        .selectFrom('message')
        .select('keywords')
        .where('address_id', '=', address.id)
        .where('id', '=', id)
        .executeTakeFirst()
      if (!message) return null
      const places = await db
        .selectFrom('message_folder')
        .select('folder_id')
        .where('address_id', '=', address.id)
        .where('message_id', '=', id)
        .where('deleted', '=', false)
        .execute()
      return {
        folders: places.map(({ folder_id: id }) => names.get(id) ?? id).sort(),
        keywords: [...message.keywords].sort(),
      }
    },
  }
}

export const refused = (answer: MailAnswer, status: number, name: string, message?: RegExp): void => {
  assert.deepEqual([answer.status, answer.body?.name], [status, name], answer.text)
  if (message) assert.match(answer.body.message, message)
}

/** Every row of a mailbox that could have changed, to compare. */
export const stateOf = async (mail: MailService, { address }: Owner): Promise<unknown> => {
  const texts = [
    'mailbox',
    'message',
    'message_folder',
    'submission',
    'contact',
    'bulk_job',
    'identity',
    'vacation',
  ].map(
    (table) => `select '${table}' as name, md5(string_agg(t::text, '' order by t::text)) as hash
      from ${table} t where address_id = $1`,
  )
  const queued = `select 'queue' as name, count(*)::text as hash from queue_message where address_id = $1`
  return mail.database.db.query({ text: [...texts, queued].join(' union all '), values: [address.id] })
}
