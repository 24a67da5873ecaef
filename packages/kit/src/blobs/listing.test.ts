import assert from 'node:assert/strict'
import { test } from 'node:test'
import { XmlError } from '../xml.ts'
import { parseListing } from './listing.ts'

// The shape of AWS's documented ListObjectsV2 answer.
const page = (inner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>${inner}</ListBucketResult>`

test('keys, sizes and times are read, entities decoded', () => {
  const { objects, next } = parseListing(
    page(
      '<IsTruncated>false</IsTruncated>' +
        '<Contents><Key>a&amp;b&#60;&#x3e;</Key><LastModified>2009-10-12T17:50:30.000Z</LastModified><Size>434234</Size></Contents>' +
        '<Contents><Size>0</Size><Key>second</Key><LastModified>2009-10-12T17:50:31Z</LastModified></Contents>',
    ),
  )
  assert.deepEqual(objects, [
    { key: 'a&b<>', size: 434234, modifiedAt: new Date('2009-10-12T17:50:30Z') },
    { key: 'second', size: 0, modifiedAt: new Date('2009-10-12T17:50:31Z') },
  ])
  assert.equal(next, undefined)
})

test('the token of the next page counts only when there is one', () => {
  const token = '<NextContinuationToken>1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM=</NextContinuationToken>'
  assert.equal(
    parseListing(page(`<IsTruncated>true</IsTruncated>${token}`)).next,
    '1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM=',
  )
  assert.equal(parseListing(page(`<IsTruncated>false</IsTruncated>${token}`)).next, undefined)
})

test('objects without size or with a broken time are left out', () => {
  const { objects } = parseListing(
    page(
      '<Contents><Key>a</Key><LastModified>2009-10-12T17:50:30Z</LastModified></Contents>' +
        '<Contents><Key>b</Key><LastModified>yesterday</LastModified><Size>1</Size></Contents>',
    ),
  )
  assert.deepEqual(objects, [])
})

test('what is no XML is no listing, nor what is cut off', () => {
  for (const text of ['', 'Bad gateway', page('<Contents><Key>a</Key>'), page('').slice(0, -5)])
    assert.throws(() => parseListing(text), XmlError)
})

test('what one object says is not that of the next', () => {
  const whole = '<Contents><Key>a</Key><Size>1</Size><LastModified>2009-10-12T17:50:30Z</LastModified></Contents>'
  const { objects } = parseListing(page(`${whole}<Contents><Key>b</Key></Contents>`))
  assert.deepEqual(
    objects.map(({ key }) => key),
    ['a'],
  )
})
