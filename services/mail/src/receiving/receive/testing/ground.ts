import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { createTestClock, type TestClock } from '@stoa/kit/clock.ts'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { cloneDatabase, PATIENT } from '@stoa/tests/lib/cluster.ts'
import { mailTemplate } from '@stoa/tests/lib/mail.ts'
import { connectSmtp, type SmtpClient, type SmtpReply } from '@stoa/tests/lib/smtp-client.ts'
import { type Zone, zoneLookup } from '../../../formats/authenticity/testing/zone.ts'
import { extensionsOf } from '../../../formats/sieve/compile.ts'
import {
  HOSTNAME,
  type PlantedAddress,
  plantAccount,
  plantAddress,
} from '../../../hosting/addresses/testing/hosting.ts'
import { listFolders } from '../../../store/folders/folders.ts'
import { checkMailbox } from '../../../store/mailbox/check.ts'
import type { Tables } from '../../../tables.ts'
import type { DoorServer } from '../../../wire/listen/listen.ts'
import type { SessionLimits } from '../../../wire/smtp/door.ts'
import type { ReceiveParts } from '../parts.ts'
import { createMailRates } from '../rates.ts'
import { createReceiveParts, type ServiceHooks, startMx } from '../receive.ts'
import { readBlob } from '../spool.ts'

export const NOW = new Date('2026-03-01T12:00:00.000Z')

export type StoredMail = {
  id: string
  folders: string[]
  keywords: string[]
  prefix: string
  /** What was stored, without the prefix. */
  text: string
  subject: string | null
}

export type ReceiveGround = {
  database: Database<Tables>
  databaseUrl: string
  /** The owner of all addresses unless another one is given. */
  accountId: string
  parts: ReceiveParts
  server: DoorServer
  clock: TestClock
  zone: Zone
  blobFolder: string
  logs: string[]
  /** An address; the first of a domain makes it. */
  address(email: string, options?: Parameters<typeof plantAddress>[2]): Promise<PlantedAddress>
  script(address: PlantedAddress, source: string, options?: ScriptOptions): Promise<void>
  /** A connection that has sent EHLO; `ip` is the loopback address that it comes from. */
  connect(ip?: string): Promise<SmtpClient>
  /** Sends a message on a connection of its own; gives the last answer. */
  send(mail: {
    from?: string
    to: string | readonly string[]
    message: string | Buffer
    ip?: string
  }): Promise<SmtpReply>
  mails(address: PlantedAddress): Promise<StoredMail[]>
  queued(): Promise<QueuedMail[]>
  activity(address: PlantedAddress): Promise<{ type: string; result: string | null }[]>
  /** Fails when the store does not agree with itself. */
  check(address: PlantedAddress): Promise<void>
  close(): Promise<void>
}

export type QueuedMail = { source: string; returnPath: string; recipients: string[]; text: string; notBefore: Date }

export type ScriptOptions = { name?: string; origin?: 'panel' | 'client'; isForAll?: boolean; position?: number }

export type GroundOptions = {
  limits?: Partial<SessionLimits>
  hooks?: ServiceHooks
  maxMessageBytes?: number
  scannerUrl?: string
  messagesPerMinute?: number
  /** Another way to the same database. */
  through?: (url: string) => Promise<string>
}

const certificate = selfSignedCertificate(['localhost'])

/** The MX door on real sockets, a database of its own, a folder of blobs, and a zone for DNS. */
export const startReceiving = async (options: GroundOptions = {}): Promise<ReceiveGround> => {
  const own = await cloneDatabase(await mailTemplate())
  const logs: string[] = []
  const log = createLogger({ name: 'mail', level: 'warn', destination: { write: (line) => void logs.push(line) } })
  const url = (await options.through?.(own.url)) ?? own.url
  // Tests that connect through a proxy check what happens when it is closed
  const database = openDatabase<Tables>({ url, poolSize: 5, log, ...(options.through ? {} : PATIENT) })
  const blobFolder = await mkdtemp(join(tmpdir(), 'receive-test-'))
  const blobs = await openLocalBlobs(blobFolder)
  const clock = createTestClock(NOW)
  const zone: Zone = {}
  const parts = createReceiveParts({
    database,
    blobs,
    config: {
      hostname: HOSTNAME,
      secret: new Secret('a secret of the tests, long enough for anyone'),
      maxMessageBytes: options.maxMessageBytes ?? 1_000_000,
      rspamdUrl: null,
      scannerUrl: options.scannerUrl ?? null,
      limitExempt: [],
      environment: 'test',
      arcTrustedSealers: ['forwarder.example'],
    },
    lookup: zoneLookup(zone).lookup,
    log,
    clock,
  })
  const server = await startMx(
    parts,
    {
      port: 0,
      config: { host: '127.0.0.1', trustedProxies: [], smtpMaxPerIp: 50, limitExempt: [] },
      certificate: { current: () => certificate, onChange: () => undefined },
    },
    {
      limits: { greetingMs: 0, tarpitMs: 1, ...options.limits },
      ...(options.hooks ? { hooks: options.hooks } : {}),
      ...(options.messagesPerMinute
        ? { rates: createMailRates(clock, { perSender: { limit: options.messagesPerMinute, windowSeconds: 60 } }) }
        : {}),
    },
  )
  const account = await plantAccount(database, { now: NOW })
  const ground: ReceiveGround = {
    accountId: account.id,
    database,
    databaseUrl: own.url,
    parts,
    server,
    clock,
    zone,
    blobFolder,
    logs,
    address: (email, settings = {}) => plantAddress(database, email, { now: NOW, accountId: account.id, ...settings }),
    script: (address, source, script) => plantScript(database, address, source, script),
    async connect(ip) {
      const client = await connectSmtp({ port: server.port, ...(ip && { localAddress: ip }) })
      await client.say('EHLO client.test')
      return client
    },
    async send({ from = 'ann@example.org', to, message, ip }) {
      const client = await ground.connect(ip)
      try {
        const answer = await client.mail({ from, to: [to].flat() }, message)
        await client.say('QUIT')
        return answer
      } finally {
        client.close()
      }
    },
    mails: (address) => readMails(ground, address.id),
    queued: () => readQueue(ground),
    async activity(address) {
      await parts.receipts.flush()
      return database.db.query({
        text: 'select type, result from activity where address_id = $1 order by created_at, id',
        values: [address.id],
      })
    },
    async check(address) {
      const problems = await checkMailbox(database.db, address.id)
      if (problems.length > 0) throw new Error(JSON.stringify(problems))
    },
    async close() {
      await server.stop()
      await database.close()
      await own.drop()
      await rm(blobFolder, { recursive: true, force: true })
    },
  }
  return ground
}

const plantScript = async (
  { tx }: Database<Tables>,
  address: PlantedAddress,
  source: string,
  { name = newId(), origin = 'panel', isForAll = false, position = 0 }: ScriptOptions = {},
): Promise<void> => {
  await tx((tx) =>
    tx
      .insertInto('sieve_script')
      .values({
        id: newId(),
        account_id: address.accountId,
        address_id: isForAll ? null : address.id,
        origin,
        name,
        source,
        enabled: true,
        position,
        extensions: extensionsOf(source),
        created_at: NOW,
        updated_at: NOW,
      })
      .execute(),
  )
}

type MessageRow = {
  id: string
  blob_key: string
  prefix: Buffer
  size: number
  keywords: string[]
  subject: string | null
}

const readMails = async ({ database, parts }: ReceiveGround, addressId: string): Promise<StoredMail[]> => {
  const folders = new Map((await listFolders(database.db, addressId)).map((folder) => [folder.id, folder.path]))
  const rows = await database.db.query<MessageRow & { folder_ids: string[] }>({
    text: `select id, blob_key, prefix, size, keywords, subject,
                  (select array_agg(folder_id::text) from message_folder f
                   where f.address_id = message.address_id and f.message_id = message.id) as folder_ids
           from message where address_id = $1 order by created_modseq, id`,
    values: [addressId],
  })
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      folders: row.folder_ids.map((id) => folders.get(id) ?? '').sort(),
      keywords: row.keywords,
      prefix: row.prefix.toString(),
      text: (await readBlob(parts.blobs, row.blob_key, row.size - row.prefix.length)).toString(),
      subject: row.subject,
    })),
  )
}

const readQueue = async ({ database, parts }: ReceiveGround): Promise<QueuedMail[]> => {
  const rows = await database.db.query<{
    source: string
    return_path: string
    blob_key: string
    prefix: Buffer
    size: number
    not_before: Date
    recipients: string[]
  }>({
    text: `select source, (select min(return_path) from queue_recipient where message_id = queue_message.id) as return_path,
                  blob_key, prefix, size, not_before,
                  (select array_agg(recipient order by ordinal) from queue_recipient
                   where message_id = queue_message.id) as recipients
           from queue_message order by created_at, id`,
  })
  return Promise.all(
    rows.map(async (row) => {
      const bytes = await readBlob(parts.blobs, row.blob_key, row.size - row.prefix.length)
      const { source, return_path: returnPath, recipients, not_before: notBefore } = row
      return { source, returnPath, recipients, text: row.prefix.toString() + bytes.toString(), notBefore }
    }),
  )
}

let counter = 0

/** A plain message; header fields as given come first. */
export const plainMessage = (
  fields: Record<string, string> = {},
  text = 'Hello Bob,\r\n\r\nthis is what I wanted to say.\r\n\r\nAnn\r\n',
): string => {
  counter += 1
  const all = {
    From: 'Ann <ann@example.org>',
    To: 'Bob <bob@ours.test>',
    Subject: `Message ${counter}`,
    'Message-ID': `<m${counter}@example.org>`,
    Date: 'Sun, 1 Mar 2026 11:58:00 +0000',
    ...fields,
  }
  return `${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${text}`
}
