import type { Dice } from './dice.ts'

/** Text that has broken something somewhere: separators, SQL, JSON paths, markup, addresses, odd Unicode. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00\ud800',
  '\u202eevil',
  '\ufeff',
  '\u2028',
  'é'.normalize('NFD'),
  '👩‍👩‍👧‍👦',
  'ß'.repeat(300),
  'a'.repeat(5_000),
  '[]',
  '[[[[[',
  '%',
  '%00',
  '%zz',
  '..',
  '../../etc/passwd',
  '..\\..\\',
  '/',
  '//example.com',
  '?',
  '#',
  '&=&',
  ';',
  "'",
  '"',
  "' or 1=1 --",
  '"; drop table entry; --',
  "1') union select null,null--",
  '$1',
  '#{1}',
  '{{7*7}}',
  '$.data.*',
  '$[*] ? (@.a > 1)',
  '{"$gt":""}',
  '{a,b}',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '99999999999999999999999',
  '-1',
  '0x10',
  '1,000',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '__layout',
  'prototype.polluted',
  '<script>alert(1)</script>',
  '<svg onload=alert(1)>',
  'javascript:alert(1)',
  'data:text/html,x',
  'http://169.254.169.254/latest',
  'http://[::1]:1/',
  'https://localhost/',
  'file:///etc/passwd',
  'a@b',
  '"<x>"@example.com',
  '2026-02-30',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.001Z',
  'en-x-'.repeat(12),
  '*',
  '-createdAt,,title',
  'W/"v1"',
  '"v1"',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '\r\nx-evil: 1',
  '🙂'.repeat(200),
] as const

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  2,
  1.5,
  100,
  101,
  1e3,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 63),
  1e21,
  1e308,
  5e-324,
] as const

export const garbageText = (dice: Dice): string => {
  const text = dice.pick(TEXTS)
  return dice.chance(0.1) ? text + dice.pick(TEXTS) : text
}

export const garbageNumber = (dice: Dice): number => dice.pick(NUMBERS)

/** Any JSON value, of bounded size. */
export const garbageValue = (dice: Dice, depth = 0): unknown => {
  const kind = dice.int(0, depth > 3 ? 4 : 7)
  if (kind <= 1) return garbageText(dice)
  if (kind === 2) return garbageNumber(dice)
  if (kind === 3) return dice.pick([true, false, null])
  if (kind === 4) return dice.pick<unknown>([[], {}, [[]], [null], ''])
  if (kind === 5) return Array.from({ length: dice.int(0, 4) }, () => garbageValue(dice, depth + 1))
  return Object.fromEntries(
    Array.from({ length: dice.int(0, 4) }, () => [garbageText(dice), garbageValue(dice, depth + 1)]),
  )
}

/** The value with something about it changed: a member left out, added, doubled or of another type. */
export const mutate = (dice: Dice, value: unknown): unknown => {
  if (dice.chance(0.15)) return garbageValue(dice)
  if (Array.isArray(value)) return mutateList(dice, value)
  if (typeof value !== 'object' || value === null) return dice.chance(0.5) ? garbageText(dice) : garbageValue(dice)
  const members = Object.entries(value)
  const at = dice.int(0, members.length - 1)
  const chosen = members[at]
  if (!chosen || dice.chance(0.15)) return { ...value, [garbageText(dice)]: garbageValue(dice) }
  if (dice.chance(0.2)) return Object.fromEntries(members.filter((_, index) => index !== at))
  return { ...value, [chosen[0]]: mutate(dice, chosen[1]) }
}

const mutateList = (dice: Dice, list: readonly unknown[]): unknown => {
  const at = dice.int(0, list.length - 1)
  const kind = dice.int(0, 3)
  if (list.length === 0 || kind === 0) return [...list, garbageValue(dice)]
  if (kind === 1) return list.filter((_, index) => index !== at)
  if (kind === 2) return Array.from({ length: dice.pick([2, 50, 600]) }, () => list[at])
  return list.map((item, index) => (index === at ? mutate(dice, item) : item))
}

/** Bodies that are no JSON, or JSON that no parser likes. */
export const garbageBody = (dice: Dice): Buffer => {
  const kind = dice.int(0, 9)
  if (kind === 0) return Buffer.from('['.repeat(dice.pick([70, 5_000, 100_000])))
  if (kind === 1) return Buffer.from('{"a":'.repeat(dice.pick([70, 5_000])))
  if (kind === 2) return Buffer.from(`{"__proto__":{"isAdmin":true},"constructor":{"prototype":1}}`)
  if (kind === 3) return Buffer.from('{"title":"a","title":"b","type":1,"type":2}')
  if (kind === 4) return Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d])
  if (kind === 5) return Buffer.from(`{"a":${'1'.repeat(dice.pick([400, 20_000]))}}`)
  if (kind === 6) return Buffer.from('')
  if (kind === 7) return Buffer.alloc(dice.pick([10, 1_000, 200_000]), 'x')
  if (kind === 8) return Buffer.from('{"a":"\\ud800","b":"\\u0000"}')
  return Buffer.from(JSON.stringify(garbageValue(dice)).slice(0, dice.int(0, 200)))
}
