import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { MONTH, problem, type StripeGround, startStripe, URLS } from './testing/ground.ts'

let ground: StripeGround
before(async () => {
  ground = await startStripe()
})
after(() => ground.close())

describe('a customer', () => {
  test('is found by the account that it was made for, once searches know it', async () => {
    const { customer, accountId } = await ground.customer()
    ground.fake.advance(60_000)
    assert.equal(await ground.payments.findCustomer(accountId), customer)
    assert.equal(await ground.payments.findCustomer(newId()), undefined)
  })

  test('that is unknown or was deleted is nobody', async () => {
    const { customer } = await ground.customer()
    await ground.host.customers.del(customer)
    assert.equal(await ground.payments.readCustomer(customer), undefined)
    assert.equal(await ground.payments.readCustomer('cus_unknown'), undefined)
  })

  test('who never paid has nothing', async () => {
    const customer = await ground.payments.createCustomer({
      accountId: newId(),
      email: 'b@x.test',
      name: 'B',
      key: newId(),
    })
    assert.deepEqual(await ground.read(customer), {
      balanceCents: 0,
      subscription: null,
      otherSubscriptions: [],
      methods: [],
      transactions: [],
      taxId: null,
    })
  })

  test('has all pages of what it has', async () => {
    const { customer } = await ground.customer()
    for (let at = 0; at < 120; at += 1)
      await ground.host.customers.createBalanceTransaction(customer, { amount: -1, currency: 'eur' })
    const { balanceCents, transactions } = await ground.read(customer)
    assert.deepEqual([balanceCents, transactions.length], [120, 120])
  })
})

describe('payment methods', () => {
  test('are attached, made the default of the subscription too, and removed', async () => {
    const { customer, method, subscription } = await ground.subscriber('pro')
    await ground.payments.attachMethod({ customer, reference: 'pm_card_mastercard' })
    const added = (await ground.read(customer)).methods.find(({ reference }) => reference !== method)
    assert.deepEqual([added?.brand, added?.is_default], ['mastercard', false])
    const defaultOf = async () => (await ground.read(customer)).methods.find(({ is_default }) => is_default)?.reference
    for (const reference of [added?.reference ?? '', method, added?.reference ?? '']) {
      await ground.payments.setDefaultMethod({ customer, reference })
      assert.equal(await defaultOf(), reference)
    }
    await ground.payments.changeLater({ subscription, price: ground.price('starter'), key: newId() })
    await ground.payments.detachMethod(method)
    await ground.payments.detachMethod(method)
    assert.equal((await ground.read(customer)).methods.length, 1)
    ground.fake.advance(MONTH)
    assert.deepEqual(ground.taken(customer), [1_500, 500])
  })

  test('stay the default when a plan that was to follow begins', async () => {
    const { customer, method, subscription } = await ground.subscriber('pro')
    await ground.payments.changeLater({ subscription, price: ground.price('starter'), key: newId() })
    const other = ground.fake.addMethod(customer, 'mastercard').id
    await ground.payments.setDefaultMethod({ customer, reference: other })
    ground.fake.setDecline(method, 'lost_card')
    ground.fake.advance(MONTH)
    const found = await ground.read(customer)
    assert.deepEqual([found.subscription?.status, ground.taken(customer)], ['active', [1_500, 500]])
    assert.equal(found.methods.find(({ is_default }) => is_default)?.reference, other)
  })

  test('of others, unknown and refused ones are not attached', async () => {
    const [one, other] = [await ground.customer(), await ground.customer()]
    const attach = (reference: string) => ground.payments.attachMethod({ customer: one.customer, reference })
    await assert.rejects(attach(other.method), problem('invalid'))
    await assert.rejects(attach('pm_unknown'), problem('not_found'))
    await assert.rejects(attach('pm_card_chargeDeclined'), problem('declined'))
    assert.equal((await ground.read(one.customer)).methods.length, 1)
    assert.equal((await ground.read(other.customer)).methods.length, 1)
    const change = { customer: one.customer, reference: other.method }
    await assert.rejects(ground.payments.setDefaultMethod(change), problem('not_found'))
  })
})

describe('a checkout', () => {
  const open = async (mode: 'subscription' | 'setup') => {
    const { customer, accountId } = await ground.customer()
    const common = { customer, accountId, checkoutId: newId(), key: newId(), ...URLS }
    const checkout = await ground.payments.openCheckout(
      mode === 'setup' ? { ...common, mode } : { ...common, mode, price: ground.price('pro'), trialDays: 0 },
    )
    return { customer, ...checkout }
  }

  test('for a plan leads to a subscription with a method of its own', async () => {
    const { customer, reference, url, expiresAt } = await open('subscription')
    assert.match(url, /^http/)
    assert.ok(expiresAt > ground.fake.now())
    assert.deepEqual(await ground.payments.readCheckout(reference), { status: 'open', customer, method: null })
    ground.fake.completeCheckout(reference)
    assert.deepEqual(await ground.payments.readCheckout(reference), { status: 'complete', customer, method: null })
    const found = await ground.read(customer)
    assert.deepEqual([found.subscription?.plan, found.methods.length, ground.taken(customer)], ['pro', 2, [1_500]])
  })

  test('for a method returns which one was saved', async () => {
    const { customer, reference } = await open('setup')
    ground.fake.completeCheckout(reference, 'mastercard')
    const checkout = await ground.payments.readCheckout(reference)
    const { methods } = await ground.read(customer)
    assert.deepEqual([checkout?.status, checkout?.customer], ['complete', customer])
    assert.ok(methods.some(({ reference, brand }) => reference === checkout?.method && brand === 'mastercard'))
  })

  test('can be closed, and one that is done stays done', async () => {
    const { reference } = await open('subscription')
    await ground.payments.expireCheckout(reference)
    await ground.payments.expireCheckout(reference)
    assert.equal((await ground.payments.readCheckout(reference))?.status, 'expired')
    const other = await open('setup')
    ground.fake.completeCheckout(other.reference)
    await ground.payments.expireCheckout(other.reference)
    assert.equal((await ground.payments.readCheckout(other.reference))?.status, 'complete')
    assert.equal(await ground.payments.readCheckout('cs_test_unknown'), undefined)
  })
})

describe('a tax id', () => {
  test('is set, replaced, verified and removed', async () => {
    const { customer } = await ground.customer()
    const set = (value: string) => ground.payments.setTaxId({ customer, type: 'eu_vat', value, key: newId() })
    await set('DE123456789')
    await set('DE123456789')
    await set('FR12345678901')
    const { taxId } = await ground.read(customer)
    assert.deepEqual(
      [taxId?.value, taxId?.country, taxId?.type, taxId?.status],
      ['FR12345678901', 'FR', 'eu_vat', 'pending'],
    )
    ground.fake.verifyTaxId(taxId?.reference ?? '', 'unverified')
    assert.equal((await ground.read(customer)).taxId?.status, 'unverified')
    assert.equal((await ground.host.customers.listTaxIds(customer)).data.length, 1)
    await assert.rejects(set('no'), problem('invalid'))
    assert.equal((await ground.read(customer)).taxId?.value, 'FR12345678901')
    await ground.payments.setTaxId({ customer, type: null })
    await ground.payments.setTaxId({ customer, type: null })
    assert.equal((await ground.read(customer)).taxId, null)
  })
})
