import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastWorkMs } from '@stoa/tests/lib/work.ts'
import { isFresh, strongEtag, versionEtag, versionsOfIfMatch } from './etag.ts'

test('a strong validator is quoted and differs when the bytes do', () => {
  assert.match(strongEtag('a'), /^"[\w-]{20,}"$/)
  assert.equal(strongEtag('é'), strongEtag(Buffer.from('é')))
  assert.notEqual(strongEtag('a'), strongEtag('b'))
})

test('the version in If-Match is read back exactly, and only in our own spelling', () => {
  for (const version of [0, 1, 42, 999_999_999_999_999]) {
    assert.deepEqual(versionsOfIfMatch(versionEtag(version)), [version])
    assert.deepEqual(versionsOfIfMatch(` ${versionEtag(version)} `), [version])
  }
  assert.equal(versionsOfIfMatch(undefined), undefined)
  for (const any of ['*', ' * ']) assert.equal(versionsOfIfMatch(any), 'any')
  for (const other of [
    '',
    'v1',
    '"v1',
    '"1"',
    '"v-1"',
    '"v1.5"',
    '"v01"',
    '"v1e3"',
    '"v"',
    'W/"v1"',
    '"V1"',
    '"v1234567890123456"',
    '"v１"',
  ])
    assert.deepEqual(versionsOfIfMatch(other), [], other)
})

test('If-Match may name several versions; weak ones and those of others do not count', () => {
  assert.deepEqual(versionsOfIfMatch('"v1", "v2"'), [1, 2])
  assert.deepEqual(versionsOfIfMatch('"x,y",W/"v1","v7" , *, "v8'), [7])
  assert.deepEqual(versionsOfIfMatch('"v1""v2"'), [])
})

test('If-None-Match is compared weakly, against a list or anything at all', () => {
  assert.equal(isFresh('"v1"', '"v1"'), true)
  assert.equal(isFresh('W/"v1"', '"v1"'), true)
  assert.equal(isFresh('"v0", W/"v1"', '"v1"'), true)
  assert.equal(isFresh('*', '"v1"'), true)
  for (const header of [undefined, '', '"v10"', '"v1', 'v1', 'w/"v1"', 'W/ "v1"', '"v1"x'])
    assert.equal(isFresh(header, '"v1"'), false)
})

test('a long list of validators takes no longer than its length', () => {
  const look = () => assert.equal(isFresh(`${'W/"a",'.repeat(100_000)}"b"`, '"b"'), true)
  assert.ok(leastWorkMs(look, { enough: 2_000 }) < 2_000)
})
