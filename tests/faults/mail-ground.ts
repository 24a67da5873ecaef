import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { type BenchClient, openClient } from '../bench/imap/client.ts'
import { startFakeDns } from '../lib/fake-dns.ts'
import { freePort } from '../lib/free-port.ts'
import { serviceDatabase } from '../lib/service-database.ts'
import { openMailboxes } from './mail-load.ts'
import { type ServiceProcess, startService } from './service-process.ts'

export type MailGround = {
  readonly service: ServiceProcess
  readonly boxes: Awaited<ReturnType<typeof openMailboxes>>
  readonly folder: string
  readonly smtpPort: number
  readonly imapPort: number
  /** Somebody who is signed in to a mailbox. */
  signIn(box?: number): Promise<BenchClient>
  /** What was broken by the service itself: it ends well, and not before it is stopped. */
  close(): Promise<string[]>
}

export type MailGroundOptions = {
  env?: Record<string, string>
  boxes?: number
  /** The URL by which the service reaches the database. */
  reachedBy?: (url: string) => Promise<string>
}

/** A mail service in a process of its own, with mailboxes, and ports for senders and readers. */
export const openMailGround = async (options: MailGroundOptions = {}): Promise<MailGround> => {
  const database = await serviceDatabase('mail')
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-'))
  const [smtpPort, imapPort] = [await freePort(), await freePort()]
  const dns = await startFakeDns()
  const settings = {
    MAIL_DATABASE_URL: (await options.reachedBy?.(database.url)) ?? database.url,
    DATA_DIR: folder,
    SMTP_PORT: String(smtpPort),
    IMAPS_PORT: String(imapPort),
    LIMIT_EXEMPT: '127.0.0.0/8',
    DNS_RESOLVERS: dns.address,
    ...options.env,
  }
  const service = await startService('mail', settings)
  const boxes = await openMailboxes(database.url, options.boxes ?? 3)
  return {
    service,
    boxes,
    folder,
    smtpPort,
    imapPort,
    async signIn(box = 0) {
      const client = await openClient({ port: imapPort, isTls: true })
      await client.say(`LOGIN ${boxes.emails[box]} "${MAILBOX_PASSWORD}"`)
      return client
    },
    async close() {
      const broken = service.hasExited() ? ['the service ended by itself'] : []
      const exit = await service.stop()
      if (broken.length === 0 && exit !== 0) broken.push(`the service ended with ${exit}`)
      await dns.close()
      await boxes.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
      return broken
    },
  }
}

/** What a process is started with so that it does as a file of `preload` says. */
export const preloaded = (name: 'clock' | 'memory', flags = ''): { NODE_OPTIONS: string } => ({
  NODE_OPTIONS: `--import=${fileURLToPath(new URL(`preload/${name}.ts`, import.meta.url))} ${flags}`.trim(),
})
