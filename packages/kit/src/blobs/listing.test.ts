import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
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

test('any text ends with a listing (500 random ones)', () => {
  const unit = fc.constantFrom(
    '<Contents>',
    '<Key>',
    '</Key>',
    '<Size>1</Size>',
    '&',
    '&#9999999;',
    '&#xfffff;',
    '<',
    'é',
    'a',
  )
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      parseListing(page(text))
    }),
    { seed: 31, numRuns: 500 },
  )
})
