import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cleanPaste } from '../richtext/paste.ts'
import { markdownOf, saysMore } from './from-html.ts'

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', 'richtext', 'fixtures', `${name}.html.txt`), 'utf8')

describe('HTML as Markdown', () => {
  test('a document of Google Docs', () => {
    assert.equal(
      markdownOf(cleanPaste(fixture('google-docs'))?.html ?? ''),
      [
        '## A day out',
        'Take the **early** *ferry* ~~train~~ from [the harbour](https://example.com/harbour?x=1), E=mc2 now.',
        '-   Bread\n    -   dark\n        -   very dark\n-   Water',
        '2.  Second',
        '### Costs',
        '| Ferry | **12** |\n| --- | --- |',
        '![The ferry](#pasted-0)',
      ].join('\n\n'),
    )
  })

  test('tables have their head, code its language', () => {
    assert.equal(
      markdownOf(
        '<table><thead><tr><th>a</th><th>b|c</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>' +
          '<pre><code class="language-ts">const a = 1\n</code></pre>',
      ),
      '| a | b\\|c |\n| --- | --- |\n| 1 | 2 |\n\n```ts\nconst a = 1\n```',
    )
  })

  test('plain lines are no formatting', () => {
    assert.equal(saysMore('<p>one</p><p>two<br>three</p>'), false)
    assert.equal(saysMore('<p>one <strong>two</strong></p>'), true)
  })
})
