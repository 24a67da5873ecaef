import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { account, network } from '../testing/networks.ts'
import { type Draft, emptyDraft, withCaption, withOption } from './draft.ts'
import { mergedProblems, problemsOf, refusedProblems, stillRefused } from './problems.ts'

const image = { mediaId: 'm', alt: '', kind: 'image' } as const
const video = { mediaId: 'v', alt: '', kind: 'video' } as const
const privacy = { key: 'privacyLevel', type: 'select', label: 'Who can watch', required: true } as const
const networks = [
  network('x', { limits: { captionMax: 10 } }),
  network('instagram', { limits: { textOnly: false, imagesMax: 2 } }),
  network('youtube', { limits: { textOnly: false, imagesMax: 0 } }),
  network('tiktok', { limits: { textOnly: false }, options: [privacy] }),
]
const draft: Draft = { ...emptyDraft, caption: 'Hello', accountIds: ['x-1'] }

const found = (changes: Partial<Draft>) =>
  problemsOf({ ...draft, ...changes }, networks).map(({ network: name, key }) => `${name} ${key}`)

describe('problems before saving', () => {
  test('a post that every network takes has none', () => {
    assert.deepEqual(found({}), [])
  })

  test('are those of every chosen network, and of the post as a whole', () => {
    assert.deepEqual(found({ caption: 'Much too long', accountIds: ['x-1', 'instagram-1', 'youtube-1'] }), [
      'x caption',
      'instagram media',
      'youtube media',
    ])
    assert.deepEqual(found({ caption: ' ', accountIds: [] }), ['null accountIds', 'null caption'])
    assert.deepEqual(found({ media: [image, video] }), ['null media'])
    assert.deepEqual(found({ media: [video, video] }), ['null media'])
    assert.deepEqual(found({ link: 'example' }), ['null link', 'x caption'])
  })

  test('name the words that are too long: those of all, or the own ones of a network', () => {
    const varied = withCaption(draft, 'x', 'Much too long')
    assert.deepEqual(found(varied), ['x captions.x'])
    assert.match(problemsOf(varied, networks)[0]?.message ?? '', /3 characters too long for X \(13 of 10\)/)
  })

  test('count pictures, and want a video where there must be one', () => {
    assert.deepEqual(found({ accountIds: ['instagram-1'], media: [image, image, image] }), ['instagram media'])
    assert.deepEqual(found({ accountIds: ['youtube-1'], media: [image] }), ['youtube media'])
    assert.deepEqual(found({ accountIds: ['youtube-1'], media: [video] }), [])
  })

  test('want what must be chosen, of every account that has a list of its own', () => {
    const two = networks.with(3, {
      ...network('tiktok', { options: [privacy] }),
      accounts: [account('t1'), account('t2')],
    })
    const chosen = withOption({ ...draft, accountIds: ['t1', 't2'] }, 't1', 'privacyLevel', 'PUBLIC_TO_EVERYONE')
    assert.deepEqual(
      problemsOf(chosen, two).map(({ key, message }) => [key, message]),
      [['options.t2.privacyLevel', '“Who can watch” is required.']],
    )
  })

  test('leave out accounts that have the post already', () => {
    const sent = { ...draft, caption: 'Much too long', accountIds: ['x-1', 'instagram-1'], media: [image] }
    assert.deepEqual(problemsOf(sent, networks, { done: ['x-1'] }), [])
  })

  test('name accounts that can no longer be used', () => {
    const broken = [
      network('x', { accounts: [account('x-1', { status: 'needs_reconnect', statusReason: 'Token revoked' })] }),
    ]
    assert.deepEqual(
      problemsOf(draft, broken).map(({ message }) => message),
      ['x-1: Token revoked.'],
    )
  })
})

describe('what the service refused', () => {
  const fields = [
    { key: 'captions.x', message: 'Too long.' },
    { key: 'options.tiktok-1.privacyLevel', message: 'Not allowed for this account.' },
    { key: 'media', message: 'Instagram takes JPEG images.' },
    { key: 'accountIds', message: 'Must not repeat.' },
  ]

  test('stands with the network that it names', () => {
    assert.deepEqual(
      refusedProblems(fields, networks).map(({ network: name }) => name),
      ['x', 'tiktok', 'instagram', null],
    )
  })

  test('is over once that part is changed, and only that part', () => {
    const sent = withCaption(draft, 'x', 'Long')
    const problems = refusedProblems(fields, networks)
    const keys = (now: Draft) => stillRefused(problems, { sent, draft: now }).map(({ key }) => key)
    assert.equal(keys(sent).length, 4)
    assert.deepEqual(keys(withCaption(sent, 'x', 'Short')), ['options.tiktok-1.privacyLevel', 'media', 'accountIds'])
    assert.deepEqual(keys({ ...sent, media: [image] }), ['captions.x', 'options.tiktok-1.privacyLevel', 'accountIds'])
  })

  test('is not said twice', () => {
    const own = [{ network: 'x', key: 'caption', message: 'Three too many.' }]
    const merged = mergedProblems(own, refusedProblems(fields, networks))
    assert.deepEqual(
      merged.map(({ key }) => key),
      ['caption', 'options.tiktok-1.privacyLevel', 'media', 'accountIds'],
    )
  })
})
