import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFresh, strongEtag, versionEtag, versionOfIfMatch } from './etag.ts'

test('a strong validator is quoted and differs when the bytes do', () => {
  assert.match(strongEtag('a'), /^"[\w-]{20,}"$/)
  assert.equal(strongEtag('é'), strongEtag(Buffer.from('é')))
  assert.notEqual(strongEtag('a'), strongEtag('b'))
})

test('the version in If-Match is read back exactly, and only in our own spelling', () => {
  for (const version of [0, 1, 42, 999_999_999_999_999]) {
    assert.equal(versionOfIfMatch(versionEtag(version)), version)
    assert.equal(versionOfIfMatch(` ${versionEtag(version)} `), version)
  }
  assert.equal(versionOfIfMatch(undefined), undefined)
  for (const any of ['*', ' * ']) assert.equal(versionOfIfMatch(any), 'any')
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
    '"v1", "v2"',
    '"V1"',
    '"v1234567890123456"',
    '"v１"',
  ])
    assert.equal(versionOfIfMatch(other), 'other', other)
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
  const started = performance.now()
  assert.equal(isFresh(`${'W/"a",'.repeat(100_000)}"b"`, '"b"'), true)
  assert.ok(performance.now() - started < 2_000)
})
