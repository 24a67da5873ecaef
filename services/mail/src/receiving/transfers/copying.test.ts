import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { loseNotifications } from '@stoa/tests/lib/lose-notifications.ts'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type PlantedAddress, plantAccount, plantAddress } from '../../hosting/addresses/testing/hosting.ts'
import { systemMailTo } from '../../hosting/system-mail/testing/sent.ts'
import { checkMailbox } from '../../store/mailbox/check.ts'
import { type FakeImap, type FakeImapOptions, smallMessage, startFakeImap } from './testing/fake-imap.ts'
import { startTransfers, type TransferWorker } from './worker.ts'

const certificate = selfSignedCertificate(['127.0.0.1'])
const PASSWORD = 'the source password'

let mail: MailService
let worker: TransferWorker
before(async () => {
  mail = await startMail({ env: { TRANSFER_ALLOW_PRIVATE_HOSTS: 'true', MAX_MESSAGE_BYTES: '1500000' } })
  worker = startTransfers(mail.parts, { trustedCa: [certificate.cert] })
})
after(async () => {
  await worker.stop()
  await mail.close()
})

let source: FakeImap
const open: FakeImap[] = []
const startSource = async (options: FakeImapOptions = {}): Promise<FakeImap> => {
  source = await startFakeImap(options)
  open.push(source)
  return source
}
afterEach(() => Promise.all(open.splice(0).map((each) => each.close())))

type Person = { client: MailClient; email: string; accountId: string; address: PlantedAddress }
let people = 0
const person = async (settings: { quotaBytes?: number } = {}): Promise<Person> => {
  const { id: accountId, email } = await plantAccount(mail.database)
  const client = mail.client({ cookie: await mail.openSession(accountId) })
  const options = { accountId, now: mail.clock.now(), ...settings }
  const address = await plantAddress(mail.database, `bob@copy-${++people}.test`, options)
  return { client, email, accountId, address }
}
const start = async ({ client, address }: Person, body: object = {}): Promise<string> => {
  const given = { host: '127.0.0.1', port: source.port, security: 'none', username: 'ann', password: PASSWORD }
  const answer = await client.post('/api/transfers', { address_id: address.id, ...given, ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}
const read = async ({ client }: Person, id: string) => (await client.get(`/api/transfers/${id}`)).body
/** Runs a transfer to its end. */
const transfer = async (who: Person, body: object = {}) => {
  const id = await start(who, body)
  await worker.settled()
  return read(who, id)
}
/** Lets everything that was put off be tried again until it has ended. */
const transferPatiently = async (who: Person, body: object = {}) => {
  const id = await start(who, body)
  for (let tries = 0; tries < 20; tries += 1) {
    await worker.settled()
    const row = await read(who, id)
    if (row.finished_at !== null) return row
    mail.clock.advance(3_600_000)
  }
  return assert.fail('it does not end')
}
const countsOf = (row: Record<string, unknown>) => [
  row.status,
  row.messages_total,
  row.messages_copied,
  row.messages_skipped,
  row.messages_failed,
]
const foldersOf = async ({ client, address }: Person): Promise<Record<string, number>> => {
  const { body } = await client.get(`/api/addresses/${address.id}/folders?per_page=100`)
  return Object.fromEntries(
    body.data
      .filter(({ total }: { total: number }) => total > 0)
      .map((row: { path: string; total: number }) => [row.path, row.total]),
  )
}
type Kept = { path: string; keywords: string[]; received_at: Date; size: number; deleted: boolean; subject: string }
const keptBy = ({ address }: Person): Promise<Kept[]> =>
  mail.database.db.query<Kept>({
    text: `select f.name as path, m.keywords, m.received_at, m.size, p.deleted, m.subject
      from message m join message_folder p on p.address_id = m.address_id and p.message_id = m.id
      join folder f on f.address_id = p.address_id and f.id = p.folder_id
      where m.address_id = $1 order by f.name, p.uid`,
    values: [address.id],
  })
const secretsOf = async (id: string) => {
  const [row] = await mail.database.db.query<{ sealed_password: string | null; lease_token: string | null }>({
    text: 'select sealed_password, lease_token from transfer where id = $1',
    values: [id],
  })
  return row
}
/** The store agrees with itself, and no message is there twice. */
const isSound = async ({ address }: Person): Promise<void> => {
  assert.deepEqual(await checkMailbox(mail.database.db, address.id), [])
  const twice = await mail.database.db.query({
    text: `select 1 from message where address_id = $1 group by envelope->'messageId', size, received_at having count(*) > 1`,
    values: [address.id],
  })
  assert.deepEqual(twice, [])
}

describe('a transfer', () => {
  test('copies every folder with flags and dates, by role where there is one, and reports the result', async () => {
    await startSource()
    source.fill('INBOX', [{ flags: ['\\Seen', '\\Flagged', '$Forwarded'], date: '03-Jan-2026 08:09:10 +0200' }, {}])
    source.fill('Sent Items', 2, ['\\Sent'])
    source.fill('Papierkorb', [{ flags: ['\\Deleted', '\\Recent', '\\Odd', 'bad]keyword'] }], ['\\Trash'])
    source.fill('Work', 0)
    source.fill('Work/Roof', 3)
    source.fill('Sent Items/2025', 1)
    source.fill('[Gmail]', 0, ['\\Noselect'])
    source.fill('Public/Everybody', 5)
    const who = await person()
    const hook = { endpoint: 'https://93.184.215.14/', events: ['transfer.completed', 'transfer.failed'] }
    assert.equal((await who.client.post('/api/webhooks', hook)).status, 201)
    const row = await transfer(who)
    assert.deepEqual(countsOf(row), ['completed', 9, 9, 0, 0])
    const events = await mail.database.db.query<{ type: string; payload: string }>({
      text: 'select type, payload from webhook_delivery where owner = $1',
      values: [who.accountId],
    })
    assert.deepEqual(
      events.map(({ type, payload }) => [type, JSON.parse(payload).data]),
      [['transfer.completed', row]],
    )
    assert.deepEqual([row.folders_total, row.folders_done, row.current_folder, row.error], [6, 6, null, null])
    assert.deepEqual(await foldersOf(who), { Inbox: 2, Sent: 2, 'Sent/2025': 1, 'Work/Roof': 3 })
    const kept = await keptBy(who)
    const [first] = kept.filter(({ path }) => path === 'Inbox')
    assert.deepEqual(
      [first?.keywords, first?.received_at.toISOString()],
      [['$flagged', '$forwarded', '$seen'], '2026-01-03T06:09:10.000Z'],
    )
    const [trashed] = kept.filter(({ path }) => path === 'Trash')
    assert.deepEqual([trashed?.keywords, trashed?.deleted], [[], true])
    const bytes = source.folders.filter(({ path }) => !path.startsWith('Public')).flatMap(({ messages }) => messages)
    assert.equal(
      row.bytes_copied,
      bytes.reduce((sum, { raw }) => sum + raw.length, 0),
    )
    assert.deepEqual(await secretsOf(row.id), { sealed_password: null, lease_token: null })
    const [letter] = (await systemMailTo(mail, who.email)).filter(({ subject }) => subject.includes('Transfer'))
    assert.equal(letter?.subject, `Transfer to ${who.address.email} complete`)
    await isSound(who)
  })

  test('copies bytes as they are', async () => {
    await startSource()
    const raw = Buffer.concat([
      Buffer.from('Subject: odd\nX: \xff\x00\r\n\r\nbare\nlines\r', 'latin1'),
      Buffer.alloc(300, 0x2e),
    ])
    source.fill('INBOX', [{}])
    Object.assign(source.folders[0]?.messages[0] ?? {}, { raw })
    const who = await person()
    assert.equal((await transfer(who)).messages_copied, 1)
    const [row] = await mail.database.db.query<{ blob_key: string }>({
      text: 'select blob_key from message where address_id = $1',
      values: [who.address.id],
    })
    const chunks: Buffer[] = []
    for await (const chunk of (await mail.parts.blobs.get(row?.blob_key ?? '')).stream) chunks.push(chunk)
    assert.deepEqual(Buffer.concat(chunks), raw)
  })

  test('that is made again copies only what is new, whatever became of the rest', async () => {
    await startSource()
    source.fill('INBOX', 5)
    source.fill('Work', 2)
    const who = await person()
    assert.deepEqual(countsOf(await transfer(who)), ['completed', 7, 7, 0, 0])
    const commands = source.commands.length
    source.fill('INBOX', 1)
    await mail.database.tx((tx) =>
      tx
        .updateTable('folder')
        .set({ name: 'Renamed' })
        .where('address_id', '=', who.address.id)
        .where('name', '=', 'Work')
        .execute(),
    )
    assert.deepEqual(countsOf(await transfer(who)), ['completed', 8, 1, 7, 0])
    const bodies = source.commands.slice(commands).filter((line) => line.includes('BODY.PEEK[]'))
    assert.equal(bodies.length, 1, 'what is here is not fetched')
    await isSound(who)
  })

  test('makes one message of what is in several folders, and takes from the list of all only what is nowhere else', async () => {
    await startSource()
    const [shared, lonely] = [smallMessage(), smallMessage()]
    const withRaw = (path: string, raws: Buffer[], attributes: string[] = []) => {
      source.fill(path, raws.length, attributes)
      const folder = source.folders.find((each) => each.path === path)
      for (const [at, raw] of raws.entries()) Object.assign(folder?.messages[at] ?? {}, { raw })
    }
    withRaw('[Gmail]/All Mail', [shared, lonely], ['\\All'])
    withRaw('[Gmail]/Starred', [shared], ['\\Flagged'])
    withRaw('INBOX', [shared])
    withRaw('Label', [shared])
    const who = await person()
    const row = await transfer(who)
    assert.deepEqual(countsOf(row), ['completed', 4, 3, 1, 0])
    assert.deepEqual(await foldersOf(who), { Inbox: 1, Label: 1, Archive: 1 })
    const { body } = await who.client.get(`/api/addresses/${who.address.id}`)
    assert.equal(body.messages_count, 2)
    await isSound(who)
  })

  test('copies the folders and the time that were requested', async () => {
    await startSource({ delimiter: '.', namespace: 'INBOX.' })
    const old = { date: '01-Jan-2020 00:00:00 +0000' }
    source.fill('INBOX', [old, {}])
    source.fill('INBOX.Work', [{}, old])
    source.fill('INBOX.Work.Deep', 1)
    source.fill('INBOX.Work.Left', 1)
    source.fill('INBOX.Other', 1)
    const who = await person()
    const row = await transfer(who, { folders: ['INBOX', 'Work'], exclude_folders: ['Work/Left'], since: '2026-01-15' })
    assert.deepEqual(countsOf(row), ['completed', 3, 3, 0, 0])
    assert.deepEqual(await foldersOf(who), { Inbox: 1, Work: 1, 'Work/Deep': 1 })
    const wrong = await transfer(who, { folders: ['Wrok'] })
    assert.deepEqual(
      [wrong.status, wrong.error],
      ['failed', 'Folder "Wrok" doesn\'t exist on the server. Check its spelling.'],
    )
  })

  test('leaves out what is too large or withheld and copies the rest', async () => {
    await startSource()
    source.fill('INBOX', 8)
    source.fill('Closed', 2)
    const messages = source.folders[0]?.messages ?? []
    const sizes = new Map([
      [2, 1_600_000],
      [3, 1_600_000],
      [7, 1_200_000],
      [8, 1_200_000],
    ])
    for (const message of messages)
      message.raw = smallMessage(`${'x'.repeat(70)}\r\n`.repeat((sizes.get(message.uid) ?? 0) / 72))
    // Two say that they are small.
    source.faults.sizeOf = ({ uid, raw }) => (uid === 3 || uid === 8 ? 100 : raw.length)
    source.faults.withheld = new Set([5])
    source.faults.closed = new Set(['Closed'])
    source.faults.isBackwards = true
    const who = await person()
    const row = await transfer(who)
    assert.deepEqual(countsOf(row), ['completed', 10, 5, 0, 5])
    assert.deepEqual((await keptBy(who)).map(({ size }) => size > 1_000_000).sort(), [false, false, false, true, true])
    await isSound(who)
  })

  test('does not say that all is here when a folder could be neither counted nor opened', async () => {
    await startSource()
    source.fill('INBOX', 2)
    source.fill('Closed', 3)
    source.faults.closed = new Set(['Closed'])
    source.faults.uncounted = new Set(['Closed'])
    assert.deepEqual(countsOf(await transfer(await person())), ['completed', 3, 2, 0, 1])
  })

  test('reaches its source through TLS, from the first byte or later, with a certificate that is good', async () => {
    for (const mode of ['implicit', 'starttls'] as const) {
      await startSource({ tls: { mode, ...certificate } })
      source.fill('INBOX', 1)
      const row = await transfer(await person(), { security: mode === 'implicit' ? 'tls' : 'starttls' })
      assert.deepEqual(countsOf(row), ['completed', 1, 1, 0, 0], row.error)
    }
  })
})

describe('a transfer that cannot go on', () => {
  const failed = async (who: Person, body: object, error: RegExp) => {
    const row = await transferPatiently(who, body)
    assert.equal(row.status, 'failed')
    assert.match(row.error, error)
    assert.deepEqual(await secretsOf(row.id), { sealed_password: null, lease_token: null })
    return row
  }

  test('fails at once when the password is refused, and neither the answer nor the log shows it', async () => {
    await startSource()
    const who = await person()
    const password = 'hunter2 and more'
    const row = await failed(who, { password }, /rejected the username or password/)
    assert.equal(source.commands.filter((line) => line === 'LOGIN').length, 1)
    assert.doesNotMatch(JSON.stringify(row), /hunter2/)
    assert.doesNotMatch(mail.logs.join(''), /hunter2|the source password/)
    const [letter] = (await systemMailTo(mail, who.email)).filter(({ subject }) => subject.includes('Transfer'))
    assert.equal(letter?.subject, `Transfer to ${who.address.email} failed`)
  })

  test('does not write to somebody who does not want notifications', async () => {
    await startSource()
    const who = await person()
    await who.client.send('PATCH', '/api/account/notifications', { body: { transfer_results: false } })
    await transfer(who)
    assert.deepEqual(
      (await systemMailTo(mail, who.email)).filter(({ subject }) => subject.includes('Transfer')),
      [],
    )
  })

  test('fails when the server is not there, after some tries', async () => {
    const { port } = await startSource()
    await Promise.all(open.splice(0).map((each) => each.close()))
    await failed(await person(), { port }, /Couldn't connect to the server\..*Start the transfer again later/)
  })

  test('fails when the certificate is for somebody else, or there is no TLS, before the password is sent', async () => {
    await startSource({ tls: { mode: 'implicit', ...selfSignedCertificate(['127.0.0.1']) } })
    await failed(await person(), { security: 'tls' }, /secure connection/)
    await startSource()
    await failed(await person(), { security: 'starttls' }, /secure connection/)
    assert.equal(source.commands.includes('LOGIN'), false)
  })

  test('fails when the mailbox is full, with as much as there was room for', async () => {
    await startSource()
    source.fill('INBOX', 10)
    const sizes = source.folders[0]?.messages.map(({ raw }) => raw.length) ?? []
    const who = await person({ quotaBytes: sizes.slice(0, 4).reduce((sum, size) => sum + size, 0) + 1 })
    const row = await failed(who, {}, /mailbox is full/)
    assert.equal(row.messages_copied, 4)
    assert.equal((await keptBy(who)).length, 4)
    await mail.database.tx((tx) =>
      tx.updateTable('address').set({ quota_bytes: null }).where('id', '=', who.address.id).execute(),
    )
    assert.deepEqual(countsOf(await transfer(who)), ['completed', 10, 6, 4, 0])
  })

  test('fails when it is sent nonsense', async () => {
    await startSource()
    source.fill('INBOX', 2)
    source.faults.sizeOf = () => Number.NaN
    source.faults.refuseSignIns = { times: 100, answer: ')))) \u0000 {99999999999}' }
    await failed(
      await person(),
      {},
      /respond like an IMAP server|connection to the server was lost|connect to the server/,
    )
  })
})

describe('a transfer that is interrupted', () => {
  test('goes on where it was when the connection is cut again and again, without copying anything twice', async () => {
    await startSource()
    source.fill('INBOX', 60)
    source.fill('Work', 30)
    source.faults.perConnection = 25
    const who = await person()
    const row = await transferPatiently(who)
    assert.deepEqual(countsOf(row), ['completed', 90, 90, 0, 0])
    assert.ok(source.commands.filter((line) => line === 'LOGIN').length >= 4)
    await isSound(who)
  })

  test('begins a folder anew when its UIDs mean other messages, and copies none of them twice', async () => {
    await startSource()
    source.fill('INBOX', 40)
    source.faults.perConnection = 25
    const who = await person()
    const id = await start(who)
    await worker.settled()
    assert.equal((await read(who, id)).messages_copied, 25)
    const [folder] = source.folders
    Object.assign(folder ?? {}, { uidValidity: 77 })
    for (const [at, message] of (folder?.messages ?? []).entries()) message.uid = 500 - at
    folder?.messages.reverse()
    delete source.faults.perConnection
    mail.clock.advance(3_600_000)
    await worker.settled()
    const row = await read(who, id)
    assert.deepEqual([row.status, row.messages_copied, row.messages_skipped], ['completed', 40, 25])
    assert.equal((await keptBy(who)).length, 40)
    await isSound(who)
  })

  test('waits when the server has no room for it, and reports it', async () => {
    await startSource()
    source.fill('INBOX', 1)
    source.faults.refuseSignIns = { times: 1, answer: 'NO [UNAVAILABLE] later' }
    const who = await person()
    const id = await start(who)
    await worker.settled()
    const waiting = await read(who, id)
    assert.deepEqual([waiting.status, /too many connections\. Retrying\.$/.test(waiting.error)], ['running', true])
    mail.clock.advance(3_600_000)
    await worker.settled()
    const row = await read(who, id)
    assert.deepEqual([...countsOf(row), row.error], ['completed', 1, 1, 0, 0, null])
  })

  test('comes back to a folder that cannot be opened now', async () => {
    await startSource()
    source.fill('INBOX', 1)
    source.fill('Busy', 2)
    source.faults.busy = new Set(['Busy'])
    const who = await person()
    const id = await start(who)
    await worker.settled()
    const waiting = await read(who, id)
    assert.deepEqual([waiting.status, waiting.messages_copied, waiting.messages_failed], ['running', 1, 0])
    delete source.faults.busy
    mail.clock.advance(3_600_000)
    await worker.settled()
    assert.deepEqual(countsOf(await read(who, id)), ['completed', 3, 3, 0, 0])
  })

  test('is taken over when its process stands still, whose late work is refused', async () => {
    await startSource()
    source.fill('INBOX', 60)
    const { promise: isHeld, resolve: reached } = Promise.withResolvers<void>()
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    let isFirst = true
    source.faults.beforeMessage = async (uid) => {
      if (uid !== 55 || !isFirst) return
      isFirst = false
      reached()
      await gate
    }
    const who = await person()
    const id = await start(who)
    await isHeld
    mail.clock.advance(60_000)
    const second = startTransfers(mail.parts)
    await second.settled()
    assert.deepEqual(countsOf(await read(who, id)), ['completed', 60, 60, 0, 0])
    release()
    await worker.settled()
    await second.stop()
    assert.deepEqual(countsOf(await read(who, id)), ['completed', 60, 60, 0, 0])
    assert.equal((await keptBy(who)).length, 60)
    await isSound(who)
  })

  test('that was cancelled while notifications were lost stops once they are back', async (t) => {
    const lasting = startTransfers(mail.parts, { leaseMs: 3_600_000, sweepMs: 3_600_000 })
    t.after(() => lasting.stop())
    await worker.stop()
    t.after(() => {
      worker = startTransfers(mail.parts, { trustedCa: [certificate.cert] })
    })
    await startSource()
    source.fill('INBOX', 3)
    const { promise: isHeld, resolve: reached } = Promise.withResolvers<void>()
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    t.after(() => release())
    source.faults.beforeMessage = async () => {
      reached()
      await gate
    }
    const id = await start(await person())
    await isHeld
    await mail.database.pool.query(
      `update transfer set status = 'cancelled', finished_at = $2, sealed_password = null, lease_token = null
       where id = $1`,
      [id, mail.clock.now()],
    )
    await loseNotifications(mail.database)
    // It waits for the source, which sends nothing more, unless it is aborted.
    await lasting.settled()
  })

  test('that is cancelled stops at once; what it copied stays', async () => {
    await startSource()
    source.fill('INBOX', 60)
    const { promise: isHeld, resolve: reached } = Promise.withResolvers<void>()
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    source.faults.beforeMessage = async (uid) => {
      if (uid !== 55) return
      reached()
      await gate
    }
    const who = await person()
    const id = await start(who)
    await isHeld
    await until(async () => (await read(who, id)).messages_copied === 50)
    const answer = await who.client.send('DELETE', `/api/transfers/${id}`)
    assert.deepEqual([answer.status, answer.body.status], [200, 'cancelled'])
    assert.deepEqual(await secretsOf(id), { sealed_password: null, lease_token: null })
    await worker.settled()
    release()
    const row = await read(who, id)
    assert.deepEqual([row.status, row.messages_copied], ['cancelled', 50])
    assert.equal((await keptBy(who)).length, 50)
    assert.equal((await who.client.send('DELETE', `/api/transfers/${id}`)).status, 409)
    source.faults.beforeMessage = async () => undefined
    assert.deepEqual(countsOf(await transfer(who)), ['completed', 60, 10, 50, 0])
  })

  test('ends with its address, and forgets its password', async () => {
    await startSource()
    source.fill('INBOX', 60)
    const { promise: isHeld, resolve: reached } = Promise.withResolvers<void>()
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    source.faults.beforeMessage = async (uid) => {
      if (uid !== 55) return
      reached()
      await gate
    }
    const who = await person()
    const id = await start(who)
    await isHeld
    assert.equal((await who.client.send('DELETE', `/api/addresses/${who.address.id}`)).status, 200)
    release()
    await worker.settled()
    assert.deepEqual(await secretsOf(id), { sealed_password: null, lease_token: null })
    assert.equal((await who.client.get(`/api/transfers/${id}`)).status, 404)
    assert.equal((await who.client.get('/api/transfers')).body.total, 0)
  })

  test('is given back when the service stops, and another one goes on with it', async () => {
    await startSource()
    source.fill('INBOX', 60)
    const { promise: isHeld, resolve: reached } = Promise.withResolvers<void>()
    let isFirst = true
    source.faults.beforeMessage = async (uid) => {
      if (uid !== 55 || !isFirst) return
      isFirst = false
      reached()
      await new Promise(() => undefined)
    }
    const who = await person()
    const id = await start(who)
    await isHeld
    await until(async () => (await read(who, id)).messages_copied === 50)
    await worker.stop()
    const row = await read(who, id)
    assert.deepEqual([row.status, row.messages_copied], ['running', 50])
    worker = startTransfers(mail.parts, { trustedCa: [certificate.cert] })
    await worker.settled()
    assert.deepEqual(countsOf(await read(who, id)), ['completed', 60, 60, 0, 0])
    await isSound(who)
  })
})
