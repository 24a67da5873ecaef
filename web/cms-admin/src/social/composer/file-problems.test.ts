import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { account, network } from '../testing/networks.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { type FileFacts, fileProblems } from './file-problems.ts'

const film: FileFacts = { name: 'film.mp4', type: 'video/mp4', bytes: 1_000_000, seconds: 30 }
const draft: Draft = { ...emptyDraft, accountIds: ['x-1'], media: [{ mediaId: 'v', alt: '', kind: 'video' }] }
const x = network('x')

const found = (changes: Partial<FileFacts>, accounts = x.accounts) =>
  fileProblems(draft, { network: x, accounts }, new Map([['v', { ...film, ...changes }]]))

describe('the file of a post', () => {
  test('that the network takes has no problems, nor has one that is not read yet', () => {
    assert.deepEqual(found({}), [])
    assert.deepEqual(found({ seconds: null }), [])
    assert.deepEqual(fileProblems(draft, { network: x, accounts: x.accounts }, new Map()), [])
  })

  test('is refused by type, size and length, each with what the network takes', () => {
    assert.deepEqual(found({ type: 'video/webm', bytes: 600_000_000, seconds: 300 }), [
      'X supports MP4 videos; film.mp4 is WebM.',
      'X supports videos up to 500 MB; film.mp4 has 600 MB.',
      'X supports videos of 1 s to 140 s; film.mp4 lasts 5 min.',
    ])
    assert.equal(found({ seconds: 0.4 }).length, 1)
  })

  test('goes by the strictest of the chosen accounts', () => {
    const strict = account('s', { capabilities: { maxVideoSec: 10, videoMaxBytes: 500_000 } })
    assert.equal(found({}, [account('a'), strict]).length, 2)
  })

  test('that is a drawing is no image for networks', () => {
    const drawn = { ...draft, media: [{ mediaId: 'v', alt: '', kind: 'image' as const }] }
    const files = new Map([['v', { ...film, name: 'logo.svg', type: 'image/svg+xml' }]])
    assert.match(fileProblems(drawn, { network: x, accounts: x.accounts }, files).join(), /X can't show logo\.svg/)
  })
})
