import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import type { MediaType } from '@stoa/cms-model/media.ts'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import sharp from 'sharp'
import { withoutGps } from './exif.ts'
import { stripLocation } from './location.ts'
import { withoutXmpLocation } from './xmp.ts'

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-location-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** What is left of a file, and whether it was changed. */
const strip = async (bytes: Buffer, type: MediaType) => {
  const file = join(folder, 'file')
  writeFileSync(file, bytes)
  const isChanged = await stripLocation(file, type)
  const left = readFileSync(file)
  assert.equal(left.length, bytes.length)
  assert.equal(isChanged, !left.equals(bytes))
  return left
}

const GPS = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '52/1 31/1 1234/100',
  GPSLongitudeRef: 'E',
  GPSLongitude: '13/1 24/1 4321/100',
}
const CAMERA = { Make: 'Stoa Camera', Artist: 'Someone' }
const photo = (format: 'jpeg' | 'png' | 'webp' | 'avif', gps: Record<string, string> | null = GPS) =>
  sharp({ create: { width: 32, height: 16, channels: 3, background: 'red' } })
    .toFormat(format)
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: CAMERA, IFD2: { DateTimeOriginal: '2026:01:02 03:04:05' }, ...(gps && { IFD3: gps }) })
    .toBuffer()
const typeOf = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp', avif: 'image/avif' } as const

/** Tags of the first directory, and whether the seconds of the place are anywhere. */
const tagsOf = (exif: Buffer): number[] => {
  const tiff = exif.subarray(exif.toString('latin1', 0, 4) === 'Exif' ? 6 : 0)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  return Array.from({ length: u16(start) }, (_, index) => u16(start + 2 + index * 12))
}
const hasPlace = (bytes: Buffer): boolean =>
  [1234, 4321].some((seconds) => {
    const [little, big] = [Buffer.alloc(8), Buffer.alloc(8)]
    little.writeUInt32LE(seconds)
    little.writeUInt32LE(100, 4)
    big.writeUInt32BE(seconds)
    big.writeUInt32BE(100, 4)
    return bytes.includes(little) || bytes.includes(big)
  })

describe('the place where a picture was taken', () => {
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    test(`leaves a ${format}; pixels, orientation and other metadata stay`, async () => {
      const bytes = await photo(format)
      assert.ok(hasPlace(bytes))
      const left = await strip(bytes, typeOf[format])
      assert.ok(!hasPlace(left))
      const [was, now] = [await sharp(bytes).metadata(), await sharp(left).metadata()]
      assert.equal(now.orientation, was.orientation)
      const [exif, before] = [now.exif ?? assert.fail('it has Exif'), was.exif ?? assert.fail('it had Exif')]
      assert.deepEqual(
        tagsOf(exif),
        tagsOf(before).filter((tag) => tag !== 0x8825),
      )
      for (const text of ['Stoa Camera', 'Someone', '2026:01:02 03:04:05']) assert.ok(exif.includes(text), text)
      const pixels = (file: Buffer) => sharp(file, { failOn: 'warning' }).raw().toBuffer()
      assert.deepEqual(await pixels(left), await pixels(bytes))
      assert.deepEqual(await strip(left, typeOf[format]), left)
    })

    test(`that a ${format} does not have changes no byte`, async () => {
      for (const gps of [null, { GPSVersionID: '2 3 0 0' }]) {
        const bytes = await photo(format, gps)
        assert.deepEqual(await strip(bytes, typeOf[format]), bytes)
      }
    })
  }

  test('leaves Exif of either byte order', () => {
    for (const isLittle of [true, false]) {
      const tiff = smallTiff(isLittle)
      const left = withoutGps(tiff) ?? assert.fail('it has a place')
      assert.deepEqual(tagsOf(left), [0x010f, 0x0112])
      // The next directory is still found, and the values of others are where they were.
      const next = isLittle ? left.readUInt32LE(10 + 24) : left.readUInt32BE(10 + 24)
      assert.equal(next, 0x77)
      assert.ok(left.includes('Maker!'))
      assert.ok(!hasPlace(left))
    }
  })
})

/** Make, orientation and GPS, with a next directory at 0x77. */
const smallTiff = (isLittle: boolean): Buffer => {
  const bytes = Buffer.alloc(200)
  bytes.write(isLittle ? 'II' : 'MM', 'latin1')
  const u16 = (at: number, value: number) =>
    isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
  const u32 = (at: number, value: number) =>
    isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)
  const entry = (at: number, [tag, type, count, value]: [number, number, number, number]) => {
    u16(at, tag)
    u16(at + 2, type)
    u32(at + 4, count)
    u32(at + 8, value)
  }
  u16(2, 42)
  u32(4, 8)
  u16(8, 3)
  entry(10, [0x010f, 2, 7, 60])
  entry(22, [0x0112, 3, 1, 6])
  entry(34, [0x8825, 4, 1, 70])
  u32(46, 0x77)
  bytes.write('Maker!\0', 60)
  u16(70, 1)
  entry(72, [2, 5, 1, 160])
  u32(160, 1234)
  u32(164, 100)
  return bytes
}

const XMP_HEAD = 'http://ns.adobe.com/xap/1.0/\0'
const EXTENDED_HEAD = 'http://ns.adobe.com/xmp/extension/\0'
const xmp = (properties: string, elements = '') =>
  `<?xpacket begin=''?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF><rdf:Description xmp:Rating="5" ${properties} dc:format="image/jpeg">${elements}<dc:title>T</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`
const PLACE_PROPERTIES = `exif:GPSLatitude="52,31.2N" exif:GPSLongitude='13,24.4E'`
const PLACE_ELEMENTS =
  '<exif:GPSAltitude>34/1</exif:GPSAltitude><drone-dji:GpsLatitude >52.5</drone-dji:GpsLatitude ><exif:GPSTimeStamp/>'

describe('the place in XMP', () => {
  test('leaves spaces, and everything else as it is', () => {
    const packet = Buffer.from(xmp(PLACE_PROPERTIES, PLACE_ELEMENTS))
    const left = withoutXmpLocation(packet) ?? assert.fail('it has a place')
    assert.equal(left.length, packet.length)
    assert.equal(left.toString().replace(/ +/g, ' ').replace('> <', '><'), xmp('').replace(/ +/g, ' '))
    assert.equal(withoutXmpLocation(left), null)
  })

  test('that is not written as XMP takes the packet with it', () => {
    for (const text of [
      xmp('exif:GPSLatitude=52'),
      xmp('', '<exif:GPSLatitude>52'),
      Buffer.from(xmp(PLACE_PROPERTIES), 'utf16le'),
    ])
      assert.equal(withoutXmpLocation(Buffer.from(text))?.toString().trim(), '')
  })

  test('is no place when it is only mentioned, or a version', () => {
    for (const text of [xmp('exif:GPSVersionID="2.3.0.0"'), xmp('', '<dc:d>see exif:GPSLatitude</dc:d>'), ''])
      assert.equal(withoutXmpLocation(Buffer.from(text)), null)
  })

  const segment = (code: number, data: Buffer) => {
    const head = Buffer.from([0xff, code, 0, 0])
    head.writeUInt16BE(data.length + 2, 2)
    return Buffer.concat([head, data])
  }
  const inJpeg = async (...segments: Buffer[]) => {
    const plain = await photo('jpeg', null)
    return Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)])
  }

  test('leaves a JPEG, also where it goes over segments, behind the first picture and in a film at its end', async () => {
    const packet = segment(0xe1, Buffer.from(XMP_HEAD + xmp(PLACE_PROPERTIES)))
    const long = xmp(PLACE_PROPERTIES, PLACE_ELEMENTS)
    const cut = long.indexOf('GPSLatitude') + 4
    const extended = [long.slice(0, cut), long.slice(cut)].map((part, index) => {
      const sizes = Buffer.alloc(8)
      sizes.writeUInt32BE(long.length)
      sizes.writeUInt32BE(index * cut, 4)
      return segment(0xe1, Buffer.concat([Buffer.from(`${EXTENDED_HEAD}${'A'.repeat(32)}`), sizes, Buffer.from(part)]))
    })
    const film = movie(box('\xa9xyz', '\0\x12\x15\xc7+52.5200+013.4050/'))
    const bytes = Buffer.concat([await inJpeg(packet, ...extended.reverse()), await photo('jpeg'), film])
    const left = await strip(bytes, 'image/jpeg')
    const rest = left.toString('latin1')
    assert.ok(!/GPSL/i.test(rest))
    assert.equal(rest.match(/\+52\.52/g)?.length, 1, 'only what looks like it among the pictures')
    assert.ok(!hasPlace(left))
    assert.equal((await sharp(left).metadata()).orientation, 6)
  })

  test('leaves a PNG and a WebP, compressed or not, and the checksums are right', async () => {
    const chunk = (type: string, data: Buffer) => {
      const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
      length.writeUInt32BE(data.length)
      const body = Buffer.concat([Buffer.from(type), data])
      check.writeUInt32BE(crc32(body))
      return Buffer.concat([length, body, check])
    }
    const packet = Buffer.from(xmp(PLACE_PROPERTIES))
    const hex = `\nexif\n  ${smallTiff(true).length}\n${smallTiff(true).toString('hex')}\n`
    const plain = await photo('png', null)
    const withChunks = (...chunks: Buffer[]) => Buffer.concat([plain.subarray(0, 33), ...chunks, plain.subarray(33)])
    const keyword = 'XML:com.adobe.xmp\0'
    const left = await strip(
      withChunks(
        chunk('iTXt', Buffer.concat([Buffer.from(`${keyword}\0\0\0\0`), packet])),
        chunk('iTXt', Buffer.concat([Buffer.from(`${keyword}\x01\0\0\0`), deflateSync(packet)])),
        chunk('zTXt', Buffer.concat([Buffer.from('Raw profile type exif\0\0'), deflateSync(Buffer.from(hex))])),
      ),
      'image/png',
    )
    assert.ok(!left.includes('GPSL'))
    assert.equal(left.toString('latin1').match(/paDd\0/g)?.length, 2)
    for (let at = 8; at + 12 <= left.length; at += 12 + left.readUInt32BE(at)) {
      const end = at + 8 + left.readUInt32BE(at)
      assert.equal(left.readUInt32BE(end), crc32(left.subarray(at + 4, end)))
    }
    assert.equal((await sharp(left, { failOn: 'warning' }).metadata()).width, 32)
    const none = withChunks(
      chunk('iTXt', Buffer.concat([Buffer.from(`${keyword}\x01\0\0\0`), deflateSync(Buffer.from(xmp('')))])),
    )
    assert.deepEqual(await strip(none, 'image/png'), none)
    const webp = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .webp()
      .withXmp(xmp(PLACE_PROPERTIES))
      .toBuffer()
    assert.ok(webp.includes('GPSLatitude') && !(await strip(webp, 'image/webp')).includes('GPSLatitude'))
    const avif = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .avif()
      .withXmp(xmp(PLACE_PROPERTIES))
      .toBuffer()
    if (avif.includes('GPSLatitude')) assert.ok(!(await strip(avif, 'image/avif')).includes('GPSLatitude'))
  })
})

const box = (type: string, ...content: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(content.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(8 + body.length)
  return Buffer.concat([size, Buffer.from(type, 'latin1'), body])
}
const movie = (...userData: Buffer[]): Buffer =>
  Buffer.concat([
    box('ftyp', 'isom\0\0\0\0isom'),
    box('mdat', 'pictures +52.5200+013.4050/ are not looked at'),
    box(
      'moov',
      box('mvhd', 'head'),
      box('trak', box('udta', ...userData)),
      box('udta', box('\xa9nam', 'Title'), ...userData),
    ),
  ])

describe('the place where a film was taken', () => {
  test('leaves MP4 and QuickTime: their boxes are free space', async () => {
    const location = 'com.apple.quicktime.location.ISO6709'
    const key = (name: string) => box('mdta', name)
    const value = (text: string) => box('data', '\0\0\0\x01\0\0\0\0', text)
    const meta = (head: string) =>
      box(
        'meta',
        head,
        box('hdlr', 'handler'),
        box('keys', '\0\0\0\0\0\0\0\x02', key('com.apple.quicktime.make'), key(location)),
        box(
          'ilst',
          box('\0\0\0\x01', value('Maker')),
          box('\0\0\0\x02', value('+52.5200+013.4050/')),
          box('\xa9xyz', value('+52.52')),
        ),
      )
    const bytes = Buffer.concat([
      movie(
        box('\xa9xyz', '\0\x12\x15\xc7+52.5200+013.4050/'),
        box('loci', '\0\0\0\0place'),
        meta('\0\0\0\0'),
        meta(''),
      ),
      box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), xmp(PLACE_PROPERTIES)),
    ])
    for (const type of ['video/mp4', 'video/quicktime'] as const) {
      const left = await strip(bytes, type)
      const rest = left.toString('latin1')
      assert.equal(rest.match(/\+52\.52/g)?.length, 1, 'only what looks like it among the pictures')
      assert.ok(!/loci|\xa9xyz|GPSL/.test(rest))
      for (const kept of ['Title', 'Maker', 'handler', 'xmp:Rating="5"']) assert.ok(rest.includes(kept), kept)
      assert.deepEqual(await strip(left, type), left)
    }
  })

  test('that it does not have changes no byte', async () => {
    const bytes = movie(box('\xa9day', '2026'))
    assert.deepEqual(await strip(bytes, 'video/mp4'), bytes)
  })

  test('is found behind boxes of more than four gigabytes, as far as the file goes', async () => {
    const wide = Buffer.concat([
      Buffer.from('\0\0\0\x01mdat', 'latin1'),
      Buffer.from('0000000000000018', 'hex'),
      Buffer.alloc(8),
    ])
    const place = box('moov', box('udta', box('\xa9xyz', '\0\x12\x15\xc7+52.5200')))
    const left = await strip(Buffer.concat([wide, place]), 'video/mp4')
    assert.ok(!left.includes('+52.52'))
  })
})

describe('whatever the bytes', () => {
  const samples = async (): Promise<[MediaType, Buffer][]> => [
    ['image/jpeg', await photo('jpeg')],
    ['image/png', await photo('png')],
    ['image/webp', await photo('webp')],
    ['image/avif', await photo('avif')],
    ['video/mp4', movie(box('\xa9xyz', '\0\x12\x15\xc7+52.5200'))],
  ]

  test('nothing throws, and the size stays', async () => {
    for (const [type, bytes] of await samples()) {
      const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 12 })
      await fc.assert(
        fc.asyncProperty(damage, fc.nat(bytes.length), async (changes, end) => {
          const damaged = Buffer.from(bytes.subarray(0, end))
          for (const [at, value] of changes) if (at < end) damaged[at] = value
          await strip(damaged, type)
        }),
        { seed: 20261116, numRuns: runs(16, 2_000) },
      )
    }
  })

  test('Exif and XMP take any bytes, and are clean after one time', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (tail, isLittle) => {
        const bytes = Buffer.concat([smallTiff(isLittle).subarray(0, 60), Buffer.from(tail)])
        const left = withoutGps(bytes)
        assert.equal(left?.length ?? bytes.length, bytes.length)
      }),
      { seed: 20261116, numRuns: runs(200, 20_000) },
    )
  })

  test('the work grows with the file, however it is made', async () => {
    const repeated = (head: string, piece: string) =>
      Buffer.concat([
        Buffer.from(head, 'latin1'),
        Buffer.from(piece.repeat(Math.ceil(3_000_000 / piece.length)), 'latin1'),
      ])
    for (const [type, bytes] of [
      ['image/jpeg', repeated('\xff\xd8', '\xff')],
      ['image/jpeg', repeated('\xff\xd8', '\xff\xe1\0\x02')],
      ['image/jpeg', repeated('\xff\xd8', `\xff\xe1\xff\xff${XMP_HEAD}${' a:GPSx="'.repeat(7_000)}`)],
      ['image/png', repeated('\x89PNG\r\n\x1a\n', '\0\0\0\0tEXt\0\0\0\0')],
      ['image/webp', repeated('RIFF\0\0\0\0WEBP', 'ABCD\0\0\0\0')],
      ['image/avif', repeated('', '\0\0\0\x08meta')],
      ['video/mp4', repeated('', '\0\0\0\x08moov')],
    ] as [MediaType, Buffer][])
      await strip(bytes, type)
  })
})
