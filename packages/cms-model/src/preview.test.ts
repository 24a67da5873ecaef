import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewInput, withPreviewToken } from './preview.ts'

test('the token joins the query, in front of a fragment, and changes nothing else', () => {
  for (const [page, url] of [
    ['https://site.test/a', 'https://site.test/a?preview=t'],
    ['https://site.test/a?b=%20c', 'https://site.test/a?b=%20c&preview=t'],
    ['https://site.test/#/a/b', 'https://site.test/?preview=t#/a/b'],
    ['https://site.test/a?b=1#c?d#e', 'https://site.test/a?b=1&preview=t#c?d#e'],
  ] as const)
    assert.equal(withPreviewToken(page, 't'), url)
})

test('no body is a preview of what is saved, and unknown members are refused', () => {
  assert.deepEqual(previewInput.parse(undefined), {})
  assert.deepEqual(previewInput.parse({ title: 't', data: {} }), { title: 't', data: {} })
  for (const member of ['status', 'mode', 'version', 'autosave', 'locale'])
    assert.equal(previewInput.safeParse({ [member]: 1 }).success, false, member)
})
