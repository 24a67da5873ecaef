import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanHtml } from './clean.ts'
import { placeAddresses } from './place-addresses.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const GONE = '01890a5d-ac96-774b-bcce-b302099a8058'
const BARE = '01890a5d-ac96-774b-bcce-b302099a8059'
const place = (html: string) =>
  placeAddresses(html, {
    media: (id) => (id === ID ? `https://cms.test/media/${ID}/new/a"b&c.png` : null),
    entry: (id) => (id === ID ? 'https://site.test/a?b&"c' : id === BARE ? null : undefined),
  })
const now = `https://cms.test/media/${ID}/new/a&quot;b&amp;c.png`

describe('files of the library in rich text', () => {
  test('have the address that the file has now, with the size that was asked for', () => {
    assert.equal(
      place(`<p><img src="/media/${ID}/old/a.png?w=640&amp;fm=webp" alt="x" data-media-id="${ID}"></p>`),
      `<p><img src="${now}?w=640&amp;fm=webp" alt="x" data-media-id="${ID}"></p>`,
    )
    assert.equal(place(`<img alt="x" data-media-id="${ID}">`), `<img src="${now}" alt="x" data-media-id="${ID}">`)
    for (const tag of ['video', 'audio'])
      assert.equal(
        place(`<${tag} src="/media/${ID}/old/a.mp4" data-media-id="${ID}" controls=""></${tag}>`),
        `<${tag} src="${now}" data-media-id="${ID}" controls=""></${tag}>`,
      )
  })

  test('stay as they are when they are gone or of elsewhere, like all that is around them', () => {
    for (const html of [
      '',
      '<p>data-media-id data-entry-id</p>',
      `<p><img src="/media/${GONE}/old/a.png" alt="x" data-media-id="${GONE}"></p>`,
      `<p title="x"><img src="https://elsewhere.test/a.png?w=1" alt="data-media-id"></p>`,
    ])
      assert.equal(place(html), html)
  })

  test('an address of elsewhere gives its query to nobody', () => {
    assert.equal(
      place(`<img src="https://elsewhere.test/a.png?w=1" alt="" data-media-id="${ID}">`),
      `<img src="${now}" alt="" data-media-id="${ID}">`,
    )
  })

  test('stay clean', () => {
    const placed = place(cleanHtml(`<img src="/a.png" alt="&quot;&gt;<" data-media-id="${ID}">`) ?? '')
    assert.equal(cleanHtml(placed), placed)
  })
})

describe('links to entries in rich text', () => {
  test('lead to where the entry is now, with the rest of their attributes', () => {
    const href = 'https://site.test/a?b&amp;&quot;c'
    assert.equal(
      place(`<p>a <a href="/old" data-entry-id="${ID}" title="t">b <em>c</em></a> <a href="/x">d</a></p>`),
      `<p>a <a href="${href}" data-entry-id="${ID}" title="t">b <em>c</em></a> <a href="/x">d</a></p>`,
    )
    assert.equal(place(`<a data-entry-id="${ID}">b</a>`), `<a href="${href}" data-entry-id="${ID}">b</a>`)
  })

  test('to what cannot be reached are unwrapped', () => {
    assert.equal(
      place(`<p><a href="/old" data-entry-id="${GONE}">b <em>c</em></a> <a data-entry-id="${ID}">d</a></p>`),
      `<p>b <em>c</em> <a href="https://site.test/a?b&amp;&quot;c" data-entry-id="${ID}">d</a></p>`,
    )
  })

  test('to what is shown nowhere keep the address they were saved with, if any', () => {
    const kept = `<p><a href="/old" data-entry-id="${BARE}">b</a></p>`
    assert.equal(place(kept), kept)
    assert.equal(place(`<p><a data-entry-id="${BARE}">b</a></p>`), '<p>b</p>')
  })

  test('stay clean', () => {
    for (const id of [ID, GONE, BARE]) {
      const placed = place(cleanHtml(`<b>x<a href="/a" data-entry-id="${id}">y<i>z</i></a></b>`) ?? '')
      assert.equal(cleanHtml(placed), placed)
    }
  })
})
