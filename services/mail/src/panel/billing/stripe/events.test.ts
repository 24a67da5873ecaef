import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { Secret } from '@stoa/kit/secret.ts'
import Stripe from 'stripe'
import { readEvent } from './events.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const SECONDS = NOW.getTime() / 1_000
const SECRETS = [new Secret('whsec_new'), new Secret('whsec_old')]
const BODY = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'customer.subscription.updated',
  data: { object: { id: 'sub_1', object: 'subscription', customer: 'cus_1', status: 'active' } },
})

const hmac = (body: string | Buffer, secret = 'whsec_new', at = SECONDS): string =>
  createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')
const sign = (body: string | Buffer, secret?: string, at = SECONDS): string => `t=${at},v1=${hmac(body, secret, at)}`
const read = (signature: string | undefined, body: string | Buffer = BODY) =>
  readEvent(SECRETS, { raw: Buffer.from(body), signature, now: NOW })
const READ = { id: 'evt_1', type: 'customer.subscription.updated', customer: 'cus_1' }

describe('a callback', () => {
  test('that Stripe signed is read, whichever secret it used', () => {
    assert.deepEqual(read(sign(BODY)), READ)
    assert.deepEqual(read(sign(BODY, 'whsec_old')), READ)
    const both = `t=${SECONDS},v1=${hmac(BODY, 'whsec_gone')},v1=${hmac(BODY)},v0=${hmac(BODY, 'x')}`
    assert.deepEqual(read(both), READ)
  })

  test("with the header that Stripe's own library makes is read", () => {
    const header = Stripe.webhooks.generateTestHeaderString({ payload: BODY, secret: 'whsec_old', timestamp: SECONDS })
    assert.deepEqual(read(header), READ)
  })

  const other = BODY.replace('cus_1', 'cus_2')
  const forged: [string, string | undefined, (string | Buffer)?][] = [
    ['no signature', undefined],
    ['an empty signature', ''],
    ['a signature by another secret', sign(BODY, 'whsec_else')],
    ['the signature of another body', sign(other)],
    ['a body that was cut off', sign(BODY), BODY.slice(0, -1)],
    ['a body that has more at its end', sign(BODY), `${BODY} `],
    ['a body with a byte order mark', sign(BODY), `\ufeff${BODY}`],
    ['a body in another encoding', sign(BODY), Buffer.from(BODY, 'utf16le')],
    [
      'bytes that decode to the signed text',
      sign('{"\ufffd":1}'),
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    ],
    ['no time', `v1=${hmac(BODY)}`],
    ['a time that is none', `t=now,v1=${hmac(BODY)}`],
    ['another time than the signed one', `t=${SECONDS + 1},v1=${hmac(BODY)}`],
    ['an old time', sign(BODY, 'whsec_new', SECONDS - 301)],
    ['a time to come', sign(BODY, 'whsec_new', SECONDS + 301)],
    ['a signature of another scheme', `t=${SECONDS},v0=${hmac(BODY)}`],
    ['a signature that is cut off', `t=${SECONDS},v1=${hmac(BODY).slice(0, -2)}`],
    ['an empty signature of the scheme', `t=${SECONDS},v1=`],
  ]
  for (const [what, signature, body] of forged)
    test(`with ${what} is refused`, () => {
      assert.equal(read(signature, body), undefined)
    })

  test('is refused while there is no secret', () => {
    assert.equal(readEvent([], { raw: Buffer.from(BODY), signature: sign(BODY), now: NOW }), undefined)
    assert.equal(readEvent([], { raw: Buffer.from(BODY), signature: sign(BODY, ''), now: NOW }), undefined)
  })

  test('is taken until it is five minutes old', () => {
    assert.deepEqual(read(sign(BODY, 'whsec_new', SECONDS - 300)), READ)
  })

  for (const body of ['', 'null', '[]', '{', '"evt"', '{"id":1,"type":"a"}', '{"id":"evt_1"}'])
    test(`that is signed and is no event is refused: ${body || 'nothing'}`, () => {
      assert.equal(read(sign(body), body), undefined)
    })

  const customers: [string, object, string | null][] = [
    ['of a customer', { object: { object: 'customer', id: 'cus_3' } }, 'cus_3'],
    ['with the whole customer', { object: { object: 'invoice', customer: { id: 'cus_4' } } }, 'cus_4'],
    [
      'of what was taken from a customer',
      { object: { object: 'payment_method', customer: null }, previous_attributes: { customer: 'cus_5' } },
      'cus_5',
    ],
    ['of nobody', { object: { object: 'product', id: 'prod_1' } }, null],
    ['with an unexpected shape', { object: { object: 'invoice', customer: [1] } }, null],
    ['without an object', {}, null],
  ]
  for (const [what, data, customer] of customers)
    test(`${what} names ${customer ?? 'no customer'}`, () => {
      const body = JSON.stringify({ id: 'evt_2', type: 'some.event', data })
      assert.deepEqual(read(sign(body), body), { id: 'evt_2', type: 'some.event', customer })
    })
})
