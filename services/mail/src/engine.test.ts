import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { systemClock } from '@stoa/kit/clock.ts'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { type Bus, openBus } from '@stoa/kit/events/bus.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { cloneDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { type FakeSmtp, startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'
import { freePort } from '@stoa/tests/lib/free-port.ts'
import { mailTemplate } from '@stoa/tests/lib/mail.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { createTransport } from 'nodemailer'
import { readConfig } from './config.ts'
import { type Engine, startEngine } from './engine.ts'
import { HOSTNAME, MAILBOX_PASSWORD, type PlantedAddress, plantAddress } from './hosting/addresses/testing/hosting.ts'
import { readBytes } from './store/blobs/blobs.ts'
import { ensureFolderPath, folderByPath } from './store/folders/folders.ts'
import { checkMailbox } from './store/mailbox/check.ts'
import { getWholeMessage } from './store/messages/list.ts'
import { queryMessages } from './store/search/query.ts'
import type { Tables } from './tables.ts'
import { resolveForMailauth } from './wire/dns/resolver.ts'

const sender = generateKeyPairSync('rsa', { modulusLength: 2048 })
const log = createLogger({ name: 'mail', level: 'silent' })

/** A TXT record is made of strings of 255 bytes at most. */
const keyRecord = (key: string): string[] => `v=DKIM1; k=rsa; p=${key}`.match(/.{1,255}/g) ?? []

describe('mail from one end to the other', () => {
  let own: TestDatabase
  let database: Database<Tables>
  let bus: Bus
  let dns: FakeDns
  let elsewhere: FakeSmtp
  let engine: Engine
  let ada: PlantedAddress
  let folder: string
  const ports = { smtp: 0, submission: 0, submissions: 0 }

  before(async () => {
    own = await cloneDatabase(await mailTemplate())
    database = openDatabase<Tables>({ url: own.url, poolSize: 5, log })
    bus = openBus(database, { log })
    dns = await startFakeDns()
    elsewhere = await startFakeSmtp()
    folder = await mkdtemp(join(tmpdir(), 'stoa-engine-'))
    for (const name of ['smtp', 'submission', 'submissions'] as const) ports[name] = await freePort()
    engine = await startEngine({
      config: readConfig({
        NODE_ENV: 'test',
        MAIL_DATABASE_URL: own.url,
        SECRET: 'a secret of the tests, long enough for anyone',
        MAIL_HOST: '127.0.0.1',
        MAIL_HOSTNAME: HOSTNAME,
        DATA_DIR: folder,
        DNS_RESOLVERS: dns.address,
        SMTP_PORT: String(ports.smtp),
        SUBMISSION_PORT: String(ports.submission),
        SUBMISSIONS_PORT: String(ports.submissions),
        SMTP_OUTBOUND_PORT: String(elsewhere.port),
        OUTBOUND_ALLOW_PRIVATE: 'true',
      }),
      database,
      bus,
      log,
      clock: systemClock,
    })
    ada = await plantAddress(database, 'ada@hosted.test')
    await publish()
  })
  after(async () => {
    await engine.stop()
    await bus.close()
    await database.close()
    await own.drop()
    await elsewhere.close()
    await dns.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** What the owners of both domains have in their zones. */
  const publish = async (): Promise<void> => {
    const key = createPublicKey(sender.privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
    dns.set('friend.test', 'TXT', ['v=spf1 ip4:127.0.0.1 -all'])
    dns.set('sel._domainkey.friend.test', 'TXT', [keyRecord(key)])
    dns.set('_dmarc.friend.test', 'TXT', ['v=DMARC1; p=reject'])
    dns.set('friend.test', 'MX', [{ preference: 10, exchange: 'mx.friend.test' }])
    dns.set('mx.friend.test', 'A', ['127.0.0.1'])
    dns.set('mx.friend.test', 'AAAA', [])
    for (const { selector, public_key } of await database.db
      .selectFrom('dkim_key')
      .select(['selector', 'public_key'])
      .execute())
      dns.set(`${selector}._domainkey.hosted.test`, 'TXT', [keyRecord(public_key)])
  }

  const file = async (source: string): Promise<void> => {
    const now = new Date()
    const row = { id: newId(), account_id: ada.accountId, address_id: ada.id, origin: 'panel' as const, name: 'File' }
    await database.tx((tx) =>
      tx
        .insertInto('sieve_script')
        .values({ ...row, source, enabled: true, created_at: now, updated_at: now })
        .execute(),
    )
  }

  /** The messages of a folder once there are so many, with their bytes. */
  const mails = async (path: string, count: number): Promise<string[]> => {
    const ids = await until(async () => {
      const found = await folderByPath(database.db, ada.id, path)
      if (!found) return false
      const query = { addressId: ada.id, filter: { inFolder: found.id }, limit: 50 }
      const { ids } = await queryMessages({ database }, query)
      return ids.length >= count && ids
    }, `${count} messages in ${path}`)
    const whole = await Promise.all(ids.map((id) => getWholeMessage(database.db, ada.id, id)))
    return Promise.all(
      whole.map(async (message) => (await readBytes(engine.blobs, message, { log })).toString('latin1')),
    )
  }

  const signIn = () =>
    createTransport({
      host: '127.0.0.1',
      port: ports.submission,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
      auth: { user: 'ada@hosted.test', pass: MAILBOX_PASSWORD },
    })

  test('what arrives is judged, filed by a script and stored bit by bit', async () => {
    await file('require "fileinto"; if header :contains "subject" "lunch" { fileinto "Plans"; }')
    await database.tx((tx) => ensureFolderPath(tx, ada.id, 'Plans'))
    const friend = createTransport({
      host: '127.0.0.1',
      port: ports.smtp,
      tls: { rejectUnauthorized: false },
      dkim: {
        domainName: 'friend.test',
        keySelector: 'sel',
        privateKey: sender.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
    })
    await friend.sendMail({
      from: 'Fred <fred@friend.test>',
      to: 'ada+plans@hosted.test',
      subject: 'lunch on Friday?',
      text: 'At noon?',
    })
    const [stored = ''] = await mails('Plans', 1)
    const results = /^Authentication-Results: (?:.*\r\n)(?:\s.*\r\n)*/m.exec(stored)?.[0].replaceAll(/\s+/g, ' ') ?? ''
    for (const verdict of ['spf=pass', 'dkim=pass', 'dmarc=pass']) assert.ok(results.includes(verdict), results)
    const received = stored.slice(stored.indexOf('DKIM-Signature:'))
    const { results: signatures } = await dkimVerify(Buffer.from(received, 'latin1'), {
      resolver: resolveForMailauth(engine.resolver),
    })
    assert.deepEqual(
      signatures.map(({ status }) => status.result),
      ['pass'],
    )
  })

  test('a mail that says it is from someone else is refused by the policy of that domain', async () => {
    const forger = createTransport({ host: '127.0.0.1', port: ports.smtp, tls: { rejectUnauthorized: false } })
    await assert.rejects(
      forger.sendMail({
        envelope: { from: 'x@unknown.test', to: 'ada@hosted.test' },
        from: 'Fred <fred@friend.test>',
        to: 'ada@hosted.test',
        subject: 'your account',
        text: 'click here',
      }),
      /550 5\.7\./,
    )
  })

  test('a reply leaves through the queue, signed with the key of the domain', async () => {
    await signIn().sendMail({
      from: 'Ada <ada@hosted.test>',
      to: 'fred@friend.test',
      bcc: 'secret@friend.test',
      subject: 'Re: lunch on Friday?',
      text: 'Yes.\n.\nSee you.',
    })
    const [sent] = await elsewhere.waitFor(1)
    assert.deepEqual([sent?.from, sent?.to.toSorted()], ['ada@hosted.test', ['fred@friend.test', 'secret@friend.test']])
    assert.equal(sent?.raw.toString('latin1').includes('secret@'), false)
    const { results } = await dkimVerify(sent?.raw ?? Buffer.alloc(0), {
      resolver: resolveForMailauth(engine.resolver),
    })
    assert.deepEqual(
      results.map(({ signingDomain, status }) => [signingDomain, status.result]),
      [['hosted.test', 'pass']],
    )
    assert.deepEqual(elsewhere.problems, [])
  })

  test('what the other side refuses comes back as a report with its own words', async () => {
    elsewhere.script('rcpt', ({ address }) =>
      address === 'nobody@friend.test' ? { reply: { code: 550, text: '5.1.1 Nobody of that name' } } : undefined,
    )
    await signIn().sendMail({
      from: 'Ada <ada@hosted.test>',
      to: 'nobody@friend.test',
      subject: 'Are you there?',
      text: 'Hello?',
    })
    const [report = ''] = await mails('Inbox', 1)
    assert.match(report, /^Return-Path: <>/m)
    assert.match(report, /report-type="?delivery-status/)
    assert.match(report, /Final-Recipient: rfc822; ?nobody@friend\.test/i)
    assert.match(report, /Nobody of that name/)
    const states = await database.db
      .selectFrom('queue_recipient')
      .select(['recipient', 'state', 'last_reply'])
      .execute()
    const refused = states.find(({ recipient }) => recipient === 'nobody@friend.test')
    assert.deepEqual([refused?.state, /Nobody/.test(refused?.last_reply ?? '')], ['bounced', true])
  })

  test('mail between our own addresses never leaves', async () => {
    await plantAddress(database, 'bob@hosted.test', { accountId: ada.accountId })
    const before = elsewhere.messages.length
    await signIn().sendMail({ from: 'ada@hosted.test', to: 'ada@hosted.test', subject: 'Note to self', text: 'Milk' })
    assert.match((await mails('Inbox', 2)).join(), /Note to self/)
    assert.equal(elsewhere.messages.length, before)
  })

  test('and the sums of the mailbox are right', async () => {
    assert.deepEqual(await checkMailbox(database.db, ada.id), [])
  })
})
