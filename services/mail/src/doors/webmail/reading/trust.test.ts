import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantReader, type Reader } from '../testing/ground.ts'

let mail: MailService
let bob: Reader

before(async () => {
  mail = await startMail()
  bob = await plantReader(mail, 'bob@harbourside.test')
})
after(() => mail.close())

const read = async (given: Parameters<Reader['add']>[0]) =>
  (await bob.client.get(`/api/mail/messages/${await bob.add(given)}`)).body
const warnings = async (given: Parameters<Reader['add']>[0]) => (await read(given)).warnings

describe('what a reader sees about a sender', () => {
  test('is what our own host found out when the message came', async () => {
    const prefix = (host: string, result: string) =>
      `Authentication-Results: ${host}; dmarc=${result} header.from=outside.test\r\nReceived: by ${host}; now\r\n`
    assert.deepEqual((await read({ prefix: prefix('mx.stoa.test', 'pass') })).authentication, {
      result: 'pass',
      domain: 'outside.test',
      checked_by: 'mx.stoa.test',
    })
    assert.equal((await read({ prefix: prefix('mx.stoa.test', 'fail') })).authentication.result, 'fail')
    const none = { result: 'none', domain: null, checked_by: null }
    assert.deepEqual((await read({ prefix: prefix('mx.evil.test', 'pass') })).authentication, none)
    assert.deepEqual(
      (await read({ raw: `${prefix('mx.stoa.test', 'pass')}From: a@b.test\r\n\r\nHi\r\n` })).authentication,
      none,
    )
  })

  test('warns of a name or a domain that is made to be taken for another', async () => {
    assert.deepEqual(await warnings({ from: '"help@bank.com" <x@evil.net>' }), [
      { code: 'name_shows_address', shown: 'help@bank.com', actual: 'x@evil.net' },
    ])
    assert.deepEqual(await warnings({ from: 'x@harboursidee.test' }), [
      { code: 'lookalike_domain', shown: 'harbourside.test', actual: 'harboursidee.test' },
    ])
    assert.deepEqual(await warnings({ from: 'Ann <ann@outside.test>' }), [])
    assert.deepEqual(await warnings({ from: '"help@bank.com" <bob@harbourside.test>' }), [], 'oneself')
  })

  test('warns of the name of somebody whom the mailbox wrote to, until it writes to the new address', async () => {
    const letter = { from: 'Cem Calm <cem77@freemail.test>' }
    assert.deepEqual(await warnings(letter), [])
    const send = (email: string) =>
      bob.client.post('/api/mail/send', { to: [`Cem Calm <${email}>`], subject: 'Hi', text: 'Hi' })
    assert.equal((await send('cem@known.test')).status, 200)
    assert.deepEqual(await warnings(letter), [
      { code: 'known_name', shown: 'cem@known.test', actual: 'cem77@freemail.test' },
    ])
    await send('cem77@freemail.test')
    assert.deepEqual(await warnings(letter), [])
  })

  test('warns of links that say to lead elsewhere', async () => {
    assert.deepEqual(await warnings({ html: '<a href="https://evil.net/login">www.bank.com</a>' }), [
      { code: 'misleading_link', shown: 'bank.com', actual: 'evil.net' },
    ])
  })
})
