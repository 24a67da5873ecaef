import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { readInvitation } from '../../../formats/calendar/invitation.ts'
import { plantReader, type Reader } from '../testing/ground.ts'
import { refused } from '../testing/owner.ts'

let mail: MailService
let bob: Reader

before(async () => {
  mail = await startMail()
  const { id } = await mail.signUp()
  bob = await plantReader(mail, 'bob@rsvp.test', id, { aliases: ['bobby'] })
})
after(() => mail.close())

const EVENT = [
  'UID:tea@outside.test',
  'SEQUENCE:4',
  'DTSTAMP:20260301T080000Z',
  'DTSTART;TZID=Europe/Berlin:20260305T100000',
  'DTEND;TZID=Europe/Berlin:20260305T110000',
  'SUMMARY:Tea in the Käfer',
  'LOCATION:Pier 4',
  'ORGANIZER;CN=Ann:mailto:ann@outside.test',
  'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@outside.test',
  'ATTENDEE;PARTSTAT=NEEDS-ACTION;CN=Bobby:mailto:BOB@rsvp.test',
]

type Given = { event?: readonly string[]; method?: string; type?: string; disposition?: string }

const calendarOf = ({ event = EVENT, method = 'REQUEST' }: Given): string =>
  ['BEGIN:VCALENDAR', `METHOD:${method}`, 'BEGIN:VEVENT', ...event, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')

const invite = (given: Given = {}): Promise<string> =>
  bob.add({
    raw: [
      'From: Ann <ann@outside.test>',
      'To: bob@rsvp.test',
      'Subject: Invitation: Tea',
      'Message-ID: <invite-1@outside.test>',
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Please come.',
      '--b',
      `Content-Type: ${given.type ?? 'text/calendar; method=REQUEST'}`,
      ...(given.disposition === undefined ? [] : [`Content-Disposition: ${given.disposition}`]),
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(calendarOf(given)).toString('base64'),
      '--b--',
      '',
    ].join('\r\n'),
  })

const without = (name: string) => EVENT.filter((line) => !line.startsWith(name))
const read = async (id: string) => (await bob.client.get(`/api/mail/messages/${id}`)).body
const answer = (id: string, body: unknown) => bob.client.post(`/api/mail/messages/${id}/rsvp`, body)

/** What is in the folder of sent mail, newest first. */
const sent = async () => {
  const list = await bob.client.get(`/api/mail/messages?folder_id=${bob.folders.sent}`)
  return list.body.data as { id: string; subject: string }[]
}

const sentCalendar = async (id: string) => {
  const message = await read(id)
  const part = message.attachments.find((each: { content_type: string }) => each.content_type === 'text/calendar')
  const raw = (await bob.client.get(`/api/mail/messages/${id}/raw`)).text
  const text = (await bob.client.get(`/api/mail/messages/${id}/part/${part.section}`)).text
  return { message, raw, text }
}

describe('an invitation', () => {
  test('is a member of the message that carries it', async () => {
    const { invitation } = await read(await invite())
    assert.deepEqual(invitation, {
      object: 'invitation',
      method: 'request',
      uid: 'tea@outside.test',
      sequence: 4,
      summary: 'Tea in the Käfer',
      location: 'Pier 4',
      start: '2026-03-05T09:00:00.000Z',
      end: '2026-03-05T10:00:00.000Z',
      all_day: false,
      time_zone: 'Europe/Berlin',
      repeats: null,
      status: null,
      organizer: { name: 'Ann', email: 'ann@outside.test' },
      attendees: [
        { name: null, email: 'ann@outside.test', status: 'accepted', optional: false },
        { name: 'Bobby', email: 'BOB@rsvp.test', status: 'needs_action', optional: false },
      ],
      attendees_total: 2,
      comment: null,
      answer: 'needs_action',
      can_answer: true,
    })
  })

  test('is also found in a file, and is null where there is none', async () => {
    const file = await invite({ type: 'application/octet-stream; name="invite.ics"', disposition: 'attachment' })
    assert.equal((await read(file)).invitation.uid, 'tea@outside.test')
    assert.equal((await read(await bob.add({ subject: 'No invitation' }))).invitation, null)
    assert.equal((await read(await invite({ event: without('UID') }))).invitation, null)
  })

  test('is answered by a mail to its organizer, from the address that was invited', async () => {
    const id = await invite()
    const { status, body } = await answer(id, { answer: 'accepted', comment: 'Gladly!' })
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { object: 'rsvp', message_id: id, answer: 'accepted' })
    assert.deepEqual(
      body.submission.recipients.map((each: { email: string }) => each.email),
      ['ann@outside.test'],
    )
    const [letter] = await sent()
    assert.equal(letter?.id, body.submission.message_id)
    const { message, raw, text } = await sentCalendar(letter?.id ?? '')
    assert.partialDeepStrictEqual(message, {
      subject: 'Accepted: Tea in the Käfer',
      from: { email: 'bob@rsvp.test' },
      to: [{ name: 'Ann', email: 'ann@outside.test' }],
      in_reply_to: 'invite-1@outside.test',
    })
    assert.match(message.text, /accepted the invitation: Tea in the Käfer\n\nGladly!/)
    assert.match(raw, /Content-Type: text\/calendar; charset=utf-8; method=REPLY/i)
    const reply = readInvitation(text) ?? assert.fail(text)
    assert.partialDeepStrictEqual(reply, {
      method: 'reply',
      uid: 'tea@outside.test',
      sequence: 4,
      organizer: { name: 'Ann', email: 'ann@outside.test' },
      comment: 'Gladly!',
    })
    assert.deepEqual(
      reply.attendees.map(({ email, status }) => [email, status]),
      [['bob@rsvp.test', 'accepted']],
    )
  })

  test('remembers the last answer', async () => {
    const id = await invite()
    await answer(id, { answer: 'accepted' })
    assert.equal((await read(id)).invitation.answer, 'accepted')
    await answer(id, { answer: 'declined' })
    const message = await read(id)
    assert.deepEqual([message.invitation.answer, message.keywords], ['declined', ['$rsvp_declined']])
    assert.equal((await read(await invite())).invitation.answer, 'needs_action', 'of this message alone')
  })

  test('to an alias is answered as that alias', async () => {
    const event = [...without('ATTENDEE'), 'ATTENDEE:mailto:bobby@rsvp.test']
    const { body } = await answer(await invite({ event }), { answer: 'tentative' })
    const { message, text } = await sentCalendar(body.submission.message_id)
    assert.equal(message.from.email, 'bobby@rsvp.test')
    assert.match(text, /PARTSTAT=TENTATIVE[^:]*:mailto:bobby@rsvp\.test/)
  })

  test('that is none, or nobody can answer, is refused with 400 and nothing is sent', async () => {
    const before = (await sent()).length
    const cases: readonly [string, Promise<string>, RegExp][] = [
      ['a message without one', bob.add({ subject: 'Hello' }), /isn't an invitation/],
      ['a cancellation', invite({ method: 'CANCEL' }), /was canceled/],
      ['an event that was canceled', invite({ event: [...EVENT, 'STATUS:CANCELLED'] }), /was canceled/],
      ['an answer', invite({ method: 'REPLY' }), /isn't an invitation/],
      ['a published event', invite({ method: 'PUBLISH' }), /isn't an invitation/],
      ['no organizer', invite({ event: without('ORGANIZER') }), /no organizer/],
      ['an organizer without address', invite({ event: [...without('ORGANIZER'), 'ORGANIZER:urn:x'] }), /no organizer/],
      ['a broken address', invite({ event: [...without('ORGANIZER'), 'ORGANIZER:mailto:a@b@c'] }), /isn't valid/],
      [
        "one's own event",
        invite({ event: [...without('ORGANIZER'), 'ORGANIZER:mailto:bob@rsvp.test'] }),
        /organized this/,
      ],
      ['an event of others', invite({ event: EVENT.filter((line) => !/BOB/.test(line)) }), /guest list/],
    ]
    for (const [what, made, message] of cases) {
      const id = await made
      const refusal = await answer(id, { answer: 'accepted' })
      refused(refusal, 400, 'validation_error', message)
      const { invitation } = await read(id)
      if (what !== 'a broken address') assert.equal(invitation?.can_answer ?? false, false, what)
    }
    assert.equal((await sent()).length, before)
  })

  test('is answered with one of three words', async () => {
    const id = await invite()
    refused(await answer(id, {}), 422, 'missing_required_field', /`answer`/)
    refused(await answer(id, { answer: 'yes' }), 400, 'validation_error', /`answer`/)
    refused(await answer(id, { answer: 'accepted', comment: 5 }), 400, 'validation_error', /`comment`/)
    refused(await answer(id, { answer: 'accepted', comment: 'x'.repeat(1_001) }), 400, 'validation_error', /`comment`/)
    assert.deepEqual((await read(id)).keywords, [])
  })

  test('of another mailbox does not exist', async () => {
    const eve = await plantReader(mail, 'eve@elsewhere.test')
    const id = await invite()
    for (const path of [id, 'nothing', '0199a0a0-0000-7000-8000-000000000000'])
      refused(await eve.client.post(`/api/mail/messages/${path}/rsvp`, { answer: 'accepted' }), 404, 'not_found')
    refused(await mail.client().post(`/api/mail/messages/${id}/rsvp`, { answer: 'accepted' }), 401, 'unauthorized')
  })
})
