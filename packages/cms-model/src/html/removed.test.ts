import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanHtml } from './clean.ts'
import { describeRemoved, removedFrom } from './removed.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const described = (html: string) => describeRemoved(removedFrom(html))

describe('what cleaning takes out', () => {
  for (const [html, ...words] of [
    [
      '<iframe src="https://example.com/a"></iframe><iframe src="https://example.com/b"></iframe>',
      '2 embeds from example.com',
    ],
    ['<iframe srcdoc="x"></iframe>', '1 embed'],
    ['<p style="color:red">a<span style="x">b</span></p><style>p{}</style>', 'inline styles'],
    ['<script>1</script><p onclick=x>a</p>', '2 scripts'],
    ['<video src="https://example.com/a.mp4"><source src=x></video>', '1 video that is not in the media library'],
    ['<audio src="/a.mp3"></audio>', '1 audio file that is not in the media library'],
    ['<img src="data:image/png,x"><img alt=a>', '2 images without a valid URL'],
    ['<a href="javascript:1">a</a><a name=b>b</a>', '1 link with an unsafe URL'],
    ['<form><input><textarea></textarea><button>x</button></form>', '3 form fields'],
    ['<svg><g><path/></g></svg><object data=x></object>', '1 inline drawing', '1 plug-in object'],
  ] as [string, ...string[]][])
    test(`is reported: ${words.join(', ')}`, () => {
      assert.deepEqual(described(html).sort(), words.sort())
      assert.deepEqual(described(cleanHtml(html) ?? ''), [])
    })

  test('is nothing where only the element around a text goes, or an address gets its other form', () => {
    for (const html of [
      '<div><section>a<font size=7>b</font></section></div><h1>c</h1><center>d</center>',
      '<iframe src="https://www.youtube.com/watch?v=dQw4w9WgXcQ"></iframe>',
      `<video data-media-id="${ID}"></video><img data-media-id="${ID}"><a data-entry-id="${ID}">a</a>`,
      '',
    ])
      assert.deepEqual(described(html), [], html)
  })

  test('is reported for very deep and very long markup, too', () => {
    assert.deepEqual(described(`${'<div>'.repeat(250)}<script></script>`), ['1 script'])
    assert.deepEqual(described('a'.repeat(1_048_577)), [])
  })
})
