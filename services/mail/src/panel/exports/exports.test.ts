import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { type MailAnswer, type MailClient, type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { plantReader } from '../../doors/webmail/testing/ground.ts'
import { deleteAddress } from '../../hosting/addresses/operations.ts'
import { sweepBlobs } from '../../store/blobs/blobs.ts'
import { forgetExports } from './exports.ts'
import { createExportWorker } from './worker.ts'

const DAY_MS = 86_400_000
const PIECE_BYTES = 700

let mail: MailService
before(async () => {
  mail = await startMail()
  await mail.signUp()
})
after(() => mail.close())

const PATH = '/api/exports'
const seen = ({ status, body }: MailAnswer) => [status, body?.name]
const ask = (client: MailClient, body: object = {}) =>
  client.post(PATH, { format: 'mbox', password: PASSWORD, ...body })
const asked = async (client: MailClient, body: object = {}) => {
  const answer = await ask(client, body)
  assert.equal(answer.status, 202, answer.text)
  return answer.body
}
const read = async (client: MailClient, id: string) => (await client.get(`${PATH}/${id}`)).body
/** A process that makes files, in pieces so small that there are several. */
const worker = (tuning: { leaseMs?: number } = {}) =>
  createExportWorker({ ...mail.parts, tuning: { pieceBytes: PIECE_BYTES, ...tuning } })
const work = () => worker().runDue()

let domains = 0
const customer = async () => {
  const { client, id } = await mail.signUp()
  domains += 1
  const box = await plantReader(mail, `ann@exports-${domains}.test`, id)
  return { client, id, box, domain: `exports-${domains}.test` }
}

type Downloaded = { status: number; bytes: Buffer; headers: Headers }
const download = async (client: MailClient, id: string, headers: Record<string, string> = {}): Promise<Downloaded> => {
  const response = await fetch(`${mail.url}${PATH}/${id}/download`, {
    headers: { cookie: `mail_session=${client.cookie}`, ...headers },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The entries of a zip file by the directory at its end. */
const unzip = (bytes: Buffer): Map<string, string> => {
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  const entries = new Map<string, string>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, packed] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)]
    const [nameLength, offset] = [bytes.readUInt16LE(at + 28), bytes.readUInt32LE(at + 42)]
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const start = offset + 30 + bytes.readUInt16LE(offset + 26)
    const data = bytes.subarray(start, start + packed)
    entries.set(name, (method === 8 ? inflateRawSync(data) : data).toString())
    at += 46 + nameLength + bytes.readUInt16LE(at + 30)
  }
  return entries
}

describe('an export', () => {
  test('is all mail of the account as mbox files, made in the background and downloaded in parts', async () => {
    const { client, box, domain } = await customer()
    await box.add({ subject: 'First', text: 'From me\nto you', keywords: ['$seen'] })
    await box.add({ subject: 'Second', text: 'x', folderId: box.folders.sent })
    const made = await asked(client)
    assert.deepEqual(made, {
      object: 'export',
      id: made.id,
      status: 'queued',
      format: 'mbox',
      address_ids: null,
      messages_total: null,
      messages_done: 0,
      size_bytes: null,
      expires_at: null,
      error: null,
      created_at: mail.clock.now().toISOString(),
    })
    assert.deepEqual(seen(await client.get(`${PATH}/${made.id}/download`)), [409, 'conflict'])
    await work()
    const done = await read(client, made.id)
    assert.deepEqual(
      [done.status, done.messages_total, done.messages_done, done.error, done.expires_at],
      ['completed', 2, 2, null, new Date(mail.clock.now().getTime() + 7 * DAY_MS).toISOString()],
    )
    assert.deepEqual((await client.get(PATH)).body.data, [done])

    const whole = await download(client, made.id)
    assert.deepEqual([whole.status, whole.bytes.length], [200, done.size_bytes])
    assert.deepEqual(
      ['content-type', 'accept-ranges', 'content-length'].map((name) => whole.headers.get(name)),
      ['application/zip', 'bytes', String(done.size_bytes)],
    )
    const files = unzip(whole.bytes)
    assert.match(files.get(`ann@${domain}/Inbox.mbox`) ?? '', /^From MAILER-DAEMON .*\nStatus: RO\n[\s\S]*\n>From me\n/)
    assert.match(files.get(`ann@${domain}/Sent.mbox`) ?? '', /Subject: Second/)
    assert.equal(files.get(`ann@${domain}/Trash.mbox`), '')
    // Over the seams of the pieces.
    assert.ok(done.size_bytes > 2 * PIECE_BYTES)
    const part = await download(client, made.id, { range: `bytes=${PIECE_BYTES - 5}-${2 * PIECE_BYTES + 5}` })
    assert.deepEqual(
      [part.status, part.headers.get('content-range')],
      [206, `bytes ${PIECE_BYTES - 5}-${2 * PIECE_BYTES + 5}/${done.size_bytes}`],
    )
    assert.deepEqual(part.bytes, whole.bytes.subarray(PIECE_BYTES - 5, 2 * PIECE_BYTES + 6))
    const rest = await download(client, made.id, { range: 'bytes=10-', 'if-range': whole.headers.get('etag') ?? '' })
    assert.deepEqual([rest.status, rest.bytes], [206, whole.bytes.subarray(10)])
    assert.equal((await download(client, made.id, { range: 'bytes=10-', 'if-range': '"other"' })).status, 200)
    assert.equal((await download(client, made.id, { range: `bytes=${done.size_bytes}-` })).status, 416)
  })

  test('is some addresses as Maildir, with flags in the names', async () => {
    const { client, id, box, domain } = await customer()
    const other = await plantReader(mail, `ben@${domain}`, id)
    await other.add({ subject: 'Not this one' })
    await box.add({ raw: 'Subject: x\r\n\r\nFrom here\r\n', keywords: ['$seen', '$flagged'] })
    const made = await asked(client, { format: 'maildir', address_ids: [box.address.id] })
    await work()
    const files = unzip((await download(client, made.id)).bytes)
    const [name = ''] = [...files.keys()].filter((each) => each.includes('/Inbox/cur/') && !each.endsWith('/'))
    assert.match(name, new RegExp(`^ann@${domain}/Inbox/cur/\\d+\\.1_[0-9a-f-]{36}\\.stoa:2,FS$`))
    assert.equal(files.get(name), 'Subject: x\r\n\r\nFrom here\r\n')
    assert.ok(files.has(`ann@${domain}/Inbox/new/`) && ![...files.keys()].some((each) => each.startsWith('ben@')))
  })

  test('requires the password, own addresses, and one at a time', async () => {
    const { client, box } = await customer()
    const stranger = await customer()
    assert.deepEqual(seen(await client.post(PATH, { format: 'mbox' })), [422, 'missing_required_field'])
    assert.deepEqual(seen(await client.post(PATH, { password: PASSWORD })), [422, 'missing_required_field'])
    assert.deepEqual(seen(await ask(client, { password: 'wrong' })), [400, 'validation_error'])
    for (const body of [{ format: 'pst' }, { address_ids: [] }, { address_ids: ['x'] }, { address_ids: 'all' }])
      assert.deepEqual(seen(await ask(client, body)), [400, 'validation_error'], JSON.stringify(body))
    const foreign = [box.address.id, stranger.box.address.id]
    assert.deepEqual(seen(await ask(client, { address_ids: foreign })), [404, 'not_found'])
    const { id } = await asked(client)
    assert.deepEqual(seen(await ask(client)), [409, 'conflict'])
    for (const path of [id, `${id}/download`, crypto.randomUUID(), 'x'])
      assert.deepEqual(seen(await stranger.client.get(`${PATH}/${path}`)), [404, 'not_found'])
    assert.equal((await stranger.client.send('DELETE', `${PATH}/${id}`)).status, 404)
    await work()
    assert.equal((await ask(client)).status, 202)
    assert.equal((await client.get(PATH)).body.total, 2)
  })

  test('leaves out what cannot be read, and reports it', async () => {
    const { client, box } = await customer()
    const lost = await box.add({ subject: 'Lost' })
    await box.add({ subject: 'Kept' })
    const { rows } = await mail.database.pool.query('select blob_key from message where id = $1', [lost])
    await mail.parts.blobs.delete(rows[0].blob_key)
    const { id } = await asked(client)
    await work()
    const done = await read(client, id)
    assert.deepEqual([done.status, done.messages_done], ['completed', 2])
    assert.equal(done.error, "1 message couldn't be read and is missing.")
    assert.match([...unzip((await download(client, id)).bytes).values()].join(''), /Subject: Kept/)
  })

  test('is made once, also when its process dies and another one goes on', async () => {
    const { client, id: accountId, box } = await customer()
    await box.add({ subject: 'One' })
    const { id } = await asked(client)
    // A process that took it and was killed.
    await mail.database.pool.query(
      `update mail_export set status = 'running', claims = 1, next_at = $2, pieces = '[{"key":"x","size":1}]' where id = $1`,
      [id, new Date(mail.clock.now().getTime() + 1_000)],
    )
    await work()
    assert.equal((await read(client, id)).status, 'running')
    mail.clock.advance(1_000)
    await Promise.all([work(), work()])
    const done = await read(client, id)
    assert.equal(done.status, 'completed')
    assert.equal((await download(client, id)).bytes.length, done.size_bytes)
    const { rows } = await mail.database.pool.query(
      `select count(*)::int as links from blob_link where kind = 'export' and owner_id = $1`,
      [accountId],
    )
    assert.equal(rows[0].links, Math.ceil(done.size_bytes / PIECE_BYTES))
  })

  test('ends as cancelled when its addresses are gone', async () => {
    const { client, id: accountId, box } = await customer()
    const { id } = await asked(client, { address_ids: [box.address.id] })
    await mail.database.tx((tx) => deleteAddress(tx, { accountId, addressId: box.address.id, now: mail.clock.now() }))
    await work()
    const { status, error, size_bytes } = await read(client, id)
    assert.deepEqual([status, error, size_bytes], ['cancelled', 'The addresses were deleted.', null])
    assert.deepEqual(seen(await client.get(`${PATH}/${id}/download`)), [409, 'conflict'])
  })

  test('is gone with its file when it is deleted, or after seven days', async () => {
    const { client, box } = await customer()
    await box.add({ subject: 'One' })
    const first = await asked(client)
    await work()
    const { rows } = await mail.database.pool.query('select pieces from mail_export where id = $1', [first.id])
    const [{ key }] = rows[0].pieces
    const deleted = await client.send('DELETE', `${PATH}/${first.id}`)
    assert.deepEqual([deleted.status, deleted.body], [200, { object: 'export', id: first.id, deleted: true }])
    for (const path of ['', '/download']) assert.equal((await client.get(`${PATH}/${first.id}${path}`)).status, 404)
    await sweepBlobs(mail.database, mail.parts.blobs, { now: new Date(Date.now() + DAY_MS), graceMs: 0 })
    assert.equal(await mail.parts.blobs.head(key), null)

    const waiting = await asked(client)
    assert.equal((await client.send('DELETE', `${PATH}/${waiting.id}`)).status, 200)
    const second = await asked(client)
    await work()
    mail.clock.advance(7 * DAY_MS)
    assert.deepEqual(seen(await client.get(`${PATH}/${second.id}`)), [404, 'not_found'])
    await forgetExports(mail.database, mail.clock.now())
    assert.equal((await client.get(PATH)).body.total, 0)
  })
})
