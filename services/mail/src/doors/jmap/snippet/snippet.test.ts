import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { findMatches } from '../../../store/search/highlight.ts'
import type { Answer } from '../testing/client.ts'
import { type GroundMailbox, type JmapGround, startJmap } from '../testing/ground.ts'
import { markAll, markPreview } from './highlight.ts'

describe('marks', () => {
  const marked = (text: string, ...wanted: string[]) => markAll(text, findMatches(text, wanted))

  test('stand around words by the rules of searching', () => {
    assert.equal(marked('Financial Report', 'financial'), '<mark>Financial</mark> Report')
    assert.equal(marked('Über <b> & Crème', 'uber creme'), '<mark>Über</mark> &lt;b&gt; &amp; <mark>Crème</mark>')
    assert.equal(marked('Foosball foo', 'foo'), 'Foosball <mark>foo</mark>')
    assert.equal(marked('Foosball', 'foo*'), '<mark>Foosball</mark>')
    assert.equal(marked('東京都の天気', '東京都'), '<mark>東京都</mark>の天気')
    assert.equal(marked('nothing', 'x'), 'nothing')
  })

  test('a preview is short, HTML-escaped, and has its match', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 600 })
    fc.assert(
      fc.property(
        anything,
        anything,
        fc.constantFrom('needle', 'ü'.repeat(200), 'n'.repeat(400)),
        (before, after, word) => {
          const text = `${before} ${word} ${after}`.toWellFormed().replace(/\s+/g, ' ').trim()
          const preview = markPreview(text, findMatches(text, [word]))
          assert.ok(Buffer.byteLength(preview) <= 255)
          assert.ok(preview.includes('<mark>') && preview.includes('</mark>'))
          assert.equal(/<(?!\/?mark>)/.test(preview), false)
          assert.equal(preview.toWellFormed(), preview)
        },
      ),
      { seed: 20260301, numRuns: 500 },
    )
  })
})

describe('SearchSnippet/get', () => {
  let ground: JmapGround
  let box: GroundMailbox
  const ids: string[] = []
  before(async () => {
    ground = await startJmap()
    box = ground.ann
    const filler = 'Lorem ipsum dolor sit amet. '.repeat(20)
    const mails = [
      { subject: 'Meeting <tomorrow>', text: `${filler} Bring the xylophone & drums. ${filler}` },
      { subject: 'A xylophone', text: 'Nothing here' },
      {
        raw: 'From: a@example.org\r\nSubject: HTML\r\nContent-Type: text/html\r\n\r\n<style>x{}</style><p>The <b>xylo</b>phone</p>',
      },
      { subject: 'Nothing', text: 'at all' },
    ]
    for (const mail of mails) ids.push((await ground.add(box, mail)).messageId)
  })
  after(() => ground.close())

  const snippets = async (filter: unknown): Promise<Answer[]> =>
    (await box.client.one('SearchSnippet/get', { accountId: box.accountId, emailIds: ids, filter })).list

  test('shows where a text is in subject and body; null where it is not', async () => {
    const list = await snippets({ text: 'xylophone' })
    assert.deepEqual(
      list.map(({ emailId }) => emailId),
      ids,
    )
    assert.equal(list[0].subject, null)
    assert.match(list[0].preview, /^….{20,} Bring the <mark>xylophone<\/mark> &amp; drums\. .*…$/)
    assert.deepEqual([list[1].subject, list[1].preview], ['A <mark>xylophone</mark>', null])
    assert.deepEqual([list[2].subject, list[2].preview], [null, 'The <mark>xylophone</mark>'])
    assert.deepEqual([list[3].subject, list[3].preview], [null, null])
  })

  test('looks only where the filter looks, and never for what must not be there', async () => {
    const [one, two] = await snippets({ subject: 'xylophone meeting' })
    assert.deepEqual([one.subject, one.preview], ['<mark>Meeting</mark> &lt;tomorrow&gt;', null])
    assert.equal(two.subject, 'A <mark>xylophone</mark>')
    for (const filter of [
      null,
      {},
      { hasKeyword: 'xylophone' },
      { operator: 'NOT', conditions: [{ text: 'xylophone' }] },
    ])
      for (const snippet of await snippets(filter)) assert.deepEqual([snippet.subject, snippet.preview], [null, null])
    const either = await snippets({ operator: 'OR', conditions: [{ body: '"the xylophone"' }, { subject: 'nothing' }] })
    assert.match(either[0].preview, /<mark>the<\/mark> <mark>xylophone<\/mark>/i)
    assert.equal(either[3].subject, '<mark>Nothing</mark>')
  })

  test('returns which messages are not there', async () => {
    const { accountId, client } = box
    const answer = await client.one('SearchSnippet/get', {
      accountId,
      emailIds: ['nonexistent-email-xyz'],
      filter: { text: 'x' },
    })
    assert.deepEqual(answer, { accountId, list: [], notFound: ['nonexistent-email-xyz'] })
    assert.equal((await client.one('SearchSnippet/get', { accountId, emailIds: ids, filter: null })).notFound, null)
    const error = (args: Record<string, unknown>) => client.error('SearchSnippet/get', { accountId, ...args })
    assert.equal(await error({ filter: null }), 'invalidArguments')
    assert.equal(await error({ emailIds: ids, filter: { nothing: 1 } }), 'unsupportedFilter')
    assert.equal(await error({ emailIds: Array.from({ length: 501 }, (_, index) => `x${index}`) }), 'requestTooLarge')
  })
})
