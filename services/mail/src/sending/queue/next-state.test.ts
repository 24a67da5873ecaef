import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decideNextState } from './next-state.ts'
import type { Claim, ClaimedRecipient, Result } from './parts.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

const recipient: ClaimedRecipient = {
  ordinal: 0,
  address: 'x@example.test',
  attempt: 1,
  notify: null,
  orcpt: null,
  isDelayReported: false,
  isSuppressed: false,
}
const claim: Claim = {
  messageId: 'm',
  domain: 'example.test',
  leaseToken: 't',
  returnPath: 'ann@stoa.test',
  bounceToken: null,
  isHeld: false,
  isSuspended: false,
  recipients: [recipient],
  message: {
    accountId: null,
    addressId: null,
    source: 'submission',
    blobKey: 'k',
    prefix: Buffer.alloc(0),
    size: 1,
    signingDomainId: null,
    headerMessageId: null,
    headerFrom: null,
    subject: null,
    needsUtf8: false,
    needs8bit: false,
    requiresTls: false,
    envid: null,
    ret: null,
    expiresAt: new Date(NOW.getTime() + 86_400_000),
    createdAt: NOW,
  },
}
const bounced: Result = {
  recipient,
  verdict: { kind: 'permanent', by: 'peer', code: 550, status: '5.1.1', reply: 'no such user', isAddress: true },
  path: { host: null, ip: null, policy: null, tls: null },
  durationMs: 1,
}
const noticeOf = (members: Partial<Claim> = {}, about: Partial<ClaimedRecipient> = {}) =>
  decideNextState({ ...claim, ...members }, { ...bounced, recipient: { ...recipient, ...about } }, NOW).notice

describe('a recipient that bounced', () => {
  test('is reported to the sender', () => assert.equal(noticeOf(), 'failure'))

  test('is never reported to the null sender, so that reports cannot loop', () =>
    assert.equal(noticeOf({ returnPath: '' }), null))

  test('is not reported by mail where an event reports it', () =>
    assert.equal(noticeOf({ bounceToken: 'token' }), null))

  test('is reported as the sender requested', () => {
    assert.equal(noticeOf({}, { notify: ['never'] }), null)
    assert.equal(noticeOf({}, { notify: ['success'] }), null)
    assert.equal(noticeOf({}, { notify: ['FAILURE'] }), 'failure')
  })
})
