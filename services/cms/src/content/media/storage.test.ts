import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { blobPath } from '@stoa/kit/blobs/blobs.ts'
import { open } from '@stoa/kit/http/testing/client.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type FakeS3, startFakeS3 } from '@stoa/tests/lib/fake-s3.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { sweepBlobs } from './jobs.ts'
import { files, halves, picture, svg } from './testing/fixtures.ts'
import { type Library, refused, startLibrary } from './testing/library.ts'

const LIMIT = 50_000

describe('the local store', () => {
  let library: Library
  before(async () => {
    library = await startLibrary({ env: { MAX_UPLOAD_BYTES: String(LIMIT) } })
  })
  after(() => library.close())

  const padded = (size: number) => Buffer.concat([files.pdf, Buffer.alloc(size - files.pdf.length)])
  const untilTidy = () => until(() => library.stored().temporary.length === 0, 'what was begun is gone')

  test('C54: a file of exactly the limit is taken; one byte more is 413 and leaves nothing', async () => {
    assert.equal((await library.send(library.editor, padded(LIMIT))).status, 201)
    const answer = await refused(library, 'PAYLOAD_TOO_LARGE', () => library.send(library.editor, padded(LIMIT + 1)))
    assert.deepEqual([answer.status, answer.body.details], [413, { limit: LIMIT }])
    await refused(library, 'PAYLOAD_TOO_LARGE', () => library.send(library.editor, padded(LIMIT * 20)))
  })

  const HEAD = () =>
    `POST /api/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${library.editor.token}\r\nContent-Type: multipart/form-data; boundary=B\r\n`
  const START = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7'

  test('C54: an upload that breaks off, says another length or is cut leaves nothing', async () => {
    const before = { rows: await library.rows(), stored: library.stored() }
    const port = Number(new URL(library.url).port)
    for (const length of ['Content-Length: 40000', 'Transfer-Encoding: chunked']) {
      const socket = await open(port)
      const body = START + 'x'.repeat(10_000)
      const sent = length.startsWith('T') ? `${body.length.toString(16)}\r\n${body}\r\n` : body
      socket.write(`${HEAD()}${length}\r\n\r\n${sent}`)
      await until(() => library.stored().temporary.length === 1, 'it has begun to be stored')
      socket.destroy()
      await untilTidy()
    }
    const short = await open(port)
    short.write(`${HEAD()}Content-Length: ${START.length}\r\n\r\n${START}${'x'.repeat(5_000)}\r\n--B--\r\n`)
    await passTime(100, 'a form that ended is read to its end')
    short.destroy()
    await untilTidy()
    assert.deepEqual({ rows: await library.rows(), stored: library.stored() }, before)
    assert.equal((await library.editor.client.get('/api/media')).status, 200)
  })

  test('C36: a page outside cannot upload with a cookie, and JSON is no upload', async () => {
    const { token } = library.editor
    for (const headers of [{}, { origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }] as Record<
      string,
      string
    >[])
      await refused(library, 'CSRF', () =>
        library.client().send('POST', '/api/media', {
          headers: { cookie: `cms_session=${token}`, 'content-type': 'multipart/form-data; boundary=B', ...headers },
          body: `${START}\r\n--B--\r\n`,
        }),
      )
    const answer = await refused(library, 'UNSUPPORTED_MEDIA', () =>
      library.editor.client.post('/api/media', { file: 'x' }),
    )
    assert.match(answer.body.error, /multipart\/form-data/)
    await refused(library, 'UNSUPPORTED_MEDIA', () => library.editor.client.post('/api/media'))
    await refused(library, 'VALIDATION_FAILED', () =>
      library.editor.client.send('POST', '/api/media', {
        headers: { 'content-type': 'multipart/form-data; boundary=B' },
        body: '--B--\r\n',
      }),
    )
  })

  test('bytes that nobody uses go with the sweep; shared and young ones stay, and the sizes of pictures', async () => {
    const bytes = await halves('png', 400, 100)
    const [first, second] = [await library.add(bytes), await library.add(bytes)]
    const lonely = await library.add(await halves('png', 500, 100))
    for (const { url } of [lonely, second]) await library.fetch(`${url}?w=320`)
    const young = await library.add(await picture('png', 11, 11))
    for (const { id } of [first, lonely, young]) await library.editor.client.delete(`/api/media/${id}`)
    assert.equal((await library.fetch(lonely.url)).status, 404)
    const past = new Date(Date.now() - 3_600_000)
    for (const key of library.stored().blobs)
      if (key !== young.hash) utimesSync(join(library.folder, blobPath(key)), past, past)
    const sizes = await library.cms.database.db.selectFrom('rendition').select('blob_key').execute()
    assert.equal(sizes.length, 1)
    const used = new Set([...(await library.rows()), ...sizes].map(({ blob_key }) => blob_key))
    await sweepBlobs({ db: library.cms.database.db, media: library.cms.services.media, log: library.cms.services.log })
    assert.deepEqual(library.stored().blobs, [...used, young.hash].sort())
    assert.deepEqual((await library.fetch(second.url)).bytes, bytes)
  })

  test('F8: a start removes what uploads of ended processes left, and nothing of those that run', async () => {
    const dead = join(library.folder, 'tmp', `${hostname().replace(/[^A-Za-z0-9-]/g, '-')}~999999999~${newId()}`)
    const alive = join(library.folder, 'tmp', `${hostname().replace(/[^A-Za-z0-9-]/g, '-')}~${process.pid}~${newId()}`)
    writeFileSync(dead, 'x')
    writeFileSync(alive, 'x')
    await library.cms.services.media.tidy()
    assert.deepEqual(library.stored().temporary, [alive.split('/').at(-1)])
    rmSync(alive)
  })

  test('a store that cannot be written is 503 and leaves no row', async () => {
    const file = join(library.folder, 'file')
    writeFileSync(file, '')
    const broken = await startLibrary({ env: { STORAGE_LOCAL_DIR: join(file, 'media') } })
    try {
      const answer = await broken.send(broken.editor, await picture('png'))
      assert.deepEqual([answer.status, answer.body.code], [503, 'UNAVAILABLE'])
      assert.deepEqual(await broken.rows(), [])
    } finally {
      await broken.close()
    }
  })
})

describe('the object store', () => {
  let s3: FakeS3
  let library: Library
  const temporary = mkdtempSync(join(tmpdir(), 'stoa-media-object-'))
  const start = (more: Record<string, string> = {}) =>
    startLibrary({
      env: {
        STORAGE_DRIVER: 'object',
        STORAGE_LOCAL_DIR: temporary,
        OBJECT_ENDPOINT: s3.endpoint,
        OBJECT_BUCKET: s3.bucket,
        OBJECT_ACCESS_KEY: s3.accessKey,
        OBJECT_SECRET_KEY: s3.secretKey,
        ...more,
      },
    })
  before(async () => {
    s3 = await startFakeS3()
    library = await start()
  })
  after(async () => {
    await library.close()
    await s3.close()
    rmSync(temporary, { recursive: true })
  })

  test('keeps files and renditions, and gives them in whole and in parts', async () => {
    const bytes = await halves('png', 640, 320)
    const file = await library.add(bytes)
    assert.deepEqual((await library.fetch(file.url)).bytes, bytes)
    const part = await library.fetch(file.url, { headers: { range: 'bytes=5-9' } })
    assert.deepEqual([part.status, part.bytes], [206, bytes.subarray(5, 10)])
    const small = await library.fetch(`${file.url}?w=320`)
    assert.deepEqual((await library.fetch(`${file.url}?w=320`)).bytes, small.bytes)
    assert.deepEqual(
      [...s3.objects.keys()].sort(),
      [file.hash, String(small.headers.get('etag')).slice(1, -1)].map((key) => `cms/media/${blobPath(key)}`).sort(),
    )
    assert.deepEqual(readdirSync(temporary), [])
  })

  test('that is away makes an upload 503, without a row and without leftovers', async () => {
    const before = await library.rows()
    s3.fail({ match: ({ method }) => method === 'PUT', status: 500, times: 4 })
    const answer = await library.send(library.editor, await picture('png', 71, 7))
    assert.deepEqual([answer.status, answer.body.code], [503, 'UNAVAILABLE'])
    assert.deepEqual(await library.rows(), before)
    assert.deepEqual(readdirSync(temporary), [])
  })

  test('that browsers may read gets the pictures; everything else is served here', async () => {
    const open = await start({ OBJECT_PUBLIC_URL: 'https://files.test/bucket/' })
    try {
      const file = await open.add(await picture('png', 72, 7))
      const answer = await open.fetch(file.url)
      assert.equal(answer.status, 302)
      assert.equal(answer.headers.get('location'), `https://files.test/bucket/cms/media/${blobPath(file.hash)}`)
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=3600')
      assert.equal((await open.fetch(`${file.url}?fm=webp`)).status, 200)
      for (const bytes of [svg(), files.pdf, files.mp4]) {
        const other = await open.add(bytes)
        assert.deepEqual((await open.fetch(other.url)).bytes, bytes)
      }
      assert.equal((await open.fetch(file.url.replace(file.hash.slice(0, 8), '00000000'))).status, 404)
    } finally {
      await open.close()
    }
  })
})
