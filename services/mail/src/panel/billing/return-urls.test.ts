import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '@stoa/kit/errors.ts'
import { readReturnUrls, withCheckout } from './return-urls.ts'

const PANEL = 'https://mail.example.org:8443'
const read = (success_url?: string, panel = PANEL) => readReturnUrls(panel, { success_url }).successUrl

describe('the addresses that a checkout returns to', () => {
  test('are pages of the panel unless others are given', () => {
    assert.deepEqual(withCheckout(readReturnUrls(PANEL, {}), 'id-1'), {
      successUrl: `${PANEL}/billing/return?checkout=id-1`,
      cancelUrl: `${PANEL}/billing?checkout=id-1`,
    })
    const { successUrl } = withCheckout(readReturnUrls(PANEL, {}, '?plan=p-1'), 'id-1')
    assert.equal(successUrl, `${PANEL}/billing/return?plan=p-1&checkout=id-1`)
    assert.deepEqual(readReturnUrls(PANEL, { success_url: null, cancel_url: null }), readReturnUrls(PANEL, {}))
  })

  test('keep their path, query and fragment, and get our id once', () => {
    const urls = { success_url: `${PANEL}/a/b?x=1&checkout=cs_1#top`, cancel_url: `${PANEL}` }
    assert.deepEqual(withCheckout(readReturnUrls(PANEL, urls), 'id-1'), {
      successUrl: `${PANEL}/a/b?x=1&checkout=id-1#top`,
      cancelUrl: `${PANEL}/?checkout=id-1`,
    })
  })

  test('never hold what the provider would replace with its own id', () => {
    const template = `${PANEL}/{CHECKOUT_SESSION_ID}?a={CHECKOUT_SESSION_ID}#{CHECKOUT_SESSION_ID}`
    const { successUrl } = withCheckout(readReturnUrls(PANEL, { success_url: template }), 'id-1')
    assert.doesNotMatch(successUrl, /[{}]/)
  })

  const foreign = [
    'https://evil.example/',
    'https://mail.example.org/',
    'https://mail.example.org:8444/',
    'http://mail.example.org:8443/',
    'https://mail.example.org:8443.evil.example/',
    'https://mail.example.org:8443@evil.example/',
    'https://ada@mail.example.org:8443/',
    'https://ada:secret@mail.example.org:8443/',
    'https://evil.example\\@mail.example.org:8443/',
    'https://mail.example.org:8443\\@evil.example/',
    'https://mail.example.org:8443\\.evil.example/',
    '//mail.example.org:8443/',
    '//evil.example/',
    '/\\evil.example',
    '/billing',
    'billing',
    'javascript:alert(1)//https://mail.example.org:8443/',
    'data:text/html,x',
    'blob:https://mail.example.org:8443/x',
    'https://mail.example.org:8443/\nhttps://evil.example',
    '\thttps://mail.example.org:8443/',
    'https://mail.example.org:8443/ x',
    '',
  ]
  for (const url of foreign)
    test(`are refused: ${JSON.stringify(url)}`, () => {
      const isRefused = (error: unknown) =>
        error instanceof AppError && error.code === 'validation_error' && error.message.includes('`success_url`')
      assert.throws(() => read(url), isRefused)
    })

  test('of the cancellation are judged alike', () => {
    assert.throws(() => readReturnUrls(PANEL, { cancel_url: 'https://evil.example/' }), /`cancel_url`/)
  })

  test('may be written with capitals, and with the usual port', () => {
    assert.equal(read('HTTPS://MAIL.example.org:443/x', 'https://mail.example.org'), 'https://mail.example.org/x')
  })
})
