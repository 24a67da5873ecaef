import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import fc from 'fast-check'
import sharp from 'sharp'
import { layOut } from './renditions.ts'
import { animation, files, halves, type PictureFormat, picture, sideways, svg } from './testing/fixtures.ts'
import { type Library, type Served, startLibrary } from './testing/library.ts'

let library: Library
before(async () => {
  library = await startLibrary()
})
after(() => library.close())

const codeOf = ({ bytes }: Served): string => JSON.parse(bytes.toString()).code
const header = ({ headers }: Served, name: string) => headers.get(name)

describe('a file at its address', () => {
  test('is public, may be kept for ever, and is read from every page', async () => {
    const bytes = await picture('png', 50, 50)
    const file = await library.add(bytes, { filename: 'Blüte.png' })
    const answer = await library.fetch(file.url, { headers: { origin: 'https://site.test' } })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.bytes, bytes)
    for (const [name, value] of [
      ['content-type', 'image/png'],
      ['content-length', String(bytes.length)],
      ['cache-control', 'public, max-age=31536000, immutable'],
      ['etag', `"${file.hash}"`],
      ['accept-ranges', 'bytes'],
      ['x-content-type-options', 'nosniff'],
      ['content-security-policy', "sandbox; default-src 'none'"],
      ['content-disposition', `inline; filename="Bl_te.png"; filename*=UTF-8''Bl%C3%BCte.png`],
      ['access-control-allow-origin', '*'],
      ['cross-origin-resource-policy', 'cross-origin'],
      ['set-cookie', null],
    ] as const)
      assert.equal(header(answer, name), value, name)
  })

  for (const [name, bytes] of [
    ['svg', svg()],
    ['pdf', files.pdf],
    ['mp4', files.mp4],
    ['mp3', files.mp3],
  ] as const)
    test(`C51: ${name} is never shown in place`, async () => {
      const file = await library.add(bytes, { filename: `x.${name}` })
      const answer = await library.fetch(file.url)
      assert.equal(header(answer, 'content-type'), file.mimeType)
      assert.match(String(header(answer, 'content-disposition')), /^attachment; /)
      assert.equal(header(answer, 'content-security-policy'), "sandbox; default-src 'none'")
      assert.equal(header(answer, 'x-content-type-options'), 'nosniff')
    })

  test('HEAD returns the same headers without the bytes; a known one is 304', async () => {
    const file = await library.add(await picture('png', 51, 50))
    const full = await library.fetch(file.url)
    const head = await library.fetch(file.url, { method: 'HEAD' })
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'content-disposition'])
      assert.equal(header(head, name), header(full, name), name)
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
    for (const method of ['GET', 'HEAD']) {
      const known = await library.fetch(file.url, { method, headers: { 'if-none-match': `W/"x", "${file.hash}"` } })
      assert.deepEqual([known.status, known.bytes.length], [304, 0])
      assert.equal(header(known, 'etag'), `"${file.hash}"`)
    }
  })

  test('is given in parts', async () => {
    const file = await library.add(files.mp4, { filename: 'a.mp4' })
    const part = (range: string, more = {}) => library.fetch(file.url, { headers: { range, ...more } })
    for (const [range, start, end] of [
      ['bytes=0-9', 0, 9],
      ['bytes=4-', 4, files.mp4.length - 1],
      ['bytes=-5', files.mp4.length - 5, files.mp4.length - 1],
    ] as const) {
      const answer = await part(range)
      assert.equal(answer.status, 206)
      assert.deepEqual(answer.bytes, files.mp4.subarray(start, end + 1))
      assert.equal(header(answer, 'content-range'), `bytes ${start}-${end}/${files.mp4.length}`)
      assert.equal(header(answer, 'content-length'), String(end - start + 1))
    }
    const outside = await part(`bytes=${files.mp4.length}-`)
    assert.deepEqual([outside.status, header(outside, 'content-range')], [416, `bytes */${files.mp4.length}`])
    assert.equal((await part('bytes=0-1,4-5')).status, 200)
    assert.equal((await part('bytes=0-1', { 'if-range': `"${file.hash}"` })).status, 206)
    assert.equal((await part('bytes=0-1', { 'if-range': '"other"' })).status, 200)
    const head = await library.fetch(file.url, { method: 'HEAD', headers: { range: 'bytes=0-1' } })
    assert.equal(header(head, 'content-length'), String(files.mp4.length))
  })

  test('costs one statement, and a rendition that was made before three', async () => {
    const file = await library.add(await picture('png', 330, 50))
    await library.fetch(`${file.url}?w=320`)
    const cost = async (url: string) => {
      const watch = library.cms.database.watchStatements()
      await library.fetch(url)
      watch.stop()
      return watch.texts.length
    }
    assert.deepEqual([await cost(file.url), await cost(`${file.url}?w=320`)], [1, 3])
  })

  test('C52: any other address is none', async () => {
    const { id, hash, filename } = await library.add(await picture('png', 52, 50))
    const short = hash.slice(0, 8)
    for (const path of [
      `/media/${newId()}/${short}/${filename}`,
      `/media/${id}/00000000/${filename}`,
      `/media/${id}/${hash}/${filename}`,
      `/media/${id}/${short.toUpperCase()}x/${filename}`,
      `/media/${id}/${short}/other.png`,
      `/media/${id}/${short}/${filename}/`,
      `/media/${id}/${short}/..%2f..%2f${filename}`,
      `/media/${id}/${short}/%00${filename}`,
      `/media/x/${short}/${filename}`,
      `/media/${id}/${short}`,
      `/media/${id}`,
      '/media/',
      `/media/..%2f..%2fetc/${short}/passwd`,
    ])
      assert.equal((await library.fetch(path)).status, 404, path)
    const answer = await library.fetch(`/media/${id}/00000000/${filename}`)
    assert.deepEqual([codeOf(answer), header(answer, 'cache-control')], ['NOT_FOUND', 'no-store'])
    for (const method of ['POST', 'PUT', 'DELETE'])
      assert.equal((await library.fetch(`/media/${id}/${short}/${filename}`, { method })).status, 405)
  })

  test('F21: damaged and missing bytes are an error in the log, and nothing else stops', async () => {
    const file = await library.add(await picture('png', 53, 50))
    const path = `${library.folder}/${file.hash.slice(0, 2)}/${file.hash.slice(2, 4)}/${file.hash}`
    writeFileSync(path, Buffer.alloc(file.size))
    const damaged = await library.fetch(file.url)
    assert.deepEqual([damaged.status, codeOf(damaged)], [500, 'INTERNAL'])
    assert.ok(library.logs.some((line) => line.includes('cannot be read') && line.includes(file.hash)))
    rmSync(path)
    const answer = await library.fetch(file.url)
    assert.deepEqual([answer.status, codeOf(answer)], [500, 'INTERNAL'])
    assert.equal((await library.editor.client.get('/api/media')).status, 200)
  })
})

describe('renditions', () => {
  const sizeOf = async ({ bytes }: Served) => {
    const { width, height, format } = await sharp(bytes).metadata()
    return `${format} ${width}x${height}`
  }
  const pixel = async (bytes: Buffer, left: number, top: number) => {
    const { data } = await sharp(bytes)
      .removeAlpha()
      .extract({ left, top, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    return (data[0] ?? 0) > (data[2] ?? 0) ? 'red' : 'blue'
  }

  test('have the asked size, shape and format', async () => {
    const file = await library.add(await halves('png', 1200, 600))
    for (const [query, expected] of [
      ['w=320', 'png 320x160'],
      ['h=320', 'png 640x320'],
      ['w=320&h=320', 'png 320x320'],
      ['w=320&h=320&fit=cover', 'png 320x320'],
      ['w=320&h=320&fit=contain', 'png 320x160'],
      ['w=320&fm=webp', 'webp 320x160'],
      ['w=320&fm=avif&q=50', 'heif 320x160'],
      ['w=320&fm=jpeg&q=90', 'jpeg 320x160'],
      ['w=2560', 'png 1200x600'],
      ['w=1280&h=1280', 'png 600x600'],
      ['fm=webp', 'webp 1200x600'],
    ] as const) {
      const answer = await library.fetch(`${file.url}?${query}`)
      assert.deepEqual([query, answer.status, await sizeOf(answer)], [query, 200, expected])
      assert.match(String(header(answer, 'content-disposition')), /^inline; filename="picture\./)
      assert.equal(header(answer, 'x-content-type-options'), 'nosniff')
    }
  })

  test('are made once: the second comes out of the store, with the same validator', async () => {
    const file = await library.add(await halves('png', 400, 200))
    const first = await library.fetch(`${file.url}?w=320`)
    const stored = library.stored().blobs
    const second = await library.fetch(`${file.url}?w=320`)
    assert.deepEqual(second.bytes, first.bytes)
    assert.deepEqual(library.stored().blobs, stored)
    assert.equal(header(first, 'cache-control'), 'public, max-age=31536000, immutable')
    const etag = String(header(first, 'etag'))
    const known = await library.fetch(`${file.url}?w=320`, { headers: { 'if-none-match': etag } })
    assert.equal(known.status, 304)
    const part = await library.fetch(`${file.url}?w=320`, { headers: { range: 'bytes=0-3' } })
    assert.deepEqual([part.status, part.bytes.length], [206, 4])
  })

  test('of many requests at once are made by one of them', async () => {
    const file = await library.add(await halves('png', 900, 300))
    const { slots } = library.cms.services.media
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, slots.state().running + slots.state().waiting)
    }, 1)
    const answers = await Promise.all(Array.from({ length: 20 }, () => library.fetch(`${file.url}?w=640&fm=webp`)))
    clearInterval(timer)
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.ok(most <= 1, `${most} at once`)
    const rows = await library.cms.database.db
      .selectFrom('rendition')
      .select('variant')
      .where('media_id', '=', file.id)
      .execute()
    assert.equal(rows.length, 1)
  })

  test('that come out the same are the same, whatever was asked for', async () => {
    const file = await library.add(await picture('jpeg', 100, 50))
    for (const query of ['w=320', 'w=640', 'w=2560&q=75', 'fm=jpeg', 'w=320&h=960&fit=contain'])
      assert.equal((await library.fetch(`${file.url}?${query}`)).status, 200)
    const rows = await library.cms.database.db
      .selectFrom('rendition')
      .select('variant')
      .where('media_id', '=', file.id)
      .execute()
    assert.deepEqual(rows, [{ variant: '100x50-all-jpeg-75' }])
  })

  test('show what the focal point is in', async () => {
    const file = await library.add(await halves('png', 1000, 320), { fields: { focalX: '0.1' } })
    const left = await library.fetch(`${file.url}?w=320&h=320`)
    assert.equal(await pixel(left.bytes, 310, 160), 'red')
    assert.equal(header(left, 'cache-control'), 'public, max-age=3600')
    await library.editor.client.put(`/api/media/${file.id}`, { focalX: 0.9 })
    const right = await library.fetch(`${file.url}?w=320&h=320`)
    assert.equal(await pixel(right.bytes, 10, 160), 'blue')
  })

  test('of a photograph that was taken sideways stand upright and say nothing of its camera', async () => {
    const file = await library.add(await sideways(800, 400))
    const answer = await library.fetch(`${file.url}?w=320&h=320`)
    const { width, height, orientation, exif } = await sharp(answer.bytes).metadata()
    assert.deepEqual([width, height, orientation, exif], [320, 320, undefined, undefined])
    const whole = await library.fetch(`${file.url}?w=320`)
    assert.equal(await sizeOf(whole), 'jpeg 320x640')
    assert.equal(await pixel(whole.bytes, 160, 20), 'red')
    assert.equal(await pixel(whole.bytes, 160, 620), 'blue')
  })

  test('of an animation move, unless another format is asked for', async () => {
    const file = await library.add(await animation(6, 400))
    const moving = await library.fetch(`${file.url}?w=320`)
    const { pages, format, pageHeight } = await sharp(moving.bytes, { animated: true }).metadata()
    assert.deepEqual([format, pages, pageHeight], ['webp', 6, 320])
    const still = await library.fetch(`${file.url}?w=320&fm=png`)
    assert.equal((await sharp(still.bytes).metadata()).pages, undefined)
  })

  test('of transparent pictures are white where JPEG has nothing', async () => {
    const clear = await sharp({
      create: { width: 330, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer()
    const file = await library.add(clear)
    const { bytes } = await library.fetch(`${file.url}?w=320&fm=jpeg`)
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    assert.equal(data[0], 255)
  })

  test('of other sizes, formats and members are refused, and none is made', async () => {
    const file = await library.add(await picture('png', 400, 400))
    for (const [query, key] of [
      ['w=321', 'w'],
      ['w=0', 'w'],
      ['w=-320', 'w'],
      ['w=320.0', 'w'],
      ['w=99999999', 'w'],
      ['w=', 'w'],
      ['w=320&w=640', 'w'],
      ['h=1', 'h'],
      ['w=320&fit=fill', 'fit'],
      ['fm=gif', 'fm'],
      ['fm=svg', 'fm'],
      ['w=320&q=51', 'q'],
      ['w=320&blur=1', 'blur'],
      ['v=1', 'v'],
      ['__proto__=1', '__proto__'],
    ] as const) {
      const answer = await library.fetch(`${file.url}?${query}`)
      assert.deepEqual([query, answer.status, codeOf(answer)], [query, 400, 'VALIDATION_FAILED'])
      assert.deepEqual(
        JSON.parse(answer.bytes.toString()).details.fields.map((field: { key: string }) => field.key),
        [key],
      )
    }
    const rows = await library.cms.database.db
      .selectFrom('rendition')
      .select('variant')
      .where('media_id', '=', file.id)
      .execute()
    assert.deepEqual(rows, [])
  })

  test('follow the sizes of the settings', async () => {
    const admin = await library.person('admin')
    const file = await library.add(await picture('png', 500, 500))
    await admin.client.put('/api/settings', { imageSizes: [100, 320] })
    assert.equal(await sizeOf(await library.fetch(`${file.url}?w=100`)), 'png 100x100')
    assert.equal((await library.fetch(`${file.url}?w=640`)).status, 400)
    assert.equal(await sizeOf(await library.fetch(`${file.url}?fm=webp`)), 'webp 320x320')
    await admin.client.put('/api/settings', { imageSizes: [320, 640, 960, 1280, 1920, 2560] })
  })

  test('are not made of drawings, films and documents; the answer says so', async () => {
    for (const [bytes, type] of [
      [svg(), 'image/svg+xml'],
      [files.mp4, 'video/mp4'],
      [files.pdf, 'application/pdf'],
    ] as const) {
      const file = await library.add(bytes)
      const answer = await library.fetch(`${file.url}?w=320`)
      assert.equal(answer.status, 400)
      assert.match(answer.bytes.toString(), new RegExp(type.replace('+', '\\+')))
    }
  })

  test('of each format that can be uploaded can be made in each that can be asked for', async () => {
    for (const format of ['jpeg', 'png', 'gif', 'webp', 'avif'] as PictureFormat[]) {
      const file = await library.add(await picture(format, 330, 33))
      for (const fm of ['webp', 'avif', 'jpeg', 'png'])
        assert.equal((await library.fetch(`${file.url}?w=320&fm=${fm}`)).status, 200, `${format} as ${fm}`)
    }
  })

  test('whose bytes are gone are made anew', async () => {
    const file = await library.add(await halves('png', 420, 200))
    const first = await library.fetch(`${file.url}?w=320`)
    const key = String(header(first, 'etag')).slice(1, -1)
    rmSync(`${library.folder}/${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`)
    assert.deepEqual((await library.fetch(`${file.url}?w=320`)).bytes, first.bytes)
  })
})

test('a layout is inside of the original and never larger, whatever the numbers', async () => {
  const side = fc.integer({ min: 1, max: 7000 })
  const size = fc.option(fc.constantFrom(16, 320, 2560), { nil: undefined })
  const original = fc.record({
    width: side,
    height: side,
    focalX: fc.double({ min: 0, max: 1, noNaN: true }),
    focalY: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(original, size, size, fc.constantFrom('cover' as const, 'contain' as const), (picture, w, h, fit) => {
      const { crop, width, height } = layOut(picture, { w, h, fit }, 2560)
      const kept = crop ?? { left: 0, top: 0, width: picture.width, height: picture.height }
      assert.ok(
        kept.left >= 0 &&
          kept.top >= 0 &&
          kept.left + kept.width <= picture.width &&
          kept.top + kept.height <= picture.height,
      )
      assert.ok(width >= 1 && height >= 1 && width <= kept.width && height <= kept.height)
      assert.ok(width <= (w ?? 7000) && height <= (h ?? 7000))
    }),
    { numRuns: 1_000, seed: 43 },
  )
})
