import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import { forgetSubmissions } from '../../../sending/submission/submissions.ts'
import { envelopeTo, rawMail, type SendingGround, START, startSending } from './testing/ground.ts'

let sending: SendingGround
before(async () => {
  sending = await startSending()
})
after(() => sending.close())

describe('a submission', () => {
  test('leaves as it is stored but for Bcc, goes to everybody once, and its draft becomes sent mail', async () => {
    const { ann, smtp, identityId, draft, stateNow, settled } = sending
    const before = await stateNow()
    const emailId = await draft({
      raw: rawMail(
        'From: Ann <ann@example.test>\nTo: you@elsewhere.org, YOU@elsewhere.org\nCc: cc@elsewhere.org\nBcc: secret@elsewhere.org\nSubject: Hi\nMessage-ID: <1@example.test>\nDate: Sun, 1 Mar 2026 10:00:00 +0000',
        'One\nTwo\rThree\r\n',
      ).replace('\r\n\r\n', '\n\n'),
    })
    const answers = await ann.client.call([
      'EmailSubmission/set',
      {
        accountId: ann.accountId,
        create: { s: { identityId, emailId } },
        onSuccessUpdateEmail: {
          '#s': {
            [`mailboxIds/${ann.folders.drafts}`]: null,
            [`mailboxIds/${ann.folders.sent}`]: true,
            'keywords/$draft': null,
          },
        },
      },
      'c0',
    ])
    assert.deepEqual(
      answers.map(([name, , id]) => [name, id]),
      [
        ['EmailSubmission/set', 'c0'],
        ['Email/set', 'c0'],
      ],
    )
    const { created } = answers[0]?.[1] ?? {}
    // It may be on its way before it is read for the answer.
    assert.match(created.s.undoStatus, /^(pending|final)$/)
    assert.equal(created.s.sendAt, '2026-03-01T12:00:00Z')
    assert.deepEqual(
      created.s.envelope.rcptTo.map(({ email }: { email: string }) => email),
      ['you@elsewhere.org', 'cc@elsewhere.org', 'secret@elsewhere.org'],
    )
    const sent = await settled(created.s.id)
    assert.deepEqual(sent.envelope.mailFrom, { email: 'ann@example.test', parameters: null })
    assert.deepEqual([sent.emailId, sent.identityId, sent.undoStatus], [emailId, identityId, 'final'])
    assert.deepEqual([sent.dsnBlobIds, sent.mdnBlobIds], [[], []])
    const status = sent.deliveryStatus['secret@elsewhere.org']
    assert.deepEqual([status.delivered, status.displayed], ['unknown', 'unknown'])
    assert.match(status.smtpReply, /^250 /)
    const [mail] = smtp.messages
    assert.deepEqual([mail?.from, mail?.to.length], ['ann@example.test', 3])
    const text = mail?.raw.toString() ?? ''
    assert.match(text, /\r\nFrom: Ann <ann@example.test>\r\nTo: you@[^\r]+\r\nCc: [^\r]+\r\nSubject: Hi\r\n/)
    assert.ok(text.endsWith('\r\n\r\nOne\r\nTwo\r\nThree\r\n'))
    assert.doesNotMatch(text, /secret|[^\r]\n|\r[^\n]/)
    assert.deepEqual(smtp.problems, [])
    const { list } = await ann.client.one('Email/get', {
      accountId: ann.accountId,
      ids: [emailId],
      properties: ['mailboxIds', 'keywords'],
    })
    assert.deepEqual(list[0].mailboxIds, { [ann.folders.sent]: true })
    assert.deepEqual(list[0].keywords, { $seen: true })
    const changes = await ann.client.one('EmailSubmission/changes', { accountId: ann.accountId, sinceState: before })
    assert.deepEqual(changes.created, [created.s.id])
  })

  test('is made of a message of the same request, and can be forgotten with it', async () => {
    const { ann, smtp, identityId, settled } = sending
    const email = {
      mailboxIds: { [ann.folders.drafts]: true },
      keywords: { $draft: true },
      from: [{ name: 'Ann', email: 'ann@example.test' }],
      to: [{ name: null, email: 'you@elsewhere.org' }],
      subject: 'All at once',
      bodyStructure: { type: 'text/plain', partId: '1' },
      bodyValues: { 1: { value: 'Hello' } },
    }
    const { accountId } = ann
    const answers = await ann.client.call(
      ['Email/set', { accountId, create: { d: email } }],
      [
        'EmailSubmission/set',
        { accountId, create: { s: { identityId, emailId: '#d' } }, onSuccessDestroyEmail: ['#s'] },
      ],
      ['EmailSubmission/get', { accountId, ids: ['#s'], properties: ['emailId'] }],
    )
    const names = answers.map(([name]) => name)
    assert.deepEqual(names, ['Email/set', 'EmailSubmission/set', 'Email/set', 'EmailSubmission/get'])
    const { id: emailId } = answers[0]?.[1].created.d ?? {}
    assert.deepEqual(answers[2]?.[1].destroyed, [emailId])
    assert.equal(answers[3]?.[1].list[0].emailId, emailId)
    await settled(answers[1]?.[1].created.s.id)
    assert.ok(smtp.messages.some(({ raw }) => raw.includes('Subject: All at once')))
  })

  test('to a mailbox here says that it is there, and a refusal of a peer is shown as it came', async () => {
    const { smtp, draft, stateNow, send, settled } = sending
    smtp.script('rcpt', ({ address }) =>
      address === 'gone@elsewhere.org' ? { reply: { code: 550, text: '5.1.1 nobody here' } } : undefined,
    )
    const { id } = await send(await draft(), envelopeTo(['bob@example.test', 'gone@elsewhere.org']))
    const before = await stateNow()
    const { deliveryStatus } = await settled(id)
    smtp.script('rcpt', [])
    assert.equal(deliveryStatus['bob@example.test'].delivered, 'yes')
    assert.equal(deliveryStatus['gone@elsewhere.org'].delivered, 'no')
    assert.match(deliveryStatus['gone@elsewhere.org'].smtpReply, /^550 5\.1\.1 nobody here/)
    assert.notEqual(await stateNow(), before)
  })

  test('keeps what it knows when the queue has forgotten it, for a month', async () => {
    const { ground, ann, clock, get, draft, stateNow, send, settled } = sending
    const { id } = await send(await draft())
    const before = await settled(id)
    await ground.parts.database.pool.query('delete from queue_message')
    assert.deepEqual(await get(id), before)
    await forgetSubmissions(ground.parts, clock.now())
    assert.deepEqual(await get(id), before)
    const state = await stateNow()
    await forgetSubmissions(ground.parts, new Date(START.getTime() + 31 * 86_400_000))
    assert.equal(await get(id), undefined)
    const changes = await ann.client.one('EmailSubmission/changes', { accountId: ann.accountId, sinceState: state })
    assert.ok(changes.destroyed.includes(id))
  })

  test('carries the wishes of RFC 3461', async () => {
    const { ground, set, get, draft, send } = sending
    const envelope = {
      mailFrom: { email: 'ann@example.test', parameters: { RET: 'HDRS', ENVID: 'a+b c', SIZE: '10', HOLDFOR: '3600' } },
      rcptTo: [
        { email: 'you@elsewhere.org', parameters: { notify: 'SUCCESS,DELAY', ORCPT: 'rfc822;you+1@elsewhere.org' } },
      ],
    }
    const made = await send(await draft(), { envelope })
    assert.deepEqual((await get(made.id)).envelope, envelope)
    const [row] = await ground.parts.database.db.query({
      text: `select m.ret, m.envid, m.source, r.notify, r.orcpt from queue_message m
        join queue_recipient r on r.message_id = m.id order by m.id desc limit 1`,
    })
    assert.deepEqual(row, {
      ret: 'hdrs',
      envid: 'a+b c',
      source: 'jmap',
      notify: ['success', 'delay'],
      orcpt: 'rfc822;you+1@elsewhere.org',
    })
    await set({ update: { [made.id]: { undoStatus: 'canceled' } } })
  })
})

describe('a message that is held back', () => {
  const futureRelease = (parameters: object) => envelopeTo(['you@elsewhere.org'], parameters)

  test('can be taken back, and then never leaves', async () => {
    const { ground, clock, smtp, set, get, draft, send, settled } = sending
    const counted = () => ground.parts.database.db.query({ text: 'select recipients from sending_day' })
    const before = await counted()
    const made = await send(await draft({ subject: 'never' }), futureRelease({ HOLDFOR: '60' }))
    assert.notDeepEqual(await counted(), before)
    assert.deepEqual([made.undoStatus, made.sendAt], ['pending', '2026-03-01T12:01:00Z'])
    const answer = await set({ update: { [made.id]: { undoStatus: 'canceled' } } })
    assert.deepEqual(answer.updated, { [made.id]: null })
    const canceled = await get(made.id)
    assert.deepEqual([canceled.undoStatus, canceled.deliveryStatus['you@elsewhere.org'].delivered], ['canceled', 'no'])
    assert.deepEqual((await set({ update: { [made.id]: { undoStatus: 'canceled' } } })).updated, { [made.id]: null })
    assert.deepEqual(await counted(), before)
    clock.advance(61_000)
    const later = await send(await draft({ subject: 'sentinel' }))
    await settled(later.id)
    assert.equal(smtp.messages.filter(({ raw }) => raw.includes('Subject: never')).length, 0)
  })

  test('leaves when its time has come, and cannot be taken back after that', async () => {
    const { clock, smtp, set, get, draft, send, settled } = sending
    const until = new Date(clock.now().getTime() + 3_600_000).toISOString().replace('.000', '')
    const made = await send(await draft({ subject: 'later' }), futureRelease({ HOLDUNTIL: until }))
    assert.equal(made.sendAt, until)
    clock.advance(3_601_000)
    const sent = await settled(made.id)
    assert.equal(sent.undoStatus, 'final')
    assert.equal(smtp.messages.filter(({ raw }) => raw.includes('Subject: later')).length, 1)
    const { notUpdated } = await set({ update: { [made.id]: { undoStatus: 'canceled' } } })
    assert.equal(notUpdated[made.id].type, 'cannotUnsend')
    assert.equal((await get(made.id)).undoStatus, 'final')
  })

  test('that is forgotten leaves all the same', async () => {
    const { ann, clock, smtp, get, draft, send } = sending
    const emailId = await draft({ subject: 'forgotten' })
    const made = await send(emailId, futureRelease({ HOLDFOR: '60' }))
    const answers = await ann.client.call([
      'EmailSubmission/set',
      { accountId: ann.accountId, destroy: [made.id], onSuccessDestroyEmail: [made.id] },
    ])
    assert.deepEqual(answers[0]?.[1].destroyed, [made.id])
    assert.deepEqual([answers[1]?.[0], answers[1]?.[1].destroyed], ['Email/set', [emailId]])
    assert.equal(await get(made.id), undefined)
    clock.advance(61_000)
    await until(() => smtp.messages.some(({ raw }) => raw.includes('Subject: forgotten')), 'the message')
  })
})

describe('EmailSubmission/query', () => {
  test('finds by filter, in an order, and returns what has changed since', async () => {
    const { ann, identityId, set, draft, send } = sending
    const query = (args: object) => ann.client.one('EmailSubmission/query', { accountId: ann.accountId, ...args })
    const far = (seconds: string) => envelopeTo(['you@elsewhere.org'], { HOLDFOR: seconds })
    const emailIds = [await draft(), await draft(), await draft()]
    const made: { id: string; sendAt: string }[] = []
    for (const [at, emailId] of emailIds.entries()) made.push(await send(emailId, far(String(1_000_000 + at * 10))))
    const ids = made.map(({ id }) => id)
    const sort = [{ property: 'sentAt', isAscending: false }]
    assert.deepEqual((await query({ filter: { emailIds }, sort })).ids, ids.toReversed())
    const pending = { filter: { undoStatus: 'pending', emailIds }, sort }
    const first = await query({ ...pending, calculateTotal: true })
    assert.deepEqual([first.total, first.canCalculateChanges], [3, true])
    assert.deepEqual((await query({ filter: { emailIds, after: made[1]?.sendAt }, sort })).ids, [ids[2], ids[1]])
    assert.deepEqual((await query({ filter: { emailIds, before: made[1]?.sendAt } })).ids, [ids[0]])
    const not = { operator: 'NOT', conditions: [{ emailIds: emailIds.slice(1) }] }
    const both = { operator: 'AND', conditions: [not, { identityIds: [identityId] }, { undoStatus: 'pending' }] }
    assert.deepEqual((await query({ filter: both })).ids, [ids[0]])
    await set({ update: { [ids[2] ?? '']: { undoStatus: 'canceled' } } })
    const changes = await ann.client.one('EmailSubmission/queryChanges', {
      accountId: ann.accountId,
      ...pending,
      sinceQueryState: first.queryState,
    })
    assert.deepEqual([changes.removed, changes.added], [[ids[2]], []])
    for (const [filter, error] of [
      [{ colour: 'red' }, 'unsupportedFilter'],
      [{ emailIds: 'x' }, 'invalidArguments'],
      [{ before: 'x' }, 'invalidArguments'],
    ])
      assert.equal(await ann.client.error('EmailSubmission/query', { accountId: ann.accountId, filter }), error)
    const bad = { accountId: ann.accountId, sort: [{ property: 'size' }] }
    assert.equal(await ann.client.error('EmailSubmission/query', bad), 'unsupportedSort')
  })
})

describe('EmailSubmission/get', () => {
  test('gives all there are, unless they are too many for one answer', async () => {
    const { ground } = sending
    const carl = await ground.mailbox('carl@example.test')
    const all = { accountId: carl.accountId, ids: null }
    assert.deepEqual((await carl.client.one('EmailSubmission/get', all)).list, [])
    await ground.parts.database.pool.query(
      `with made as (
        insert into submission (address_id, id, identity_id, message_id, thread_id, queue_id, mail_from, send_at,
          undo_status, created_at)
        select $1, gen_random_uuid(), $1, $1, $1, gen_random_uuid(), '{"email": "a@b.c", "parameters": null}', now(),
          'final', now() from generate_series(1, 501) returning id)
      insert into submission_recipient select $1, id, 0, 'x@y.z', null, false, 'yes', '250 ok' from made`,
      [carl.accountId],
    )
    assert.equal(await carl.client.error('EmailSubmission/get', all), 'requestTooLarge')
    const { ids } = await carl.client.one('EmailSubmission/query', { accountId: carl.accountId, limit: 500 })
    const { list, notFound } = await carl.client.one('EmailSubmission/get', { ...all, ids: [...ids.slice(1), 'none'] })
    assert.deepEqual([list.length, notFound], [499, ['none']])
  })
})

describe('taking back at the last moment', () => {
  test('either stops a message or does not, and everybody agrees which', async () => {
    const { clock, smtp, set, draft, send, settled } = sending
    const envelope = {
      mailFrom: { email: 'ann@example.test', parameters: { HOLDFOR: '10' } },
      rcptTo: [{ email: 'you@elsewhere.org', parameters: null }],
    }
    const made: { id: string; subject: string }[] = []
    for (let n = 0; n < 12; n += 1) {
      const subject = `race ${n} of many`
      made.push({ id: (await send(await draft({ subject }), { envelope })).id, subject })
    }
    clock.advance(11_000)
    const answers = await Promise.all(made.map(({ id }) => set({ update: { [id]: { undoStatus: 'canceled' } } })))
    for (const [at, { id, subject }] of made.entries()) {
      const isCanceled = answers[at].notUpdated === null
      const { undoStatus } = await settled(id)
      assert.equal(undoStatus, isCanceled ? 'canceled' : 'final')
      const arrived = smtp.messages.filter(({ raw }) => raw.includes(`Subject: ${subject}`)).length
      assert.equal(arrived, isCanceled ? 0 : 1)
    }
  })
})
