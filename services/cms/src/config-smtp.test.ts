import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { ConfigError } from '@stoa/kit/config.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { readSmtp } from './config-smtp.ts'

const read = (url: string | undefined, from?: string) =>
  readSmtp({ SMTP_URL: url === undefined ? undefined : new Secret(url), MAIL_FROM: from }, 'https://cms.example.test')

test('without SMTP_URL nothing is mailed', () => {
  assert.equal(read(undefined), null)
})

test('an address says host, port, TLS, user and password', () => {
  const smtp = read('smtps://cms%40example.test:a%3Ab@mail.example.test')
  const { password, ...rest } = smtp ?? assert.fail()
  assert.deepEqual(rest, {
    host: 'mail.example.test',
    port: 465,
    isLocal: false,
    isImplicitTls: true,
    user: 'cms@example.test',
    from: 'noreply@cms.example.test',
  })
  assert.equal(password?.reveal(), 'a:b')
  assert.ok(!inspect(smtp, { depth: 9 }).includes('a:b'))
  assert.deepEqual([read('smtp://mail.example.test')?.port, read('smtp://mail.example.test')?.user], [587, null])
  assert.equal(read('smtp://mail.example.test:25', 'site@example.test')?.from, 'site@example.test')
})

test('this machine is known by its addresses', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]']) assert.equal(read(`smtp://${host}:25`)?.isLocal, true, host)
  for (const host of ['10.0.0.1', 'localhost.example.test']) assert.equal(read(`smtp://${host}`)?.isLocal, false, host)
  assert.equal(read('smtp://[::1]:25')?.host, '::1')
})

test('what cannot work is refused at the start', () => {
  assert.throws(() => read('smtp://mail.example.test', 'nobody'), ConfigError)
  assert.throws(() => read('smtp://user:100%@mail.example.test'), ConfigError)
})
