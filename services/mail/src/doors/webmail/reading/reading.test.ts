import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantReader, type Reader } from '../testing/ground.ts'
import { createReadingCache } from './reading-cache.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox"

let mail: MailService
let reader: Reader
/** A server of pictures, with what it was asked. */
let pictures: { server: Server; url: string; asked: { path: string; headers: NodeJS.Dict<string | string[]> }[] }

before(async () => {
  mail = await startMail({ env: { IMAGE_ALLOW_PRIVATE: 'true' } })
  reader = await plantReader(mail, 'bob@reading.test')
  pictures = await servePictures()
})
after(async () => {
  pictures.server.close()
  await mail.close()
})

const crlf = (text: string): string => text.replaceAll('\n', '\r\n')
const read = async (id: string, query = '') => (await reader.client.get(`/api/mail/messages/${id}${query}`)).body

describe('reading a message', () => {
  test('texts of many parts have an end together, and all parts can still be had', async () => {
    const text = `--b\r\nContent-Type: text/plain\r\n\r\n${'0123456789abcdef'.repeat(40_000)}\r\n`
    const html = `--b\r\nContent-Type: text/html\r\n\r\n<p>${'0123456789abcdef'.repeat(40_000)}</p>\r\n`
    const head = 'From: x@x.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'
    const texts = await read(await reader.add({ raw: `${head}${text.repeat(6)}--b--\r\n` }))
    assert.ok(texts.text.length > 2_000_000 && texts.text.length < 2_200_000, `${texts.text.length}`)
    const id = await reader.add({ raw: `${head}${html.repeat(6)}--b--\r\n` })
    const shown = await read(id)
    assert.ok(shown.html.length > 2_000_000 && shown.html.length < 2_200_000, `${shown.html.length}`)
    const last = await reader.client.get(`/api/mail/messages/${id}/part/6`)
    assert.equal(last.text.length, 640_007)
  })

  test('gives all of it, and does not mark it as seen', async () => {
    const id = await reader.add({ raw: RICH, prefix: 'Received: from us\r\n' })
    const body = await read(id)
    assert.partialDeepStrictEqual(body, {
      object: 'message',
      id,
      folder_id: reader.folders.inbox,
      subject: 'Roof',
      from: { name: 'Ann', email: 'ann@x.test' },
      bcc: [],
      reply_to: [{ name: null, email: 'desk@x.test' }],
      message_id: 'rich@x.test',
      in_reply_to: 'before@x.test',
      references: ['first@x.test', 'before@x.test'],
      text: 'Plain words.',
      remote_content_blocked: true,
      flags: { seen: false },
    })
    assert.deepEqual(body.headers[0], { name: 'Received', value: 'from us' })
    assert.ok(body.headers.some((each: { name: string }) => each.name === 'Message-ID'))
    assert.deepEqual(
      body.attachments.map((each: Record<string, unknown>) => [
        each.section,
        each.filename,
        each.content_type,
        each.size_bytes,
        each.content_id,
        each.inline,
      ]),
      [
        ['1.2.2', 'logo.png', 'image/png', PNG.length, 'logo@x', true],
        ['2', 'evil.html', 'text/html', 25, null, false],
      ],
    )
    assert.equal((await reader.client.get(`/api/mail/messages?search=roof`)).body.data[0].flags.seen, false)
  })

  test('shows its own pictures at once and those of others when they are asked for', async () => {
    const id = await reader.add({ raw: RICH })
    const blocked = await read(id)
    assert.equal(
      blocked.html,
      `<div class="m_mail"><p>Rich <img src="/api/mail/messages/${id}/part/1.2.2" alt=""></p><img><a>x</a></div>`.replace(
        ' alt=""',
        '',
      ),
    )
    const { html, remote_content_blocked } = await read(id, '?images=1')
    assert.equal(remote_content_blocked, false)
    assert.match(html, /<img src="\/api\/mail\/proxy\/[\w-]{43}\?url=https%3A%2F%2Fremote\.test%2Fa\.png">/)
    assert.equal((await reader.client.get(`/api/mail/messages/${id}?images=2`)).body.name, 'invalid_parameter')
  })

  test('twice takes three statements (who asks, the message, whom they know), and reads the stored bytes once', async () => {
    const id = await reader.add({ html: '<p>cached</p>' })
    await read(id)
    const { blobKey } = await blobOf(id)
    await mail.parts.blobs.delete?.(blobKey)
    const watch = mail.database.watchStatements()
    const again = await read(id)
    watch.stop()
    assert.equal(watch.texts.length, 3)
    assert.match(again.html, /cached/)
  })

  test('without HTML gives its text only', async () => {
    const id = await reader.add({ text: 'See <b>https://x.test/</b>' })
    const body = await read(id)
    assert.deepEqual([body.html, body.text], [null, 'See <b>https://x.test/</b>\n'])
    const view = await reader.client.get(`/api/mail/messages/${id}/view`)
    assert.match(
      view.text,
      /See &lt;b&gt;<a href="https:\/\/x\.test\/" target="_blank" rel="noopener noreferrer nofollow">/,
    )
  })

  test('that is broken in every way answers', async () => {
    const raws = [
      '',
      '\r\n',
      'x',
      'Subject: a',
      'Date: Mon, 1 Jan 0001 00:00:00 -9959\r\nFrom: <>\r\n\r\n',
      `Content-Type: multipart/mixed; boundary=x\r\n\r\n${'--x\r\nContent-Type: text/html\r\n\r\n<b>\r\n'.repeat(80)}`,
    ]
    for (const raw of raws) {
      const id = await reader.add({ raw })
      for (const path of ['', '/view', '/raw', '/part/1']) {
        const { status } = await reader.client.get(`/api/mail/messages/${id}${path}`)
        assert.ok(
          status === 200 || (status === 404 && path === '/part/1'),
          `${JSON.stringify(raw.slice(0, 40))} ${path} ${status}`,
        )
      }
    }
  })

  test('whose bytes are damaged is an error of ours, and others are read', async () => {
    const id = await reader.add({ text: 'Damaged, and never read before.' })
    const { blobKey } = await blobOf(id)
    await mail.database.pool.query('update message set blob_key = $2 where id = $1', [
      id,
      blobKey.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ])
    const { status, body } = await reader.client.get(`/api/mail/messages/${id}`)
    assert.deepEqual([status, body.name], [500, 'application_error'])
    assert.equal((await reader.client.get(`/api/mail/messages/${await reader.add({})}`)).status, 200)
  })
})

describe('what is kept of messages', () => {
  test('is what was asked for last, within its room', () => {
    const cache = createReadingCache<string>(80)
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) cache.set(key, key, 10)
    assert.equal(cache.get('a'), 'a')
    cache.set('i', 'i', 10)
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('i')], ['a', undefined, 'i'])
    cache.set('large', 'large', 11)
    assert.deepEqual([cache.get('large'), cache.get('c')], [undefined, 'c'])
  })
})

describe('the reading frame', () => {
  test('is a page of its own in which nothing runs and nothing is loaded from elsewhere', async () => {
    const id = await reader.add({ html: '<style>p{color:red}</style><p onclick=x()>Hello<script>alert(1)</script>' })
    const { status, headers, text } = await reader.client.get(`/api/mail/messages/${id}/view`)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('content-security-policy'), POLICY)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.match(
      text,
      /<style>\n\.m_mail p \{ color: red \}\n<\/style><div class="m_mail"><p>Hello\n<\/p><\/div><\/body>/,
    )
    assert.equal((await mail.client().get(`/api/mail/messages/${id}/view`)).status, 401)
  })
})

describe('parts and raw bytes', () => {
  const part = async (id: string, section: string) => reader.client.get(`/api/mail/messages/${id}/part/${section}`)

  test('are given as files that no browser opens', async () => {
    const id = await reader.add({ raw: RICH })
    const logo = await part(id, '1.2.2')
    assert.deepEqual(
      ['content-type', 'content-disposition', 'x-content-type-options', 'content-security-policy'].map((name) =>
        logo.headers.get(name),
      ),
      [
        'image/png',
        `attachment; filename="logo.png"; filename*=UTF-8''logo.png`,
        'nosniff',
        "default-src 'none'; sandbox",
      ],
    )
    const evil = await part(id, '2')
    assert.equal(evil.headers.get('content-type'), 'application/octet-stream')
    assert.match(evil.headers.get('content-disposition') ?? '', /^attachment; filename="evil\.html"/)
    assert.equal(evil.text, '<script>alert(1)</script>')
    assert.equal((await part(id, '1.1')).headers.get('content-type'), 'text/plain')
  })

  test('have names that are only names', async () => {
    const name = "UTF-8''..%2F..%5Ca%22%0D%0AX-Evil%3A%201%E2%80%AEgpj.exe"
    const raw = crlf(
      `MIME-Version: 1.0\nContent-Type: image/svg+xml\nContent-Disposition: inline; filename*=${name}\n\n<svg onload=x()>`,
    )
    const id = await reader.add({ raw })
    const { headers } = await part(id, '1')
    assert.equal(headers.get('x-evil'), null)
    assert.equal(headers.get('content-type'), 'application/octet-stream')
    assert.match(
      headers.get('content-disposition') ?? '',
      /^attachment; filename="a_X-Evil_ 1gpj\.exe"; filename\*=UTF-8''a_X-Evil_%201gpj\.exe$/,
    )
    const [attachment] = (await read(id)).attachments
    assert.deepEqual([attachment.filename, attachment.inline], ['a_X-Evil_ 1gpj.exe', false])
  })

  test('are listed when the text names them as pictures and they are none; a picture in the text is shown once', async () => {
    const parts = [
      'Content-Type: text/html\n\n<img src="cid:page@x"><img src="cid:photo@x">',
      'Content-Type: text/html; name=p.html\nContent-ID: <page@x>\nContent-Disposition: attachment\n\n<p>page',
      'Content-Type: image/png; name=photo.png\nContent-ID: <photo@x>\nContent-Disposition: inline\n\npng',
    ]
    const raw = `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n${parts.join('\n--b\n')}\n--b--\n`
    const { html, attachments } = await read(await reader.add({ raw: crlf(raw) }))
    assert.deepEqual(
      attachments.map((each: Record<string, unknown>) => [each.filename, each.inline]),
      [
        ['p.html', false],
        ['photo.png', true],
      ],
    )
    assert.equal(html.match(/part\/3/g)?.length, 1)
  })

  test('that are not there, or no part, are not found', async () => {
    const id = await reader.add({ raw: RICH })
    for (const section of [
      '3',
      '1',
      '1.2',
      '0',
      '1.2.2.1',
      '2.HEADER',
      'TEXT',
      'x',
      '..',
      '%2e%2e',
      '1.99999',
      '1'.repeat(400),
    ])
      assert.equal((await part(id, section)).status, 404, section)
  })

  test('of a large message are decoded while they are sent', async () => {
    const bytes = Buffer.alloc(6_000_000, 'abcdefghij')
    const lines = bytes.toString('base64').replace(/.{76}/g, '$&\r\n')
    const raw = `${crlf('Subject: big\nMIME-Version: 1.0\nContent-Type: application/pdf; name="big.pdf"\nContent-Transfer-Encoding: base64\n\n')}${lines}\r\n`
    const id = await reader.add({ raw })
    const answer = await fetch(`${mail.url}/api/mail/messages/${id}/part/1`, {
      headers: { cookie: `mail_webmail=${reader.client.webmailCookie}` },
    })
    assert.equal(answer.headers.get('content-type'), 'application/pdf')
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes))
    assert.equal((await read(id)).attachments.length, 1)
  })

  test('raw is what was received, behind what we wrote about it', async () => {
    const id = await reader.add({ raw: RICH, prefix: 'X-Ours: 1\r\n' })
    const { status, headers, text } = await reader.client.get(`/api/mail/messages/${id}/raw`)
    assert.deepEqual([status, headers.get('content-type')], [200, 'message/rfc822'])
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="Roof\.eml"/)
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
    assert.equal(text, `X-Ours: 1\r\n${RICH}`)
  })
})

describe('pictures of other servers', () => {
  /** What the message shows one as. */
  const proxied = async (url: string): Promise<string> => {
    const id = await reader.add({ html: `<img src="${url}">` })
    const { html } = await read(id, '?images=1')
    return /src="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  }

  test('are fetched by us, without a word about who reads', async () => {
    pictures.asked.length = 0
    const path = await proxied(`${pictures.url}/a.png?x=1&y=2`)
    assert.equal(pictures.asked.length, 0)
    const { status, headers, text } = await reader.client.get(path)
    assert.deepEqual([status, headers.get('content-type'), text.length > 0], [200, 'image/png', true])
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
    const [asked] = pictures.asked
    assert.equal(asked?.path, '/a.png?x=1&y=2')
    const headerNames = Object.keys(asked?.headers ?? {}).sort()
    assert.deepEqual(headerNames, ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
  })

  test('are pictures whatever their server says, and nothing else is', async () => {
    assert.equal(
      (await reader.client.get(await proxied(`${pictures.url}/as-html`))).headers.get('content-type'),
      'image/png',
    )
    for (const path of ['/script', '/svg', '/missing', '/loop', '/huge', '/inside']) {
      const { status, body } = await reader.client.get(await proxied(pictures.url + path))
      assert.deepEqual([status, body.name, body.message], [404, 'not_found', "This image doesn't exist."], path)
    }
    assert.equal((await reader.client.get(await proxied(`${pictures.url}/moved`))).status, 200)
  })

  test('are not to be had without our signature, nor by another mailbox', async () => {
    const path = await proxied(`${pictures.url}/a.png`)
    const eve = await plantReader(mail, 'eve@reading.test', reader.address.accountId)
    const changed = [
      path.replace('a.png', 'b.png'),
      path.replace(/proxy\/./, 'proxy/!'),
      path.replace(/\?.*/, '?url=x'),
    ]
    pictures.asked.length = 0
    for (const each of changed) assert.equal((await reader.client.get(each)).status, 404, each)
    assert.equal((await eve.client.get(path)).status, 404)
    assert.equal((await mail.client().get(path)).status, 401)
    assert.equal((await reader.client.get(path.replace(/\?.*/, ''))).body.name, 'invalid_parameter')
    assert.equal(pictures.asked.length, 0)
  })

  test('are never fetched from inside, unless the operator says so', async () => {
    const strict = await startMail({ databaseUrl: mail.databaseUrl })
    try {
      const path = await proxied(`${pictures.url}/a.png`)
      pictures.asked.length = 0
      const client = strict.client({ webmailCookie: reader.client.webmailCookie ?? '' })
      assert.equal((await client.get(path)).status, 404)
      assert.equal(pictures.asked.length, 0)
    } finally {
      await strict.close()
    }
  })

  test('of one message are all asked for at once, and the limit lets them through', async () => {
    const tight = await startMail({
      databaseUrl: mail.databaseUrl,
      env: { RATE_LIMIT_PER_SECOND: '5', IMAGE_ALLOW_PRIVATE: 'true' },
    })
    try {
      const client = tight.client({ webmailCookie: reader.client.webmailCookie ?? '' })
      const path = await proxied(`${pictures.url}/a.png`)
      const answers = await Promise.all(Array.from({ length: 30 }, () => client.get(path)))
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.equal(answers[0]?.headers.get('ratelimit-limit'), '200')
      assert.equal((await client.get('/api/mail/me')).headers.get('ratelimit-remaining'), '4')
    } finally {
      await tight.close()
    }
  })
})

const blobOf = async (id: string): Promise<{ blobKey: string }> => {
  const { rows } = await mail.database.pool.query<{ blobKey: string }>(
    'select blob_key as "blobKey" from message where id = $1',
    [id],
  )
  return rows[0] ?? assert.fail('no message')
}

const servePictures = async (): Promise<typeof pictures> => {
  const asked: (typeof pictures)['asked'] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push({ path, headers: request.headers })
    if (path.startsWith('/a.png')) response.setHeader('content-type', 'image/png').end(PNG)
    else if (path === '/as-html') response.setHeader('content-type', 'text/html').end(PNG)
    else if (path === '/script') response.setHeader('content-type', 'image/png').end('<script>alert(1)</script>')
    else if (path === '/svg') response.setHeader('content-type', 'image/svg+xml').end('<svg onload="alert(1)"/>')
    else if (path === '/moved') response.writeHead(302, { location: '/a.png' }).end()
    else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end()
    else if (path === '/inside') response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    else if (path === '/huge') response.end(Buffer.concat([PNG, Buffer.alloc(11 * 2 ** 20)]))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { server, url: `http://127.0.0.1:${port}`, asked }
}

const RICH = crlf(`From: Ann <ann@x.test>
To: Bob <bob@ours.test>
Reply-To: desk@x.test
Subject: Roof
Message-ID: <rich@x.test>
In-Reply-To: <before@x.test>
References: <first@x.test> <before@x.test>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=m

--m
Content-Type: multipart/alternative; boundary=a

--a
Content-Type: text/plain

Plain words.
--a
Content-Type: multipart/related; boundary=r

--r
Content-Type: text/html

<p>Rich <img src="cid:logo@x"></p><img src="https://remote.test/a.png"><a href="javascript:x()">x</a>
--r
Content-Type: image/png; name="logo.png"
Content-ID: <logo@x>
Content-Transfer-Encoding: base64

${PNG.toString('base64')}
--r--
--a--
--m
Content-Type: text/html
Content-Disposition: attachment; filename="../evil.html"

<script>alert(1)</script>
--m--
`)
