import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanHtml } from './clean.ts'
import { placeMediaUrls } from './media-urls.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const GONE = '01890a5d-ac96-774b-bcce-b302099a8058'
const place = (html: string) =>
  placeMediaUrls(html, (id) => (id === ID ? `https://cms.test/media/${ID}/new/a"b&c.png` : null))
const now = `https://cms.test/media/${ID}/new/a&quot;b&amp;c.png`

describe('pictures of the library in rich text', () => {
  test('have the address that the file has now, with the size that was asked for', () => {
    assert.equal(
      place(`<p><img src="/media/${ID}/old/a.png?w=640&amp;fm=webp" alt="x" data-media-id="${ID}"></p>`),
      `<p><img src="${now}?w=640&amp;fm=webp" alt="x" data-media-id="${ID}"></p>`,
    )
    assert.equal(place(`<img alt="x" data-media-id="${ID}">`), `<img src="${now}" alt="x" data-media-id="${ID}">`)
  })

  test('stay as they are when they are gone or of elsewhere, like all that is around them', () => {
    for (const html of [
      '',
      '<p>data-media-id</p>',
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
