import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cleanFilename, folderName, isMediaType, mediaPath, mediaTypes, renditionQuery, typesOfGroup } from './media.ts'

describe('the name of a file', () => {
  test('ends as its type does', () => {
    assert.equal(cleanFilename('photo.JPEG', 'image/jpeg'), 'photo.jpeg')
    assert.equal(cleanFilename('photo.png', 'image/jpeg'), 'photo.jpg')
    assert.equal(cleanFilename('photo.tar.gz', 'application/pdf'), 'photo.tar.gz.pdf')
    assert.equal(cleanFilename('', 'video/mp4'), 'file.mp4')
    assert.equal(cleanFilename('.png', 'image/png'), 'png.png')
  })

  test('C52: whatever was given, it is one plain name, and cleaning it again changes nothing', () => {
    const types = fc.constantFrom(...Object.keys(mediaTypes).filter(isMediaType))
    const parts = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.constantFrom(
          '../',
          '\\',
          '..',
          '.',
          '-',
          '\u0000',
          '\r\n',
          '\u202e',
          'con',
          '%2f',
          '.png',
          '.html',
          '~',
          '\ud800',
          ' ',
        ),
        fc.constant('日'.repeat(80)),
      ),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(parts, types, (given, type) => {
        const name = cleanFilename(given.join(''), type)
        assert.match(name, /^[^\s./\\%#?"<>|:*\p{Cc}\p{Cf}~-][^/\\%#?"<>|:*\s\p{Cc}\p{Cf}]*\.[a-z0-9]{2,5}$/u)
        assert.ok(!name.includes('..') && name.isWellFormed())
        assert.ok(Buffer.byteLength(name) <= 200)
        assert.ok(mediaTypes[type].extensions.some((extension) => name.endsWith(`.${extension}`)))
        assert.ok(!/^(con|nul|aux|prn)(\.|$)/i.test(name))
        assert.equal(cleanFilename(name, type), name)
        assert.ok(mediaPath({ id: 'a', hash: '0123456789', filename: name }).length < 700)
      }),
      { numRuns: 300, seed: 43 },
    )
  })
})

test('a folder is names with one slash between them', () => {
  for (const [given, kept] of [
    ['', ''],
    ['/', ''],
    [' a / b ', 'a/b'],
    ['//a//b//', 'a/b'],
    ['Presse & Fotos', 'Presse & Fotos'],
  ] as const)
    assert.equal(folderName.parse(given), kept)
  for (const given of ['..', 'a/./b', 'a\\b', 'a\nb', 'a\u0000', 'x'.repeat(201), Array(11).fill('a').join('/'), 7])
    assert.equal(folderName.safeParse(given).success, false)
})

test('every type belongs to a group, and drawings are no pixels', () => {
  assert.deepEqual(typesOfGroup('audio'), ['audio/mpeg'])
  assert.equal(typesOfGroup('image').length, 6)
  assert.equal(mediaTypes['image/svg+xml'].isRaster, false)
  assert.equal(isMediaType('toString'), false)
})

test('the query of a file takes nothing but the five members', () => {
  assert.deepEqual(renditionQuery.parse({}), {})
  assert.deepEqual(renditionQuery.parse({ w: '320', fm: 'webp', q: '90' }), { w: 320, fm: 'webp', q: '90' })
  for (const query of [{ w: '0' }, { w: '1e3' }, { w: ['1', '2'] }, { q: '80' }, { fit: 'inside' }, { x: '1' }])
    assert.equal(renditionQuery.safeParse(query).success, false)
})
