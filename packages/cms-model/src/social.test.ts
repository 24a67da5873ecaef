import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  calendarDay,
  createSocialPostInput,
  type PostStatus,
  rollUp,
  socialCalendarQuery,
  type TargetStatus,
  targetStatuses,
  updateSocialPostInput,
} from './social.ts'

/** Every way in which so many targets can stand. */
const combinations = (length: number): TargetStatus[][] =>
  length === 0 ? [[]] : combinations(length - 1).flatMap((rest) => targetStatuses.map((status) => [...rest, status]))

describe('the status of a post', () => {
  const of = (...statuses: TargetStatus[]) => rollUp(statuses.map((status) => ({ status })))

  test('follows from the set of its targets, by the first rule that fits', () => {
    for (const statuses of [0, 1, 2, 3, 4].flatMap(combinations)) {
      const has = new Set(statuses)
      const expected: PostStatus = has.has('publishing')
        ? 'publishing'
        : has.has('scheduled')
          ? 'scheduled'
          : has.has('posted')
            ? has.size === 1
              ? 'posted'
              : 'partial'
            : has.has('failed')
              ? 'failed'
              : 'draft'
      assert.equal(of(...statuses), expected, statuses.join())
    }
  })

  test('is what people expect of the cases they meet', () => {
    const cases: [TargetStatus[], PostStatus][] = [
      [[], 'draft'],
      [['draft', 'draft'], 'draft'],
      [['scheduled', 'draft'], 'scheduled'],
      [['posted', 'publishing'], 'publishing'],
      [['posted', 'scheduled'], 'scheduled'],
      [['posted', 'posted'], 'posted'],
      [['posted', 'failed'], 'partial'],
      [['posted', 'draft'], 'partial'],
      [['failed', 'draft'], 'failed'],
      [['failed', 'failed'], 'failed'],
    ]
    for (const [statuses, expected] of cases) assert.equal(of(...statuses), expected)
  })
})

test('a day is one of the calendar', () => {
  for (const day of ['2026-02-28', '2024-02-29', '0999-01-01']) assert.ok(calendarDay.safeParse(day).success, day)
  for (const day of ['2026-02-29', '2026-13-01', '2026-00-01', '2026-1-1', '26-01-01', '2026-01-01T00:00:00Z', ''])
    assert.ok(!calendarDay.safeParse(day).success, day)
})

test('a calendar shows one day to two months', () => {
  for (const days of ['1', '42', '62'])
    assert.ok(socialCalendarQuery.safeParse({ from: '2026-01-01', days }).success, days)
  for (const days of ['0', '63', '-1', '1.5', 'x', ''])
    assert.ok(!socialCalendarQuery.safeParse({ from: '2026-01-01', days }).success, days)
})

test('a post needs accounts only; a change needs nothing, and neither takes what it does not know', () => {
  const created = createSocialPostInput.parse({ accountIds: ['a'] })
  assert.deepEqual(created, {
    caption: '',
    captions: {},
    accountIds: ['a'],
    media: [],
    options: {},
    link: null,
    note: null,
  })
  assert.deepEqual(updateSocialPostInput.parse({}), {})
  for (const body of [{}, { accountIds: 'a' }, { accountIds: ['a'], status: 'posted' }])
    assert.ok(!createSocialPostInput.safeParse(body).success)
  for (const link of ['javascript:alert(1)', 'ftp://a.example', 'example.com', 'https://', 'https:// a'])
    assert.ok(!createSocialPostInput.safeParse({ accountIds: ['a'], link }).success, link)
  assert.equal(createSocialPostInput.parse({ accountIds: ['a'], caption: 'a\r\nb' }).caption, 'a\nb')
})
