import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { outcomeOf, type Proposing, startProposing } from './testing/proposing.ts'

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
  test('an entry changes, its history and Activity tell of the assistant', async () => {
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
