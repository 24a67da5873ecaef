import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOf, failuresOf, percentOf, sourcesOf, sumsOf } from './figures.ts'

const at = (day: string, pass: number, fail: number, org = 'mail.example') => ({
  begin: `${day}T00:00:00.000Z`,
  pass,
  fail,
  org,
})

test('days without a report are there with nothing, a month at least and no more than two', () => {
  const days = daysOf([at('2026-03-03', 1, 0), at('2026-03-01', 2, 1), at('2026-03-01', 3, 0)])
  assert.deepEqual([days.length, days[0]], [30, { day: '2026-02-02', pass: 0, fail: 0 }])
  assert.deepEqual(days.slice(-3), [
    { day: '2026-03-01', pass: 5, fail: 1 },
    { day: '2026-03-02', pass: 0, fail: 0 },
    { day: '2026-03-03', pass: 1, fail: 0 },
  ])
  assert.deepEqual(daysOf([]), [])
  const long = daysOf([at('2025-01-01', 1, 0), at('2026-03-03', 1, 0)])
  assert.deepEqual([long.length, long.at(-1)?.day], [60, '2026-03-03'])
})

test('sums and shares', () => {
  const sums = sumsOf([at('2026-03-01', 2, 1, 'a'), at('2026-03-01', 3, 0, 'b'), at('2026-03-02', 0, 0, 'a')])
  assert.deepEqual(sums, { pass: 5, fail: 1, reporters: 2 })
  assert.deepEqual([percentOf(1, 3), percentOf(99_999, 100_000), percentOf(0, 0)], ['33 %', '99.9 %', '–'])
})

test('sources are added up by address, whatever a row lacks', () => {
  const rows = [
    { source_ip: '192.0.2.1', count: 3, dkim: 'pass', spf: 'fail', disposition: 'none', header_from: 'a.example' },
    { source_ip: '192.0.2.1', count: 2, dkim: 'fail', spf: 'fail', disposition: 'reject' },
    { source_ip: null, count: 'x' },
  ]
  assert.deepEqual(sourcesOf([{ rows }]), [
    { ip: '192.0.2.1', count: 5, passed: 3, dkim: 3, spf: 0, refused: 2, from: 'a.example' },
    { ip: 'Unknown', count: 0, passed: 0, dkim: 0, spf: 0, refused: 0, from: '' },
  ])
})

test('failures of TLS are added up by reason', () => {
  const failure = { result_type: 'certificate-expired', sending_ip: '192.0.2.9', receiving_host: 'mx.a', count: 2 }
  const found = failuresOf([{ rows: [{ failures: [failure, failure, null, 'x'] }, { failures: 'none' }] }])
  assert.deepEqual(found, [{ reason: 'certificate-expired', count: 4, hosts: ['mx.a'], senders: ['192.0.2.9'] }])
})
