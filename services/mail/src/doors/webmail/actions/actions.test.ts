import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { loseNotifications } from '@stoa/tests/lib/lose-notifications.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { sweepBlobs } from '../../../store/blobs/blobs.ts'
import { checkMailbox } from '../../../store/mailbox/check.ts'
import { purgeDeletedMessages } from '../../../store/messages/deleted.ts'
import { wakeDue } from '../../../store/messages/snooze.ts'
import { type Owner, plantOwner, refused, stateOf } from '../testing/owner.ts'
import { forgetBulkJobs } from './bulk.ts'
import { startBulkWorker, workOnce } from './bulk-worker.ts'

const EVERYTHING = { before: '2100-01-01' }

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

let count = 0
const owner = (): Promise<Owner> => plantOwner(mail, `ada@actions-${++count}.test`)
/** Counts, room, links and UIDs agree with what is in the mailbox. */
const assertWhole = async (ada: Owner) => assert.deepEqual(await checkMailbox(mail.database.db, ada.address.id), [])
const updated = (n: number, not_found: string[] = []) => ({ object: 'message_update', updated: n, not_found })

describe('flags', () => {
  test('are set and cleared on messages that are there, and the others are named', async () => {
    const ada = await owner()
    const [one, two, missing] = [await ada.receive(), await ada.receive({ keywords: ['$seen'] }), newId()]
    const ids = [one, two, missing, one]
    const answer = await ada.post('messages/flags', { message_ids: ids, add: ['seen', 'flagged', 'work'] })
    assert.deepEqual([answer.status, answer.body], [200, updated(2, [missing])])
    assert.deepEqual((await ada.look(one))?.keywords, ['$flagged', '$seen', 'work'])
    const body = { message_ids: [two.toUpperCase()], add: ['answered', 'forwarded'], remove: ['flagged', 'work'] }
    assert.deepEqual((await ada.post('messages/flags', body)).body, updated(1))
    assert.deepEqual((await ada.look(two))?.keywords, ['$answered', '$forwarded', '$seen'])
  })

  test('of junk move a message, and train the classifier', async () => {
    const ada = await owner()
    const [spam, ham, kept] = [
      await ada.receive(),
      await ada.receive({ folderIds: [ada.folders.junk], keywords: ['$junk'] }),
      await ada.receive({ folderIds: [ada.folders.archive] }),
    ]
    assert.deepEqual((await ada.post('messages/flags', { message_ids: [spam], add: ['junk'] })).body, updated(1))
    const ids = [ham, kept]
    assert.deepEqual((await ada.post('messages/flags', { message_ids: ids, remove: ['junk'] })).body, updated(2))
    assert.deepEqual(await ada.look(spam), { folders: ['Junk'], keywords: ['$junk'] })
    assert.deepEqual(await ada.look(ham), { folders: ['Inbox'], keywords: ['$notjunk'] })
    assert.deepEqual((await ada.look(kept))?.folders, ['Archive'])
    const samples = await mail.database.db
      .selectFrom('spam_pending')
      .select('verdict')
      .where('address_id', '=', ada.address.id)
      .execute()
    assert.deepEqual(samples.map(({ verdict }) => verdict).sort(), ['ham', 'spam'])
    await ada.post('messages/flags', { message_ids: [spam], remove: ['junk'] })
    assert.deepEqual(await ada.look(spam), { folders: ['Inbox'], keywords: ['$notjunk'] })
  })

  test('and everything else that is done to messages are refused as a whole when the request is wrong', async () => {
    const ada = await owner()
    const [one, folder_id] = [await ada.receive(), ada.folders.archive]
    const before = await stateOf(mail, ada)
    const many = Array.from({ length: 501 }, newId)
    const message_ids = [one]
    const wrong: [string, object, number, string][] = [
      ['flags', { message_ids }, 400, 'validation_error'],
      ['flags', { message_ids, add: [], remove: [] }, 400, 'validation_error'],
      ['flags', { message_ids, add: ['draft'] }, 400, 'validation_error'],
      ['flags', { message_ids, add: ['$seen'] }, 400, 'validation_error'],
      ['flags', { message_ids, add: ['Work'] }, 400, 'validation_error'],
      ['flags', { message_ids, add: ['x'.repeat(65)] }, 400, 'validation_error'],
      ['flags', { message_ids, add: 'seen' }, 400, 'validation_error'],
      ['flags', { message_ids, add: ['seen'], remove: ['seen'] }, 400, 'validation_error'],
      ['flags', { add: ['seen'] }, 422, 'missing_required_field'],
      ['flags', { message_ids, query: EVERYTHING, add: ['seen'] }, 400, 'validation_error'],
      ['delete', { query: {}, permanent: true }, 400, 'validation_error'],
      ['delete', { query: { search: ' ' }, permanent: true }, 400, 'validation_error'],
      ['delete', { query: { serach: 'from:bob' }, permanent: true }, 400, 'validation_error'],
      ['flags', { message_ids: [], add: ['seen'] }, 400, 'validation_error'],
      ['flags', { message_ids: many, add: ['seen'] }, 400, 'validation_error'],
      ['flags', { message_ids: ['x'], add: ['seen'] }, 400, 'validation_error'],
      ['flags', { query: { folder_id: newId() }, add: ['seen'] }, 404, 'not_found'],
      ['flags', { query: { folder_id: 'x' }, add: ['seen'] }, 400, 'validation_error'],
      ['move', { message_ids }, 422, 'missing_required_field'],
      ['move', { message_ids, folder_id: newId() }, 404, 'not_found'],
      ['move', { message_ids, folder_id: 'x' }, 400, 'validation_error'],
      ['move', { folder_id }, 422, 'missing_required_field'],
      ['move', { query: EVERYTHING, folder_id: newId() }, 404, 'not_found'],
      ['delete', {}, 422, 'missing_required_field'],
      ['delete', { message_ids, permanent: 'yes' }, 400, 'validation_error'],
      ['snooze', { message_ids }, 422, 'missing_required_field'],
      ['snooze', { message_ids, until: 'tomorrow' }, 400, 'validation_error'],
      ['snooze', { message_ids, until: '2026-03-01T12:00:00Z' }, 400, 'validation_error'],
      ['snooze', { message_ids, until: '2046-03-01T12:00:00Z' }, 400, 'validation_error'],
    ]
    for (const [what, body, status, name] of wrong) {
      refused(await ada.post(`messages/${what}`, body), status, name)
      assert.deepEqual(await stateOf(mail, ada), before, `${what} ${JSON.stringify(body).slice(0, 80)}`)
    }
    refused(await ada.client.get('/api/mail/messages/flags'), 405, 'method_not_allowed')
  })

  test('of another mailbox are not found, and stay', async () => {
    const [ada, bob] = [await owner(), await owner()]
    const theirs = await bob.receive()
    const before = await stateOf(mail, bob)
    const all = [
      ada.post('messages/flags', { message_ids: [theirs], add: ['seen'] }),
      ada.post('messages/move', { message_ids: [theirs], folder_id: ada.folders.archive }),
      ada.post('messages/delete', { message_ids: [theirs], permanent: true }),
      ada.post('messages/snooze', { message_ids: [theirs], until: '2026-03-02T08:00:00Z' }),
    ]
    for (const answer of await Promise.all(all)) assert.deepEqual(answer.body, updated(0, [theirs]))
    const mine = await ada.receive()
    refused(await ada.post('messages/move', { message_ids: [mine], folder_id: bob.folders.inbox }), 404, 'not_found')
    refused(await ada.post('messages/delete', { query: { folder_id: bob.folders.inbox } }), 404, 'not_found')
    assert.deepEqual(await stateOf(mail, bob), before)
  })
})

describe('moving and deleting', () => {
  test('replaces all folders, then fills the trash, then is for good', async () => {
    const ada = await owner()
    const id = await ada.receive({ folderIds: [ada.folders.inbox, ada.folders.archive] })
    const ids = { message_ids: [id] }
    assert.deepEqual((await ada.post('messages/move', { ...ids, folder_id: ada.folders.junk })).body, updated(1))
    assert.deepEqual((await ada.look(id))?.folders, ['Junk'])
    assert.deepEqual((await ada.post('messages/delete', ids)).body, updated(1))
    assert.deepEqual((await ada.look(id))?.folders, ['Trash'])
    assert.deepEqual((await ada.post('messages/delete', ids)).body, updated(1))
    assert.equal(await ada.look(id), null)
    assert.deepEqual((await ada.post('messages/delete', ids)).body, updated(0, [id]))
    await assertWhole(ada)
  })

  test('keeps a message that is in the trash and elsewhere, unless it is meant for good', async () => {
    const ada = await owner()
    const both = await ada.receive({ folderIds: [ada.folders.inbox, ada.folders.trash] })
    await ada.post('messages/delete', { message_ids: [both] })
    assert.deepEqual((await ada.look(both))?.folders, ['Trash'])
    const one = await ada.receive()
    assert.deepEqual(
      (await ada.post('messages/delete', { message_ids: [one, both], permanent: true })).body,
      updated(2),
    )
    assert.deepEqual([await ada.look(one), await ada.look(both)], [null, null])
  })

  test('of the same messages at the same moment happens once', async () => {
    const ada = await owner()
    const ids = [await ada.receive(), await ada.receive({ folderIds: [ada.folders.trash] })]
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => ada.post('messages/delete', { message_ids: ids, permanent: true })),
    )
    assert.deepEqual(answers.map(({ body }) => body.updated).sort(), [0, 0, 0, 2])
    await assertWhole(ada)
  })
})

describe('deleted messages', () => {
  const DAY_MS = 86_400_000
  const usedBytes = async (ada: Owner) => (await ada.client.get('/api/mail/me')).body.used_bytes
  const deleted = async (ada: Owner, query = '') => {
    const { status, body, text } = await ada.client.get(`/api/mail/deleted?${query}`)
    assert.equal(status, 200, text)
    return body
  }
  const idsOf = async (ada: Owner, folderId: string): Promise<string[]> =>
    (await ada.client.get(`/api/mail/messages?folder_id=${folderId}`)).body.data.map(({ id }: { id: string }) => id)

  test('are kept for 30 days, count for nothing, and come back to where they were', async () => {
    const ada = await owner()
    const id = await ada.receive({ subject: 'Kept', folderIds: [ada.folders.archive], keywords: ['$flagged', 'work'] })
    const before = await usedBytes(ada)
    const [shown] = (await ada.client.get(`/api/mail/messages?folder_id=${ada.folders.archive}`)).body.data
    await ada.post('messages/delete', { message_ids: [id], permanent: true })
    assert.equal(await usedBytes(ada), 0)
    const { data, total } = await deleted(ada)
    const purge_at = new Date(mail.clock.now().getTime() + 30 * DAY_MS).toISOString()
    assert.deepEqual([total, data], [1, [{ ...shown, deleted_at: mail.clock.now().toISOString(), purge_at }]])
    await assertWhole(ada)
    const missing = newId()
    const answer = await ada.post('deleted/restore', { message_ids: [id.toUpperCase(), missing] })
    assert.deepEqual([answer.status, answer.body], [200, updated(1, [missing])])
    const [back = ''] = await idsOf(ada, ada.folders.archive)
    assert.deepEqual(await ada.look(back), { folders: ['Archive'], keywords: ['$flagged', 'work'] })
    assert.match((await ada.client.get(`/api/mail/messages/${back}/raw`)).text, /Subject: Kept/)
    assert.deepEqual([await usedBytes(ada), (await deleted(ada)).total], [before, 0])
    assert.deepEqual((await ada.post('deleted/restore', { message_ids: [id] })).body, updated(0, [id]))
    await assertWhole(ada)
  })

  test('go to the inbox where their folder is gone or was the trash; drafts and what is purged are gone', async () => {
    const ada = await owner()
    const folder = (await ada.post('folders', { name: 'Short-lived' })).body.id
    const [one, two] = [
      await ada.receive({ folderIds: [folder] }),
      await ada.receive({ folderIds: [ada.folders.trash] }),
    ]
    const draft = await ada.receive({ keywords: ['$draft'] })
    const purged = await ada.receive()
    await ada.post('messages/delete', { message_ids: [one, two, draft], permanent: true })
    const gone = await ada.post('messages/delete?purge=1', { message_ids: [purged] })
    assert.deepEqual([gone.status, gone.body, await ada.look(purged)], [200, updated(1), null])
    refused(await ada.post('messages/delete?purge=yes', { message_ids: [one] }), 400, 'invalid_parameter')
    await ada.client.send('DELETE', `/api/mail/folders/${folder}`)
    assert.equal((await deleted(ada)).total, 2)
    assert.deepEqual((await ada.post('deleted/restore', { message_ids: [one, two, draft, purged] })).body, {
      ...updated(2),
      not_found: [draft, purged],
    })
    assert.equal((await idsOf(ada, ada.folders.inbox)).length, 2)
    await assertWhole(ada)
  })

  test('are not restored over the quota, and are listed in order and searched', async () => {
    const ada = await owner()
    const ids = [await ada.receive({ subject: 'Alpha' }), await ada.receive({ subject: 'Beta' })]
    await ada.post('messages/delete', { message_ids: ids, permanent: true })
    const subjects = async (query: string) =>
      (await deleted(ada, query)).data.map(({ subject }: { subject: string }) => subject)
    assert.deepEqual(await subjects('sort=subject&direction=asc'), ['Alpha', 'Beta'])
    assert.deepEqual(await subjects('search=BETA'), ['Beta'])
    assert.deepEqual([(await deleted(ada, 'page=2')).data, (await deleted(ada)).pages], [[], 1])
    await mail.database.pool.query('update address set quota_bytes = 10 where id = $1', [ada.address.id])
    refused(await ada.post('deleted/restore', { message_ids: ids }), 413, 'quota_exceeded')
    assert.equal((await deleted(ada)).total, 2)
    for (const message_ids of [[], ['x'], 'all'])
      refused(await ada.post('deleted/restore', { message_ids }), 400, 'validation_error')
    refused(await ada.post('deleted/restore', {}), 422, 'missing_required_field')
    const bob = await owner()
    assert.deepEqual((await bob.post('deleted/restore', { message_ids: ids })).body, updated(0, ids))
  })

  test('are gone with their bytes after 30 days', async () => {
    const ada = await owner()
    const id = await ada.receive({ subject: 'Old' })
    const [{ blob_key: key } = { blob_key: '' }] = await mail.database.db
      .selectFrom('message')
      .select('blob_key')
      .where('id', '=', id)
      .execute()
    await ada.post('messages/delete', { message_ids: [id], permanent: true })
    const sweep = (now: Date) => sweepBlobs(mail.database, mail.parts.blobs, { now, graceMs: -DAY_MS })
    const later = new Date(mail.clock.now().getTime() + 30 * DAY_MS)
    await sweep(mail.clock.now())
    assert.ok(await mail.parts.blobs.head(key))
    await purgeDeletedMessages(mail.database, new Date(later.getTime() - 1))
    assert.equal((await deleted(ada)).total, 1)
    await purgeDeletedMessages(mail.database, later)
    assert.equal((await deleted(ada)).total, 0)
    // Links end with the time for restoring; the sweep looks at the machine's clock.
    await mail.database.pool.query(`update blob_link set expires_at = $1 where kind = 'deleted'`, [mail.clock.now()])
    await sweep(new Date())
    assert.equal(await mail.parts.blobs.head(key), null)
  })
})

describe('snoozed messages', () => {
  test('are away until their time, and then unseen where they were', async () => {
    const ada = await owner()
    const [one, two] = [
      await ada.receive({ keywords: ['$seen'] }),
      await ada.receive({ folderIds: [ada.folders.archive] }),
    ]
    const until = '2026-03-02T08:00:00+01:00'
    assert.deepEqual((await ada.post('messages/snooze', { message_ids: [one, two], until })).body, updated(2))
    assert.deepEqual(await ada.look(one), { folders: ['Snoozed'], keywords: ['$seen'] })
    assert.deepEqual((await ada.post('messages/snooze', { message_ids: [two], until: null })).body, updated(1))
    assert.deepEqual((await ada.look(two))?.folders, ['Archive'])
    assert.deepEqual((await ada.post('messages/snooze', { message_ids: [two], until: null })).body, updated(0, [two]))
    await wakeDue(mail.parts, new Date('2026-03-02T06:59:59Z'))
    assert.deepEqual((await ada.look(one))?.folders, ['Snoozed'])
    await wakeDue(mail.parts, new Date('2026-03-02T07:00:00Z'))
    assert.deepEqual(await ada.look(one), { folders: ['Inbox'], keywords: [] })
  })
})

describe('an action on a search', () => {
  /** One mailbox for all jobs: filling it takes longest. */
  let ada: Owner
  before(async () => {
    ada = await owner()
    await ada.receiveMany(501)
  })
  const parts = () => ({ database: mail.database, log: mail.parts.log, clock: mail.clock })
  test('is done at once when it finds few', async () => {
    const ada = await owner()
    const ids = await ada.receiveMany(3)
    await ada.receive({ subject: 'Invoice', keywords: ['$seen'] })
    const answer = await ada.post('messages/flags', { query: { unread: true }, add: ['flagged'] })
    assert.deepEqual([answer.status, answer.body], [200, updated(3)])
    for (const id of ids) assert.deepEqual((await ada.look(id))?.keywords, ['$flagged'])
    const found = await ada.post('messages/move', {
      query: { search: 'subject:invoice' },
      folder_id: ada.folders.archive,
    })
    assert.deepEqual(found.body, updated(1))
    assert.deepEqual((await ada.post('messages/delete', { query: { search: 'nothing at all' } })).body, updated(0))
  })

  test('is a job when it finds many, which is done to its end and then forgotten', async () => {
    const body = { query: { folder_id: ada.folders.inbox }, folder_id: ada.folders.archive }
    const { status, body: job } = await ada.post('messages/move', body)
    const now = mail.clock.now().toISOString()
    const begun = {
      object: 'bulk_job',
      action: 'move',
      status: 'running',
      total: 501,
      done: 0,
      not_found: 0,
      error: null,
    }
    assert.deepEqual([status, job], [202, { id: job.id, ...begun, created_at: now, finished_at: null }])
    const later = await ada.receive()
    assert.equal(await workOnce(parts()), true)
    const read = async () => (await ada.client.get(`/api/mail/jobs/${job.id}`)).body
    assert.equal((await read()).done, 500)
    const worker = startBulkWorker({ ...parts(), bus: mail.parts.bus })
    await until(async () => (await read()).status !== 'running', 'the job')
    await worker.stop()
    assert.deepEqual(await read(), { ...job, status: 'completed', done: 501, finished_at: now })
    assert.deepEqual((await ada.look(later))?.folders, ['Inbox'])
    await assertWhole(ada)
    refused(await (await owner()).client.get(`/api/mail/jobs/${job.id}`), 404, 'not_found')
    refused(await ada.client.get('/api/mail/jobs/x'), 404, 'not_found')
    await forgetBulkJobs(mail.database, new Date(mail.clock.now().getTime() + 8 * 86_400_000))
    refused(await ada.client.get(`/api/mail/jobs/${job.id}`), 404, 'not_found')
  })

  test('that became due while notifications were lost is done once they are back, without another one', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { body: job } = await ada.post('messages/move', {
      query: { folder_id: ada.folders.archive },
      folder_id: ada.folders.inbox,
    })
    const due = (at: Date) => mail.database.pool.query('update bulk_job set next_at = $1 where id = $2', [at, job.id])
    const now = mail.clock.now()
    await due(new Date(now.getTime() + 60_000))
    const worker = startBulkWorker({ ...parts(), bus: mail.parts.bus })
    t.after(() => worker.stop())
    await mail.parts.bus.ready()
    await passTime(200, 'its look at the start is over')
    await due(now)
    await loseNotifications(mail.database)
    const read = async () => (await ada.client.get(`/api/mail/jobs/${job.id}`)).body
    await until(async () => (await read()).status === 'completed', 'the job')
  })

  test('fails where the folder goes meanwhile, and does the rest no harm', async () => {
    const folder = await ada.post('folders', { name: 'Old' })
    const { body: job } = await ada.post('messages/move', { query: EVERYTHING, folder_id: folder.body.id })
    assert.equal(await workOnce(parts()), true)
    await ada.client.send('DELETE', `/api/mail/folders/${folder.body.id}`)
    assert.equal(await workOnce(parts()), true)
    const { status, done, error } = (await ada.client.get(`/api/mail/jobs/${job.id}`)).body
    assert.deepEqual([status, done], ['failed', 500])
    assert.match(error, /folder/)
    assert.equal(await workOnce(parts()), false)
    await assertWhole(ada)
  })

  test('is worked on by several processes, each batch once, and only so many at the same time', async () => {
    const started = await Promise.all(
      Array.from({ length: 7 }, () => ada.post('messages/flags', { query: EVERYTHING, add: ['flagged'] })),
    )
    assert.deepEqual(started.map(({ status }) => status).sort(), [202, 202, 202, 202, 202, 429, 429])
    refused(started.find(({ status }) => status === 429) ?? assert.fail(), 429, 'rate_limit_exceeded')
    const drain = async () => {
      while (await workOnce(parts()));
    }
    await Promise.all([drain(), drain(), drain()])
    for (const { body } of started.filter(({ status }) => status === 202)) {
      const { status, done, not_found } = (await ada.client.get(`/api/mail/jobs/${body.id}`)).body
      assert.deepEqual([status, done, not_found], ['completed', 502, 0])
    }
    const gone = await ada.post('messages/delete', { query: EVERYTHING, permanent: true })
    const other = await ada.post('messages/delete', { query: EVERYTHING, permanent: true })
    await drain()
    const twice = (await ada.client.get(`/api/mail/jobs/${other.body.id}`)).body
    assert.deepEqual([gone.status, twice.status, twice.done, twice.not_found], [202, 'completed', 502, 502])
  })
})
