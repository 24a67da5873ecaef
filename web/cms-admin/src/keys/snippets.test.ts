import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeTypes } from '../types/scope.ts'
import { clientExample, curlExample, envExample, examplePath } from './snippets.ts'

describe('examples of a delivery key', () => {
  test('read a type that the key reaches', () => {
    assert.equal(examplePath(['*'], ['article', 'page']), '/content/article')
    assert.equal(examplePath(['page'], ['article', 'page']), '/content/page')
    assert.equal(examplePath(['*'], []), '/content')
  })

  test('hold the address and, for the shell, the key', () => {
    assert.equal(
      curlExample('https://cms.example.com', '/content/page', 'cms_abc'),
      `curl 'https://cms.example.com/content/page' \\\n  -H "x-api-key: cms_abc"`,
    )
    assert.equal(
      envExample('https://cms.example.com', 'cms_abc'),
      'CMS_URL=https://cms.example.com\nCMS_API_KEY=cms_abc',
    )
    const code = clientExample('https://cms.example.com', '/content/page')
    assert.match(code, /cms\.list\('page'/)
    assert.match(clientExample('https://cms.example.com', '/content'), /cms\.types\(\)/)
  })

  test('never hold the key in code', () => {
    assert.doesNotMatch(clientExample('https://cms.example.com', '/content/page'), /cms_/)
  })
})

describe('type scopes in words', () => {
  test('name at most three', () => {
    assert.equal(describeTypes(['*']), 'All types')
    assert.equal(describeTypes([]), 'No types')
    assert.equal(describeTypes(['a', 'b', 'c']), 'a, b, c')
    assert.equal(describeTypes(['a', 'b', 'c', 'd', 'e']), 'a, b, c and 2 more')
  })
})
