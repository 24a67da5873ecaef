import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mediaAddress, mediaIdsIn } from './media-address.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const OTHER = '01890a5d-ac96-774b-bcce-b302099a8058'
const PATH = `/media/${ID}/0123abcd/a%20b.png`

describe('the address of a file', () => {
  for (const [where, text] of Object.entries({
    'a picture of Markdown': `![a](${PATH} "t")`,
    'a link of Markdown': `see [it](https://cms.test${PATH}?w=640&fm=webp).`,
    'a link in angle brackets': `[it](<${PATH}>)`,
    'an automatic link': `<https://cms.test${PATH}>`,
    'a definition of a link': `[it][1]\n\n[1]: ${PATH}`,
    'HTML inside of Markdown': `<video controls><source src='${PATH}'></video>`,
    'a list of sizes': `<img srcset="${PATH}?w=320 320w, ${PATH}?w=640 640w">`,
    'a style': `<div style="background:url(${PATH})">`,
    'another host': `https://cdn.example.org${PATH}`,
    'a query of another address': `/_next/image?url=${encodeURIComponent(`https://cms.test${PATH}`)}&w=64`,
    'capital letters': PATH.replace(ID, ID.toUpperCase()),
    backslashes: PATH.replaceAll('-', '\\-'),
    'references to characters': PATH.replaceAll('/', '&#47;').replaceAll('-', '&#x2d;'),
    JSON: JSON.stringify({ src: PATH }).replaceAll('/', '\\/'),
  }))
    test(`is seen in ${where}`, () => assert.deepEqual(mediaIdsIn(text), [ID]))

  test('each file is reported once', () => {
    assert.deepEqual(mediaIdsIn(`${PATH} ${PATH} ${PATH.replace(ID, OTHER)}`), [ID, OTHER])
  })

  test('is nothing less', () => {
    for (const text of [
      ID,
      `/media/${ID}`,
      `/media/${ID}/0123abcd`,
      `/media/${ID}/0123abcd/`,
      `/files/${ID}/0123abcd/a`,
    ])
      assert.deepEqual(mediaIdsIn(text), [], text)
  })

  test('alone leads to a file and its path', () => {
    for (const address of [PATH, `https://cms.test${PATH}`, `//cms.test${PATH}#t=9`, ` ${PATH.replace('%20', ' ')}`])
      assert.deepEqual(mediaAddress(address), { id: ID, path: PATH })
    for (const address of [
      `https://a.test/x${PATH}`,
      `javascript:1${PATH}`,
      `a${PATH}`,
      `https://a\\b${PATH}`,
      `${PATH}/../x`,
      `${PATH}"x`,
      '/media/x',
      '',
    ])
      assert.equal(mediaAddress(address), null, address)
  })

  test('is looked for in time that grows with the text', () => {
    for (const piece of ['/media/', `/media/${ID}/`, '&#', '%2', '\\', `/media/${ID}/0123abcd/`])
      assert.ok(mediaIdsIn(piece.repeat(Math.ceil(2_000_000 / piece.length))).length <= 1)
  })
})
