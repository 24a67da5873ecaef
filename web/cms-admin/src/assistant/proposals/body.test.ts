import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Proposal, ProposalChange } from '@stoa/cms-model/assistant.ts'
import { buildRequests, isEditable, isOptional } from './body.ts'

type ProposalRequest = Proposal['requests'][number]

const change = (path: string, after: unknown = 'new', more: Partial<ProposalChange> = {}): ProposalChange => ({
  path,
  label: path,
  fieldType: 'text',
  op: 'set',
  before: 'old',
  after,
  view: 'text',
  ...more,
})

const request = (body: ProposalRequest['body'], more: Partial<ProposalRequest> = {}): ProposalRequest => ({
  method: 'PUT',
  path: '/api/entries/1',
  body,
  version: 3,
  current: 3,
  done: false,
  ...more,
})

const proposalOf = (requests: ProposalRequest[], changes: ProposalChange[]): Proposal => ({
  id: 'p',
  conversationId: 'c',
  messageId: 'm',
  tool: 'propose_entry_update',
  title: 'Shorten the summary',
  reason: 'It is long',
  status: 'proposed',
  applicable: true,
  whyNot: null,
  stale: false,
  risk: 'edit',
  verb: 'Apply',
  warning: null,
  target: { kind: 'entry', id: '1', label: 'The harbour', screen: 'entry' },
  changes,
  requests,
  base: { kind: 'entry', id: '1', version: 3 },
  conflicts: [],
  edited: false,
  error: null,
  createdAt: '2026-11-17T10:00:00.000Z',
  appliedAt: null,
  expiresAt: '2026-11-24T10:00:00.000Z',
})

const entry = proposalOf(
  [request({ title: 'New title', data: { summary: 'Short', body: '<p>Long</p>' } })],
  [
    change('title', 'New title', { fieldType: null }),
    change('data.summary', 'Short', { fieldType: 'textarea' }),
    change('data.body', '<p>Long</p>', { fieldType: 'richtext', view: 'richtext' }),
  ],
)

const bodiesOf = (...args: Parameters<typeof buildRequests>) => buildRequests(...args).map(({ body }) => body)
const left = (...paths: string[]) => new Set(paths)

describe('what applying sends', () => {
  test('is all of it, with its version, when nothing is unticked', () => {
    assert.deepEqual(buildRequests(entry, { left: left(), edits: {} }), [
      {
        index: 0,
        method: 'PUT',
        path: '/api/entries/1',
        version: 3,
        body: { title: 'New title', data: { summary: 'Short', body: '<p>Long</p>' } },
      },
    ])
  })

  test('has no key that is unticked, and no empty shell around it', () => {
    assert.deepEqual(bodiesOf(entry, { left: left('data.summary'), edits: {} }), [
      { title: 'New title', data: { body: '<p>Long</p>' } },
    ])
    assert.deepEqual(bodiesOf(entry, { left: left('data.summary', 'data.body'), edits: {} }), [{ title: 'New title' }])
    assert.deepEqual(bodiesOf(entry, { left: left('title', 'data.summary', 'data.body'), edits: {} }), [])
  })

  test('never has a key that was not proposed, whatever is edited', () => {
    assert.deepEqual(
      bodiesOf(entry, { left: left('data.body'), edits: { 'data.summary': 'Mine', 'data.other': 'x', slug: 'y' } }),
      [{ title: 'New title', data: { summary: 'Mine' } }],
    )
    assert.deepEqual(bodiesOf(entry, { left: left('title', 'data.body'), edits: { title: 'Unticked' } }), [
      { data: { summary: 'Short' } },
    ])
  })

  test('is for the version that was proposed for, or for the one that the person has looked at', () => {
    const moved = { ...entry, requests: entry.requests.map((one) => ({ ...one, current: 5 })) }
    const versions = (isRebased: boolean) =>
      buildRequests(moved, { left: left(), edits: {}, isRebased }).map(({ version }) => version)
    assert.deepEqual([versions(false), versions(true)], [[3], [5]])
    const made = proposalOf([request({ name: 'A' }, { method: 'POST', version: null, current: null })], [])
    assert.deepEqual(buildRequests(made, { left: left(), edits: {}, isRebased: true })[0]?.version, null)
  })

  test('carries what only a person can say', () => {
    assert.deepEqual(bodiesOf(entry, { left: left('title', 'data.body'), edits: {}, extras: { mode: 'draft' } }), [
      { data: { summary: 'Short' }, mode: 'draft' },
    ])
    const removal = proposalOf([request(null, { method: 'DELETE' })], [change('items', null)])
    assert.deepEqual(bodiesOf(removal, { left: left(), edits: {} }), [undefined])
  })

  test('is one request for each part that is not done and not left out', () => {
    const media = proposalOf(
      [
        request({ alt: 'A', caption: 'C' }, { path: '/api/media/1', done: true }),
        request({ alt: 'B' }, { path: '/api/media/2' }),
        request({ alt: 'C' }, { path: '/api/media/3' }),
      ],
      [change('0.alt', 'A'), change('0.caption', 'C'), change('1.alt', 'B'), change('2.alt', 'C')],
    )
    assert.deepEqual(
      buildRequests(media, { left: left('2.alt'), edits: { '1.alt': 'Better' } }).map(({ path, body }) => [path, body]),
      [['/api/media/2', { alt: 'Better' }]],
    )
  })

  test('leaves out members of lists by their name, and keys with dots', () => {
    const design = proposalOf(
      [request({ set: { 'color.text': 'black', size: 2 }, remove: ['accent', 'shadow'] })],
      [change('set.color.text', 'black'), change('set.size', 2), change('remove.accent'), change('remove.shadow')],
    )
    assert.deepEqual(bodiesOf(design, { left: left('set.color.text', 'remove.accent'), edits: {} }), [
      { set: { size: 2 }, remove: ['shadow'] },
    ])
  })
})

describe('what can be unticked and edited', () => {
  test('are parts of a change to something that is there', () => {
    assert.equal(isOptional(entry, 'title'), true)
    assert.equal(isOptional(entry, 'data.unknown'), false)
    const made = proposalOf(
      [request({ title: 'A', data: {} }, { method: 'POST', version: null })],
      [change('title', 'A')],
    )
    assert.equal(isOptional(made, 'title'), false)
  })

  test('are texts, not rich text, pictures or what is done', () => {
    assert.deepEqual(
      entry.changes.map((one) => isEditable(entry, one)),
      [true, true, false],
    )
    const done = proposalOf([request({ title: 'A' }, { done: true })], [change('title', 'A')])
    assert.equal(isEditable(done, change('title', 'A')), false)
    // What is shown is not what is sent: a name in place of an id
    const shown = proposalOf([request({ role: 'editor' })], [change('role', 'Editor')])
    assert.equal(isEditable(shown, change('role', 'Editor')), false)
  })
})
