import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { visualDefinitions } from '@stoa/cms-model/visual.ts'
import { websiteManifest } from '@stoa/cms-model/website.ts'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { type CmsAnswer, type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { type FakeSite, startFakeSite } from '@stoa/tests/lib/fake-site.ts'
import { freePort } from '@stoa/tests/lib/free-port.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { agentFor } from '../../people/agent-keys/testing/agents.ts'
import { MAX_PAGE_BYTES } from './page.ts'

const visual = visualDefinitions.parse({ page: { sections: [{ id: 'hero', label: 'Hero', selector: '.hero' }] } })
const website = websiteManifest.parse({ previewUrl: '/start?a=1', parts: [] })
// A busy machine is slow, but not slower than this
const PATIENT_MS = 120_000

let service: CmsService
let site: FakeSite
let editor: Person
let admin: Person
before(async () => {
  site = await startFakeSite()
  service = await startCms({ visual, website, pageTimeoutMs: PATIENT_MS })
  admin = await service.person('admin')
  editor = await service.person('editor')
  await addType('page', `${site.url}/p/{slug}?lang={locale}#top`)
  await addType('bare', null)
})
after(async () => {
  await service.close()
  await site.close()
})
afterEach(() => {
  for (const path of Object.keys(site.pages)) delete site.pages[path]
  assert.deepEqual(site.problems, [])
})

const addType = async (name: string, previewUrl: string | null): Promise<void> => {
  const answer = await admin.client.post('/api/types', { name, label: name, previewUrl, fields: [] })
  assert.equal(answer.status, 201, answer.text)
}
let count = 0
const addEntry = async (type = 'page'): Promise<{ id: string; slug: string }> => {
  const answer = await editor.client.post('/api/entries', { type, title: 'T', slug: `entry-${++count}` })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const tokenFor = async (id: string, body?: object, person = editor): Promise<string> => {
  const answer = await person.client.post(`/api/entries/${id}/preview`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.token
}
const page = (body: object, person = editor): Promise<CmsAnswer> => person.client.post('/api/visual/page', body)
const openPage = async (type = 'page'): Promise<CmsAnswer> => {
  const { id } = await addEntry(type)
  return page({ entryId: id, token: await tokenFor(id) })
}
/** The answer to an entry's page for which the website does this. */
const whenSite = async (action: FakeSite['pages'][string], person = editor): Promise<CmsAnswer> => {
  const { id, slug } = await addEntry()
  site.pages[`/p/${slug}`] = action
  return page({ entryId: id, token: await tokenFor(id) }, person)
}
const unreachable = (answer: CmsAnswer, reason: string, message: RegExp): void => {
  assert.equal(`${answer.status} ${answer.body?.code}`, '502 PREVIEW_UNREACHABLE', answer.text.slice(0, 300))
  assert.equal(answer.body.details.reason, reason)
  assert.match(answer.body.error, message)
}

describe('the definitions of visual pages', () => {
  test('are shown as they were given, to everybody who reads content', async () => {
    const viewer = await service.person('viewer')
    assert.deepEqual((await viewer.client.get('/api/visual')).body, { types: visual })
    assert.equal((await service.client().get('/api/visual')).status, 401)
  })
})

describe('the page of an entry', () => {
  test('is fetched with the token and in visual mode, as the website sends it', async () => {
    const { id, slug } = await addEntry()
    const html = '<!doctype html>\r\n<p class=hero>Grüße 👋</p>'
    site.pages[`/p/${slug}`] = { body: html }
    const token = await tokenFor(id)
    const answer = await page({ entryId: id, token })
    assert.equal(answer.status, 200, answer.text)
    const path = `/p/${slug}?lang=en&preview=${token}&visual=1`
    assert.deepEqual(answer.body, { html, url: `${site.url}${path}#top` })
    assert.equal(site.requests.at(-1)?.path, path)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  })

  test('is that of the slug in unsaved changes', async () => {
    const { id } = await addEntry()
    const token = await tokenFor(id, { slug: 'unsaved-slug' })
    assert.equal((await page({ entryId: id, token })).status, 200)
    assert.match(site.requests.at(-1)?.path ?? '', /^\/p\/unsaved-slug\?/)
  })

  test('is read in the encoding of its header, of its own meta, or as UTF-8', async () => {
    const latin = Buffer.from('<p>Grüße</p>', 'latin1')
    const cases: [string, Uint8Array, string][] = [
      ['text/html', Buffer.from('<p>Grüße</p>'), '<p>Grüße</p>'],
      ['text/html; charset=ISO-8859-1', latin, '<p>Grüße</p>'],
      ['Text/HTML;Charset="windows-1252"', Buffer.from([0x80]), '€'],
      ['text/html; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
      ['text/html; charset=unknown-8bit', Buffer.from('ü'), 'ü'],
      [
        'text/html',
        Buffer.concat([Buffer.from('<meta charset="latin1">'), latin]),
        '<meta charset="latin1"><p>Grüße</p>',
      ],
      ['text/html; charset=latin1', Buffer.from('\ufeffü'), 'ü'],
    ]
    for (const [type, body, text] of cases) {
      const answer = await whenSite({ headers: { 'content-type': type }, body })
      assert.equal(answer.body.html, text, type)
    }
  })

  test('may be compressed, and as large as 5 MB, not a byte more', async () => {
    const small = await whenSite({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('<p>packed</p>') })
    assert.equal(small.body.html, '<p>packed</p>')
    const full = await whenSite({ body: 'x'.repeat(MAX_PAGE_BYTES) })
    assert.equal(full.body.html.length, MAX_PAGE_BYTES)
    unreachable(await whenSite({ body: 'x'.repeat(MAX_PAGE_BYTES + 1) }), 'too_large', /larger than 5 MB/)
    const bomb = gzipSync(Buffer.alloc(MAX_PAGE_BYTES + 1))
    unreachable(
      await whenSite({ headers: { 'content-encoding': 'gzip' }, body: bomb }),
      'too_large',
      /larger than 5 MB/,
    )
  })

  test('may be somewhere else inside the origin; its address keeps the preview', async () => {
    site.pages['/final'] = { body: 'here' }
    const answer = await whenSite({ status: 302, headers: { location: '/final' } })
    const url = new URL(answer.body.url)
    assert.deepEqual([answer.body.html, url.pathname, url.searchParams.get('visual')], ['here', '/final', '1'])
    assert.ok(url.searchParams.get('preview'))
  })
})

describe('why there is no page is said in plain words', () => {
  test('the website is down', async () => {
    await addType('down', `http://127.0.0.1:${await freePort()}/{slug}`)
    unreachable(await openPage('down'), 'unreachable', /http:\/\/127\.0\.0\.1:\d+ couldn't be reached/)
  })

  test('it answers with an error', async () => {
    for (const status of [204, 404, 500]) {
      const answer = await whenSite({ status })
      unreachable(answer, 'status', new RegExp(`returned ${status}`))
      assert.equal(answer.body.details.status, status)
    }
  })

  test('it answers with something else than a page', async () => {
    for (const type of ['application/json', 'text/plain', 'text/htmlx', 'image/png'])
      unreachable(await whenSite({ headers: { 'content-type': type } }), 'type', new RegExp(`returned ${type} instead`))
  })

  test('it takes too long to begin', async () => {
    const hasty = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock, pageTimeoutMs: 200 })
    const asHasty = { ...editor, client: hasty.client({ token: editor.token }) }
    unreachable(await whenSite({ hang: true }, asHasty), 'timeout', /longer than 0\.2 seconds/)
    await until(() => site.pending() === 0, 'the request was given up')
    await hasty.close()
  })

  test('it hangs up half-way', async () => {
    unreachable(
      await whenSite({ cut: true, headers: { 'content-length': '5000' } }),
      'unreachable',
      /couldn't be reached/,
    )
  })

  test('it redirects to another origin, which is not asked', async () => {
    const other = await startFakeSite()
    for (const location of [`${other.url}/x`, `//127.0.0.1:${new URL(other.url).port}/x`, 'https://127.0.0.1/'])
      unreachable(
        await whenSite({ status: 302, headers: { location } }),
        'redirect',
        /redirects to https?:\/\/127\.0\.0\.1/,
      )
    assert.deepEqual([other.requests, other.problems], [[], []])
    await other.close()
  })

  test('it redirects for ever', async () => {
    const answer = await whenSite(({ path }) => ({ status: 302, headers: { location: path } }))
    unreachable(answer, 'redirect', /redirects too many times/)
  })

  test('its certificate is not valid', async () => {
    const secure = await startFakeSite({ certificate: selfSignedCertificate(['127.0.0.1']) })
    await addType('secure', `${secure.url}/{slug}`)
    unreachable(await openPage('secure'), 'certificate', /doesn't have a valid certificate/)
    assert.deepEqual(secure.requests, [])
    await secure.close()
  })

  test('it answers something other than HTTP', async () => {
    const server = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .resume()
        .end('220 mail.example.test ESMTP\r\n'),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    assert.ok(address && typeof address === 'object')
    await addType('smtp', `http://127.0.0.1:${address.port}/{slug}`)
    unreachable(await openPage('smtp'), 'answer', /couldn't be read/)
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('where pages may be fetched from', () => {
  const target = async (name: string, url: string, env: Record<string, string>): Promise<CmsAnswer> => {
    const strict = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock, env })
    const type = await admin.client.put('/api/types/bare', { previewUrl: url })
    assert.equal(type.status, 200, type.text)
    const { id } = await addEntry('bare')
    const token = await tokenFor(id)
    const answer = await strict.client({ token: editor.token }).post('/api/visual/page', { entryId: id, token })
    await admin.client.put('/api/types/bare', { previewUrl: null })
    await strict.close()
    assert.ok(name)
    return answer
  }
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://cms.test', STORAGE_DRIVER: 'local' }

  test('in production neither loopback nor plain http, unless the operator says so', async () => {
    const asked = site.requests.length
    unreachable(await target('http', `${site.url}/x`, production), 'address', /Use https for http:\/\/127\.0\.0\.1/)
    const secure = site.url.replace('http:', 'https:').replace(/:\d+$/, '')
    unreachable(await target('https', `${secure}/x`, production), 'unreachable', /PREVIEW_ALLOW_PRIVATE=true/)
    assert.equal(site.requests.length, asked)
    const allowed = await target('allowed', `${site.url}/x`, { ...production, PREVIEW_ALLOW_PRIVATE: 'true' })
    assert.equal(allowed.status, 200, allowed.text)
  })

  test('elsewhere loopback, and no other private address', async () => {
    for (const host of ['127.0.0.1', 'localhost', 'site.localhost'])
      assert.notEqual((await target(host, `http://${host}:${await freePort()}/x`, {})).body.details?.reason, 'address')
    for (const host of ['10.0.0.1', '192.168.1.1', '169.254.169.254', '[fd00::1]', '0.0.0.0', 'router.internal'])
      unreachable(await target(host, `https://${host}/x`, {}), 'unreachable', /couldn't be reached/)
    unreachable(await target('http', 'http://10.0.0.1/x', {}), 'address', /Use https/)
    unreachable(await target('port', 'https://www.example.com:22/x', {}), 'address', /Use port 443 or 8443/)
  })
})

describe('who may ask', () => {
  const missing = async (body: object, person = editor) => {
    const asked = site.requests.length
    const answer = await page(body, person)
    assert.equal(`${answer.status} ${answer.body.code}`, '404 PREVIEW_NOT_FOUND', answer.text)
    assert.equal(site.requests.length, asked, 'the website was not asked')
  }

  test('the person who made the link, for its entry, until it expires', async () => {
    const { id } = await addEntry()
    const other = await addEntry()
    const token = await tokenFor(id)
    await missing({ entryId: id, token: 'x'.repeat(43) })
    await missing({ entryId: other.id, token })
    await missing({ entryId: id, token }, await service.person('owner'))
    assert.equal((await page({ entryId: id, token })).status, 200)
    service.clock.advance(3_601_000)
    await missing({ entryId: id, token })
    service.clock.advance(-3_601_000)
    await editor.client.delete(`/api/entries/${id}`)
    await missing({ entryId: id, token })
  })

  test('people who write, and no program', async () => {
    const { id } = await addEntry()
    const body = { entryId: id, token: await tokenFor(id) }
    const viewer = await service.person('viewer')
    assert.equal((await page(body, viewer)).body.code, 'FORBIDDEN')
    const { key } = await agentFor(service, editor)
    assert.equal((await service.client({ token: key }).post('/api/visual/page', body)).body.code, 'AGENT_NOT_ALLOWED')
    assert.equal((await service.client().post('/api/visual/page', body)).body.code, 'AUTH_REQUIRED')
  })

  test('in one of two ways', async () => {
    const { id } = await addEntry()
    const token = await tokenFor(id)
    for (const body of [
      {},
      { site: false },
      { entryId: id },
      { token },
      { entryId: id, token, site: true },
      { entryId: 'x', token },
      { entryId: id, token, url: 'http://127.0.0.1/' },
    ]) {
      const answer = await page(body)
      assert.equal(`${answer.status} ${answer.body.code}`, '400 VALIDATION_FAILED', JSON.stringify(body))
    }
  })

  test('not for a type without an address', async () => {
    const answer = await openPage('bare')
    assert.equal(`${answer.status} ${answer.body.code}`, '409 INVALID_STATE')
  })

  test('for four pages at once, and for more when one is done', async () => {
    const { id, slug } = await addEntry()
    const token = await tokenFor(id)
    const body = { entryId: id, token }
    site.pages[`/p/${slug}`] = { hang: true }
    const held = Array.from({ length: 4 }, () => page(body))
    await until(() => site.pending() === 4, 'all four are under way')
    const fifth = await page(body)
    assert.equal(`${fifth.status} ${fifth.body.code}`, '429 RATE_LIMITED')
    assert.equal(fifth.headers.get('retry-after'), '1')
    site.cutPending()
    for (const answer of await Promise.all(held)) assert.equal(answer.status, 502)
    delete site.pages[`/p/${slug}`]
    assert.equal((await page(body)).status, 200)
  })
})

describe('the page of the shared parts', () => {
  test('is the previewed path of the website, below the address of the site, as every visitor gets it', async () => {
    const settings = await admin.client.put('/api/settings', { url: `${site.url}/sub/` })
    assert.equal(settings.status, 200, settings.text)
    const answer = await page({ site: true })
    assert.deepEqual(answer.body.url, `${site.url}/sub/start?a=1`)
    assert.match(answer.body.html, /<title>\/sub\/start\?a=1</)
    await admin.client.put('/api/settings', { url: null })
  })

  test('is none where the host declares none', async () => {
    const bare = await startCms()
    const { client } = await bare.person('editor')
    const answer = await client.post('/api/visual/page', { site: true })
    assert.equal(`${answer.status} ${answer.body.code}`, '409 INVALID_STATE')
    await bare.close()
  })
})

test('a link of one process opens the page through another', async () => {
  const other = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock })
  const { id, slug } = await addEntry()
  for (const body of [undefined, { title: 'Unsaved' }]) {
    const token = await tokenFor(id, body)
    const answer = await other.client({ token: editor.token }).post('/api/visual/page', { entryId: id, token })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.url, `${site.url}/p/${slug}?lang=en&preview=${token}&visual=1#top`)
  }
  await other.close()
})
