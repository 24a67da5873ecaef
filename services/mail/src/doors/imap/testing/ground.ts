import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { createTestClock, type TestClock } from '@stoa/kit/clock.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { type Bus, openBus } from '@stoa/kit/events/bus.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { cloneDatabase, PATIENT } from '@stoa/tests/lib/cluster.ts'
import { mailTemplate } from '@stoa/tests/lib/mail.ts'
import { createCredentials } from '../../../hosting/addresses/credentials.ts'
import { createLiveSignIns } from '../../../hosting/addresses/live.ts'
import {
  HOSTNAME,
  MAILBOX_PASSWORD,
  type PlantedAddress,
  plantAccount,
  plantAddress,
} from '../../../hosting/addresses/testing/hosting.ts'
import { listFolders } from '../../../store/folders/folders.ts'
import type { MailDatabase } from '../../../store/handles.ts'
import { checkMailbox } from '../../../store/mailbox/check.ts'
import { addMessage } from '../../../store/messages/messages.ts'
import { readMessage } from '../../../store/messages/read.ts'
import { type MailOptions, rawOf } from '../../../store/testing/ground.ts'
import type { Tables } from '../../../tables.ts'
import type { DoorServer } from '../../../wire/listen/listen.ts'
import type { ImapLimits } from '../limits.ts'
import { type ImapParts, startImap } from '../server.ts'
import { connectImap, type ImapClient } from './client.ts'

export const NOW = new Date('2026-03-01T12:00:00.000Z')

/** An IMAP door on real sockets, a database and a folder of blobs of its own. */
export type ImapGround = {
  readonly database: MailDatabase
  readonly blobs: Blobs
  readonly blobFolder: string
  readonly bus: Bus
  readonly parts: ImapParts
  readonly server: DoorServer
  readonly clock: TestClock
  /** What was logged as a warning or worse. */
  readonly logs: string[]
  /** Whose all addresses are. */
  readonly accountId: string
  /** An address with an empty mailbox; without a name it gets one. */
  address(email?: string): Promise<PlantedAddress>
  /** Puts a message into a folder, the inbox by default; `raw` has the bytes, else one is made up. */
  add(address: PlantedAddress, mail?: MailOptions & { folder?: string }): Promise<{ uid: number; messageId: string }>
  folderId(address: PlantedAddress, path?: string): Promise<string>
  /** A connection that has read the greeting. */
  connect(): Promise<ImapClient>
  /** A connection that somebody has signed in on. */
  signIn(address: PlantedAddress): Promise<ImapClient>
  /** Fails when the store does not agree with itself. */
  check(address: PlantedAddress): Promise<void>
  close(): Promise<void>
}

export type GroundOptions = {
  limits?: Partial<ImapLimits>
  /** TLS: `none` lets everybody sign in without it. */
  tls?: 'none' | 'starttls' | 'implicit'
  maxMessageBytes?: number
  imapMaxPerUser?: number
  imapMaxPerIp?: number
}

const certificate = selfSignedCertificate(['localhost'])
let people = 0

export const startImapGround = async (options: GroundOptions = {}): Promise<ImapGround> => {
  const own = await cloneDatabase(await mailTemplate())
  const logs: string[] = []
  const log = createLogger({ name: 'mail', level: 'warn', destination: { write: (line) => void logs.push(line) } })
  const database = openDatabase<Tables>({ url: own.url, poolSize: 5, log, ...PATIENT })
  const bus = openBus(database, { log })
  await bus.ready()
  const blobFolder = await mkdtemp(join(tmpdir(), 'imap-test-'))
  const blobs = await openLocalBlobs(blobFolder)
  const clock = createTestClock(NOW)
  const live = createLiveSignIns({ database, bus, log, clock })
  const parts: ImapParts = {
    database,
    blobs,
    bus,
    log,
    clock,
    live,
    credentials: createCredentials({ database, secret: new Secret('a secret of the tests'), clock, log }),
    config: {
      hostname: HOSTNAME,
      publicUrl: 'https://mail.stoa.test',
      maxMessageBytes: options.maxMessageBytes ?? 2_000_000,
      imapMaxPerUser: options.imapMaxPerUser ?? 20,
    },
  }
  const tls = options.tls ?? 'none'
  const server = await startImap(
    parts,
    {
      port: 0,
      config: { host: '127.0.0.1', trustedProxies: [], imapMaxPerIp: options.imapMaxPerIp ?? 500, limitExempt: [] },
      certificate: tls === 'none' ? null : { current: () => certificate, onChange: () => undefined },
      isImplicit: tls === 'implicit',
    },
    { limits: options.limits ?? {} },
  )
  const account = await plantAccount(database, { now: NOW })
  const clients = new Set<ImapClient>()
  const ground: ImapGround = {
    database,
    blobs,
    blobFolder,
    bus,
    parts,
    server,
    clock,
    logs,
    accountId: account.id,
    address(email) {
      people += 1
      return plantAddress(database, email ?? `person${people}@stoa.test`, { now: NOW, accountId: account.id })
    },
    add: (address, mail = {}) => addMail(ground, address, mail),
    async folderId(address, path = 'Inbox') {
      const folders = await listFolders(database.db, address.id)
      const found = folders.find((each) => each.path.toLowerCase() === path.toLowerCase())
      if (!found) throw new Error(`there is no folder ${path}`)
      return found.id
    },
    async connect() {
      const client = await connectImap({ port: server.port, isTls: tls === 'implicit' })
      clients.add(client)
      return client
    },
    async signIn(address) {
      const client = await ground.connect()
      await client.ok(`login ${address.email} "${MAILBOX_PASSWORD}"`)
      return client
    },
    async check(address) {
      const problems = await checkMailbox(database.db, address.id)
      if (problems.length > 0) throw new Error(JSON.stringify(problems))
    },
    async close() {
      for (const client of clients) client.close()
      await server.stop()
      live.close()
      await bus.close()
      await database.close()
      await own.drop()
      await rm(blobFolder, { recursive: true })
    },
  }
  return ground
}

const addMail = async (
  { database, blobs, folderId }: ImapGround,
  address: PlantedAddress,
  mail: MailOptions & { folder?: string },
): Promise<{ uid: number; messageId: string }> => {
  const bytes = Buffer.from(mail.raw ?? rawOf(mail), 'latin1')
  const blob = await blobs.put(bytes, { maxBytes: 100_000_000 })
  const folderIds = [await folderId(address, mail.folder)]
  const added = await database.tx((tx) =>
    addMessage(tx, {
      addressId: address.id,
      blob,
      prefix: Buffer.alloc(0),
      read: readMessage(bytes),
      folderIds,
      keywords: mail.keywords ?? [],
      receivedAt: mail.receivedAt ?? NOW,
      now: NOW,
      quotaBytes: null,
    }),
  )
  return { uid: added.uids[0]?.uid ?? 0, messageId: added.messageId }
}
