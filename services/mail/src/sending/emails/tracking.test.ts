import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import fc from 'fast-check'
import { plantAccount, plantDomain } from '../../hosting/addresses/testing/hosting.ts'
import { track } from '../tracking/track.ts'

const BASE = 'http://mail.test'
const config = { secret: new Secret('a secret of the tests, long enough for anyone'), publicUrl: BASE }
const ids = { accountId: newId(), emailId: newId() }
const both = { ...ids, opens: true, clicks: true }
const links = (html: string, email = both) => track(config, html, { ...email, opens: false })
const PICTURE = /<img src="http:\/\/mail\.test\/t\/o\/[\w-]{64}" width="1" height="1" alt="" style="[^"]+">/
const LINK = /href="http:\/\/mail\.test\/t\/c\/[\w-]{64}\?url=([^"&]+)"/g
const targets = (html: string): string[] => [...html.matchAll(LINK)].map(([, url = '']) => decodeURIComponent(url))

describe('a mail that is tracked', () => {
  test('has a picture at the end of its body', () => {
    const end = '</body></html>\r\n'
    const html = track(config, `<html><body><p>Hi</p>${end}`, { ...both, clicks: false })
    assert.equal(html.replace(PICTURE, '|'), `<html><body><p>Hi</p>|${end}`)
    assert.equal(track(config, '<p>Hi', { ...both, clicks: false }).replace(PICTURE, '|'), '<p>Hi|')
  })

  test('has links that lead over us, and everything else as it was', () => {
    const before =
      '<!DOCTYPE html>\r\n<P  Class=x>é😀 <a  HREF = \'https://a.test/x?a=1&amp;b=2#c\' title="t">one</A>\r\n<b'
    const html = links(`${before}>`)
    assert.equal(html.replace(LINK, '|'), '<!DOCTYPE html>\r\n<P  Class=x>é😀 <a  | title="t">one</A>\r\n<b>')
    assert.deepEqual(targets(html), ['https://a.test/x?a=1&b=2#c'])
  })

  test('keeps what its domain does not want to know', () => {
    const html = '<a href="https://a.test/">x</a>'
    assert.equal(track(config, html, { ...ids, opens: false, clicks: false }), html)
    assert.doesNotMatch(track(config, html, { ...both, opens: false }), /<img/)
    assert.ok(track(config, html, { ...both, clicks: false }).startsWith(html))
  })

  const kept = [
    '<a href="mailto:a@b.test">x</a>',
    '<a href="tel:+1">x</a>',
    '<a href="#part">x</a>',
    '<a href="/relative">x</a>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<a href="ftp://a.test/">x</a>',
    '<a href="//a.test/">x</a>',
    '<a href="https://">x</a>',
    '<a href="https://exa mple.test/">x</a>',
    '<a name="https://a.test/">x</a>',
    '<a data-href="https://a.test/">x</a>',
    '<!-- <a href="https://a.test/">x</a> -->',
    '<!--[if mso]><a href="https://a.test/">x</a><![endif]-->',
    '<style>a:after{content:\'<a href="https://a.test/">\'}</style>',
    '<title><a href="https://a.test/">x</a></title>',
    '<textarea><a href="https://a.test/">x</a></textarea>',
    '<script>"<a href=https://a.test/>"</script>',
    '<img src="https://a.test/x.png"><link href="https://a.test/x.css">',
    `<a href="https://a.test/${'x'.repeat(2_048)}">x</a>`,
    '<a href="https://a.test/',
  ]
  for (const html of kept)
    test(`keeps ${html.slice(0, 60)}`, () => {
      assert.equal(links(html), html)
    })

  const followed: [string, string[]][] = [
    ['<a href=https://a.test>x</a>', ['https://a.test/']],
    ['<a href=" \n HTTPS://Bücher.test/ü ü">x</a>', ['https://xn--bcher-kva.test/%C3%BC%20%C3%BC']],
    ['<a href="https://a.test/" href="https://b.test/">x</a>', ['https://a.test/']],
    ["<a href='http://a.test/\"><script>'>x</a>", ['http://a.test/%22%3E%3Cscript%3E']],
    ['<a href="http://a.test/it\'s">x</a>', ["http://a.test/it's"]],
    ['<a href="https://a.test/"title="x">x</a>', ['https://a.test/']],
    ['<map><area href="https://a.test/"></map>', ['https://a.test/']],
    ['<noscript><a href="https://a.test/">x</a></noscript>', ['https://a.test/']],
    ['<style>x</style><a href="https://a.test/">x</a>', ['https://a.test/']],
    ['</body><a href="https://a.test/">x</a><a href="https://b.test/">', ['https://a.test/', 'https://b.test/']],
  ]
  for (const [html, expected] of followed)
    test(`follows ${html.slice(0, 60)}`, () => {
      assert.deepEqual(targets(links(html)), expected)
    })

  test('of a megabyte or with thousands of links is sent all the same', () => {
    const large = `<a href="https://a.test/">x</a>${'x'.repeat(1_048_576)}`
    assert.equal(track(config, large, both), large)
    const many = '<a href="https://a.test/">x</a>'.repeat(1_500)
    assert.equal(targets(links(many)).length, 1_000)
    const attributes = `<a ${Array.from({ length: 60_000 }, (_, nth) => `a${nth}`).join(' ')} href="https://a.test/">`
    assert.equal(links(attributes), attributes)
  })

  test('changes nothing but links, whatever the markup is', () => {
    const piece = fc.constantFrom(
      ...['<a href="https://a.test/?x=1&y">', "<a href='http://b.test'", '</a>', '<!--', '-->', '<style>', '</style>'],
      ...[
        '</body>',
        '<body>',
        'text',
        '\r\n',
        '\r',
        '"',
        "'",
        '>',
        '<',
        '&amp;',
        '😀',
        '\u0000',
        '<title>',
        '</title>',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const html = pieces.join('')
        const tracked = track(config, html, both)
        const undone = tracked.replace(PICTURE, '').replace(LINK, '|')
        const expected = html
          .replaceAll(/href="https:\/\/a\.test\/\?x=1&y"/g, '|')
          .replaceAll(/href='http:\/\/b\.test'/g, '|')
        assert.equal(undone.replaceAll(/href="https:\/\/a\.test\/\?x=1&y"|href='http:\/\/b\.test'/g, '|'), expected)
        assert.equal(tracked.match(new RegExp(PICTURE, 'g'))?.length, 1)
      }),
      { seed: 8, numRuns: 500 },
    )
  })
})

describe('what a reader does', () => {
  let mail: MailService
  before(async () => {
    mail = await startMail()
  })
  after(() => mail.close())

  let count = 0
  /** What will leave, without the quoted-printable of it. */
  const htmlOf = async (emailId: string): Promise<string> => {
    const query = mail.database.db.selectFrom('queue_message').select('blob_key').where('id', '=', emailId)
    const { stream } = await mail.parts.blobs.get((await query.executeTakeFirstOrThrow()).blob_key)
    const text = Buffer.concat(await stream.toArray()).toString('latin1')
    return text
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  /** A sent mail of a domain that tracks. */
  const sent = async ({ opens = true, clicks = true } = {}) => {
    const now = mail.clock.now()
    const { id: accountId } = await plantAccount(mail.database, { now })
    const client = mail.client({ cookie: await mail.openSession(accountId) })
    const domain = await plantDomain(mail.database, { accountId, name: `tracking-${++count}.test`, now })
    const set = (wishes: { open_tracking?: boolean; click_tracking?: boolean }) =>
      mail.database.tx((tx) => tx.updateTable('domain').set(wishes).where('id', '=', domain.id).execute())
    await set({ open_tracking: opens, click_tracking: clicks })
    const { token } = (await client.post('/api/api-keys', { name: 'x' })).body
    const { body } = await client.post(
      '/api/emails',
      {
        from: `a@${domain.name}`,
        to: 'reader@example.test',
        subject: 'Hello',
        html: '<a href="https://a.test/x?a=1&amp;b=ü">x</a>',
      },
      { authorization: `Bearer ${token}` },
    )
    const html = await htmlOf(body.id)
    const [, picture = ''] = /src="http:\/\/mail\.test([^"]+)"/.exec(html) ?? []
    const [, link = ''] = /href="http:\/\/mail\.test([^"]+)"/.exec(html) ?? []
    const events = () =>
      mail.database.db
        .selectFrom('email_event')
        .select(['type', 'recipient', 'detail', 'created_at'])
        .where('account_id', '=', accountId)
        .where('type', 'in', ['opened', 'clicked'])
        .orderBy('id')
        .execute()
    const state = () =>
      mail.database.db
        .selectFrom('email')
        .select(['status', 'last_event'])
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
    return { client, accountId, picture, link, events, state, set, domainId: domain.id }
  }
  const webhookEvents = async (accountId: string) => {
    const found = await mail.database.db.query<{ payload: string }>({
      text: `select d.payload from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
             where e.owner = $1 order by d.id`,
      values: [accountId],
    })
    return found.map(({ payload }) => JSON.parse(payload))
  }
  const TARGET = 'https://a.test/x?a=1&b=%C3%BC'

  test('is recorded, sent to webhooks, and changes no state of the mail', async () => {
    const { client, accountId, picture, link, events, state } = await sent()
    await client.post('/api/webhooks', {
      endpoint: 'https://hooks.example.com/',
      events: ['email.opened', 'email.clicked'],
    })
    const reader = mail.client({ ip: '198.51.100.7' })
    const opened = await reader.get(picture)
    assert.deepEqual(
      [opened.status, opened.headers.get('content-type'), opened.text.slice(0, 6)],
      [200, 'image/gif', 'GIF89a'],
    )
    assert.match(opened.headers.get('cache-control') ?? '', /no-store/)
    assert.equal(opened.headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.equal((await state()).last_event, 'opened')
    const followed = await reader.get(link, { headers: { 'user-agent': 'Reader/1' } })
    assert.deepEqual([followed.status, followed.headers.get('location')], [302, TARGET])
    assert.deepEqual([followed.text, followed.headers.getSetCookie()], ['', []])
    assert.deepEqual(await state(), { status: 'queued', last_event: 'clicked' })
    assert.deepEqual(
      (await events()).map(({ type, recipient, detail }) => [type, recipient, detail]),
      [
        ['opened', null, null],
        ['clicked', null, TARGET],
      ],
    )
    const [first, second] = await webhookEvents(accountId)
    assert.deepEqual([first?.type, second?.type], ['email.opened', 'email.clicked'])
    assert.deepEqual(second?.data.click, {
      link: TARGET,
      ipAddress: '198.51.100.7',
      userAgent: 'Reader/1',
      timestamp: mail.clock.now().toISOString(),
    })
  })

  test('is not noted for a program that only looks, nor once the domain does not want to know', async () => {
    const { picture, link, events, set, client, domainId } = await sent()
    const reader = mail.client()
    const look = async (headers: Record<string, string>, method = 'GET') => {
      assert.equal((await reader.send(method, picture, { headers })).status, 200)
      assert.equal((await reader.send(method, link, { headers })).headers.get('location'), TARGET)
    }
    await look({}, 'HEAD')
    await look({ 'sec-purpose': 'prefetch;prerender' })
    await look({ purpose: 'prefetch' })
    await set({ open_tracking: false, click_tracking: false })
    await look({})
    await set({ open_tracking: true, click_tracking: true })
    await client.send('DELETE', `/api/domains/${domainId}`)
    await look({})
    assert.deepEqual(await events(), [])
  })

  test('leads nowhere but where the mail led', async () => {
    const { picture, link, events } = await sent()
    const other = await sent()
    const reader = mail.client()
    const token = /\/t\/c\/([\w-]+)/.exec(link)?.[1] ?? ''
    const theirs = /\/t\/c\/([\w-]+)/.exec(other.link)?.[1] ?? ''
    const good = encodeURIComponent(TARGET)
    const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
    const paths = [
      `/t/c/${token}`,
      `/t/c/${token}?url=`,
      `/t/c/${token}?url=https://evil.test/`,
      `/t/c/${token}?url=${good}x`,
      `/t/c/${token}?url=${good}&url=${good}`,
      `/t/c/${token}?url=https://evil.test/&url=${good}`,
      `/t/c/${flip(token, 0)}?url=${good}`,
      `/t/c/${flip(token, 30)}?url=${good}`,
      `/t/c/${flip(token, 50)}?url=${good}`,
      `/t/c/${theirs.slice(0, 42)}${token.slice(42)}?url=${good}`,
      `/t/c/${picture.slice('/t/o/'.length)}?url=${good}`,
      `/t/c/${'A'.repeat(64)}?url=${good}`,
      `/t/c/x?url=${good}`,
      `/t/o/${token}`,
      `/t/o/${flip(picture.slice('/t/o/'.length), 63)}`,
      '/t/o/x',
    ]
    for (const path of paths) {
      const answer = await reader.get(path)
      assert.deepEqual([answer.status, answer.headers.get('location')], [404, null], path)
    }
    assert.deepEqual([...(await events()), ...(await other.events())], [])
    assert.equal((await reader.post(link)).status, 405)
  })

  test('is noted about a hundred times, and served after that', async () => {
    const { picture, events } = await sent()
    const reader = mail.client()
    for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 40 }, () => reader.get(picture)))
    const found = (await events()).length
    assert.ok(found >= 100 && found < 120, String(found))
    assert.equal((await reader.get(picture)).status, 200)
    assert.equal((await events()).length, found)
  })

  test('is served when the mail is gone, and when nothing can be noted', async () => {
    const { picture, link, accountId } = await sent()
    const reader = mail.client()
    const broken = 'alter table email_event rename to email_event_away'
    await mail.database.tx((tx) => tx.query({ text: broken }))
    try {
      assert.equal((await reader.get(picture)).status, 200)
      assert.equal((await reader.get(link)).headers.get('location'), TARGET)
      assert.ok(mail.logs.some((line) => line.includes('was not noted')))
    } finally {
      await mail.database.tx((tx) => tx.query({ text: 'alter table email_event_away rename to email_event' }))
    }
    await mail.database.tx((tx) => tx.deleteFrom('email').where('account_id', '=', accountId).execute())
    assert.equal((await reader.get(picture)).status, 200)
    assert.equal((await reader.get(link)).headers.get('location'), TARGET)
  })
})
