import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { selfSignedCertificate } from './certificate.ts'

test('the certificate is valid now, for its names and addresses only, and signed by its own key', () => {
  const { cert } = selfSignedCertificate(['hooks.test', '*.mail.test', '127.0.0.2'])
  const parsed = new X509Certificate(cert)
  assert.equal(parsed.checkHost('hooks.test'), 'hooks.test')
  assert.equal(parsed.checkHost('mx.mail.test'), '*.mail.test')
  assert.equal(parsed.checkHost('other.test'), undefined)
  assert.equal(parsed.checkIP('127.0.0.2'), '127.0.0.2')
  assert.equal(parsed.checkIP('127.0.0.1'), undefined)
  assert.ok(parsed.verify(parsed.publicKey))
  assert.ok(Date.parse(parsed.validFrom) < Date.now() && Date.parse(parsed.validTo) > Date.now())
})
