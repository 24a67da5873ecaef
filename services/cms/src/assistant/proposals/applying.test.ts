import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Proposal } from '@stoa/cms-model/assistant.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsAnswer } from '@stoa/tests/lib/cms.ts'
import { agentFor } from '../../people/agent-keys/testing/agents.ts'
import { PROPOSAL_HEADER } from './applying.ts'
import { outcomeOf, type Proposing, startProposing } from './testing/proposing.ts'

const PROPOSALS = '/api/assistant/proposals'

let site: Proposing
before(async () => {
  site = await startProposing()
})
after(() => site.close())

const draft = (title = 'Old') => site.add(site.editor.client, { type: 'article', title, data: { summary: 'Short' } })
const published = async () => {
  const entry = await draft()
  return site.publish(site.editor.client, entry.id)
}

describe('a proposal is applied through the ordinary route', () => {
  test('an entry changes, its history and Activity name the assistant', async () => {
    const entry = await draft()
    const proposal = await site.propose(site.editor, 'propose_entry_update', {
      entryId: entry.id,
      title: 'New',
      data: { body: '<p>Hi<script>x</script></p>' },
    })
    assert.deepEqual(
      proposal.changes.map(({ path, op, before, after, view }) => ({ path, op, before, after, view })),
      [
        { path: 'title', op: 'set', before: 'Old', after: 'New', view: 'text' },
        { path: 'data.body', op: 'add', before: '', after: '<p>Hi</p>', view: 'richtext' },
      ],
    )
    assert.equal((await site.read(entry.id)).title, 'Old')
    const answer = await site.apply(site.editor.client, proposal)
    assert.equal(answer.status, 200, answer.text)
    const saved = await site.read(entry.id)
    assert.deepEqual([saved.title, saved.data.body, saved.version], ['New', '<p>Hi</p>', entry.version + 1])
    const revisions = await site.editor.client.get(`/api/entries/${entry.id}/revisions`)
    assert.equal(revisions.body.items[0].reason, 'assistant')
    const activity = await site.editor.client.get(`/api/activity?targetId=${entry.id}&limit=1`)
    assert.deepEqual([activity.body.items[0].via, activity.body.items[0].actor.id], ['assistant', site.editor.id])
    const applied = await site.show(site.editor, proposal.id)
    assert.deepEqual([applied.status, applied.edited, applied.requests[0]?.done], ['applied', false, true])
    assert.ok(applied.appliedAt)
  })

  test('a published entry keeps what is live, unless the person says otherwise', async () => {
    const entry = await published()
    const proposal = await site.propose(site.editor, 'propose_entry_update', { entryId: entry.id, title: 'Later' })
    assert.deepEqual(proposal.requests[0]?.body, { title: 'Later', mode: 'draft' })
    assert.equal((await site.apply(site.editor.client, proposal)).status, 200)
    const pending = await site.read(entry.id)
    assert.deepEqual([pending.title, pending.live.title, pending.pending], ['Later', 'Old', true])
    const live = await site.propose(site.editor, 'propose_entry_update', { entryId: entry.id, title: 'Now' })
    const answer = await site.apply(site.editor.client, live, { body: { title: 'Now', mode: 'live' } })
    assert.equal(answer.body.live.title, 'Now')
    assert.equal((await site.show(site.editor, live.id)).edited, false)
  })
})

test('what was sent twice at once happens once', async () => {
  const entry = await draft()
  const proposal = await site.propose(site.editor, 'propose_entry_update', { entryId: entry.id, title: 'Once' })
  const answers = await Promise.all([1, 2, 3].map(() => site.apply(site.editor.client, proposal)))
  const outcomes = answers.map(outcomeOf).sort()
  assert.equal(outcomes[0], '200')
  for (const outcome of outcomes.slice(1)) assert.match(outcome, /^409 (PROPOSAL_CLOSED|VERSION_CONFLICT)$/)
  assert.equal((await site.read(entry.id)).version, entry.version + 1)
})

/** Sends something that must be refused with this outcome; the entry stays as it is, and so does the proposal. */
const refused = async (
  expected: string,
  { entry, proposal }: { entry: { id: string }; proposal: Proposal },
  send: () => Promise<CmsAnswer>,
): Promise<CmsAnswer> => {
  const earlier = await site.read(entry.id)
  const answer = await send()
  assert.equal(outcomeOf(answer), expected, answer.text)
  assert.deepEqual(await site.read(entry.id), earlier)
  assert.deepEqual(
    (await site.show(site.editor, proposal.id)).requests.map(({ done }) => done),
    [false],
  )
  return answer
}

const keysOf = ({ body }: CmsAnswer): string[] => body.details.fields.map(({ key }: { key: string }) => key)

const titled = async (title = 'New') => {
  const entry = await draft()
  const args = { entryId: entry.id, title, data: { price: 3 } }
  return { entry, proposal: await site.propose(site.editor, 'propose_entry_update', args) }
}

describe('what is refused, and changes nothing', () => {
  test('a proposal of somebody else, an unknown one and a malformed one', async () => {
    const made = await titled()
    const other = await site.person('editor')
    await refused('404 NOT_FOUND', made, () => site.apply(other.client, made.proposal))
    for (const id of [newId(), 'nope', ''])
      await refused('404 NOT_FOUND', made, () =>
        site.apply(site.editor.client, made.proposal, { headers: { [PROPOSAL_HEADER]: id } }),
      )
    for (const path of [made.proposal.id, `${made.proposal.id}/dismiss`])
      assert.equal((await other.client.send(path.endsWith('s') ? 'POST' : 'GET', `${PROPOSALS}/${path}`)).status, 404)
    assert.deepEqual((await other.client.get(`${PROPOSALS}?status=open`)).body, { items: [] })
  })

  test('an agent key', async () => {
    const made = await titled()
    const { client } = await agentFor(site, site.editor)
    await refused('403 AGENT_NOT_ALLOWED', made, () => site.apply(client, made.proposal))
  })

  test('an address that no proposal is for, whatever it does', async () => {
    const made = await titled()
    const headers = { [PROPOSAL_HEADER]: made.proposal.id }
    for (const [method, path] of [
      ['GET', `/api/entries/${made.entry.id}`],
      ['POST', `/api/entries/${made.entry.id}/duplicate`],
      ['DELETE', `/api/entries/${made.entry.id}/pending`],
      ['GET', '/api/settings'],
    ] as const) {
      const answer = await refused('400 VALIDATION_FAILED', made, () =>
        site.editor.client.send(method, path, { headers }),
      )
      assert.deepEqual(keysOf(answer), [PROPOSAL_HEADER])
    }
  })

  test('another record, another method and a query', async () => {
    const made = await titled()
    const other = await draft('Other')
    const body = { title: 'New' }
    await refused('400 VALIDATION_FAILED', { ...made, entry: other }, () =>
      site.apply(site.editor.client, made.proposal, { path: `/api/entries/${other.id}`, body }),
    )
    await refused('400 VALIDATION_FAILED', made, () =>
      site.editor.client.delete(`/api/entries/${made.entry.id}`, { [PROPOSAL_HEADER]: made.proposal.id }),
    )
    await refused('400 VALIDATION_FAILED', made, () =>
      site.apply(site.editor.client, made.proposal, { path: `/api/entries/${made.entry.id}?a=1` }),
    )
  })

  const extras: [more: object, key: string][] = [
    [{ slug: 'mine' }, 'slug'],
    [{ locale: 'en' }, 'locale'],
    [{ autosave: true }, 'autosave'],
    [{ data: { price: 3, summary: 'Mine' } }, 'data.summary'],
    [{ data: { __layout: { order: [] } } }, 'data.__layout'],
  ]
  for (const [more, key] of extras)
    test(`a key that was not proposed: ${key}`, async () => {
      const made = await titled()
      const answer = await refused('400 VALIDATION_FAILED', made, () =>
        site.apply(site.editor.client, made.proposal, { body: { title: 'New', ...more } }),
      )
      assert.deepEqual(keysOf(answer), [key])
    })

  test('a record that was changed since, unless the person has seen that', async () => {
    const made = await titled()
    await site.editor.client.put(`/api/entries/${made.entry.id}`, { data: { price: 9 } })
    const answer = await refused('409 VERSION_CONFLICT', made, () => site.apply(site.editor.client, made.proposal))
    assert.equal(answer.body.details.version, made.entry.version + 1)
    const stale = await site.show(site.editor, made.proposal.id)
    assert.deepEqual([stale.stale, stale.conflicts], [true, ['data.price']])
    assert.deepEqual(
      stale.changes.map(({ before, after }) => [before, after]),
      [
        ['Old', 'New'],
        [9, 3],
      ],
    )
    const seen = await site.apply(site.editor.client, made.proposal, {
      headers: { 'if-match': `"v${made.entry.version + 1}"` },
    })
    assert.equal(seen.status, 200, seen.text)
    assert.equal((await site.show(site.editor, made.proposal.id)).status, 'applied')
  })

  test('what nobody changed is no conflict', async () => {
    const made = await titled()
    await site.editor.client.put(`/api/entries/${made.entry.id}`, { data: { summary: 'Else' } })
    const stale = await site.show(site.editor, made.proposal.id)
    assert.deepEqual([stale.stale, stale.conflicts], [true, []])
  })

  test('a version that the model read before somebody changed the record', async () => {
    const entry = await draft()
    const turn = await site.turn(site.editor)
    turn.read.set(`entry/${entry.id}`, entry.version)
    await site.editor.client.put(`/api/entries/${entry.id}`, { data: { price: 9 } })
    const args = { entryId: entry.id, title: 'x', data: { price: 3 } }
    const proposal = await site.propose(site.editor, 'propose_entry_update', args, { turn })
    assert.deepEqual([proposal.base.version, proposal.stale, proposal.conflicts], [entry.version, true, ['data.price']])
    await refused('409 VERSION_CONFLICT', { entry, proposal }, () => site.apply(site.editor.client, proposal))
  })

  test('what somebody changed after the model read it is a conflict, also without a history', async () => {
    const turn = await site.turn(site.admin)
    const { version } = (await site.admin.client.get('/api/settings')).body
    turn.read.set('settings/settings', version)
    await site.admin.client.put('/api/settings', { title: 'Theirs' })
    const proposal = await site.propose(site.admin, 'propose_settings_update', { title: 'Ours' }, { turn })
    assert.deepEqual([proposal.stale, proposal.conflicts, proposal.base.version], [true, ['title'], version])
    assert.equal(outcomeOf(await site.apply(site.admin.client, proposal)), '409 VERSION_CONFLICT')
    assert.equal((await site.admin.client.get('/api/settings')).body.title, 'Theirs')
  })

  test('what was dismissed', async () => {
    const made = await titled()
    assert.equal((await site.editor.client.post(`${PROPOSALS}/${made.proposal.id}/dismiss`)).status, 204)
    assert.equal((await site.editor.client.post(`${PROPOSALS}/${made.proposal.id}/dismiss`)).status, 204)
    await refused('409 PROPOSAL_CLOSED', made, () => site.apply(site.editor.client, made.proposal))
    assert.equal((await site.show(site.editor, made.proposal.id)).status, 'dismissed')
  })

  test('a role that was lowered meanwhile', async () => {
    const person = await site.person('editor')
    const entry = await draft()
    const proposal = await site.propose(person, 'propose_entry_update', { entryId: entry.id, title: 'New' })
    await site.cms.database.tx((tx) =>
      tx.updateTable('account').set({ role: 'author' }).where('id', '=', person.id).execute(),
    )
    const card = await site.show(person, proposal.id)
    assert.deepEqual([card.applicable, card.whyNot], [false, 'Needs an editor'])
    assert.equal(outcomeOf(await site.apply(person.client, proposal)), '403 FORBIDDEN')
    assert.equal((await site.read(entry.id)).title, 'Old')
    assert.equal((await site.show(person, proposal.id)).status, 'proposed')
  })
})

test('what is deleted fails, in the trash and for good', async () => {
  const trashed = await titled()
  await site.editor.client.delete(`/api/entries/${trashed.entry.id}`)
  const card = await site.show(site.editor, trashed.proposal.id)
  assert.deepEqual([card.status, card.applicable, card.error?.code], ['failed', false, 'NOT_FOUND'])
  assert.equal(outcomeOf(await site.apply(site.editor.client, trashed.proposal)), '404 NOT_FOUND')
  const gone = await titled()
  await site.editor.client.delete(`/api/entries/${gone.entry.id}`)
  await site.admin.client.delete(`/api/trash/${gone.entry.id}`)
  assert.equal(outcomeOf(await site.apply(site.editor.client, gone.proposal)), '404 NOT_FOUND')
  for (const { proposal } of [trashed, gone])
    assert.equal(outcomeOf(await site.apply(site.editor.client, proposal)), '409 PROPOSAL_CLOSED')
  const { items } = (await site.editor.client.get(`${PROPOSALS}?status=open`)).body
  const open = items.map(({ id }: Proposal) => id)
  assert.ok(!open.includes(trashed.proposal.id) && !open.includes(gone.proposal.id))
})

test('a new entry is made of the type as the model saw it, once', async () => {
  const args = { type: 'article', title: 'Twice', data: { summary: 'x' } }
  const proposal = await site.propose(site.editor, 'propose_entry_create', args)
  const answers = await Promise.all([1, 2, 3].map(() => site.apply(site.editor.client, proposal)))
  assert.deepEqual(answers.map(outcomeOf).sort(), ['201', '409 PROPOSAL_CLOSED', '409 PROPOSAL_CLOSED'])
  const { items } = (await site.editor.client.get('/api/entries?q=Twice')).body
  assert.equal(items.length, 1)

  const late = await site.propose(site.editor, 'propose_entry_create', { ...args, title: 'Late' })
  await site.admin.client.put('/api/types/article', { label: 'Essay' })
  assert.equal((await site.show(site.editor, late.id)).stale, true)
  assert.equal(outcomeOf(await site.apply(site.editor.client, late)), '409 PROPOSAL_STALE')
  assert.equal((await site.editor.client.get('/api/entries?q=Late')).body.items.length, 0)
})

test('what the person leaves out is not saved, and what they write over is theirs', async () => {
  const left = await titled()
  assert.equal((await site.apply(site.editor.client, left.proposal, { body: { data: { price: 3 } } })).status, 200)
  const saved = await site.read(left.entry.id)
  assert.deepEqual([saved.title, saved.data.price], ['Old', 3])
  assert.equal((await site.show(site.editor, left.proposal.id)).edited, false)

  const over = await titled()
  assert.equal((await site.apply(site.editor.client, over.proposal, { body: { title: 'Mine' } })).status, 200)
  assert.equal((await site.read(over.entry.id)).title, 'Mine')
  assert.equal((await site.show(site.editor, over.proposal.id)).edited, true)
})

test('what is like that already is applied, without another version', async () => {
  const made = await titled()
  const body = { title: 'New', data: { price: 3 } }
  const { body: saved } = await site.editor.client.put(`/api/entries/${made.entry.id}`, body)
  const headers = { 'if-match': `"v${saved.version}"` }
  const answer = await site.apply(site.editor.client, made.proposal, { headers })
  assert.deepEqual([answer.status, answer.body.version], [200, saved.version])
  assert.equal((await site.show(site.editor, made.proposal.id)).status, 'applied')
})

test('publishing at a time is not publishing now', async () => {
  const entry = await draft()
  const args = { entryId: entry.id, action: 'publish', at: '2026-05-01T00:00:00Z' }
  const proposal = await site.propose(site.editor, 'propose_entry_status', args)
  const answer = await refused('400 VALIDATION_FAILED', { entry, proposal }, () =>
    site.apply(site.editor.client, proposal, { body: { action: 'publish' } }),
  )
  assert.deepEqual(keysOf(answer), ['at'])
  assert.equal((await site.apply(site.editor.client, proposal)).body.publishAt, '2026-05-01T00:00:00.000Z')
})

test('fields that a type has cannot be left out of a change of it', async () => {
  await site.addType('note', [{ key: 'a', type: 'text' }])
  const args = {
    type: 'note',
    addFields: [
      { key: 'b', type: 'text' },
      { key: 'c', type: 'text' },
    ],
  }
  const proposal = await site.propose(site.admin, 'propose_type_update', args)
  const [a, b, c] = (proposal.requests[0]?.body?.fields ?? []) as object[]
  const answer = await site.apply(site.admin.client, proposal, { body: { fields: [b, c] } })
  assert.deepEqual([outcomeOf(answer), keysOf(answer)], ['400 VALIDATION_FAILED', ['fields.a']])
  const more = { ...b, key: 'd' }
  const other = await site.apply(site.admin.client, proposal, { body: { fields: [a, b, more] } })
  assert.deepEqual([outcomeOf(other), keysOf(other)], ['400 VALIDATION_FAILED', ['fields.d']])
  assert.equal((await site.apply(site.admin.client, proposal, { body: { fields: [a, c] } })).body.fields.length, 2)
})

test('after seven days a proposal is nobody’s wish any more', async () => {
  const made = await titled()
  site.clock.advance(7 * 86_400_000)
  // A session ends as well: the person signs in again.
  const { token } = await site.openSession(site.editor.id)
  const client = site.client({ token })
  assert.equal(outcomeOf(await site.apply(client, made.proposal)), '409 PROPOSAL_STALE')
  const card = (await client.get(`${PROPOSALS}/${made.proposal.id}`)).body
  assert.deepEqual([card.status, card.applicable], ['proposed', false])
  assert.deepEqual((await client.get(`${PROPOSALS}?status=open`)).body.items, [])
})
