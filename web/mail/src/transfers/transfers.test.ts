import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Transfer } from '@stoa/mail-model/transfers.ts'
import { describeResult, describeSeconds, describeSpeed, type Sample, speedOf, withSample } from './progress.ts'
import { isPrivateHost, linesOf, presetAt } from './sources.ts'
import { bodyOf, checkSteps, hostWords, initialValues, nextStep, stepOf } from './transfer-values.ts'

const sampled = (samples: readonly Sample[]): readonly Sample[] =>
  samples.reduce<readonly Sample[]>((all, sample) => withSample(all, sample), [])

describe('the speed of a transfer', () => {
  test('is that of the last moments', () => {
    const samples = sampled([
      { at: 0, messages: 0, bytes: 0 },
      { at: 20_000, messages: 1000, bytes: 10_000 },
      { at: 40_000, messages: 1200, bytes: 12_000 },
    ])
    assert.deepEqual(speedOf(samples), { messages: 10, bytes: 100 })
    assert.equal(describeSpeed(speedOf(samples), 6000), '10 messages and 100 B per second · about 10 minutes left')
  })

  test('is not given while nothing moves or too little is known', () => {
    assert.equal(speedOf([]), null)
    assert.equal(speedOf(sampled([{ at: 0, messages: 5, bytes: 5 }])), null)
    assert.equal(
      speedOf(
        sampled([
          { at: 0, messages: 5, bytes: 5 },
          { at: 5000, messages: 5, bytes: 5 },
        ]),
      ),
      null,
    )
    assert.equal(describeSpeed(null, 5), '')
  })

  test('begins anew when a copy does', () => {
    const samples = sampled([
      { at: 0, messages: 50, bytes: 5 },
      { at: 2000, messages: 10, bytes: 1 },
    ])
    assert.deepEqual(samples, [{ at: 2000, messages: 10, bytes: 1 }])
  })

  test('leads to a time that people say', () => {
    assert.deepEqual([5, 65, 3600, 86_400, 400_000].map(describeSeconds), [
      'less than a minute',
      'about 1 minute',
      'about 60 minutes',
      'about 24 hours',
      'about 5 days',
    ])
  })
})

test('a result is one sentence with what was left out', () => {
  const counts = { messages_copied: 1204, messages_skipped: 3, messages_failed: 1 }
  const transfer: Transfer = {
    object: 'transfer',
    id: '',
    address_id: '',
    address: '',
    host: '',
    port: 993,
    security: 'tls',
    username: '',
    status: 'completed',
    folders_total: 1,
    folders_done: 1,
    messages_total: 1208,
    bytes_copied: 0,
    current_folder: null,
    error: null,
    created_at: '',
    started_at: null,
    finished_at: null,
    ...counts,
  }
  assert.equal(
    describeResult(transfer).replace(/\D204/, '204'),
    "1204 messages copied, 3 already here, 1 couldn't be copied.",
  )
})

describe('sources', () => {
  test('private hosts are known by their names', () => {
    for (const host of [
      'localhost',
      '127.0.0.1',
      '10.1.2.3',
      '192.168.0.9',
      '172.20.0.1',
      'nas.local',
      '[::1]',
      'fe80::1',
    ])
      assert.ok(isPrivateHost(host), host)
    for (const host of [
      'imap.gmail.com',
      '8.8.8.8',
      '172.32.0.1',
      'local.example',
      '101.1.1.1',
      'localhost.example.com',
    ])
      assert.ok(!isPrivateHost(host), host)
  })

  test('a known host leads to its preset', () => {
    assert.equal(presetAt('imap.gmail.com'), 'gmail')
    assert.equal(presetAt('imap.example.org'), 'other')
  })

  test('paths are lines', () => {
    assert.deepEqual(linesOf(' INBOX \n\n Work/2024\r\n'), ['INBOX', 'Work/2024'])
  })
})

describe('the steps of a new transfer', () => {
  const filled = {
    ...initialValues(undefined, 'an-id'),
    preset: 'other',
    host: ' imap.example.org ',
    username: ' ann ',
    password: ' with blanks ',
    folders: 'INBOX\n',
  }

  test('each asks only for what belongs to it and what came before', () => {
    assert.deepEqual(Object.keys(checkSteps(initialValues(undefined, ''))), ['address_id'])
    assert.deepEqual(Object.keys(checkSteps({ ...filled, step: 'source', password: '' })), ['password'])
    assert.deepEqual(checkSteps({ ...filled, step: 'review' }), {})
    assert.deepEqual(Object.keys(checkSteps({ ...filled, step: 'review', scope: 'some', folders: ' \n' })), ['folders'])
    assert.equal(nextStep('destination'), 'source')
    assert.equal(nextStep('review'), 'review')
  })

  test('what is sent has no blanks but those of the password, and folders only if some are meant', () => {
    const body = bodyOf({ ...filled, since: '2026-01-31' })
    assert.equal(body.host, 'imap.example.org')
    assert.equal(body.username, 'ann')
    assert.equal(body.password, ' with blanks ')
    assert.equal(body.folders, null)
    assert.deepEqual(bodyOf({ ...filled, scope: 'some' }).folders, ['INBOX'])
    assert.equal(body.since, '2026-01-31')
  })

  test('a refusal leads to the step that can fix it, in words', () => {
    assert.deepEqual(['address_id', 'host', 'port', 'since'].map(stepOf), [
      'destination',
      'source',
      'source',
      'options',
    ])
    assert.match(hostWords('192.168.1.2', "The server couldn't be reached."), /private network/)
    assert.equal(
      hostWords('imap.example.org', "The server couldn't be reached."),
      "The server couldn't be reached. Check the server name.",
    )
  })
})
