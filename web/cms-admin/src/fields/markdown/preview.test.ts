import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderMarkdown } from './preview.ts'

describe('the preview of Markdown', () => {
  test('knows tables, tasks, strikethrough and addresses', () => {
    assert.equal(
      renderMarkdown('# One\n\n~~old~~ www.example.com\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- [x] done\n- [ ] open'),
      '<h2>One</h2><p><s>old</s> <a target="_blank" rel="noreferrer" href="http://www.example.com">www.example.com</a></p>' +
        '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>' +
        '<ul><li>☑ done</li><li>☐ open</li></ul>',
    )
  })

  test('HTML in the source is shown as text, and nothing active is left', () => {
    const html = renderMarkdown(
      '<script>alert(1)</script>\n\n<b>x</b> [a](javascript:alert(1)) ![b](data:image/png;base64,AA)',
    )
    assert.match(html, /&lt;script&gt;/)
    assert.match(html, /&lt;b&gt;x/)
    assert.doesNotMatch(html, /<script|<b>|javascript:|data:/)
  })

  test('files of the library are shown from this service', () => {
    const id = '0190a0a0-0000-7000-8000-0000000000aa'
    assert.equal(
      renderMarkdown(`![a](https://www.example.com/media/${id}/0123abcd/a.png)`),
      `<p><img src="/media/${id}/0123abcd/a.png" alt="a"></p>`,
    )
  })
})
