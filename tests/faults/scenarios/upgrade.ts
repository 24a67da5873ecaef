import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectImap } from '@stoa/mail/doors/imap/testing/client.ts'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { freshDatabase } from '../../lib/cluster.ts'
import { freePort } from '../../lib/free-port.ts'
import { openMailboxes, startMailLoad } from '../mail-load.ts'
import { memberOf, must, type Report } from '../outcomes.ts'
import { unpackPreviousVersion } from '../previous-version.ts'
import { until } from '../readiness.ts'
import { startService } from '../service-process.ts'
import { addEntry, prepareSite, publish, type Site, TYPE } from '../site.ts'

/**
 * An upgrade that rolls: processes of the previous version go on while those of this one start beside them and migrate the
 * database. Both then do what people and mail servers ask most, and each sees what the other did.
 */
export const upgrade = async (): Promise<Report> => {
  const previous = unpackPreviousVersion()
  try {
    const content = await upgradeCms(previous.entryOf('cms'))
    const mail = await upgradeMail(previous.entryOf('mail'))
    return { figures: { ...content.figures, ...mail.figures }, broken: [...content.broken, ...mail.broken] }
  } finally {
    previous.remove()
  }
}

const upgradeCms = async (oldEntry: string): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-upgrade-'))
  const database = await freshDatabase()
  const env = { CMS_DATABASE_URL: database.url, DATA_DIR: folder }
  const old = await startService('cms', env, oldEntry)
  const site = await prepareSite(old.url)
  const titles: string[] = []
  const publishOn = async (url: string, title: string): Promise<void> => {
    await publish(url, site, await addEntry(url, site, title))
    titles.push(title)
  }
  await publishOn(old.url, 'Before')
  const fresh = await startService('cms', env)
  await publishOn(old.url, 'Old on the new schema')
  await publishOn(fresh.url, 'New')
  await publishOn(old.url, 'Old again')
  const broken: string[] = []
  for (const [name, url] of [
    ['the previous version', old.url],
    ['this version', fresh.url],
  ] as const) {
    const seen = await liveTitles(url, site)
    for (const title of titles) if (!seen.includes(title)) broken.push(`${name} doesn't show "${title}"`)
  }
  for (const service of [old, fresh]) if ((await service.stop()) !== 0) broken.push('a CMS did not stop as it should')
  await database.drop()
  await rm(folder, { recursive: true, force: true })
  return { figures: { published: titles.length }, broken }
}

const liveTitles = async (url: string, { key }: Site): Promise<string[]> => {
  const body = await must(`${url}/content/${TYPE}?limit=50`, { headers: { 'x-api-key': key } })
  const items: unknown = Reflect.get(Object(body), 'items') ?? Reflect.get(Object(body), 'data')
  return Array.isArray(items) ? items.map((item) => memberOf(item, 'title')) : []
}

const upgradeMail = async (oldEntry: string): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-upgrade-'))
  const database = await freshDatabase()
  const ports = [await newPorts(), await newPorts()] as const
  const env = (at: 0 | 1): Record<string, string> => ({
    MAIL_DATABASE_URL: database.url,
    DATA_DIR: folder,
    SMTP_PORT: String(ports[at].smtp),
    IMAP_PORT: String(ports[at].imap),
    MAIL_ROLES: 'smtp,imap,http,worker',
    LIMIT_EXEMPT: '127.0.0.0/8',
    DNS_RESOLVERS: '127.0.0.1:1',
  })
  const old = await startService('mail', env(0), oldEntry)
  const fresh = await startService('mail', env(1))
  const boxes = await openMailboxes(database.url, ports.length)
  const broken: string[] = []
  let delivered = 0
  for (const [at, { smtp }] of ports.entries()) {
    const email = boxes.emails[at] ?? ''
    const load = startMailLoad({ port: smtp, recipients: [email], perSecond: 20 })
    await until('three messages', () => load.acknowledged.size >= 3)
    await load.finish()
    delivered += load.acknowledged.size
    for (const { imap } of ports) {
      const seen = await countInbox(imap, email)
      if (seen !== load.acknowledged.size) broken.push(`IMAP shows ${seen} of ${load.acknowledged.size} messages`)
    }
  }
  for (const service of [old, fresh])
    if ((await service.stop()) !== 0) broken.push('a mail service did not stop as it should')
  await boxes.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
  return { figures: { delivered }, broken }
}

const newPorts = async () => ({ smtp: await freePort(), imap: await freePort() })

const countInbox = async (port: number, email: string): Promise<number> => {
  const client = await connectImap({ port })
  await client.ok('STARTTLS')
  await client.startTls()
  await client.ok(`LOGIN ${email} "${MAILBOX_PASSWORD}"`)
  await client.ok('SELECT INBOX')
  const lines = await client.ok('FETCH 1:* BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)]')
  client.close()
  return lines.filter((line) => /Message-ID: <load-/i.test(line)).length
}
