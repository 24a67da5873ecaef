import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAtOf } from './retry-at.ts'

const NOW = new Date('2026-11-02T10:00:00Z')
const cases: [headers: Record<string, string>, at: string | undefined][] = [
  [{}, undefined],
  [{ 'retry-after': '30' }, '2026-11-02T10:00:30.000Z'],
  [{ 'retry-after': 'Mon, 02 Nov 2026 10:05:00 GMT' }, '2026-11-02T10:05:00.000Z'],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'x-rate-limit-reset': String(NOW.getTime() / 1000 + 60) }, '2026-11-02T10:01:00.000Z'],
  [{ 'x-ratelimit-reset': '45' }, '2026-11-02T10:00:45.000Z'],
  [{ 'x-ratelimit-reset': '45, 100;w=60' }, '2026-11-02T10:00:45.000Z'],
  [{ 'x-ratelimit-reset': '2026-11-02T10:05:00.123Z' }, '2026-11-02T10:05:00.123Z'],
  [{ 'x-ratelimit-reset': String(NOW.getTime() + 60_000) }, '2026-11-02T10:01:00.000Z'],
  [{ 'ratelimit-reset': '20' }, '2026-11-02T10:00:20.000Z'],
  [{ 'retry-after': '30', 'x-ratelimit-reset': '45' }, '2026-11-02T10:00:45.000Z'],
  // Times in the past are ignored, and the wait is limited.
  [{ 'retry-after': 'Mon, 02 Nov 2026 09:00:00 GMT' }, undefined],
  [{ 'x-rate-limit-reset': '1000000001' }, undefined],
  [{ 'retry-after': '1e300' }, '2026-11-09T10:00:00.000Z'],
  [{ 'x-rate-limit-reset': '9999999999999999' }, '2026-11-09T10:00:00.000Z'],
  [{ 'x-ratelimit-reset': '9999-01-01T00:00:00Z' }, '2026-11-09T10:00:00.000Z'],
]

for (const [headers, at] of cases)
  test(`${JSON.stringify(headers)} means ${at}`, () =>
    assert.equal(retryAtOf(new Headers(headers), NOW)?.toISOString(), at))
