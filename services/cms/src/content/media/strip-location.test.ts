import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { picture } from './testing/fixtures.ts'
import { type Library, startLibrary } from './testing/library.ts'

let library: Library
let admin: Awaited<ReturnType<Library['person']>>
before(async () => {
  library = await startLibrary()
  admin = await library.person('admin')
})
after(() => library.close())

let made = 10
const photo = () => {
  made += 1
  return sharp({ create: { width: made, height: 20, channels: 3, background: 'red' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Make: 'Maker' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' } })
    .toBuffer()
}
const bytesOf = async ({ url }: { url: string }) => (await library.fetch(url)).bytes
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
/** libvips reports a location by its GPS directory. */
const hasGps = async (bytes: Buffer) => {
  const { exif } = await sharp(bytes).metadata()
  return exif?.includes(Buffer.from([0x25, 0x88])) || exif?.includes(Buffer.from([0x88, 0x25])) || false
}

describe('the place where an upload was made', () => {
  test('is not kept: not in the original, under the hash of what is kept; orientation and size stay', async () => {
    const bytes = await photo()
    assert.ok(await hasGps(bytes))
    const file = await library.add(bytes, { filename: 'a.jpg' })
    const kept = await bytesOf(file)
    assert.ok(!(await hasGps(kept)))
    assert.equal(kept.length, bytes.length)
    assert.deepEqual([file.size, file.hash], [bytes.length, sha256(kept)])
    assert.deepEqual([file.width, file.height], [20, made])
    assert.ok(!library.stored().blobs.includes(sha256(bytes)))
    assert.deepEqual(library.stored().temporary, [])
  })

  test('is not kept of what replaces a file either', async () => {
    const file = await library.add(await picture('jpeg', 9, 9), { filename: 'b.jpg' })
    const replaced = await library.add(await photo(), { path: `/api/media/${file.id}/replace` })
    assert.ok(!(await hasGps(await bytesOf(replaced))))
  })

  test('that there is none of leaves the bytes as they came', async () => {
    const bytes = await picture('jpeg', 12, 13)
    assert.deepEqual(await bytesOf(await library.add(bytes, { filename: 'c.jpg' })), bytes)
  })

  test('is kept when the settings say so', async () => {
    const off = await admin.client.put('/api/settings', { stripLocation: false })
    assert.deepEqual([off.status, off.body.stripLocation], [200, false])
    const bytes = await photo()
    assert.deepEqual(await bytesOf(await library.add(bytes, { filename: 'd.jpg' })), bytes)
    const wrong = await admin.client.put('/api/settings', { stripLocation: 'no' })
    assert.equal(wrong.status, 400)
    assert.equal((await admin.client.get('/api/settings')).body.stripLocation, false)
    await admin.client.put('/api/settings', { stripLocation: true })
    assert.ok(!(await hasGps(await bytesOf(await library.add(bytes, { filename: 'e.jpg' })))))
  })
})
