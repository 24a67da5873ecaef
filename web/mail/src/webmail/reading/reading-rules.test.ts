import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSieve } from '../../filters/read-sieve.ts'
import { writeSieve } from '../../filters/write-sieve.ts'
import { existingLike, fileRule, likenessesOf } from './file-like.ts'
import { isPicture, kindOf } from './files.ts'
import { hasColours } from './frame-document.ts'
import { stateOf, whenOf } from './invitation-words.ts'
import { isMostlyLight, lightOf } from './page-tone.ts'
import { showsImages, withImageSender } from './remote-images.ts'
import { replyLabel } from './reply-label.ts'
import { senderCheck, warningsTitle, warningWords } from './sender-check.ts'
import { bareSubject } from './subject.ts'

describe('who sent it', () => {
  const authentication = { result: 'pass', domain: 'example.org', checked_by: 'mx.stoa.test' } as const
  const warning = { code: 'known_name', shown: 'ann@known.test', actual: 'x@evil.test' } as const

  test('is verified, forged or not known', () => {
    assert.deepEqual(senderCheck({ authentication, warnings: [] }), {
      verdict: 'verified',
      domain: 'example.org',
      by: 'mx.stoa.test',
      warnings: [],
      isDoubtful: false,
    })
    const failed = senderCheck({ authentication: { ...authentication, result: 'fail' }, warnings: [] })
    assert.deepEqual([failed.verdict, failed.isDoubtful], ['forged', true])
    assert.equal(senderCheck(undefined).verdict, 'unknown')
  })

  test('has no badge when the name is meant to be taken for another, but may have when a link is odd', () => {
    const disguised = senderCheck({ authentication, warnings: [warning] })
    assert.deepEqual([disguised.verdict, disguised.isDoubtful], ['unknown', true])
    const linked = senderCheck({ authentication, warnings: [{ ...warning, code: 'misleading_link' }] })
    assert.deepEqual([linked.verdict, linked.isDoubtful], ['verified', false])
  })

  test('is warned of with what is shown and what is true', () => {
    for (const code of [
      'name_shows_address',
      'name_shows_domain',
      'known_name',
      'lookalike_domain',
      'deceptive_domain',
      'misleading_link',
    ] as const) {
      const words = warningWords({ code, shown: 'bank.com', actual: 'evil.net' }, null)
      assert.match(words, /bank\.com.*evil\.net|evil\.net.*bank\.com/, code)
    }
    assert.match(warningWords(warning, 'Ann Smith'), /You know Ann Smith as ann@known\.test/)
    const linked = [{ ...warning, code: 'misleading_link' as const }]
    assert.equal(warningsTitle({ isDoubtful: false, warnings: linked }), 'A link leads somewhere else')
    assert.match(warningsTitle({ isDoubtful: true, warnings: linked }), /might not be who they claim/)
  })
})

describe('pictures of other servers', () => {
  const ask = { show_images: 'ask' as const, image_senders: ['ann@example.org', '@news.example'] }
  const sender = (email: string | null, rest = {}) => ({ email, isDoubtful: false, isJunk: false, ...rest })

  test('are shown for senders and domains that were chosen, and nobody else', () => {
    assert.equal(showsImages(ask, sender('Ann@Example.org')), true)
    assert.equal(showsImages(ask, sender('any@news.example')), true)
    assert.equal(showsImages(ask, sender('bob@example.org')), false)
    assert.equal(showsImages(ask, sender('any@evil-news.example')), false)
    assert.equal(showsImages(ask, sender('any@sub.news.example')), false)
    assert.equal(showsImages(ask, sender(null)), false)
  })

  test('are not shown in junk, or where the sender is forged, whatever was chosen', () => {
    const always = { show_images: 'always' as const, image_senders: [] }
    assert.equal(showsImages(always, sender(null)), true)
    assert.equal(showsImages(always, sender('ann@example.org', { isJunk: true })), false)
    assert.equal(showsImages(ask, sender('ann@example.org', { isDoubtful: true })), false)
  })

  test('a domain takes the place of its senders', () => {
    assert.deepEqual(withImageSender(['a@x.org', 'b@y.org'], '@x.org'), ['b@y.org', '@x.org'])
    assert.deepEqual(withImageSender(['a@x.org'], 'A@x.org'), ['a@x.org'])
  })
})

describe('mails like this', () => {
  const message = {
    from: { name: 'Ann', email: 'Ann@Example.org' },
    subject: 'Re: AW: Your "weekly" report',
    headers: [{ name: 'List-Id', value: 'The weekly <weekly.example.org>' }],
  }

  test('have the list, the sender, the domain or the subject in common', () => {
    const found = likenessesOf(message)
    assert.deepEqual(
      found.map(({ id }) => id),
      ['list', 'sender', 'domain', 'subject'],
    )
    // Without its brackets it would mean other lists as well
    assert.deepEqual(found[0]?.condition, {
      on: 'list',
      test: 'contains',
      values: ['<weekly.example.org>'],
      not: false,
    })
    assert.deepEqual(likenessesOf({ from: null, subject: null, headers: [] }), [])
    assert.equal(bareSubject('Fwd: re[2]: Hello: there'), 'Hello: there')
  })

  test('are filed by a script that the rule builder reads back', () => {
    for (const like of likenessesOf(message)) {
      const rule = fileRule(like, { name: 'Reports', folderPath: 'Work/A "b" \\ c', markRead: true })
      const read = readSieve(writeSieve([rule]))
      assert.deepEqual(read, { rules: [rule], problem: null }, like.id)
    }
  })

  test('are found among what is there by a search that a subject cannot break out of', () => {
    const [, sender, , subject] = likenessesOf(message)
    assert.deepEqual(sender && existingLike(sender, 'f'), { folder_id: 'f', search: 'from:"ann@example.org"' })
    assert.deepEqual(subject && existingLike(subject, 'f'), {
      folder_id: 'f',
      search: 'subject:"Your  weekly  report"',
    })
  })
})

test('files are what their type says, else what their name says; SVG is never drawn here', () => {
  const file = (content_type: string, filename = 'x') => kindOf({ content_type, filename })
  assert.equal(file('application/pdf'), 'pdf')
  assert.equal(file('application/octet-stream', 'Bill.PDF'), 'pdf')
  assert.equal(file('text/calendar'), 'calendar')
  assert.equal(file('application/octet-stream'), 'file')
  assert.equal(isPicture({ content_type: 'image/png' }), true)
  assert.equal(isPicture({ content_type: 'image/svg+xml' }), false)
})

test('nobody is offered to answer themselves: an answer to what one wrote goes to whom it was written', () => {
  const person = (name: string) => ({ name, email: `${name.toLowerCase()}@x.test` })
  const own = ['me@x.test', 'Alias@x.test']
  const label = (from: string | null, to: string[], cc: string[] = []) =>
    replyLabel({ from: from === null ? null : person(from), to: to.map(person), cc: cc.map(person) }, own)
  assert.equal(label('Ann', ['Me']), 'Reply to Ann')
  assert.equal(label('Me', ['Ann', 'Bob']), 'Reply to Ann')
  assert.equal(label('alias', ['me'], ['Cem']), 'Reply to Cem')
  assert.equal(label('me', ['me']), 'Reply')
  assert.equal(label(null, []), 'Reply')
})

describe('a mail in the dark', () => {
  const area = { left: 0, top: 0, right: 100, bottom: 100 }
  const box = (light: number, sides = {}) => ({ ...area, light, ...sides })

  test('is light or dark by what covers most of it, the last painted on top', () => {
    assert.equal(isMostlyLight(area, []), true)
    assert.equal(isMostlyLight(area, [box(0.1)]), false)
    assert.equal(isMostlyLight(area, [box(0.1), box(0.9, { left: 10, right: 90 })]), true)
    assert.equal(isMostlyLight(area, [box(1), box(0, { bottom: 30 })]), true, 'a dark header')
    assert.equal(isMostlyLight(area, [box(1), box(0, { top: 10 })]), false)
  })

  test('is measured by colours as browsers write them', () => {
    assert.ok((lightOf('rgb(255, 255, 255)') ?? 0) > 0.99)
    assert.equal(lightOf('rgb(0, 0, 0)'), 0)
    for (const none of ['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0.2)', 'transparent', ''])
      assert.equal(lightOf(none), null, none)
  })
})

describe('an invitation', () => {
  const attendee = (status: 'accepted' | 'declined' | 'needs_action') => ({
    name: 'Ann',
    email: 'ann@x.test',
    status,
    optional: false,
  })
  const event = { method: 'request', status: null, sequence: 0, attendees: [] } as const

  test('says what it is', () => {
    assert.equal(stateOf(event).label, 'Invitation')
    assert.equal(stateOf({ ...event, sequence: 2 }).label, 'Updated invitation')
    assert.equal(stateOf({ ...event, method: 'cancel' }).label, 'Canceled')
    assert.equal(stateOf({ ...event, status: 'cancelled' }).label, 'Canceled')
    assert.equal(stateOf({ ...event, method: 'publish' }).label, 'Event')
    assert.equal(stateOf({ ...event, method: 'reply', attendees: [attendee('declined')] }).label, 'Ann declined')
  })

  test('of whole days is on these days in every zone, and otherwise when it begins and ends', () => {
    const day = { start: '2026-03-05', end: '2026-03-06', all_day: true }
    assert.match(whenOf(day, 'en-GB') ?? '', /^Thu,? 5 March 2026$/)
    assert.match(whenOf({ ...day, end: '2026-03-08' }, 'en-GB') ?? '', /5.*7 March 2026/)
    const times = { start: '2026-03-05T10:00:00', end: '2026-03-05T11:30:00', all_day: false }
    assert.match(whenOf(times, 'en-GB') ?? '', /5 March 2026.*10:00.11:30/)
    assert.match(whenOf({ ...times, end: null }, 'en-GB') ?? '', /10:00$/)
    assert.equal(whenOf({ start: null, end: null, all_day: false }), null)
  })
})

test('a mail with colours of its own is known: others take those of the app', () => {
  for (const html of [
    '<p style="color:#222">a</p>',
    '<td bgcolor="#fff">a</td>',
    '<style>p{margin:0}</style><p>a</p>',
    '<div style="margin:0;background-color:white">a</div>',
    '<font color=red>a</font>',
  ])
    assert.equal(hasColours(html), true, html)
  for (const html of ['<p>The color: red</p>', '<p style="border-left:2px solid #ccc">a</p>', '<b>a</b> text = b'])
    assert.equal(hasColours(html), false, html)
})
