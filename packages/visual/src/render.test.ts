import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { renderParts, renderVisual } from './render.ts'

const section = (id: string, more: object = {}) => ({ id, label: id, selector: `.${id}`, ...more })
/** Sections a to d, of which c keeps its place where it is written C. */
const define = (ids = 'abcd', fields: Record<string, string> = {}) => ({
  sections: [...ids].map((id) => section(id.toLowerCase(), id === id.toLowerCase() ? {} : { movable: false })),
  fields,
})
const layout = (order: string, hidden = '') => ({ order: [...order], hidden: [...hidden] })
const box = (id: string, content = id.toUpperCase()) => `<section class="${id}">${content}</section>`
const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((id) => box(id)) as [string, string, string, string]
/** A host in JavaScript has no type checker. */
const loosely = (...args: unknown[]): unknown => Reflect.apply(renderVisual, undefined, args)

describe('rule 1: what is wrong is ignored', () => {
  test('input that is no text, and a missing definition, change nothing', () => {
    for (const html of [undefined, null, 5, {}]) assert.equal(loosely(html, define(), layout('ba')), html)
    for (const definition of [undefined, null, 'x', 5, []])
      assert.equal(loosely(A + B, definition, layout('ba'), true), A + B)
  })

  test('a malformed layout is an empty one, and members of another kind are left out', () => {
    for (const broken of [undefined, null, 'x', 5, [], {}, { order: 'ba', hidden: 5 }, { order: { 0: 'b', 1: 'a' } }])
      assert.equal(loosely(A + B, define(), broken), A + B)
    assert.equal(loosely(A + B, define(), { order: [5, null, 'b', {}, 'a'], hidden: [5] }), B + A)
    assert.equal(renderVisual(A + B, define(), { order: ['b', 'a'] }), B + A)
    assert.equal(renderVisual(A + B, define(), { hidden: ['a'] }), B)
  })

  test('an id that is repeated in the order counts where it comes first', () => {
    assert.equal(renderVisual(A + B + C, define(), layout('cacbbc')), C + A + B)
  })

  test('malformed members of a definition are left out', () => {
    const sections = [
      null,
      5,
      'x',
      {},
      { id: 7, selector: '.a' },
      { id: 'a' },
      { id: '', selector: '.b' },
      section('b'),
    ]
    assert.equal(loosely(A + B, { sections, fields: ['.a'] }, layout('', 'b')), A)
    assert.equal(
      loosely(A + B, { sections: 'x', fields: { x: 5, y: '.a' } }, null, true),
      A.replace(' ', ' data-cms-field="y" ') + B,
    )
    assert.equal(loosely(A + B, {}, layout('ba'), true), A + B)
  })
})

describe('rule 2: without an effect the page is returned as it is', () => {
  test('no known id means that the page is not even read', () => {
    const html = `${A}${B}`
    for (const useless of [layout(''), layout('xyz', 'xyz'), null])
      assert.equal(renderVisual(html, define(), useless), html)
  })

  test('an order that is there already changes no byte', () => {
    const html = `<P>x${A}\r\n${B}<br/>${C}`
    assert.equal(renderVisual(html, define(), layout('abc')), html)
    assert.equal(renderVisual(html, define('aBc'), layout('b')), html)
  })
})

describe('rule 3: a section is the first match that no earlier section has', () => {
  test('two sections with one selector take the first and the second match', () => {
    const definition = { sections: [section('x', { selector: 'i', movable: false }), section('y', { selector: 'i' })] }
    assert.equal(renderVisual('<i>1</i><i>2</i><i>3</i>', definition, layout('', 'y')), '<i>1</i><i>3</i>')
    assert.equal(renderVisual('<i>1</i><i>2</i><i>3</i>', definition, layout('', 'x')), '<i>2</i><i>3</i>')
  })

  test('the order of the definition decides, not that of the page', () => {
    const definition = { sections: [section('any', { selector: 'section' }), section('a')] }
    // `any` takes the element of `a`, and nothing is left for it.
    assert.equal(renderVisual(A + B, definition, layout('', 'a')), A + B)
    assert.equal(renderVisual(A + B, { sections: definition.sections.toReversed() }, { hidden: ['any'] }), A)
  })

  test('a selector that is none, or that finds nothing, makes a section absent', () => {
    for (const selector of ['', '  ', '>', '> .a', '.a:', '[', ':no-such', '.a::before', 'a|b', '.nowhere', 5])
      assert.equal(loosely(A + B, { sections: [section('a', { selector }), section('b')] }, layout('ba', 'a')), A + B)
  })

  test('a repeated id keeps the first definition', () => {
    const definition = { sections: [section('a'), section('a', { selector: '.b' })] }
    assert.equal(renderVisual(A + B, definition, layout('', 'a')), B)
    const broken = { sections: [section('a', { selector: '[' }), section('a', { selector: '.b' })] }
    assert.equal(renderVisual(A + B, broken, layout('', 'a')), A + B)
  })

  test('selectors find what a browser finds', () => {
    const html = '<main><DIV CLASS="Hero a"><IMG ALT=x></DIV><div class=b><p>x</div></main><div class=b id=c></div>'
    const finds: [string, string][] = [
      ['div', '<p>x'],
      ['DIV:has(> img[alt])', '<p>x'],
      ['main > .b:not(:has(img))', 'IMG'],
      [':is(.x, .b)', 'IMG'],
      ['#c', 'IMG'],
      ['div[class~=Hero]', '<p>x'],
    ]
    for (const [selector, kept] of finds) {
      const rendered = renderVisual(html, { sections: [section('s', { selector })] }, layout('', 's'))
      assert.ok(rendered !== html && rendered.includes(kept), `${selector}: ${rendered}`)
    }
    assert.equal(renderVisual(html, { sections: [section('s', { selector: '.hero' })] }, layout('', 's')), html)
  })
})

describe('rule 4: sections change places with their siblings only', () => {
  test('those that are not movable keep their places', () => {
    assert.equal(renderVisual(A + B + C, define('aBc'), layout('cba')), C + B + A)
    assert.equal(renderVisual(A + B + C, define('Abc'), layout('cba')), A + C + B)
  })

  test('sections of two parents stay with their parents', () => {
    const html = `<div>${A}${B}</div><div>${C}${D}</div>`
    assert.equal(renderVisual(html, define(), layout('dbca')), `<div>${B}${A}</div><div>${D}${C}</div>`)
  })
})

describe('rule 5: listed ones first, others behind their neighbours', () => {
  test('a new section stays behind the one that it was written behind', () => {
    const html = `1${A}2${B}3${D}4${C}5`
    assert.equal(renderVisual(html, define(), layout('cba')), `1${C}2${B}3${D}4${A}5`)
  })

  test('a new section that was the first stays the first', () => {
    assert.equal(renderVisual(D + A + B, define(), layout('ba')), D + B + A)
  })

  test('ids of other parents and unknown ones are skipped', () => {
    const html = `<div>${A}${B}</div><div>${C}</div>`
    assert.equal(renderVisual(html, define(), layout('zcbya')), `<div>${B}${A}</div><div>${C}</div>`)
  })
})

test('rule 6: what stands between sections stays there, byte for byte', () => {
  const html = `<main>\r\n\t${A} text &amp; <!-- ${B} -->${B}<hr>\r${C}\n\n</main>`
  assert.equal(
    renderVisual(html, define(), layout('cab')),
    `<main>\r\n\t${C} text &amp; <!-- ${B} -->${A}<hr>\r${B}\n\n</main>`,
  )
})

describe('rule 7: hidden sections', () => {
  test('are left out of the public page, and nothing around them', () => {
    assert.equal(renderVisual(`x ${A} y`, define(), layout('', 'a')), 'x  y')
    assert.equal(renderVisual(A + B, define('Ab'), layout('', 'a')), B)
    assert.equal(renderVisual(A + B, define(), layout('', 'xz')), A + B)
  })

  test('take part in the order', () => {
    assert.equal(renderVisual(`${A}-${B}+${C}`, define(), layout('cab', 'a')), `${C}-+${B}`)
  })

  test('stay while the page is edited, and are marked', () => {
    assert.equal(
      renderVisual('<i class=a>A</i>-<i class=b>B</i>', define(), layout('ba', 'a'), true),
      '<i data-cms-section="b" class=b>B</i>-<i data-cms-section="a" data-cms-hidden="" class=a>A</i>',
    )
  })
})

describe('rule 8: sections inside of sections', () => {
  const html = `${box('a', `[${C}|${D}]`)}-${B}`

  test('move with the outer one and in it', () => {
    assert.equal(renderVisual(html, define(), layout('badc')), `${B}-${box('a', `[${D}|${C}]`)}`)
  })

  test('disappear with it', () => {
    assert.equal(renderVisual(html, define(), layout('dcba', 'a')), `${B}-`)
    assert.equal(renderVisual(html, define(), layout('ba', 'c')), `${B}-${box('a', `[|${D}]`)}`)
  })

  test('may be nested in each other as deep as there are sections', () => {
    const ids = Array.from({ length: 200 }, (_, index) => `s${index}`)
    const pair = ids.reduceRight((inner, id) => `<div class=${id}>${inner}</div><i class=i${id}></i>`, 'x')
    const definition = { sections: [...ids, ...ids.map((id) => `i${id}`)].map((id) => section(id)) }
    const order = ids.flatMap((id) => [`i${id}`, id])
    const wanted = ids.reduceRight((inner, id) => `<i class=i${id}></i><div class=${id}>${inner}</div>`, 'x')
    assert.equal(renderVisual(pair, definition, { order }), wanted)
  })
})

describe('rule 9: malformed elements keep their places', () => {
  const isFixed = (html: string, id: string, order: string, ids = 'abcd'): void => {
    const edited = renderVisual(html, define(ids), layout(order), true)
    assert.match(edited, new RegExp(`data-cms-section="${id}"[^>]* data-cms-fixed=""`), edited)
  }

  test('an element without an end tag, and all that follow it among its siblings', () => {
    const html = '<ul><li class=a>A</li><li class=b>B</li><li class=c>C<li class=d>D</li></ul>'
    assert.equal(
      renderVisual(html, define(), layout('dcba')),
      '<ul><li class=b>B</li><li class=a>A</li><li class=c>C<li class=d>D</li></ul>',
    )
    isFixed(html, 'c', '')
    isFixed(html, 'd', '')
    const open = `<main>${A}<section class=b>B`
    assert.equal(renderVisual(open, define(), layout('ba')), open)
  })

  test('it can be hidden up to where the parser ends it', () => {
    assert.equal(
      renderVisual('<ul><li class=a>A<li class=b>B</ul>', define(), layout('', 'a')),
      '<ul><li class=b>B</ul>',
    )
    assert.equal(
      renderVisual('<div><p class=a>A<div class=b>B</div></div>', define(), layout('', 'a')),
      '<div><div class=b>B</div></div>',
    )
  })

  test('one that was put before its table', () => {
    const html = `<div><table>${A}<tr><td>1</td></tr></table>${B}</div>`
    assert.equal(renderVisual(html, define(), layout('ba')), html)
    isFixed(html, 'a', 'ba')
    assert.equal(renderVisual(html, define(), layout('', 'a')), html.replace(A, ''))
  })

  test('sections whose ranges overlap, as of tags that are nested wrongly', () => {
    const html = '<main><b class=a>1<div class=b>2</b>3</div></main>'
    assert.equal(renderVisual(html, define(), layout('ba')), html)
    isFixed(html, 'a', 'ba')
    isFixed(html, 'b', 'ba')
    assert.equal(renderVisual(html, define(), layout('', 'ab')), '<main></main>')
  })

  test('one behind the end of its parent', () => {
    const html = `<html><body>${A}</body>${B}</html>`
    assert.equal(renderVisual(html, define(), layout('ba')), html)
    isFixed(html, 'b', 'ba')
  })

  test('all of a page that would be read in another way afterwards', () => {
    // The start tag of the second link ends the first one; in its place, a button would get into it.
    const html = '<main><a href=1>1<a href=2 class=a>2</a><button class=b>3</button></main>'
    assert.equal(renderVisual(html, define(), layout('ba')), html)
    isFixed(html, 'a', 'ba')
    isFixed(html, 'b', 'ba')
  })

  test('not those of a page where something else is malformed', () => {
    const html = `<ul><li>1<li>2</ul><p>text<main>${A}${B}<b>`
    assert.equal(renderVisual(html, define(), layout('ba')), html.replace(A + B, B + A))
    assert.equal(renderVisual(`<p>text${A}${B}`, define(), layout('ba')), `<p>text${B}${A}`)
  })

  test('void and self-closing elements move', () => {
    assert.equal(renderVisual('<img class=a><hr class=b>', define(), layout('ba')), '<hr class=b><img class=a>')
    assert.equal(
      renderVisual('<svg><path class=a /><G class="b"/></svg>', define(), layout('ba')),
      '<svg><G class="b"/><path class=a /></svg>',
    )
    const open = '<svg><path class=a/><g class=b></g></svg>'
    assert.equal(
      renderVisual(open, { sections: [section('a', { selector: 'path' }), section('b')] }, layout('ba')),
      open,
    )
  })

  test('children of a body or a tbody that nobody wrote move', () => {
    assert.equal(renderVisual(A + B, define(), layout('ba')), B + A)
    const row = (id: string) => `<tr class=${id}><td>${id}</td></tr>`
    assert.equal(
      renderVisual(`<table>${row('a')}${row('b')}</table>`, define(), layout('ba')),
      `<table>${row('b')}${row('a')}</table>`,
    )
  })

  test('elements that nobody wrote are not found', () => {
    const definition = {
      sections: [section('s', { selector: 'body, html, head, tbody' })],
      fields: { f: 'body, tbody' },
    }
    const html = '<table><tr><td>1</td></tr></table>'
    assert.equal(renderVisual(html, definition, layout('', 's')), html)
    assert.equal(renderVisual(html, definition, null, true), html)
  })

  test('nothing is looked for in templates, noscript, text areas and comments', () => {
    for (const html of [
      `<template>${A}</template>`,
      `<noscript>${A}</noscript>`,
      `<head><noscript>${A}</noscript></head>`,
      `<textarea>${A}</textarea>`,
      `<!-- ${A} -->`,
      `<script>"${A}"</script>`,
      `<iframe>${A}</iframe>`,
      `<title>${A}</title>`,
    ]) {
      assert.equal(renderVisual(html, define(), layout('', 'a')), html)
      assert.equal(renderVisual(html, define('a', { f: '.a' }), null, true), html)
    }
  })
})

describe('rule 10: the attributes for editing', () => {
  const edit = (html: string, fields: Record<string, string> = {}, order = '', hidden = '', ids = 'abcd') =>
    renderVisual(html, define(ids, fields), layout(order, hidden), true)

  test('come right after the name of the tag, in one order', () => {
    assert.equal(
      edit('<section class="a" id=x>1</section>', { one: '#x', two: '.a' }, '', 'a', 'A'),
      '<section data-cms-section="a" data-cms-field="one two" data-cms-hidden="" data-cms-fixed="" class="a" id=x>1</section>',
    )
  })

  test('every element that shows a field gets its key', () => {
    assert.equal(
      edit('<h1>1</h1><p>2</p><h1>3</h1>', { $title: 'h1', text: 'p, h1' }),
      '<h1 data-cms-field="$title text">1</h1><p data-cms-field="text">2</p><h1 data-cms-field="$title text">3</h1>',
    )
  })

  test('are written into tags of any kind', () => {
    for (const [html, wanted] of [
      ['<H1>x</H1>', '<H1 data-cms-field="f">x</H1>'],
      ['<br/>', '<br data-cms-field="f"/>'],
      ['<br\r\n/>', '<br data-cms-field="f"\r\n/>'],
      ['<image src=x>', '<image data-cms-field="f" src=x>'],
      ['<svg><circle r=1/></svg>', '<svg data-cms-field="f"><circle data-cms-field="f" r=1/></svg>'],
      ['<math><mi/></math>', '<math data-cms-field="f"><mi data-cms-field="f"/></math>'],
      ['<x-y.z:é>x</x-y.z:é>', '<x-y.z:é data-cms-field="f">x</x-y.z:é>'],
    ] as const)
      assert.equal(edit(html, { f: '*' }), wanted)
  })

  test('markup of the page cannot pretend to be ours: the value is replaced', () => {
    for (const attribute of [
      'data-cms-section',
      'data-cms-section=x',
      'data-cms-section="x"',
      "data-cms-section = 'x'",
      'data-cms-section=\r\n"x>"',
    ]) {
      const html = `<i title="1"${attribute} class="a">1</i>`
      assert.equal(edit(html), '<i title="1"data-cms-section="a" class="a">1</i>', attribute)
    }
    assert.equal(edit('<i DATA-CMS-SECTION=x class=a>1</i>'), '<i DATA-CMS-SECTION="a" class=a>1</i>')
    assert.equal(
      edit('<i data-cms-section=x data-cms-section=y class=a>1</i>'),
      '<i data-cms-section="a" data-cms-section=y class=a>1</i>',
    )
    assert.equal(
      edit('<i data-cms-hidden=no data-cms-field class=a>1</i>', { f: 'i' }, '', 'a'),
      '<i data-cms-section="a" data-cms-hidden="" data-cms-field="f" class=a>1</i>',
    )
  })

  test('undeclared elements keep what they say', () => {
    const html = '<p data-cms-section="x" data-cms-field="y">1</p>'
    assert.equal(edit(html), html)
  })

  test('values cannot leave their attributes', () => {
    const definition = { sections: [section('a"><script>&', { selector: '.a' })], fields: { 'x"<&': '.a' } }
    assert.equal(
      renderVisual('<i class=a></i>', definition, null, true),
      '<i data-cms-section="a&quot;>&lt;script>&amp;" data-cms-field="x&quot;&lt;&amp;" class=a></i>',
    )
  })

  test('an element that the parser repeats is marked once, where it is written', () => {
    assert.equal(edit('<p><b>1<p>2</b>', { f: 'b' }), '<p><b data-cms-field="f">1<p>2</b>')
  })
})

describe('rule 11: rendering again changes nothing', () => {
  const html = `<main>${A}<ul><li class=b>1<li class=c>2</ul><p>${D}</main>`
  for (const editing of [false, true])
    test(editing ? 'while editing' : 'in public', () => {
      const definition = define('aBcd', { f: 'li, p', g: 'section' })
      const once = renderVisual(html, definition, layout('dcba', 'ac'), editing)
      assert.notEqual(once, html)
      assert.equal(renderVisual(once, definition, layout('dcba', 'ac'), editing), once)
    })
})

test('rule 12: an error of ours is logged once, and the page stays as it was', () => {
  const { mock: logged } = mock.method(console, 'error', () => undefined)
  const broken = {
    get sections(): never {
      throw new Error('a getter of the host')
    },
  }
  assert.equal(renderVisual(A + B, broken, layout('ba')), A + B)
  assert.equal(loosely(A + B, broken, layout('ba'), true), A + B)
  assert.equal(logged.callCount(), 1)
  logged.restore()
})

test('rule 13: the public page has no attributes of ours, and keeps those it has', () => {
  const html = `<p data-cms-section="x">${A}<i class=b data-cms-hidden>B</i></p>`
  assert.equal(renderVisual(A + B, define('ab', { f: '.a' }), layout('ba')), B + A)
  assert.equal(renderVisual(html, define('ab', { f: '.a' }), layout('ab')), html)
})

test('rule 14: quotes, entities, case, line ends and odd characters stay as they are', () => {
  const odd = `<I CLASS='a'\r\nTitle="&quot;&nosuch;é😀"\rx=1/>&lt;\0\r\n\r<BR/></I\r\n>`
  const html = `\ufeff<!DOCTYPE html>\r\n<Main\r>${odd}\r${B}</Main>`
  assert.equal(renderVisual(html, define(), layout('ba')), `\ufeff<!DOCTYPE html>\r\n<Main\r>${B}\r${odd}</Main>`)
})

describe('website parts', () => {
  const part = (id: string, selector: string) => ({ id, selector })
  const website = { parts: [part('nav', 'nav'), part('links', 'nav a, footer a'), part('all', 'nav, .x')] }

  test('every match of every part is marked', () => {
    assert.equal(
      renderParts('<nav><a href=1>1</a></nav><footer><A>2</A></footer>', website),
      '<nav data-cms-part="nav all"><a data-cms-part="links" href=1>1</a></nav><footer><A data-cms-part="links">2</A></footer>',
    )
  })

  test('marking again changes nothing, and values of the page are replaced', () => {
    const once = renderParts('<nav data-cms-part=x>1</nav><nav>2</nav>', website)
    assert.equal(once, '<nav data-cms-part="nav all">1</nav><nav data-cms-part="nav all">2</nav>')
    assert.equal(renderParts(once, website), once)
  })

  test('sections and fields keep their marks, whichever comes first', () => {
    const definition = { sections: [section('s', { selector: 'nav' })], fields: { f: 'a' } }
    const page = '<nav><a>1</a></nav>'
    const both = renderParts(renderVisual(page, definition, null, true), website)
    assert.equal(
      both,
      '<nav data-cms-part="nav all" data-cms-section="s"><a data-cms-part="links" data-cms-field="f">1</a></nav>',
    )
    assert.equal(renderVisual(both, definition, null, true), both)
  })

  test('what is wrong is ignored', () => {
    const loose = (...args: unknown[]): unknown => Reflect.apply(renderParts, undefined, args)
    for (const wrong of [null, undefined, 5, {}, { parts: 5 }, { parts: [null, { id: 'x' }, part('y', '[')] }])
      assert.equal(loose('<nav>1</nav>', wrong), '<nav>1</nav>')
    assert.equal(loose(5, website), 5)
  })
})
