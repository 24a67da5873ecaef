import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { addHook, PUBLIC_TARGET } from '../../site/webhooks/testing/ground.ts'
import { animation, claimedPng, files, type PictureFormat, picture, sideways, svg } from './testing/fixtures.ts'
import { fieldsOf, type Library, refused, startLibrary } from './testing/library.ts'

let library: Library
before(async () => {
  library = await startLibrary({ env: { MAX_UPLOAD_BYTES: '200 KB' } })
})
after(() => library.close())

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('an upload', () => {
  test('is answered with the whole record, and its bytes are in the store under their hash', async () => {
    const bytes = await picture('png', 40, 20)
    const answer = await library.send(library.editor, bytes, {
      filename: 'Sommer am See.png',
      fields: {
        alt: ' A lake ',
        caption: 'Two\nlines',
        folder: '/press// 2026 /',
        decorative: 'false',
        focalX: '0.25',
      },
    })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('etag'), '"v1"')
    const { id, createdAt } = answer.body
    const hash = sha256(bytes)
    assert.deepEqual(answer.body, {
      id,
      url: `http://cms.test/media/${id}/${hash.slice(0, 8)}/Sommer-am-See.png`,
      filename: 'Sommer-am-See.png',
      mimeType: 'image/png',
      size: bytes.length,
      width: 40,
      height: 20,
      alt: 'A lake',
      caption: 'Two\nlines',
      focalX: 0.25,
      focalY: 0.5,
      decorative: false,
      folder: 'press/2026',
      hash,
      usage: { count: 0 },
      version: 1,
      createdAt,
      createdBy: { id: library.editor.id, name: answer.body.createdBy.name },
      updatedAt: createdAt,
    })
    assert.deepEqual((await library.editor.client.get(`/api/media/${id}`)).body, answer.body)
    assert.ok(library.stored().blobs.includes(hash))
    assert.deepEqual(library.stored().temporary, [])
  })

  for (const format of ['jpeg', 'png', 'gif', 'webp', 'avif'] as PictureFormat[])
    test(`takes ${format} whatever it is called, and knows its size`, async () => {
      const made = await library.add(await picture(format, 31, 17), { filename: 'evil.html' })
      assert.deepEqual([made.mimeType, made.width, made.height], [`image/${format}`, 31, 17])
      assert.equal(made.filename, `evil.html.${format === 'jpeg' ? 'jpg' : format}`)
    })

  for (const [name, type] of [
    ['mp4', 'video/mp4'],
    ['mov', 'video/quicktime'],
    ['webm', 'video/webm'],
    ['mp3', 'audio/mpeg'],
    ['pdf', 'application/pdf'],
  ] as const)
    test(`takes ${name} by its content`, async () => {
      const made = await library.add(files[name], { filename: `a.${name}` })
      assert.deepEqual([made.mimeType, made.filename, made.width], [type, `a.${name}`, null])
    })

  test('of a photograph that was taken sideways has the size that people see', async () => {
    const made = await library.add(await sideways(60, 30))
    assert.deepEqual([made.width, made.height], [30, 60])
  })

  test('the same content twice is two files with one blob', async () => {
    const bytes = await picture('png', 7, 7)
    const [first, second] = [await library.add(bytes), await library.add(bytes)]
    assert.notEqual(first.id, second.id)
    assert.equal(first.hash, second.hash)
    assert.equal(library.stored().blobs.filter((name) => name === first.hash).length, 1)
  })

  test('is recorded: in Activity, for listeners and webhooks', async () => {
    const committed: { event: string; data: Record<string, unknown> }[] = []
    library.cms.database.onCommit({ after: (changes) => void committed.push(...changes) })
    const { id, url, filename } = await library.add(await picture('png', 9, 9))
    assert.deepEqual(
      committed.filter(({ event }) => event.startsWith('media')).map(({ event, data }) => ({ event, data })),
      [{ event: 'media.created', data: { id, title: filename, url, isPublic: false } }],
    )
  })
})

test('webhooks receive what happened to a file, and where it was', async () => {
  const admin = await library.person('admin')
  await addHook(admin.client, { url: PUBLIC_TARGET, events: ['media.created', 'media.updated', 'media.deleted'] })
  const file = await library.add(await picture('png', 8, 9), { filename: 'a.png' })
  const { body } = await library.editor.client.put(`/api/media/${file.id}`, { filename: 'b.png' })
  await library.editor.client.delete(`/api/media/${file.id}`)
  const rows = await library.cms.database.db.selectFrom('webhook_delivery').select('payload').orderBy('id').execute()
  const sent = rows.map(({ payload }) => JSON.parse(payload))
  const data = { id: file.id, title: 'b.png', url: body.url }
  assert.deepEqual(
    sent.map((event) => ({ event: event.event, data: event.data, previous: event.previous, changed: event.changed })),
    [
      { event: 'media.created', data: { id: file.id, title: 'a.png', url: file.url }, previous: null, changed: [] },
      { event: 'media.updated', data, previous: { url: file.url }, changed: ['filename'] },
      { event: 'media.deleted', data, previous: null, changed: [] },
    ],
  )
})

test('a host can hand an upload over without a connection', async () => {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await picture('png', 12, 5))]), 'a.png')
  const request = new Request('http://host.test/', { method: 'POST', body: form })
  const answer = await library.cms.app.inject({
    method: 'POST',
    url: '/api/media',
    headers: {
      authorization: `Bearer ${library.editor.token}`,
      'content-type': String(request.headers.get('content-type')),
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  assert.equal(answer.statusCode, 201, answer.body)
  const { pathname } = new URL(answer.json().url)
  const served = await library.cms.app.inject({ method: 'GET', url: pathname })
  assert.deepEqual([served.statusCode, served.rawPayload.length], [200, answer.json().size])
})

test('fuzz: a damaged picture is taken or refused, and the service goes on', async () => {
  const originals = [
    ...(await Promise.all((['jpeg', 'png', 'gif', 'webp', 'avif'] as const).map((format) => picture(format, 90, 60)))),
    await animation(4),
    await sideways(40, 20),
  ]
  const damaged = fc
    .tuple(fc.constantFrom(...originals), fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 6 }))
    .map(([original, changes]) => {
      const bytes = Buffer.from(original)
      for (const [at, byte] of changes) bytes[8 + (at % (bytes.length - 8))] = byte
      return bytes
    })
  for (const bytes of fc.sample(damaged, { numRuns: 40, seed: 43 })) {
    const { status, body } = await library.send(library.editor, bytes)
    assert.ok([201, 400, 415].includes(status), `${status}`)
    if (status === 201) assert.ok([200, 400].includes((await library.fetch(`${body.url}?w=320&fm=webp`)).status))
  }
  assert.deepEqual(library.stored().temporary, [])
})

describe('C51: what is no media file', () => {
  for (const [name, bytes] of [
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['XHTML', Buffer.from('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>')],
    ['XML', Buffer.from('<?xml version="1.0"?><a/>')],
    ['text', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from('G')],
    ['an archive', Buffer.from('PK\u0003\u0004')],
    ['HEIC', files.heic],
    ['audio in MP4', files.m4a],
    ['Matroska', files.mkv],
    ['PHP', Buffer.from('<?php echo 1; ?>')],
    ['a PDF that begins later', Buffer.concat([Buffer.from('<html>'), files.pdf])],
    ['HTML with a drawing', Buffer.from('<!-- x --><html><svg xmlns="http://www.w3.org/2000/svg"/></html>')],
  ] as const)
    test(`${name} is refused, whatever it is called`, async () => {
      const answer = await refused(library, 'UNSUPPORTED_MEDIA', () =>
        library.send(library.editor, bytes, { filename: 'photo.jpg' }),
      )
      assert.equal(answer.status, 415)
      assert.match(answer.body.error, /jpg, png/)
    })
})

describe('C53: pictures that are traps', () => {
  const trap = async (bytes: Buffer, filename = 'a.png') => {
    const started = performance.now()
    const answer = await refused(library, 'VALIDATION_FAILED', () => library.send(library.editor, bytes, { filename }))
    assert.deepEqual(fieldsOf(answer), ['file'])
    assert.ok(performance.now() - started < 15_000)
    assert.equal((await library.editor.client.get('/api/media')).status, 200)
    return answer.body.details.fields[0].message
  }

  test('50,000 x 50,000 pixels are refused by the header alone', async () => {
    assert.match(await trap(await claimedPng(50_000, 50_000)), /50 million pixels/)
    assert.match(await trap(await claimedPng(7_072, 7_071)), /50 million pixels/)
  })

  test('a picture without its pixels, cut in the middle, or of bytes that are none', async () => {
    assert.match(await trap(await claimedPng(100, 100)), /damaged/)
    const jpeg = await picture('jpeg', 300, 300)
    assert.match(await trap(jpeg.subarray(0, jpeg.length / 2)), /damaged/)
    assert.match(await trap(Buffer.concat([jpeg.subarray(0, 4), Buffer.alloc(500, 7)])), /damaged/)
    for (const format of ['gif', 'webp', 'avif', 'png'] as const)
      assert.match(await trap((await picture(format, 64, 64)).subarray(0, 40)), /damaged/)
  })

  test('an animation of too many frames', async () => {
    assert.match(await trap(await animation(2_001, 2), 'a.gif'), /2000 frames/)
    assert.equal((await library.add(await animation(5))).mimeType, 'image/gif')
  })
})

describe('C50: drawings', () => {
  test('that only draw are taken as they are', async () => {
    const made = await library.add(svg(), { filename: 'logo.svg' })
    assert.deepEqual([made.mimeType, made.width, made.height], ['image/svg+xml', 30, 15])
    assert.equal(made.hash, sha256(svg()))
  })

  for (const inside of [
    '<script>alert(1)</script>',
    '<rect onload="alert(1)"/>',
    '<foreignObject><p/></foreignObject>',
    '<use href="data:image/svg+xml;base64,AAAA#x"/>',
    '<a href="javascript:alert(1)"/>',
  ])
    test(`with ${inside} are refused`, async () => {
      const answer = await refused(library, 'VALIDATION_FAILED', () => library.send(library.editor, svg(inside)))
      assert.match(answer.body.details.fields[0].message, /Only SVG images without active content/)
    })
})

describe('C52: names', () => {
  for (const [given, kept] of [
    ['../../etc/passwd', 'passwd.png'],
    ['..%2f..%2fetc%2fpasswd', '2f.-2fetc-2fpasswd.png'],
    ['..\\..\\boot.ini', 'boot.ini.png'],
    ['a\u202egnp.exe', 'agnp.exe.png'],
    ['-rf.png', 'rf.png'],
    ['.htaccess', 'htaccess.png'],
    ['CON', 'file-CON.png'],
    ['nul.png', 'file-nul.png'],
    ['Übung 1 (final).PNG', 'Übung-1-(final).png'],
    ['photo.jpg', 'photo.png'],
    ['x'.repeat(300), `${'x'.repeat(180)}.png`],
    ['日'.repeat(200), `${'日'.repeat(60)}.png`],
    ['...', 'file.png'],
    ['a"b;c=d.png', 'a-b-c-d.png'],
  ] as const)
    test(`"${given.slice(0, 30)}" becomes "${kept.slice(0, 30)}", and is served under it`, async () => {
      const made = await library.add(await picture('png', 3, 3), { filename: given })
      assert.equal(made.filename, kept)
      assert.equal((await library.fetch(made.url)).status, 200)
    })
})

test('members of the form are checked like those of a body, and a refusal leaves nothing', async () => {
  const bytes = await picture('png', 5, 5)
  for (const [fields, key] of [
    [{ alt: 'two\nlines' }, 'alt'],
    [{ alt: 'x'.repeat(1001) }, 'alt'],
    [{ caption: 'x'.repeat(2001) }, 'caption'],
    [{ folder: '../x' }, 'folder'],
    [{ folder: 'a\\b' }, 'folder'],
    [{ decorative: 'maybe' }, 'decorative'],
    [{ alt: 'A boat', decorative: 'true' }, 'alt'],
    [{ focalX: '2' }, 'focalX'],
    [{ focalY: 'NaN' }, 'focalY'],
    [{ id: 'x' }, 'id'],
    [{ createdBy: 'x' }, 'createdBy'],
    [{ hash: 'x' }, 'hash'],
    [{ ['__proto__']: 'x' }, '__proto__'],
    [{ constructor: 'x' }, 'constructor'],
    [{ alt: 'x'.repeat(20_000) }, 'alt'],
  ] as [Record<string, string>, string][]) {
    const answer = await refused(library, 'VALIDATION_FAILED', () => library.send(library.editor, bytes, { fields }))
    assert.deepEqual(fieldsOf(answer), [key])
  }
  const other = await refused(library, 'VALIDATION_FAILED', () =>
    library.send(library.editor, bytes, { member: 'image' }),
  )
  assert.deepEqual(fieldsOf(other), ['image'])
})

test('a form that breaks off or has too many members is refused for its file: it is no JSON that could be wrong', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n`
  const brokenOff = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc'
  for (const body of [brokenOff, Array.from({ length: 20 }, (_, index) => part(`m${index}`)).join('')]) {
    const answer = await refused(library, 'VALIDATION_FAILED', () =>
      library.editor.client.send('POST', '/api/media', { body, headers }),
    )
    assert.deepEqual(fieldsOf(answer), ['file'])
  }
})
