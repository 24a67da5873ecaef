import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findPosted, isSameText } from './find-posted.ts'

const SINCE = new Date('2026-11-02T10:00:00Z')
const post = (id: string, text: string, at: string | number) => ({ id, text, at })
const find = (newest: unknown, pageSize = 3) =>
  findPosted(newest, { since: SINCE, timeMember: 'at', pageSize, isSame: ({ text }) => isSameText(text, 'Ours') })

describe('findPosted', () => {
  it('finds what has the same words and was made since the first try', () => {
    assert.deepEqual(
      find([post('2', 'Other', '2026-11-02T10:02:00Z'), post('1', ' Ours\r\n', '2026-11-02T10:01:00Z')]),
      {
        ...post('1', ' Ours\r\n', '2026-11-02T10:01:00Z'),
      },
    )
  })

  it('reads times in every form: with and without a zone, and as a number', () => {
    for (const at of ['2026-11-02T10:00:01+0000', '2026-11-02T11:00:01+01:00', '2026-11-02T10:00:01', +SINCE + 1_000])
      assert.equal((find([post('1', 'Ours', at)]) as { id: string }).id, '1', String(at))
  })

  it('allows for the clock of a network that is behind ours', () => {
    assert.equal((find([post('1', 'Ours', '2026-11-02T09:59:30Z')]) as { id: string }).id, '1')
  })

  it('takes nothing that is older than the first try, or has no id', () => {
    assert.equal(find([post('1', 'Ours', '2026-11-02T09:30:00Z')]), 'not-posted')
    assert.equal(find([{ text: 'Ours', at: '2026-11-02T10:01:00Z' }]), 'not-posted')
    assert.equal(find([post('1', 'Ours', 'yesterday')]), 'not-posted')
  })

  it('knows nothing when all of a full page may be newer than ours', () => {
    const newer = ['3', '2', '1'].map((id) => post(id, 'Other', '2026-11-02T10:05:00Z'))
    assert.equal(find(newer), 'unknown')
    assert.equal(find([...newer.slice(1), post('0', 'Other', '2026-11-02T09:00:00Z')]), 'not-posted')
    assert.equal(find(newer, 4), 'not-posted')
  })

  it('knows nothing when there is no list to read', () => {
    for (const answer of [undefined, null, {}, 'text']) assert.equal(find(answer), 'unknown')
    assert.equal(find([null, 1]), 'not-posted')
  })
})
