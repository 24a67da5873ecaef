import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSieve } from '../../filters/read-sieve.ts'
import { writeSieve } from '../../filters/write-sieve.ts'
import { existingLike, fileRule, likenessesOf } from './file-like.ts'
import { isPicture, kindOf } from './files.ts'
import { hasColours } from './frame-document.ts'
import { showsImages, withImageSender } from './remote-images.ts'
import { senderCheck } from './sender-check.ts'
import { bareSubject } from './subject.ts'
import { unsubscribeOf } from './unsubscribe.ts'

const results = (value: string) => ({ name: 'Authentication-Results', value })
const received = { name: 'Received', value: 'from somewhere' }

describe('who sent it', () => {
  test('is what the receiving service found out', () => {
    const pass = results(
      'mx.stoa.test; dkim=pass header.d=example.org; spf=pass; dmarc=pass policy.dmarc=reject header.from=example.org',
    )
    assert.deepEqual(senderCheck([{ name: 'Return-Path', value: '<>' }, pass, received]), {
      verdict: 'verified',
      by: 'mx.stoa.test',
      domain: 'example.org',
    })
    assert.equal(
      senderCheck([results('mx.stoa.test; dmarc=fail header.from=bank.example'), received]).verdict,
      'forged',
    )
    assert.equal(senderCheck([results('mx.stoa.test; spf=pass; dkim=pass'), received]).verdict, 'unknown')
  })

  test('is never what the message says about itself', () => {
    const own = results('mx.stoa.test; dmarc=pass header.from=bank.example')
    assert.equal(senderCheck([received, own]).verdict, 'unknown')
    assert.equal(senderCheck([own]).verdict, 'unknown')
    assert.equal(senderCheck([results('mx.stoa.test; spf=none'), received, own]).verdict, 'unknown')
    assert.equal(senderCheck([results('mx.stoa.test; spf=none smtp.helo=dmarc=pass'), received]).verdict, 'unknown')
  })
})

describe('pictures of other servers', () => {
  const ask = { show_images: 'ask' as const, image_senders: ['ann@example.org', '@news.example'] }
  const sender = (email: string | null, rest = {}) => ({ email, isForged: false, isJunk: false, ...rest })

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
    assert.equal(showsImages(ask, sender('ann@example.org', { isForged: true })), false)
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

test('a list is left by mail, else by a page over https, and by nothing else', () => {
  const way = (value: string) => unsubscribeOf([{ name: 'List-Unsubscribe', value }])
  assert.deepEqual(way('<https://x.example/u?a=1>, <mailto:leave@x.example?subject=out>'), {
    kind: 'mail',
    address: 'mailto:leave@x.example?subject=out',
  })
  assert.deepEqual(way('<https://x.example/u?a=1>'), {
    kind: 'page',
    url: 'https://x.example/u?a=1',
    host: 'x.example',
  })
  for (const bad of ['<javascript:alert(1)>', '<http://x.example/>', 'https://x.example/', '<data:text/html,x>', ''])
    assert.equal(way(bad), null, bad)
  assert.equal(unsubscribeOf([]), null)
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
