import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSocialPostInput } from '@stoa/cms-model/social.ts'
import { account, network } from '../testing/networks.ts'
import {
  attached,
  bodyOf,
  captionFor,
  type Draft,
  emptyDraft,
  isDetached,
  optionKey,
  optionValue,
  sentCaption,
  unusableReason,
  withCaption,
  withOption,
} from './draft.ts'
import { countFor, hasLink } from './limits.ts'

const draft: Draft = { ...emptyDraft, caption: 'Doors open at nine.', accountIds: ['x-1'] }

describe('a caption for all networks', () => {
  test('is what every network says until one is given words of its own', () => {
    const varied = withCaption(draft, 'x', 'Nine!')
    assert.deepEqual([captionFor(varied, 'x'), captionFor(varied, 'linkedin')], ['Nine!', 'Doors open at nine.'])
    assert.deepEqual([isDetached(varied, 'x'), isDetached(varied, 'linkedin')], [true, false])
    const changed = withCaption(varied, null, 'Doors open at ten.')
    assert.deepEqual([captionFor(changed, 'x'), captionFor(changed, 'linkedin')], ['Nine!', 'Doors open at ten.'])
  })

  test('is said again by a network that is reset, and an emptied variant stays one', () => {
    assert.equal(captionFor(attached(withCaption(draft, 'x', 'Nine!'), 'x'), 'x'), 'Doors open at nine.')
    assert.equal(captionFor(withCaption(draft, 'x', ''), 'x'), '')
  })
})

describe('counting', () => {
  const selected = (members: Parameters<typeof network>[1] = {}) => {
    const one = network('x', members)
    return { network: one, accounts: one.accounts }
  }

  test('a link that becomes the last line counts, and one that is in the caption is not added', () => {
    const linked = { ...draft, caption: 'Hello', link: 'https://example.com/a' }
    assert.equal(sentCaption(linked, network('x')), 'Hello\nhttps://example.com/a')
    assert.equal(
      sentCaption({ ...linked, caption: 'See https://example.com/a' }, network('x')),
      'See https://example.com/a',
    )
    assert.equal(sentCaption(linked, network('facebook', { limits: { link: 'field' } })), 'Hello')
    assert.equal(countFor(linked, selected({ limits: { captionCount: 'x' } })).used, 5 + 1 + 23)
  })

  test('goes by the strictest of the chosen accounts', () => {
    const accounts = [
      account('a', { capabilities: { captionMax: 25_000 } }),
      account('b', { capabilities: { captionMax: 500 } }),
    ]
    assert.equal(countFor(draft, selected({ accounts })).max, 500)
    assert.equal(countFor(draft, selected()).max, 280)
  })

  test('posts of pictures may say more where the network allows it', () => {
    const picture = { mediaId: 'm', alt: '', kind: 'image' as const }
    const pictures = { ...draft, media: [picture] }
    const one = selected({ limits: { captionMax: 2200, photoCaptionMax: 4000 } })
    assert.deepEqual([countFor(pictures, one).max, countFor(draft, one).max], [4000, 2200])
  })

  test('a link is one wherever it is written', () => {
    assert.deepEqual(
      [draft, { ...draft, link: 'https://example.com' }, withCaption(draft, 'x', 'http://example.com')].map((one) =>
        hasLink(one, 'x'),
      ),
      [false, true, true],
    )
  })
})

describe('options', () => {
  const board = { key: 'boardId', type: 'board', label: 'Board' } as const
  const visibility = { key: 'visibility', type: 'select', label: 'Visibility' } as const

  test('are of the network, or of the account where each has a list of its own', () => {
    assert.deepEqual(
      [optionKey(board, 'pinterest', 'p-1'), optionKey(visibility, 'mastodon', 'm-1')],
      ['p-1', 'mastodon'],
    )
    const chosen = withOption(withOption(draft, 'pinterest', 'boardId', 'all'), 'p-1', 'boardId', 'own')
    assert.deepEqual(
      [optionValue(chosen, 'p-1', 'pinterest', 'boardId'), optionValue(chosen, 'p-2', 'pinterest', 'boardId')],
      ['own', 'all'],
    )
  })
})

describe('what is sent', () => {
  test('is what the service takes; what is empty is left out', () => {
    const full = withOption(withOption({ ...draft, link: ' ', note: '' }, 'x', 'replies', ''), 'x', 'ai', true)
    const body = bodyOf({ ...full, media: [{ mediaId: crypto.randomUUID(), alt: 'A door', kind: 'image' }] })
    assert.deepEqual([body.link, body.note, body.options], [null, null, { x: { ai: true } }])
    assert.equal(createSocialPostInput.safeParse(body).success, true)
  })
})

describe('accounts that cannot be chosen', () => {
  test('say why', () => {
    const x = network('x')
    const broken = account('b', { status: 'needs_reconnect', statusReason: 'The token was revoked' })
    assert.equal(unusableReason(x, account('a')), undefined)
    assert.equal(unusableReason(x, broken), 'The token was revoked')
    assert.match(unusableReason({ ...x, enabled: false }, account('a')) ?? '', /turned off/)
  })
})
