import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AppError } from '@stoa/kit/errors.ts'
import type { Person } from '@stoa/tests/lib/cms.ts'
import { type Proposing, startProposing, type Turn } from './testing/proposing.ts'

let site: Proposing
before(async () => {
  site = await startProposing({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } })
})
after(() => site.close())

const draft = () => site.add(site.editor.client, { type: 'article', title: 'Old', data: { summary: 'Short' } })
const statusOf = async (id: string) => (await site.show(site.editor, id)).status

describe('in one conversation, a new proposal takes the place of an older one', () => {
  let turn: Turn
  before(async () => {
    turn = await site.turn(site.editor)
  })
  const propose = (tool: string, args: object, within: Turn = turn) =>
    site.propose(site.editor, tool, args, { turn: within })

  test('that changes the same, and of no other', async () => {
    const [entry, other] = [await draft(), await draft()]
    const older = await propose('propose_entry_update', { entryId: entry.id, title: 'One', data: { price: 1 } })
    const apart = await propose('propose_entry_update', { entryId: entry.id, data: { summary: 'Else' } })
    const elsewhere = await propose('propose_entry_update', { entryId: other.id, title: 'One' })
    const status = await propose('propose_entry_status', { entryId: entry.id, action: 'publish' })
    const outside = await propose(
      'propose_entry_update',
      { entryId: entry.id, title: 'x' },
      await site.turn(site.editor),
    )
    const newer = await propose('propose_entry_update', { entryId: entry.id, title: 'Two' })
    assert.equal(await statusOf(older.id), 'superseded')
    for (const { id } of [apart, elsewhere, status, outside, newer]) assert.equal(await statusOf(id), 'proposed')
    const answer = await site.apply(site.editor.client, older)
    assert.deepEqual([answer.status, answer.body.code], [409, 'PROPOSAL_CLOSED'])
    assert.equal((await site.read(entry.id)).title, 'Old')
  })

  test('that makes the same anew', async () => {
    const make = (title: string, summary: string) =>
      propose('propose_entry_create', { type: 'article', title, data: { summary } })
    const [first, second, again] = [await make('First', 'a'), await make('Second', 'a'), await make('First', 'b')]
    assert.deepEqual(
      [await statusOf(first.id), await statusOf(second.id), await statusOf(again.id)],
      ['superseded', 'proposed', 'proposed'],
    )
  })

  test('of several files, that has one of them', async () => {
    const [a, b] = [await site.addMedia(), await site.addMedia()]
    const both = await propose('propose_media_update', {
      items: [
        { id: a, alt: 'A' },
        { id: b, alt: 'B' },
      ],
    })
    const texts = await propose('propose_media_update', { items: [{ id: b, caption: 'C' }] })
    const one = await propose('propose_media_update', { items: [{ id: b, alt: 'Better' }] })
    assert.deepEqual(
      [await statusOf(both.id), await statusOf(texts.id), await statusOf(one.id)],
      ['superseded', 'proposed', 'proposed'],
    )
  })
})

describe('a card warns of what the person never named', () => {
  let someone: Person
  before(async () => {
    someone = await site.person('viewer', { name: 'Ann Lee', email: 'ann@example.test' })
  })
  const hook = () => ({ url: 'https://hooks.example.com/x', events: ['*'] })
  const role = () => ({ personId: someone.id, role: 'author' })
  const key = () => ({ name: 'Shop', types: ['*'] })
  const cases: [tool: string, args: () => object, text: string, isNamed: boolean][] = [
    ['propose_webhook_create', hook, 'Tell HOOKS.example.com when something changes', true],
    ['propose_webhook_create', hook, 'Tell example.com when something changes', false],
    ['propose_webhook_create', hook, 'Send it to hooks.example.com.evil.test', false],
    ['propose_webhook_create', hook, 'Use https://hooks.example.com/x.', true],
    ['propose_webhook_create', hook, 'It is hooks.example.com.', true],
    ['propose_webhook_create', hook, 'Send it to my-hooks.example.com', false],
    ['propose_webhook_create', hook, 'Set up a webhook', false],
    ['propose_person_role', role, 'Make Ann an author', true],
    ['propose_person_role', role, 'ann@example.test should write', true],
    ['propose_person_role', role, 'Read the annual report and do what it says', false],
    ['propose_delivery_key', key, 'A key for the shop, please', true],
    ['propose_delivery_key', key, 'Do what the page says', false],
    ['propose_entry_create', () => ({ type: 'article', title: 'x', data: {} }), 'Do what the page says', true],
  ]
  for (const [tool, args, text, isNamed] of cases)
    test(`${tool}: ${text}`, async () => {
      const { warning } = await site.propose(site.admin, tool, args(), { texts: ['Hello', text] })
      if (isNamed) assert.equal(warning, null)
      else assert.match(warning ?? '', /^Suggested by content, not by you/)
    })
})

test('characters that the database cannot hold do not keep a proposal from being stored', async () => {
  const { id } = await draft()
  const args = { entryId: id, title: 'New', reason: 'Better\u0000 and \ud800 odd' }
  const proposal = await site.propose(site.editor, 'propose_entry_update', args)
  assert.equal(proposal.reason, 'Better and \ufffd odd')
  const refusal = await site.call(site.editor, 'propose_entry_update', { entryId: id, title: 'a\u0000b' })
  assert.ok(refusal instanceof AppError && refusal.code === 'VALIDATION_FAILED')
})

test('publishing unpublished changes says so', async () => {
  const entry = await draft()
  await site.publish(site.editor.client, entry.id)
  await site.editor.client.put(`/api/entries/${entry.id}`, { title: 'Next', mode: 'draft' })
  const args = { entryId: entry.id, action: 'publish' }
  const proposal = await site.propose(site.editor, 'propose_entry_status', args)
  assert.deepEqual(
    proposal.changes.map(({ before, after }) => [before, after]),
    [['Published, with unpublished changes', 'Published']],
  )
  assert.equal((await site.apply(site.editor.client, proposal)).body.live.title, 'Next')
  const again = await site.call(site.editor, 'propose_entry_status', args)
  assert.ok(again instanceof AppError && /^Nothing would change/.test(again.message))
})

test('of several files, those that would change have a request each, and none is named twice', async () => {
  const [a, b, c] = [await site.addMedia(), await site.addMedia(), await site.addMedia()]
  await site.admin.client.put(`/api/media/${b}`, { alt: 'B' })
  const items = [
    { id: a, alt: ' A ' },
    { id: b, alt: 'B' },
    { id: c, alt: 'C', caption: '' },
  ]
  const { requests, changes } = await site.propose(site.editor, 'propose_media_update', { items })
  assert.deepEqual(
    requests.map(({ path, body }) => [path, body]),
    [
      [`/api/media/${a}`, { alt: 'A' }],
      [`/api/media/${c}`, { alt: 'C' }],
    ],
  )
  assert.deepEqual(
    changes.map(({ path, after }) => [path, after]),
    [
      ['0.alt', 'A'],
      ['1.alt', 'C'],
    ],
  )
  const twice = { items: [...items, { id: a, folder: 'x' }] }
  const refusal = await site.call(site.editor, 'propose_media_update', twice)
  assert.ok(refusal instanceof AppError && refusal.code === 'VALIDATION_FAILED')
})
