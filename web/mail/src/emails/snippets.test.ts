import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { clientExample, curlExample, envExample, senderOf } from './snippets.ts'

const example = {
  origin: 'https://mail.example.com',
  token: 'mk_abc',
  from: "o'neil@example.com",
  to: 'a\\b@example.org',
}

describe('examples of sending', () => {
  test('survive a shell whatever stands in the addresses', () => {
    const command = curlExample(example).replace(/^curl/, `printf '%s\\n'`)
    const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' })
    assert.match(words, /^https:\/\/mail\.example\.com\/api\/emails\n-H\nAuthorization: Bearer mk_abc\n/)
    const body = JSON.parse(words.slice(words.indexOf('{')))
    assert.deepEqual([body.from, body.to], [example.from, example.to])
  })

  test('are code that says the same addresses', () => {
    const code = clientExample(example)
    assert.match(code, /new Resend\('mk_abc', \{\n {2}baseUrl: 'https:\/\/mail\.example\.com\/api'/)
    const object = /send\((\{[\s\S]*?\})\)/.exec(code)?.[1] ?? ''
    const sent = new Function(`return ${object}`)()
    assert.deepEqual([sent.from, sent.to], [example.from, example.to])
    assert.match(clientExample({ ...example, token: '$RESEND_API_KEY' }), /new Resend\(process\.env\.RESEND_API_KEY,/)
  })

  test('of the environment need no other change', () => {
    assert.equal(envExample(example), 'RESEND_API_KEY=mk_abc\nRESEND_BASE_URL=https://mail.example.com/api')
  })

  test('send from a domain that can', () => {
    const domain = (name: string, sending: string) => ({ name, capabilities: { sending } })
    assert.equal(senderOf([domain('a.test', 'disabled'), domain('b.test', 'enabled')]), 'hello@b.test')
    assert.equal(senderOf([]), 'hello@example.com')
  })
})
