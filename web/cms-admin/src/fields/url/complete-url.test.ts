import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeUrl, openableUrl } from './complete-url.ts'

const web = ['http', 'https', 'relative']

test('an address without its beginning is completed, and nothing else is touched', () => {
  assert.equal(completeUrl('example.com/a', web), 'https://example.com/a')
  assert.equal(completeUrl('www.example.com', ['http']), 'http://www.example.com')
  assert.equal(completeUrl(' https://example.com ', web), 'https://example.com')
  for (const text of ['', '/about', 'about', 'javascript:alert(1)', 'two words.com', 'mailto:a@b.de'])
    assert.equal(completeUrl(text, web), text)
  assert.equal(completeUrl('example.com', ['mailto']), 'example.com')
})

test('only right addresses of the web can be opened', () => {
  assert.equal(openableUrl('https://example.com', web), 'https://example.com')
  for (const text of ['/about', 'javascript:alert(1)', 'https://', 'http://example.com'])
    assert.equal(openableUrl(text, ['https', 'relative']), undefined)
})
