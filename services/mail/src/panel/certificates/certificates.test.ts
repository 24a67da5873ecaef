import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { generateDomainKeys } from '../../hosting/domains/dkim-keys.ts'
import { createDomain } from '../domains/operations.ts'
import { startCertificates } from './certificates.ts'
import { mailCertificateNames, ownNames } from './names.ts'

let dns: FakeDns
let mail: MailService
before(async () => {
  dns = await startFakeDns()
  mail = await startMail({
    env: {
      DNS_RESOLVERS: dns.address,
      MAIL_PUBLIC_URL: 'https://panel.host.com',
      MAIL_HOSTNAME: 'mx1.host.com',
      MX_HOSTS: 'mx1.host.com,mx2.host.com',
      MAIL_HTTPS_PORT: '443',
    },
  })
})
after(async () => {
  await mail.close()
  await dns.close()
})

const names = () => mailCertificateNames({ ...mail.parts, given: null })

describe('names that get a certificate', () => {
  test('are those of mail, and of the web unless a proxy serves it; never an address or an inner name', () => {
    assert.deepEqual(ownNames(mail.config), ['mx1.host.com', 'mx2.host.com', 'panel.host.com'])
    assert.deepEqual(ownNames({ ...mail.config, httpsPort: null }), ['mx1.host.com', 'mx2.host.com'])
    const inner = { ...mail.config, hostname: 'localhost', mxHosts: ['server'], publicUrl: 'https://[::1]:8443' }
    assert.deepEqual(ownNames(inner), [])
  })

  test('of customers are three for each verified domain, until the domain is gone', async () => {
    const { id } = await mail.signUp()
    const keys = await generateDomainKeys()
    const input = { accountId: id, keys, now: mail.clock.now() }
    const add = (name: string) => mail.database.tx((tx) => createDomain(tx, mail.parts.hosting, { ...input, name }))
    await add('unproven.com')
    const { domain } = await add('customer.com')
    await mail.database.pool.query(`update domain set verified_at = now() where id = $1`, [domain.id])
    const three = ['autoconfig', 'autodiscover', 'mta-sts'].map((prefix) => `${prefix}.customer.com`)
    assert.deepEqual(await names().missing(20), three)
    for (const name of three) assert.equal(await names().isWanted(name), true)
    for (const name of ['mta-sts.unproven.com', 'www.customer.com', 'customer.com'])
      assert.equal(await names().isWanted(name), false, name)
    await mail.database.pool.query(`update domain set deleted_at = now() where id = $1`, [domain.id])
    assert.deepEqual([await names().missing(20), await names().isWanted('mta-sts.customer.com')], [[], false])
  })

  test('are ordered only if they point here with every address', async () => {
    dns.set('mx1.host.com', 'A', ['192.0.2.1'])
    dns.set('mx1.host.com', 'AAAA', ['2001:db8::1'])
    dns.set('panel.host.com', 'A', ['192.0.2.2'])
    dns.set('here.customer.com', 'CNAME', ['mx1.host.com'])
    dns.set('web.customer.com', 'A', ['192.0.2.2'])
    dns.set('half.customer.com', 'A', ['192.0.2.1', '198.51.100.7'])
    const { refusal } = names()
    for (const name of ['here.customer.com', 'web.customer.com', 'panel.host.com'])
      assert.equal(await refusal(name), null)
    assert.equal(await refusal('half.customer.com'), 'The name points to another server in DNS.')
    for (const name of ['absent.customer.com', 'mx2.host.com'])
      assert.equal(await refusal(name), 'The name has no address in DNS.')
  })

  test('are not those that a given file covers, also in a process that serves no TLS', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'given-'))
    t.after(() => rm(folder, { recursive: true }))
    const tls = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
    const given = selfSignedCertificate(['mx1.host.com', 'panel.host.com'])
    await writeFile(tls.certFile, given.cert)
    await writeFile(tls.keyFile, given.key)
    const acme = { directory: 'https://127.0.0.1:1/', email: null, isOwnDirectory: true }
    const config = { ...mail.config, roles: new Set(['worker'] as const), tls, acme }
    const keeper = await startCertificates({ ...mail.parts, config })
    await keeper?.runDue()
    await keeper?.stop()
    const { rows } = await mail.database.pool.query('select name from certificate')
    assert.deepEqual(rows, [{ name: 'mx2.host.com' }])
  })
})
