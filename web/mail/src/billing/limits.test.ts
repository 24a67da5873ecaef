import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limitsOf, pointsOf } from './limits.ts'
import { formatMoney } from './money.ts'

const none = {
  domains: null,
  addresses: null,
  storage_bytes: null,
  aliases_per_address: null,
  emails_per_day: null,
  emails_per_month: null,
  api_keys: null,
  webhooks: null,
  filters: null,
  transfers: null,
}
const usage = {
  domains: 1,
  addresses: 2,
  storage_bytes: 3_000_000,
  emails_today: 4,
  emails_month: 5,
  api_keys: 0,
  webhooks: 0,
  filters: 0,
  transfers_active: 0,
}
const features = {
  sending_api: true,
  webhooks: false,
  catch_all: false,
  fallback_domain: false,
  dns_publish: true,
  tracking: false,
}

describe('a plan in words', () => {
  test('usage stands beside its limit, and says when there is none', () => {
    const [domains, , storage] = limitsOf({ limits: { ...none, domains: 3 }, usage })
    assert.equal(domains?.text, '1 of 3')
    assert.equal(storage?.text, '3 MB, no limit')
  })

  test('what a plan does not have is no limit that is reached', () => {
    const hooks = (used: number) =>
      limitsOf({ limits: { ...none, webhooks: 0 }, usage: { ...usage, webhooks: used } }).find(
        ({ label }) => label === 'Webhooks',
      )
    assert.deepEqual(hooks(0), { label: 'Webhooks', used: 0, max: null, text: 'Not included' })
    assert.deepEqual(hooks(2), { label: 'Webhooks', used: 2, max: 0, text: '2 of 0' })
  })

  test('only the features that it has are told', () => {
    const points = pointsOf({ limits: { ...none, domains: 1, addresses: 3 }, features })
    assert.deepEqual(points, [
      '1 domain',
      '3 addresses',
      'Storage without limit',
      'Sending without limit',
      'Sending API',
      'One-click DNS',
    ])
  })

  test('an amount has its currency, and cents only when there are some', () => {
    assert.equal(formatMoney(500, 'eur', 'en'), '€5')
    assert.equal(formatMoney(1550, 'eur', 'en'), '€15.50')
  })
})
