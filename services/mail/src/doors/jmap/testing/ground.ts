import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneDatabase } from '@stoa/tests/lib/cluster.ts'
import { mailTemplate } from '@stoa/tests/lib/mail.ts'
import type { Config } from '../../../config.ts'
import type { SharedParts } from '../../../context.ts'
import {
  MAILBOX_PASSWORD,
  type PlantedAddress,
  plantAccount,
  plantAddress,
} from '../../../hosting/addresses/testing/hosting.ts'
import { createShare } from '../../../hosting/shares/shares.ts'
import type { FolderRole } from '../../../store/folders/folder-roles.ts'
import { listFolders } from '../../../store/folders/folders.ts'
import { type AddedMessage, addMessage } from '../../../store/messages/messages.ts'
import { readMessage } from '../../../store/messages/read.ts'
import { type MailOptions, rawOf } from '../../../store/testing/ground.ts'
import type { Jmap } from '../jmap.ts'
import { createClient, type JmapClient } from './client.ts'
import { type ServerOptions, startJmapServer } from './server.ts'

/** A mailbox with its folders by role, and a client that is signed in to it. */
export type GroundMailbox = {
  address: PlantedAddress
  /** The JMAP account id. */
  accountId: string
  email: string
  folders: Record<FolderRole, string>
  client: JmapClient
}

export type JmapGround = {
  url: string
  databaseUrl: string
  parts: SharedParts
  jmap: Jmap
  config: Config
  /** Whose mailbox is used in most tests. */
  ann: GroundMailbox
  /** Of the same customer; nothing is shared until `share` is called. */
  bob: GroundMailbox
  /** A further mailbox: of the same customer by default. */
  mailbox(email: string, options?: { isStranger?: boolean }): Promise<GroundMailbox>
  /** Lets `withMailbox` use `mailbox` too. */
  share(mailbox: GroundMailbox, withMailbox: GroundMailbox, access: 'read' | 'write' | 'full'): Promise<void>
  /** A client with other headers, such as an app password or none. */
  client(headers: Record<string, string>): JmapClient
  /** Stores a message as if it had arrived, here or in another process. */
  add(mailbox: GroundMailbox, mail?: MailOptions, from?: SharedParts['database']): Promise<AddedMessage>
  /** Every line that was logged. */
  logs: string[]
  close(): Promise<void>
}

export type GroundOptions = Omit<ServerOptions, 'databaseUrl' | 'folder'>

/** A real server on a real database with two mailboxes of one customer. */
export const startJmap = async (options: GroundOptions = {}): Promise<JmapGround> => {
  const own = await cloneDatabase(await mailTemplate())
  const folder = await mkdtemp(join(tmpdir(), 'jmap-test-'))
  const server = await startJmapServer({ ...options, databaseUrl: own.url, folder })
  const { url, parts, jmap, logs } = server
  const { database, blobs, clock } = parts
  const customer = await plantAccount(database)
  const mailbox: JmapGround['mailbox'] = async (email, { isStranger = false } = {}) => {
    const accountId = isStranger ? (await plantAccount(database)).id : customer.id
    const address = await plantAddress(database, email, { accountId })
    const folders = await listFolders(database.db, address.id)
    const byRole = (role: FolderRole) => folders.find((each) => each.role === role)?.id ?? ''
    return {
      address,
      accountId: address.id,
      email: address.email,
      folders: {
        inbox: byRole('inbox'),
        drafts: byRole('drafts'),
        sent: byRole('sent'),
        archive: byRole('archive'),
        junk: byRole('junk'),
        trash: byRole('trash'),
        snoozed: byRole('snoozed'),
      },
      client: createClient(url, { authorization: basic(address.email, MAILBOX_PASSWORD) }),
    }
  }
  return {
    url,
    databaseUrl: own.url,
    parts,
    jmap,
    config: parts.config,
    ann: await mailbox('ann@example.test'),
    bob: await mailbox('bob@example.test'),
    mailbox,
    async share(shared, { accountId: withAddressId }, access) {
      const share = { accountId: customer.id, addressId: shared.accountId, withAddressId, access, now: clock.now() }
      await database.tx((tx) => createShare(tx, share))
    },
    client: (headers) => createClient(url, headers),
    async add({ accountId, folders }, mail = {}, from = database) {
      const bytes = Buffer.from(mail.raw ?? rawOf(mail), 'latin1')
      const blob = await blobs.put(bytes, { maxBytes: 50_000_000 })
      return from.tx((tx) =>
        addMessage(tx, {
          addressId: accountId,
          blob,
          prefix: Buffer.alloc(0),
          read: readMessage(bytes),
          folderIds: mail.folderIds ?? [folders.inbox],
          keywords: mail.keywords ?? [],
          receivedAt: mail.receivedAt ?? clock.now(),
          now: mail.now ?? clock.now(),
          quotaBytes: mail.quotaBytes ?? null,
        }),
      )
    },
    logs,
    async close() {
      await server.close()
      await own.drop()
      await rm(folder, { recursive: true })
    },
  }
}

export const basic = (email: string, password: string): string =>
  `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`
