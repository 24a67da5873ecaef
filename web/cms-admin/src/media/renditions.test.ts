import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownPath, pictureSource, sizeFor } from './renditions.ts'

const sizes = [640, 320, 1280]
const picture = {
  url: 'https://cdn.example/media/1/abcd/a%20b.jpg',
  mimeType: 'image/jpeg',
  width: 4000,
  height: 3000,
}

describe('pictures in other sizes', () => {
  test('are the smallest that fill the place, or the largest there are', () => {
    assert.equal(sizeFor(1, sizes), 320)
    assert.equal(sizeFor(320, sizes), 320)
    assert.equal(sizeFor(321, sizes), 640)
    assert.equal(sizeFor(5000, sizes), 1280)
    assert.equal(sizeFor(100, []), undefined)
  })

  test('come from this service, whatever its public address', () => {
    assert.equal(ownPath(picture.url), '/media/1/abcd/a%20b.jpg')
    assert.equal(pictureSource(picture, 480, sizes), '/media/1/abcd/a%20b.jpg?w=640&fm=webp')
  })

  test('are the original where that is small enough or cannot be made smaller', () => {
    assert.equal(pictureSource({ ...picture, width: 600 }, 480, sizes), '/media/1/abcd/a%20b.jpg')
    assert.equal(pictureSource({ ...picture, mimeType: 'image/svg+xml' }, 480, sizes), '/media/1/abcd/a%20b.jpg')
    assert.equal(pictureSource(picture, 480, []), '/media/1/abcd/a%20b.jpg')
  })
})
