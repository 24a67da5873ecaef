import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type MessageUrl, parseMessageUrl } from './urls.ts'

const BASE = { hostname: 'mail.example.test', email: 'ann@example.test' }
const parse = (url: string): MessageUrl | null => parseMessageUrl(url, BASE)

describe('URLs of messages', () => {
  test('name a folder, a message, and a part of it', () => {
    assert.deepEqual(parse('/INBOX;UIDVALIDITY=785799047/;UID=113330/;SECTION=1.5.9/;PARTIAL=0.1024'), {
      mailbox: 'INBOX',
      uidValidity: 785799047,
      uid: 113330,
      section: { path: [1, 5, 9], what: 'all', fields: [] },
      partial: { origin: 0, count: 1024 },
    })
    assert.deepEqual(parse('/Gr%C3%BC%C3%9Fe/2026/;uid=5'), {
      mailbox: 'Grüße/2026',
      uidValidity: null,
      uid: 5,
      section: { path: [], what: 'all', fields: [] },
      partial: null,
    })
    assert.deepEqual(parse('/x/;uid=5/;section=HEADER.FIELDS%20(From%20To)')?.section.fields, ['from', 'to'])
    assert.equal(parse('/x/;uid=5/;section=text')?.section.what, 'text')
    assert.equal(parse('/x/;uid=5/;partial=7')?.partial?.count, Number.MAX_SAFE_INTEGER)
    assert.equal(parse(';UID=20/;SECTION=1')?.mailbox, null)
    assert.equal(parse('/;UID=20')?.mailbox, null)
  })

  test('may name this server, and the signed-in user', () => {
    for (const authority of [
      'mail.example.test',
      'MAIL.example.test:143',
      'ann%40example.test@mail.example.test',
      'ann%40example.test;AUTH=*@mail.example.test',
    ])
      assert.equal(parse(`imap://${authority}/INBOX/;UID=1`)?.uid, 1, authority)
    for (const url of [
      'imap://other.test/INBOX/;UID=1',
      'imap://bob@mail.example.test/INBOX/;UID=1',
      'http://mail.example.test/INBOX/;UID=1',
      '//mail.example.test/INBOX/;UID=1',
      'imap://mail.example.test',
    ])
      assert.equal(parse(url), null, url)
  })

  test('lead nowhere when they are not well-formed', () => {
    for (const url of [
      '',
      '/',
      '/INBOX',
      '/INBOX/;UID=0',
      '/INBOX/;UID=x',
      '/INBOX/;UID=',
      '/INBOX/;UID=1/;SECTION=MIME',
      '/INBOX/;SECTION=1/;UID=1',
      '/INBOX/;UID=1/;UID=2',
      '/INBOX/;UID=1/;PARTIAL=1.0',
      '/INBOX/;UID=1;URLAUTH=anonymous',
      '/%ff/;UID=1',
      '/a%00b/;UID=1',
      `/${'x'.repeat(5_000)}/;UID=1`,
    ])
      assert.equal(parse(url), null, url.slice(0, 60))
  })

  test('any text is one or is not', () => {
    const word = fc.constantFrom(
      ...['imap://', 'mail.example.test', '/', ';', 'UID=', '1', 'SECTION=', 'PARTIAL=', '.', '%', '%41', 'INBOX', '@'],
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const url = parse(words.join(''))
        assert.ok(url === null || url.uid > 0)
      }),
      { seed: 6, numRuns: 2_000 },
    )
  })
})
