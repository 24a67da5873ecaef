import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { renderParts, renderVisual } from './render.ts'

const definition = {
  sections: ['a', 'b'].map((id) => ({ id, label: id, selector: `.${id}` })),
  fields: { title: 'h1', deep: 'main .x' },
}
const layout = { order: ['b', 'a'], hidden: [] }
const [A, B] = ['<i class=a>A</i>', '<i class=b>B</i>']

/** All kinds of rendering, none of which may fail. */
const render = (html: string): void => {
  const { mock: logged } = mock.method(console, 'error', () => undefined)
  for (const editing of [false, true]) assert.equal(typeof renderVisual(html, definition, layout, editing), 'string')
  renderParts(html, { parts: [{ id: 'all', selector: '*' }] })
  assert.equal(logged.callCount(), 0)
  logged.restore()
}

describe('pages that want to break it', () => {
  test('five megabytes', () => {
    const text = `<p>${'harbour news '.repeat(100)}</p>\r\n`.repeat(3_900)
    assert.ok(text.length > 5_000_000)
    assert.equal(renderVisual(`${A}${text}${B}`, definition, layout), `${B}${text}${A}`)
  })

  test('a hundred thousand elements', () => {
    const many = '<b></b>'.repeat(100_000)
    assert.equal(renderVisual(`${A}${many}${B}`, definition, layout), `${B}${many}${A}`)
    const all = { sections: definition.sections, fields: { all: '*' } }
    const edited = renderVisual(`<main>${A}${many}${B}</main>`, all, layout, true)
    assert.equal(edited.split('data-cms-field="all"').length - 1, 100_003)
  })

  test('ten thousand elements inside of each other', () => {
    const [open, close] = ['<div class=x>'.repeat(10_000), '</div>'.repeat(10_000)]
    assert.equal(
      renderVisual(`<main>${open}${A}${B}${close}</main>`, definition, layout),
      `<main>${open}${B}${A}${close}</main>`,
    )
  })

  test('definitions that match everything, or nothing', () => {
    const every = { sections: definition.sections.map((one) => ({ ...one, selector: '*' })), fields: { all: '*' } }
    assert.equal(renderVisual('<p>1</p><p>2</p>', every, layout), '<p>2</p><p>1</p>')
    const none = { sections: definition.sections.map((one) => ({ ...one, selector: '.no' })), fields: { none: '.no' } }
    assert.equal(renderVisual(A + B, none, layout, true), A + B)
  })

  test('tags that never end, odd attributes and characters', () => {
    for (const html of [
      '',
      '<',
      '<i class=a',
      '<i class="a',
      `${A}<i class=b`,
      '<!',
      '<!--',
      '<i class=a =x ==y "=\'>',
      `<i ${'x '.repeat(2_000)}class=a>1</i>${B}`,
      '\0<i\0 class=a\0>',
      '\ud800<i class=a>\udc00</i>',
      '<plaintext class=a>',
      '<frameset class=a><frame class=b></frameset>',
      `<svg><foreignObject>${A}${B}</foreignObject></svg>`,
      `<math><annotation-xml encoding="text/html">${A}${B}</annotation-xml></math>`,
      `<table class=a><table class=b>`,
      `<a class=a><a class=b><a>`,
      `<form class=a><form class=b></form>`,
      `<select><option class=a><option class=b></select>`,
    ])
      render(html)
  })

  test('a definition that has been used for one page works for the next', () => {
    const has = { sections: [{ id: 'a', label: 'A', selector: 'p:has(b)' }] }
    for (const [html, shown] of [
      ['<p>1</p>', '<p>1</p>'],
      ['<p><b>1</b></p>', ''],
      ['<p>1</p><p><b></b></p>', '<p>1</p>'],
    ] as const)
      assert.equal(renderVisual(html, has, { hidden: ['a'] }), shown)
  })
})
