import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, before, test } from 'node:test'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantAccount, plantDomain } from '../../hosting/addresses/testing/hosting.ts'
import { updateDomain } from '../../panel/domains/operations.ts'

let mail: MailService
let accountId: string
before(async () => {
  mail = await startMail({ env: { MX_HOSTS: 'mx1.stoa.test,mx2.stoa.test', SECURITY_CONTACT: 'security@stoa.test' } })
  accountId = (await plantAccount(mail.database)).id
})
after(() => mail.close())

/** `fetch` does not let one choose the Host. */
const get = (path: string, host: string): Promise<{ status: number; type: string; text: string }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(mail.url + path, { headers: { host } }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      const type = String(response.headers['content-type'])
      resolve({ status: response.statusCode ?? 0, type, text: Buffer.concat(chunks).toString() })
    })
    request.on('error', reject).end()
  })

test('the MTA-STS policy is that of the domain that is called', async () => {
  const { id } = await plantDomain(mail.database, { accountId, name: 'sts-here.com' })
  await plantDomain(mail.database, { accountId, name: 'sts-claimed.com', isVerified: false })
  const change = { mta_sts_mode: 'enforce' } as const
  await mail.database.tx((tx) => updateDomain(tx, { accountId, domainId: id, change, now: new Date() }))
  const policy = await get('/.well-known/mta-sts.txt', 'MTA-STS.sts-here.com:443')
  assert.equal(policy.status, 200)
  assert.match(policy.type, /^text\/plain/)
  const lines = ['version: STSv1', 'mode: enforce', 'mx: mx1.stoa.test', 'mx: mx2.stoa.test', 'max_age: 604800', '']
  assert.equal(policy.text, lines.join('\r\n'))
  for (const host of [
    'sts-here.com',
    'mta-sts.elsewhere.com',
    'mta-sts.sts-claimed.com',
    'mta-sts.',
    'mta-sts.a"b.com',
  ])
    assert.equal((await get('/.well-known/mta-sts.txt', host)).status, 404, host)
})

test('a domain that withdrew its policy says so', async () => {
  await plantDomain(mail.database, { accountId, name: 'sts-none.com' })
  const { text } = await get('/.well-known/mta-sts.txt', 'mta-sts.sts-none.com')
  assert.equal(text, 'version: STSv1\r\nmode: none\r\nmax_age: 604800\r\n')
})

test('security.txt names the contact and when to look again', async () => {
  const { status, type, text } = await get('/.well-known/security.txt', 'mail.test')
  assert.deepEqual([status, type], [200, 'text/plain; charset=utf-8'])
  const lines = text.trim().split('\r\n')
  const fields = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
  assert.equal(fields.get('Contact'), 'mailto:security@stoa.test')
  assert.equal(fields.get('Canonical'), 'http://mail.test/.well-known/security.txt')
  assert.equal(fields.get('Expires'), '2026-08-28T00:00:00Z')
})

test('without a contact there is no security.txt', async () => {
  const silent = await startMail()
  try {
    assert.equal((await silent.client().get('/.well-known/security.txt')).status, 404)
  } finally {
    await silent.close()
  }
})
