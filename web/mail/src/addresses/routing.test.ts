import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, type Hosted, matchesPattern, traceName } from './routing.ts'

const address = (id: string, email: string, aliases: string[] = [], enabled = true) => ({
  id,
  email,
  aliases,
  enabled,
  forward_to: [],
  keep_copy: true,
})

const domain = (id: string, name: string, more: { catchAll?: string; fallback?: string; verified?: boolean } = {}) => ({
  id,
  name,
  verified_at: more.verified === false ? null : '2026-01-01T00:00:00.000Z',
  catch_all_address_id: more.catchAll ?? null,
  fallback_domain_id: more.fallback ?? null,
})

const hosted: Hosted = {
  domains: [
    domain('1', 'one.test', { fallback: '2' }),
    domain('2', 'two.test', { catchAll: 'ada' }),
    domain('3', 'new.test', { verified: false }),
    domain('4', 'quiet.test'),
  ],
  addresses: [
    address('ada', 'ada@one.test', ['hello@one.test', 'shop-*@one.test', 'shop-new-*@two.test']),
    address('bob', 'bob@one.test', ['shop-new-*@one.test', 'news+weekly@one.test']),
    address('off', 'off@one.test', [], false),
  ],
}

const brief = (answer: Answer): string =>
  answer.kind === 'mailbox'
    ? `${answer.address.id} by ${answer.way}${answer.fallback === null ? '' : ` through ${answer.fallback}`}`
    : answer.kind
const goes = (name: string): string => brief(traceName(name, hosted))

describe('where mail to a name goes', () => {
  test('to the address, its alias, or the pattern with the most literal text', () => {
    assert.equal(goes('Ada@One.Test'), 'ada by address')
    assert.equal(goes('hello@one.test'), 'ada by alias')
    assert.equal(goes('shop-blue@one.test'), 'ada by pattern')
    assert.equal(goes('shop-new-blue@one.test'), 'bob by pattern')
  })

  test('what follows a plus is left out, unless a name has it', () => {
    assert.equal(goes('ada+lists@one.test'), 'ada by detail')
    assert.equal(goes('hello+lists@one.test'), 'ada by alias')
    assert.equal(goes('news+weekly@one.test'), 'bob by alias')
    assert.equal(goes('shop-x+lists@one.test'), 'ada by pattern')
  })

  test('then to the catch-all and to the fallback domain', () => {
    assert.equal(goes('nobody@two.test'), 'ada by catch_all')
    assert.equal(goes('nobody@one.test'), 'ada by catch_all through two.test')
    assert.equal(goes('nobody@quiet.test'), 'unknown')
  })

  test('a mailbox that is off takes nothing, and nobody else does in its place', () => {
    assert.equal(goes('off@one.test'), 'off')
  })

  test('postmaster and abuse always reach somebody', () => {
    assert.equal(goes('postmaster@two.test'), 'ada by catch_all')
    assert.equal(goes('abuse@quiet.test'), 'owner')
    assert.equal(goes('abuse@one.test'), 'owner')
  })

  test('other hosts, unverified domains and nonsense are distinguished', () => {
    assert.equal(goes('ada@elsewhere.test'), 'foreign')
    assert.equal(goes('ada@new.test'), 'unverified')
    for (const text of ['ada', '@one.test', 'ada@', 'a b@one.test', 'a@b@one.test'])
      assert.equal(goes(text), 'malformed')
  })

  test('a star stands for any text, also for none, and the parts never overlap', () => {
    assert.ok(matchesPattern('shop-*', 'shop-'))
    assert.ok(matchesPattern('a*a', 'aa'))
    assert.ok(!matchesPattern('a*a', 'a'))
    assert.ok(!matchesPattern('shop', 'shop'))
  })
})
