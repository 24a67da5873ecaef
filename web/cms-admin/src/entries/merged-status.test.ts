import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mergedStatus } from './merged-status.ts'

const SOON = '2026-03-02T00:00:00.000Z'
const LATER = '2026-03-09T00:00:00.000Z'
const draft = { status: 'draft', publishAt: null, unpublishAt: null, pending: false } as const
const live = { ...draft, status: 'published' } as const
const said = (entry: Parameters<typeof mergedStatus>[0]) => {
  const { label, at } = mergedStatus(entry)
  return at === null ? label : `${label} ${at}`
}

describe('the status of an entry in one column', () => {
  test('says what visitors see, and whether something waits', () => {
    assert.equal(said(draft), 'Draft')
    assert.equal(said(live), 'Live')
    assert.equal(said({ ...live, pending: true }), 'Live, changed')
  })

  test('names the next change, with its time', () => {
    assert.equal(said({ ...draft, publishAt: SOON }), `Scheduled ${SOON}`)
    assert.equal(said({ ...draft, publishAt: SOON, unpublishAt: LATER }), `Scheduled ${SOON}`)
    assert.equal(
      said({ ...live, pending: true, publishAt: SOON, unpublishAt: LATER }),
      `Live, changes scheduled ${SOON}`,
    )
    assert.equal(
      said({ ...live, pending: true, publishAt: LATER, unpublishAt: SOON }),
      `Live, changed, unpublishes ${SOON}`,
    )
    assert.equal(said({ ...live, unpublishAt: SOON }), `Live, unpublishes ${SOON}`)
  })

  test('has the color of what it says', () => {
    const tones = [draft, live, { ...live, pending: true }, { ...draft, publishAt: SOON }].map(
      (entry) => mergedStatus(entry).tone,
    )
    assert.deepEqual(tones, ['draft', 'live', 'accent', 'scheduled'])
  })
})
