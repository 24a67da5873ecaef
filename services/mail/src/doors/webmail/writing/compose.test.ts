import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { draftInput } from '@stoa/mail-model/compose.ts'
import { type MailAnswer, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import { htmlToText } from '../../../formats/mime/html-text.ts'
import { updateAddress } from '../../../hosting/addresses/operations.ts'
import { sumRecipients } from '../../../hosting/plans/queries.ts'
import { readBlob } from '../../../store/blobs/blobs.ts'
import { getWholeMessage } from '../../../store/messages/list.ts'
import { type ReadMessage, readMessage } from '../../../store/messages/read.ts'
import { type Owner, plantOwner, refused, stateOf } from '../testing/owner.ts'

let mail: MailService
before(async () => {
  mail = await startMail({ env: { MAX_MESSAGE_BYTES: '200000' } })
})
after(() => mail.close())

let count = 0
const owner = (settings: Parameters<typeof plantOwner>[2] = {}): Promise<Owner> =>
  plantOwner(mail, `ada@compose-${++count}.test`, { name: 'Ada', ...settings })
const OUTSIDE = 'you@elsewhere.org'
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** A message of the mailbox, as its bytes are. */
const read = async ({ address }: Owner, id: string): Promise<ReadMessage & { text: string }> => {
  const { blobs, log } = mail.parts
  const bytes = await readBlob(blobs, await getWholeMessage(mail.database.db, address.id, id), { log })
  return { ...readMessage(bytes), text: bytes.toString() }
}
const filesOf = ({ body }: ReadMessage) => body.attachments.map(({ name, type, size, cid }) => [name, type, size, cid])

type Queued = { recipients: string[]; notBefore: Date; from: string; bytes: string; states: string[] }
/** What is in the queue of the mailbox. */
const queuedOf = async ({ address }: Owner): Promise<Queued[]> => {
  const { db } = mail.database
  const messages = await db.selectFrom('queue_message').selectAll().where('address_id', '=', address.id).execute()
  return Promise.all(
    messages.map(async (message) => {
      const rows = await db
        .selectFrom('queue_recipient')
        .select(['recipient', 'state', 'return_path'])
        .where('message_id', '=', message.id)
        .orderBy('ordinal')
        .execute()
      const stored = { id: message.id, blobKey: message.blob_key, prefix: message.prefix, size: message.size }
      const bytes = await readBlob(mail.parts.blobs, stored, { log: mail.parts.log })
      return {
        recipients: rows.map(({ recipient }) => recipient),
        states: rows.map(({ state }) => state),
        notBefore: message.not_before,
        from: rows[0]?.return_path ?? '',
        bytes: message.prefix.toString() + bytes.toString(),
      }
    }),
  )
}

describe('a draft', () => {
  test('needs nothing, is replaced with a new id, and keeps labels and the files that the request names', async () => {
    const ada = await owner()
    const empty = await ada.post('drafts', {})
    assert.deepEqual([empty.status, empty.body.object, empty.body.flags.draft], [201, 'message', true])
    assert.deepEqual(empty.body.folder_ids, [ada.folders.drafts])
    await ada.post('messages/flags', { message_ids: [empty.body.id], add: ['work'] })
    const written = await ada.post('drafts', {
      id: empty.body.id,
      to: ['Bob <bob@elsewhere.org>', { name: 'C, D', email: 'c@elsewhere.org' }, 'half'],
      cc: [{ email: 'cc@elsewhere.org' }],
      bcc: ['secret@elsewhere.org'],
      subject: 'Grüße',
      text: 'Hello',
      html: '<p>Hello <img src="cid:pic"></p>',
      attachments: [
        { filename: 'plan.txt', content: base64('the plan'), content_type: 'text/plain' },
        { filename: 'pic.png', content: base64('png'), content_type: 'image/png', content_id: 'pic' },
      ],
    })
    assert.equal(written.status, 200, written.text)
    assert.equal(await ada.look(empty.body.id), null)
    assert.deepEqual((await ada.look(written.body.id))?.keywords, ['$draft', '$seen', 'work'])
    const message = await read(ada, written.body.id)
    assert.equal(message.subject, 'Grüße')
    assert.deepEqual(message.envelope.to, [
      { name: 'Bob', email: 'bob@elsewhere.org' },
      { name: 'C, D', email: 'c@elsewhere.org' },
      { name: null, email: 'half' },
    ])
    assert.deepEqual(message.envelope.bcc, [{ name: null, email: 'secret@elsewhere.org' }])
    assert.deepEqual(message.envelope.from, [{ name: 'Ada', email: ada.address.email }])
    assert.deepEqual(filesOf(message), [
      ['pic.png', 'image/png', 3, 'pic'],
      ['plan.txt', 'text/plain', 8, null],
    ])
    const plan = message.body.attachments.find(({ name }) => name === 'plan.txt')?.partId
    const again = await ada.post('drafts', { id: written.body.id, attachments: [{ section: plan }] })
    assert.deepEqual(filesOf(await read(ada, again.body.id)), [['plan.txt', 'text/plain', 8, null]])
  })

  test('is replaced by one of those who do it at the same moment', async () => {
    const ada = await owner()
    const { id } = (await ada.post('drafts', { text: 'first' })).body
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => ada.post('drafts', { id, text })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404])
    const left = (await ada.client.get(`/api/mail/messages?folder_id=${ada.folders.drafts}`)).body
    assert.equal(left.total, 1)
  })

  test('keeps more people than a message can go to, so that nothing that was written is lost', async () => {
    const ada = await owner()
    const people = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@elsewhere.org`)
    const kept = await ada.post('drafts', { to: people(300), text: 'Hello all' })
    assert.deepEqual([kept.status, kept.body.to.length], [201, 300])
    refused(await ada.post('drafts', { to: people(1_001) }), 400, 'validation_error')
    refused(await ada.post('send', { to: people(300), draft_id: kept.body.id }), 400, 'validation_error', /100/)
    assert.equal((await ada.client.get(`/api/mail/messages/${kept.body.id}`)).status, 200)
  })

  test('is refused with what cannot be in it, and nothing changes', async () => {
    const [ada, bob] = [await owner(), await owner({ quotaBytes: 2_000 })]
    const [{ body: theirs }, received] = [await bob.post('drafts', {}), await ada.receive()]
    const { body: own } = await ada.post('drafts', {})
    const before = [await stateOf(mail, ada), await stateOf(mail, bob)]
    const file = { filename: 'x', content: base64('x') }
    const wrong: [Owner, object, number, string][] = [
      [ada, { id: theirs.id }, 404, 'not_found'],
      [ada, { id: received }, 404, 'not_found'],
      [ada, { id: 'x' }, 400, 'validation_error'],
      [ada, { identity_id: newId() }, 404, 'not_found'],
      [ada, { subject: 'a\r\nBcc: b@c.org' }, 400, 'validation_error'],
      [ada, { subject: 'x'.repeat(999) }, 400, 'validation_error'],
      [ada, { from_name: 'a\nb' }, 400, 'validation_error'],
      [ada, { to: ['a@b.org>\r\nX: y'] }, 400, 'validation_error'],
      [ada, { to: [{ name: 'a\r\nX: y', email: 'a@b.org' }] }, 400, 'validation_error'],
      [ada, { to: 'a@b.org' }, 400, 'validation_error'],
      [ada, { in_reply_to: 'a b' }, 400, 'validation_error'],
      [ada, { attachments: [{ ...file, filename: 'a\r\nb' }] }, 400, 'validation_error'],
      [ada, { attachments: [{ ...file, content: '!!' }] }, 400, 'validation_error'],
      [ada, { attachments: [{ ...file, blob_id: 'x' }] }, 400, 'validation_error'],
      [ada, { attachments: [{ filename: 'x' }] }, 400, 'validation_error'],
      [ada, { attachments: [{ content: 'eA==' }] }, 422, 'missing_required_field'],
      [ada, { attachments: [{ ...file, content_type: 'multipart/mixed' }] }, 400, 'validation_error'],
      [ada, { attachments: [{ ...file, content_id: 'a>b' }] }, 400, 'validation_error'],
      [ada, { attachments: [{ blob_id: `u${newId()}` }] }, 404, 'not_found'],
      [ada, { attachments: [{ blob_id: `m${theirs.id}` }] }, 404, 'not_found'],
      [ada, { attachments: [{ section: '2' }] }, 404, 'not_found'],
      [ada, { id: own.id, attachments: [{ section: '9' }] }, 404, 'not_found'],
      [ada, { attachments: [{ ...file, content: base64('x'.repeat(200_001)) }] }, 413, 'quota_exceeded'],
      [ada, { text: 'x'.repeat(200_001) }, 413, 'quota_exceeded'],
      [bob, { text: 'x'.repeat(3_000) }, 413, 'quota_exceeded'],
    ]
    for (const [who, body, status, name] of wrong) refused(await who.post('drafts', body), status, name)
    assert.deepEqual([await stateOf(mail, ada), await stateOf(mail, bob)], before)
  })
})

describe('a message that is sent', () => {
  test('is in Sent with its hidden recipients, in the queue without them, and its draft is gone', async () => {
    const ada = await owner()
    const draft = await ada.post('drafts', { text: 'x', attachments: [{ filename: 'a.txt', content: base64('a') }] })
    const upload = await ada.client.send('POST', `/jmap/upload/${ada.address.id}`, {
      body: 'uploaded',
      headers: { 'content-type': 'text/plain' },
    })
    const old = await ada.receive({ id: 'first@elsewhere.org', subject: 'Lunch' })
    const answer = await ada.post('send', {
      draft_id: draft.body.id,
      to: [`You <${OUTSIDE}>`],
      cc: ['copy@elsewhere.org'],
      bcc: ['Secret <secret@elsewhere.org>'],
      subject: 'Re: Lunch',
      html: '<p>At <b>noon</b>?</p>',
      reply_to: 'Desk <desk@elsewhere.org>',
      in_reply_to: '<first@elsewhere.org>',
      references: ['first@elsewhere.org'],
      attachments: [
        { section: '2' },
        { blob_id: upload.body.blobId, filename: 'u.txt', content_type: 'text/plain' },
        { blob_id: `m${old}` },
      ],
    })
    assert.equal(answer.status, 200, answer.text)
    const { id, message_id: messageId, submission } = answer.body
    assert.deepEqual(Object.keys(answer.body).sort(), ['id', 'message_id', 'object', 'submission'])
    const now = mail.clock.now().toISOString()
    const queued = { delivered: 'queued', reply: '250 2.1.5 Queued' }
    const recipients = [OUTSIDE, 'copy@elsewhere.org', 'secret@elsewhere.org'].map((email) => ({ email, ...queued }))
    const shown = {
      object: 'submission',
      id: submission.id,
      message_id: id,
      status: 'pending',
      send_at: now,
      recipients,
    }
    assert.deepEqual(submission, shown)
    assert.equal(await ada.look(draft.body.id), null)
    assert.deepEqual(await ada.look(id), { folders: ['Sent'], keywords: ['$seen'] })
    const sent = await read(ada, id)
    assert.deepEqual(sent.envelope.messageId, [messageId])
    assert.deepEqual(sent.envelope.bcc, [{ name: 'Secret', email: 'secret@elsewhere.org' }])
    assert.deepEqual(sent.envelope.replyTo, [{ name: 'Desk', email: 'desk@elsewhere.org' }])
    assert.deepEqual(
      [sent.envelope.inReplyTo, sent.envelope.references],
      [['first@elsewhere.org'], ['first@elsewhere.org']],
    )
    assert.deepEqual(
      sent.body.attachments.map(({ name, type }) => [name, type]),
      [
        ['a.txt', 'text/plain'],
        ['u.txt', 'text/plain'],
        ['message.eml', 'message/rfc822'],
      ],
    )
    assert.match(sent.text, new RegExp(htmlToText('<p>At <b>noon</b>?</p>').replace('?', '\\?')))
    const [out, ...more] = await queuedOf(ada)
    assert.deepEqual([out?.recipients, more.length], [recipients.map(({ email }) => email), 0])
    assert.equal(out?.from, ada.address.email)
    assert.doesNotMatch(out?.bytes ?? '', /secret/i)
    const threads = await mail.database.db
      .selectFrom('message')
      .select('thread_id')
      .distinct()
      .where('address_id', '=', ada.address.id)
      .execute()
    assert.equal(threads.length, 1)
  })

  test('goes to exactly the addresses that were given, whatever names say', async () => {
    const ada = await owner()
    const names = ['evil@elsewhere.org', 'a, b <c@elsewhere.org>', '"; Bcc: x@elsewhere.org', 'Ünï\u2028Bcc: x@y.org']
    const to = names.map((name, n) => ({ name, email: `real-${n}@elsewhere.org` }))
    const answer = await ada.post('send', { to: [...to, 'REAL-0@elsewhere.org'], text: 'x', subject: 'a\u2028X: y' })
    // What would begin a new line somewhere is refused; the rest is only a name.
    refused(answer, 400, 'validation_error')
    const kept = await ada.post('send', {
      to: [...to.slice(0, 3), 'REAL-0@elsewhere.org'],
      text: 'x',
      subject: 'a\u2028X: y',
    })
    assert.equal(kept.status, 200, kept.text)
    const [out] = await queuedOf(ada)
    assert.deepEqual(
      out?.recipients,
      to.slice(0, 3).map(({ email }) => email),
    )
    const { envelope, subject } = await read(ada, kept.body.id)
    assert.deepEqual(
      envelope.to.map(({ email }) => email),
      [...to.slice(0, 3).map(({ email }) => email), 'REAL-0@elsewhere.org'],
    )
    assert.equal(subject, 'a X: y')
  })

  test('is one of an identity, and nobody writes as somebody else', async () => {
    const [ada, bob] = [await owner({ aliases: ['sales'] }), await owner()]
    const domain = ada.address.email.split('@')[1]
    const sales = await ada.post('identities', {
      email: `sales@${domain}`,
      name: 'Sales',
      reply_to: [{ email: 'r@elsewhere.org' }],
    })
    assert.equal(sales.status, 201, sales.text)
    const answer = await ada.post('send', { to: [OUTSIDE], identity_id: sales.body.id, from_name: 'Ada of Sales' })
    const { envelope } = await read(ada, answer.body.id)
    assert.deepEqual(envelope.from, [{ name: 'Ada of Sales', email: `sales@${domain}` }])
    assert.deepEqual(envelope.replyTo, [{ name: null, email: 'r@elsewhere.org' }])
    const change = {
      accountId: ada.address.accountId,
      addressId: ada.address.id,
      change: { aliases: [] },
      now: mail.clock.now(),
    }
    await mail.database.tx((tx) => updateAddress(tx, change))
    const before = await stateOf(mail, ada)
    refused(await ada.post('send', { to: [OUTSIDE], identity_id: sales.body.id }), 403, 'forbidden')
    const [theirs] = (await bob.client.get('/api/mail/identities')).body.data
    refused(await ada.post('send', { to: [OUTSIDE], identity_id: theirs.id }), 404, 'not_found')
    assert.deepEqual(await stateOf(mail, ada), before)
  })

  test('that is refused returns why, and leaves the draft and everything else as it was', async () => {
    const ada = await owner()
    const domain = ada.address.email.split('@')[1]
    const draft_id = (await ada.post('drafts', { text: 'keep me' })).body.id
    const before = await stateOf(mail, ada)
    const to = [OUTSIDE]
    const many = Array.from({ length: 60 }, (_, n) => `p${n}@elsewhere.org`)
    const wrong: [object, number, string, RegExp?][] = [
      [{ draft_id }, 422, 'missing_required_field', /`to`/],
      [{ draft_id, to: [] }, 400, 'validation_error', /at least one recipient/],
      [{ draft_id, to: ['half'] }, 400, 'validation_error', /half/],
      [{ draft_id, to: ['a@b.org, c@d.org'] }, 400, 'validation_error'],
      [{ draft_id, to: [`nobody@${domain}`] }, 400, 'validation_error', /This mailbox doesn't exist/i],
      [{ draft_id, to: many, cc: many.map((email) => `x${email}`) }, 400, 'validation_error', /100/],
      [{ draft_id, to: [...many, ...many] }, 400, 'validation_error'],
      [{ to, draft_id: newId() }, 404, 'not_found'],
      [{ to, draft_id, send_at: '2026-03-01T11:58:00Z' }, 400, 'validation_error', /send_at/],
      [{ to, draft_id, send_at: '2026-04-01T12:00:00Z' }, 400, 'validation_error', /send_at/],
      [{ to, draft_id, send_at: 'soon' }, 400, 'validation_error'],
      [{ to, draft_id, undo_seconds: 61 }, 400, 'validation_error'],
      [{ to, draft_id, undo_seconds: -1 }, 400, 'validation_error'],
      [{ to, draft_id, text: 'x'.repeat(200_001) }, 413, 'quota_exceeded'],
    ]
    for (const [body, status, name, message] of wrong) refused(await ada.post('send', body), status, name, message)
    assert.deepEqual(await stateOf(mail, ada), before)
  })

  test('is not sent without permission, or over the limits of the plan', async () => {
    const [ada, bob] = [await owner(), await owner()]
    const setPlan = (plan: string) =>
      mail.database.tx((tx) =>
        tx.updateTable('account').set({ plan }).where('id', '=', bob.address.accountId).execute(),
      )
    await setPlan('free')
    const to = Array.from({ length: 60 }, (_, n) => `p${n}@elsewhere.org`)
    assert.equal((await bob.post('send', { to })).status, 200)
    const before = await stateOf(mail, bob)
    const over = await bob.post('send', { to })
    refused(over, 429, 'daily_quota_exceeded', /daily sending limit/)
    assert.deepEqual(await stateOf(mail, bob), before)
    const change = { accountId: ada.address.accountId, addressId: ada.address.id, now: mail.clock.now() }
    await mail.database.tx((tx) => updateAddress(tx, { ...change, change: { sendEnabled: false } }))
    refused(await ada.post('send', { to: [OUTSIDE] }), 403, 'forbidden')
    assert.equal((await ada.post('drafts', { to: [OUTSIDE] })).status, 201)
    await mail.database.tx((tx) =>
      tx
        .updateTable('account')
        .set({ suspended_at: mail.clock.now() })
        .where('id', '=', bob.address.accountId)
        .execute(),
    )
    refused(await bob.post('send', { to: [OUTSIDE] }), 403, 'forbidden', /suspended/)
    assert.deepEqual(await stateOf(mail, bob), before)
    const past_due_at = new Date(mail.clock.now().getTime() - 14 * 86_400_000)
    await mail.database.tx((tx) =>
      tx
        .updateTable('account')
        .set({ suspended_at: null, past_due_at })
        .where('id', '=', bob.address.accountId)
        .execute(),
    )
    refused(await bob.post('send', { to: [OUTSIDE] }), 402, 'plan_required', /invoice/)
    assert.deepEqual(await stateOf(mail, bob), before)
    assert.equal((await bob.post('drafts', { to: [OUTSIDE] })).status, 201)
  })

  test('of one draft is sent once, however often it is asked for at the same moment', async () => {
    const ada = await owner()
    const draft_id = (await ada.post('drafts', { text: 'once' })).body.id
    const answers = await Promise.all(Array.from({ length: 4 }, () => ada.post('send', { draft_id, to: [OUTSIDE] })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404])
    assert.equal((await queuedOf(ada)).length, 1)
    const sent = (await ada.client.get(`/api/mail/messages?folder_id=${ada.folders.sent}`)).body
    assert.equal(sent.total, 1)
  })
})

describe('whatever somebody writes', () => {
  const ODD = ['<', '>', ',', ';', ':', '"', '\\', ' ', '@', 'a@b.org', '=?utf-8?q?a?=', 'é', 'word', '(', '\t']
  const BAD = ['\r\nBcc: x@y.org', '\u2028', '\0', '\n']
  const piece = fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...ODD) },
    { weight: 1, arbitrary: fc.constantFrom(...BAD) },
  )
  const text = fc.array(piece, { maxLength: 5 }).map((all) => all.join(''))
  const word = fc.constantFrom('a@b', '<a@b>', 'a"b', 'é', 'a,b', 'a\r\nX: y')
  const email = fc.constantFrom(
    'a@b.org',
    'half',
    'é@b.org',
    'a@bücher.example',
    'a@b.org, c@d.org',
    '"a b"@c.org',
    'a\nb',
  )
  const address = fc.oneof(
    email,
    fc.record({ name: text, email }),
    fc.tuple(text, email).map(([name, given]) => `${name} <${given}>`),
  )
  const file = fc.record({ filename: text.map((name) => `x${name}`), content: fc.constant('eA=='), content_id: word })
  const body = fc.record(
    {
      to: fc.array(address, { maxLength: 2 }),
      reply_to: address,
      subject: text,
      from_name: text,
      in_reply_to: word,
      references: fc.array(word, { maxLength: 1 }),
      text,
      attachments: fc.array(file, { maxLength: 1 }),
    },
    { requiredKeys: [] },
  )
  const FIELDS = /^(from|to|reply-to|subject|message-id|date|mime-version|in-reply-to|references|content-.*)$/

  test('is refused, or is a message with no field that nobody asked for', async () => {
    const ada = await owner()
    const samples = fc.sample(body, { numRuns: runs(25, 60), seed: 20260301 })
    let saved = 0
    for (const sample of samples) {
      const answer = await ada.post('drafts', sample)
      assert.equal(
        answer.status,
        draftInput.safeParse(sample).success ? 201 : 400,
        `${JSON.stringify(sample)} ${answer.text}`,
      )
      if (answer.status !== 201) continue
      saved += 1
      const { structure } = await read(ada, answer.body.id)
      assert.deepEqual(
        structure.root.fields.map(({ name }) => name).filter((name) => !FIELDS.test(name)),
        [],
      )
    }
    assert.ok(saved > 2 && saved < samples.length, String(saved))
  })

  test('is read in time that grows with its length alone', () => {
    const long = ' '.repeat(2_000_000)
    const started = performance.now()
    for (const to of [
      `${long}<`,
      `a${long}<a@b.org>`,
      `${'<'.repeat(1_000_000)}>`,
      `"${'\\'.repeat(1_000_000)}" <a@b.org>`,
    ])
      draftInput.safeParse({ to: [to], subject: to, in_reply_to: to })
    assert.ok(performance.now() - started < 10_000)
  })
})

describe('taking back', () => {
  const cancel = (ada: Owner, id: string): Promise<MailAnswer> => ada.post(`submissions/${id}/cancel`, {})
  const claim = (ada: Owner) =>
    mail.database.pool.query(
      `update queue_recipient set state = 'sending', attempts = 1
       where message_id in (select id from queue_message where address_id = $1)`,
      [ada.address.id],
    )

  test('within the time for it makes a draft again, once or twice', async () => {
    const ada = await owner()
    const day = mail.clock.now().toISOString().slice(0, 10)
    const volume = () => sumRecipients(mail.database.db, ada.address.accountId, day)
    const counted = await volume()
    const { body } = await ada.post('send', { to: [OUTSIDE], text: 'wait', undo_seconds: 20 })
    const sendAt = new Date(mail.clock.now().getTime() + 20_000)
    assert.equal(body.submission.send_at, sendAt.toISOString())
    assert.deepEqual(
      (await queuedOf(ada)).map(({ notBefore }) => notBefore),
      [sendAt],
    )
    const answers = await Promise.all([cancel(ada, body.submission.id), cancel(ada, body.submission.id)])
    for (const answer of answers) assert.deepEqual([answer.status, answer.body.status], [200, 'cancelled'], answer.text)
    // What it counted towards the limits of the plan is given back, once.
    assert.deepEqual(await volume(), counted)
    assert.deepEqual(await ada.look(body.id), { folders: ['Drafts'], keywords: ['$draft', '$seen'] })
    assert.deepEqual(
      (await queuedOf(ada)).flatMap(({ states }) => states),
      ['cancelled'],
    )
    const again = await ada.post('send', { draft_id: body.id, to: [OUTSIDE] })
    assert.equal(again.status, 200, again.text)
  })

  test('works for scheduled mail, also when its message is gone', async () => {
    const ada = await owner()
    const send_at = '2026-03-31T10:00:00+02:00'
    const { body } = await ada.post('send', { to: [OUTSIDE], send_at, undo_seconds: 20 })
    assert.equal(body.submission.send_at, '2026-03-31T08:00:00.000Z')
    const soon = await ada.post('send', { to: [OUTSIDE], send_at: '2026-03-01T11:59:30Z' })
    assert.equal(soon.body.submission.send_at, mail.clock.now().toISOString())
    await claim(ada)
    const later = await ada.post('send', { to: [OUTSIDE], send_at })
    await ada.post('messages/delete', { message_ids: [later.body.id], permanent: true })
    assert.equal((await cancel(ada, later.body.submission.id)).body.status, 'cancelled')
    const list = await ada.client.get('/api/mail/submissions?status=pending')
    assert.deepEqual(
      list.body.data.map(({ id }: { id: string }) => id),
      [body.submission.id, soon.body.submission.id],
    )
    assert.equal((await ada.client.get('/api/mail/submissions')).body.total, 3)
    refused(await ada.client.get('/api/mail/submissions?status=x'), 400, 'invalid_parameter')
  })

  test('is too late once an attempt has begun, and for others there is nothing', async () => {
    const [ada, bob] = [await owner(), await owner()]
    const { body } = await ada.post('send', { to: [OUTSIDE] })
    await claim(ada)
    const before = await stateOf(mail, ada)
    refused(await cancel(ada, body.submission.id), 409, 'conflict', /already being sent/)
    for (const id of [body.submission.id, newId(), 'x']) {
      refused(await cancel(bob, id), 404, 'not_found')
      refused(await bob.client.get(`/api/mail/submissions/${id}`), 404, 'not_found')
    }
    assert.deepEqual(await stateOf(mail, ada), before)
    assert.deepEqual((await ada.client.get(`/api/mail/submissions/${body.submission.id}`)).body, body.submission)
  })
})
