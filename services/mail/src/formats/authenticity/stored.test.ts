import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readStoredResults } from './stored.ts'

const results = (value: string) => ({ name: 'Authentication-Results', value })
const received = { name: 'Received', value: 'from somewhere' }
const read = (...fields: { name: string; value: string }[]) => readStoredResults(fields, 'mx.stoa.test')

describe('stored results', () => {
  test('are what the receiving service found out', () => {
    const value =
      'mx.stoa.test; dkim=pass header.d=example.org header.s=s1 header.a=rsa-sha256 header.b=abc/+def; ' +
      'dkim=pass (does not cover all of the message) header.d=part.test header.s=s1 header.b=zzz; ' +
      'dkim=fail header.d=bad.test header.s=s1 header.b=yyy; spf=pass; dmarc=pass policy.dmarc=reject header.from=example.org'
    assert.deepEqual(read({ name: 'Return-Path', value: '<>' }, results(value), received), {
      by: 'mx.stoa.test',
      dmarc: { result: 'pass', domain: 'example.org' },
      signatures: [{ domain: 'example.org', selector: 's1', beginning: 'abc/+def' }],
    })
    assert.deepEqual(read(results('mx.stoa.test; dmarc=fail header.from=bank.example'), received)?.dmarc, {
      result: 'fail',
      domain: 'bank.example',
    })
    assert.equal(read(results('mx.stoa.test; spf=pass; dkim=pass'), received)?.dmarc.result, 'none')
  })

  test('are never what another host says, or the message about itself', () => {
    const own = results('mx.stoa.test; dmarc=pass header.from=bank.example')
    assert.equal(read(received, own), null)
    assert.equal(read(own), null)
    assert.equal(read(results('mx.evil.test; dmarc=pass header.from=bank.example'), received), null)
    assert.equal(read(results('mx.stoa.test; spf=none'), received, own)?.dmarc.result, 'none')
    assert.equal(read(results('mx.stoa.test; spf=none smtp.helo=dmarc=pass'), received)?.dmarc.result, 'none')
  })
})
