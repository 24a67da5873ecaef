import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comparePlans, isUnlimited, limitsOf, overLimits, pointsOf } from './limits.ts'
import { formatAmount, formatPrice } from './money.ts'
import { formatStorage } from './storage.ts'
import { planLike } from './testing/plans.ts'

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
  test('usage stands beside its limit, and is a plain number where there is none', () => {
    const limits = { ...none, domains: 3 }
    const [domains, , storage] = limitsOf({ limits, usage })
    assert.equal(domains?.text, '1 of 3')
    assert.deepEqual([storage?.text, storage?.max], ['3 MB', null])
    assert.deepEqual([isUnlimited({ limits }), isUnlimited({ limits: none })], [false, true])
  })

  test('what a plan does not have is no limit that is reached', () => {
    const hooks = (used: number) =>
      limitsOf({ limits: { ...none, webhooks: 0 }, usage: { ...usage, webhooks: used } }).find(
        ({ label }) => label === 'Webhooks',
      )
    assert.deepEqual([hooks(0)?.max, hooks(0)?.text], [null, 'Not included'])
    assert.deepEqual([hooks(2)?.max, hooks(2)?.text], [0, '2, not included'])
  })

  test('only the features that it has are listed', () => {
    const points = pointsOf({ limits: { ...none, domains: 1, addresses: 3 }, features })
    assert.deepEqual(points, [
      '1 domain',
      '3 addresses',
      'Unlimited storage',
      'Unlimited sending',
      'Sending API',
      'One-click DNS',
    ])
  })

  test('only what is stored counts as over a plan: sending starts again by itself', () => {
    const over = overLimits({ limits: { ...none, domains: 0, addresses: 2, emails_per_day: 1 }, usage })
    assert.deepEqual(
      over.map(({ label, text, remedy }) => [label, text, remedy?.to]),
      [['Domains', '1, not included', '/domains']],
    )
  })

  test('plans are compared line by line, and what one lacks is not a zero', () => {
    const lines = comparePlans([
      planLike({ limits: { ...none, domains: 1, webhooks: 0 }, features }),
      planLike({ limits: { ...none, domains: 1_000, webhooks: 3 }, features: { ...features, tracking: true } }),
    ])
    const cellsOf = (label: string) => lines.find((line) => line.label === label)?.cells
    assert.deepEqual(cellsOf('Domains'), ['1', '1,000'])
    assert.deepEqual(cellsOf('Storage'), ['Unlimited', 'Unlimited'])
    assert.deepEqual(cellsOf('Webhooks'), [false, '3'])
    assert.deepEqual(cellsOf('Open and click tracking'), [false, true])
    assert.equal(lines.filter(({ label }) => label === 'Webhooks').length, 1)
  })

  test('storage is written as it is sold', () => {
    assert.deepEqual(
      [0, 1023, 1024, 25 * 2 ** 30, 1.5 * 2 ** 40].map((bytes) => formatStorage(bytes, 'en')),
      ['0 B', '1,023 B', '1 KiB', '25 GiB', '1.5 TiB'],
    )
  })

  test('a price has cents only when there are some, an amount that is charged always has', () => {
    assert.equal(formatPrice(500, 'eur', 'en'), '€5')
    assert.equal(formatPrice(1550, 'eur', 'en'), '€15.50')
    assert.equal(formatAmount(500, 'eur', 'en'), '€5.00')
    assert.equal(formatAmount(-742, 'eur', 'en'), '-€7.42')
    assert.equal(formatAmount(500, 'jpy', 'en'), '¥500')
  })
})
