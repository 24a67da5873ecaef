import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { problem, type StripeGround, startStripe, URLS } from './testing/ground.ts'

/** What is tried, with the same key each time, and the effect that it is to have once. */
type Attempt = { run: () => Promise<unknown>; effect: () => unknown }

/** What a subscriber is on, and what they paid. */
const subscriber = async (ground: StripeGround, plan: string) => {
  const made = await ground.subscriber(plan)
  const effect = async () => [await ground.planOf(made.customer), ground.taken(made.customer)]
  return { ...made, effect }
}

/** One who is on Pro and will be on Starter. */
const leaving = async (ground: StripeGround) => {
  const made = await subscriber(ground, 'pro')
  const change = { subscription: made.subscription, price: ground.price('starter'), key: newId() }
  await ground.payments.changeLater(change)
  return made
}

const setupCheckout = async (ground: StripeGround) => {
  const { customer, accountId } = await ground.customer()
  return { customer, accountId, checkoutId: newId(), mode: 'setup' as const, key: newId(), ...URLS }
}

const CHANGES: Readonly<Record<string, (ground: StripeGround, key: string) => Promise<Attempt>>> = {
  createCustomer: async ({ payments, fake }, key) => {
    const accountId = newId()
    return {
      run: () => payments.createCustomer({ accountId, email: 'c@x.test', name: null, key }),
      effect: () => fake.customers().filter(({ metadata }) => metadata.account_id === accountId).length,
    }
  },
  subscribe: async (ground, key) => {
    const made = await ground.customer()
    const all = () => ground.fake.subscriptions().filter(({ customer }) => customer === made.customer)
    return {
      run: () => ground.payments.subscribe({ ...made, price: ground.price('pro'), trialDays: 0, key }),
      effect: () => [all().length, ground.taken(made.customer)],
    }
  },
  openCheckout: async (ground) => {
    const request = await setupCheckout(ground)
    const opened = () => ground.fake.sessions().filter(({ customer }) => customer === request.customer)
    return { run: () => ground.payments.openCheckout(request), effect: () => opened().length }
  },
  expireCheckout: async (ground) => {
    const { reference } = await ground.payments.openCheckout(await setupCheckout(ground))
    const status = async () => (await ground.payments.readCheckout(reference))?.status
    return { run: () => ground.payments.expireCheckout(reference), effect: status }
  },
  changeNow: async (ground, key) => {
    const { subscription, effect } = await subscriber(ground, 'starter')
    return { run: () => ground.payments.changeNow({ subscription, price: ground.price('pro'), key }), effect }
  },
  'changeNow in place of a plan that was to follow': async (ground, key) => {
    const { subscription, effect } = await leaving(ground)
    return { run: () => ground.payments.changeNow({ subscription, price: ground.price('business'), key }), effect }
  },
  changeLater: async (ground, key) => {
    const { subscription, effect } = await subscriber(ground, 'pro')
    return { run: () => ground.payments.changeLater({ subscription, price: ground.price('starter'), key }), effect }
  },
  'changeLater in place of a cancellation': async (ground, key) => {
    const { subscription, effect } = await subscriber(ground, 'pro')
    await ground.payments.cancelAtPeriodEnd({ subscription, cancel: true, key: newId() })
    return { run: () => ground.payments.changeLater({ subscription, price: ground.price('starter'), key }), effect }
  },
  keepPlan: async (ground, key) => {
    const { subscription, effect } = await leaving(ground)
    return { run: () => ground.payments.keepPlan({ subscription, key }), effect }
  },
  cancelAtPeriodEnd: async (ground, key) => {
    const { subscription, effect } = await leaving(ground)
    return { run: () => ground.payments.cancelAtPeriodEnd({ subscription, cancel: true, key }), effect }
  },
  cancelNow: async (ground, key) => {
    const { subscription, customer } = await ground.subscriber('pro')
    return {
      run: () => ground.payments.cancelNow({ subscription, credit: true, key }),
      effect: async () => [
        (await ground.readSubscription(customer)).status,
        (await ground.read(customer)).balanceCents,
      ],
    }
  },
  setDefaultMethod: async (ground) => {
    const { customer } = await leaving(ground)
    const { id: reference } = ground.fake.addMethod(customer)
    return {
      run: () => ground.payments.setDefaultMethod({ customer, reference }),
      effect: async () =>
        (await ground.read(customer)).methods.map((each) => [each.is_default, each.reference === reference]),
    }
  },
  attachMethod: async (ground) => {
    const { customer } = await ground.customer()
    const { id: reference } = await ground.host.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })
    return {
      run: () => ground.payments.attachMethod({ customer, reference }),
      effect: async () => (await ground.read(customer)).methods.length,
    }
  },
  detachMethod: async (ground) => {
    const { customer, method } = await ground.customer()
    return {
      run: () => ground.payments.detachMethod(method),
      effect: async () => (await ground.read(customer)).methods.length,
    }
  },
  setTaxId: async (ground, key) => {
    const { customer } = await ground.customer()
    await ground.payments.setTaxId({ customer, type: 'eu_vat', value: 'DE123456789', key: newId() })
    return {
      run: () => ground.payments.setTaxId({ customer, type: 'gb_vat', value: 'GB123456789', key }),
      effect: async () => (await ground.host.customers.listTaxIds(customer)).data.map(({ value }) => value),
    }
  },
  credit: async (ground, key) => {
    const { customer } = await ground.customer()
    return {
      run: () => ground.payments.credit({ customer, amountCents: 300, currency: 'eur', description: 'c', key }),
      effect: async () => (await ground.read(customer)).balanceCents,
    }
  },
}

/** The answer of the n-th request that changes something is lost, also when the SDK asks for it again. */
const loseAnswer = ({ fake }: StripeGround, at: number): void => {
  let seen = -1
  let target: string | undefined
  fake.fail({
    cut: 'after',
    times: 2,
    match: ({ method, path }) => {
      if (method === 'GET') return false
      seen += 1
      if (seen === at) target = path
      return path === target
    },
  })
}

// Each with a Stripe of its own, because the SDK waits half a second before it asks again.
describe('an answer that is lost', { concurrency: 4 }, () => {
  for (const [what, begin] of Object.entries(CHANGES))
    test(`counts as unavailable, and ${what} happens once when it is tried again`, async (t) => {
      const ground = await startStripe()
      t.after(() => ground.close())
      const smooth = await begin(ground, newId())
      const before = ground.fake.requests.length
      await smooth.run()
      const changes = ground.fake.requests.slice(before).filter(({ method }) => method !== 'GET').length
      assert.ok(changes > 0)
      const expected = await smooth.effect()
      for (let at = 0; at < changes; at += 1) {
        const { run, effect } = await begin(ground, newId())
        loseAnswer(ground, at)
        await assert.rejects(run(), problem('unavailable'))
        await run()
        await run()
        assert.deepEqual(await effect(), expected)
      }
    })
})
