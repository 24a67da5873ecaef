import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { createTestClock } from '../clock.ts'
import { createLogger } from '../log.ts'
import { openCertificate } from './certificate.ts'

const DAY_MS = 86_400_000
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certificate-test-'))
})
after(() => rm(folder, { recursive: true }))

const lines: string[] = []
const log = createLogger({ name: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } })
const common = { hostname: 'mail.example.test', environment: 'test', log } as const

describe('a given certificate', () => {
  const open = async () => {
    const dataDir = await mkdtemp(join(folder, 'given-'))
    const files = { certFile: join(dataDir, 'cert.pem'), keyFile: join(dataDir, 'key.pem') }
    const first = selfSignedCertificate(['first.test'])
    await writeFile(files.certFile, first.cert)
    await writeFile(files.keyFile, first.key)
    const certificate = await openCertificate({ ...common, files, dataDir, pollMs: 10 })
    let changes = 0
    const leave = certificate.onChange(() => {
      changes += 1
    })
    return { certificate, files, first, changes: () => changes, leave, dataDir }
  }

  test('is replaced when both files have changed; a half-changed pair keeps the old one and is logged once', async () => {
    const { certificate, files, first, changes } = await open()
    assert.deepEqual(certificate.current(), first)
    const second = selfSignedCertificate(['second.test'])
    const before = lines.length
    await writeFile(files.certFile, second.cert)
    await until(() => lines.length > before)
    await passTime(60, 'whoever took a half pair would have said so by now')
    assert.deepEqual([certificate.current(), changes(), lines.length - before], [first, 0, 1])
    await writeFile(files.keyFile, second.key)
    await until(() => changes() === 1)
    assert.deepEqual(certificate.current(), second)
    assert.equal(
      lines.some((line) => line.includes('PRIVATE')),
      false,
    )
    certificate.close()
  })

  test('stays while the files are missing, empty or nonsense, and goes on being followed', async () => {
    const { certificate, files, first, changes } = await open()
    for (const spoil of [
      () => rm(files.certFile),
      () => writeFile(files.certFile, ''),
      () => writeFile(files.certFile, 'nonsense'),
    ]) {
      await spoil()
      await passTime(60, 'the files have been looked at')
      assert.deepEqual([certificate.current(), changes()], [first, 0])
    }
    const next = selfSignedCertificate(['next.test'])
    await writeFile(files.keyFile, next.key)
    await writeFile(files.certFile, next.cert)
    await until(() => changes() === 1)
    assert.deepEqual(certificate.current(), next)
    certificate.close()
  })

  test('may be behind links that a renewal replaces', async () => {
    const dataDir = await mkdtemp(join(folder, 'links-'))
    const [first, second] = [selfSignedCertificate(['a.test']), selfSignedCertificate(['b.test'])]
    for (const [name, pair] of [
      ['one', first],
      ['two', second],
    ] as const) {
      await writeFile(join(dataDir, `${name}-cert.pem`), pair.cert)
      await writeFile(join(dataDir, `${name}-key.pem`), pair.key)
    }
    const files = { certFile: join(dataDir, 'cert.pem'), keyFile: join(dataDir, 'key.pem') }
    const pointTo = async (name: string) => {
      for (const part of ['cert', 'key']) {
        await symlink(`${name}-${part}.pem`, join(dataDir, 'draft'))
        await rename(join(dataDir, 'draft'), join(dataDir, `${part}.pem`))
      }
    }
    await pointTo('one')
    const certificate = await openCertificate({ ...common, files, dataDir, pollMs: 10 })
    await pointTo('two')
    await until(() => certificate.current().cert === second.cert)
    certificate.close()
  })

  test('notifies no listener after it unsubscribed, or after it was closed', async () => {
    const { certificate, files, changes, leave } = await open()
    const replace = async () => {
      const next = selfSignedCertificate(['again.test'])
      await writeFile(files.keyFile, next.key)
      await writeFile(files.certFile, next.cert)
      return next
    }
    leave()
    const next = await replace()
    await until(() => certificate.current().cert === next.cert)
    assert.equal(changes(), 0)
    certificate.close()
    await replace()
    await passTime(50, 'whoever still watched would have taken it by now')
    assert.equal(certificate.current().cert, next.cert)
  })

  test('that ends soon is reported, once a day', async () => {
    const dataDir = await mkdtemp(join(folder, 'ending-'))
    const files = { certFile: join(dataDir, 'cert.pem'), keyFile: join(dataDir, 'key.pem') }
    const { cert, key } = selfSignedCertificate(['ending.test'])
    await writeFile(files.certFile, cert)
    await writeFile(files.keyFile, key)
    const clock = createTestClock(new Date())
    const certificate = await openCertificate({ ...common, files, dataDir, clock, pollMs: 5 })
    const alerts = () => lines.filter((line) => line.includes('expires soon') && line.includes(dataDir)).length
    clock.advance(300 * DAY_MS)
    await passTime(30, 'whoever warned too early would have by now')
    assert.equal(alerts(), 0)
    clock.advance(10 * DAY_MS)
    await until(() => alerts() === 1)
    await passTime(30, 'whoever repeated it would have by now')
    assert.equal(alerts(), 1)
    clock.advance(DAY_MS)
    await until(() => alerts() === 2)
    certificate.close()
  })

  test('that cannot be used at the start is an error', async () => {
    const dataDir = await mkdtemp(join(folder, 'bad-'))
    const files = { certFile: join(dataDir, 'cert.pem'), keyFile: join(dataDir, 'key.pem') }
    await assert.rejects(openCertificate({ ...common, files, dataDir }), /ENOENT/)
    await writeFile(files.certFile, selfSignedCertificate(['a.test']).cert)
    await writeFile(files.keyFile, selfSignedCertificate(['b.test']).key)
    await assert.rejects(openCertificate({ ...common, files, dataDir }), /cannot be used/)
  })
})

describe('without a given certificate', () => {
  test('development makes one for its name, keeps it to itself, and uses it again', async () => {
    const dataDir = await mkdtemp(join(folder, 'own-'))
    const first = (await openCertificate({ ...common, files: null, dataDir })).current()
    const parsed = new X509Certificate(first.cert)
    assert.equal(parsed.checkHost('mail.example.test'), 'mail.example.test')
    assert.equal(parsed.checkHost('localhost'), 'localhost')
    const file = join(dataDir, 'tls/self-signed.pem')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.deepEqual(await readdir(join(dataDir, 'tls')), ['self-signed.pem'])
    assert.deepEqual((await openCertificate({ ...common, files: null, dataDir })).current(), first)
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, 100))
    const again = (await openCertificate({ ...common, files: null, dataDir })).current()
    assert.notEqual(again.cert, first.cert)
  })

  test('development makes a new one for another name, and before the old one ends', async () => {
    const dataDir = await mkdtemp(join(folder, 'renew-'))
    const clock = createTestClock(new Date('2026-03-01T12:00:00.000Z'))
    const open = async (hostname: string = common.hostname) =>
      (await openCertificate({ ...common, hostname, files: null, dataDir, clock })).current().cert
    const first = await open()
    clock.advance(334 * DAY_MS)
    assert.equal(await open(), first)
    clock.advance(2 * DAY_MS)
    const second = await open()
    assert.notEqual(second, first)
    assert.notEqual(await open('other.example.test'), second)
  })

  test('several processes that start at once agree on one', async () => {
    const dataDir = await mkdtemp(join(folder, 'race-'))
    const opened = await Promise.all(
      Array.from({ length: 5 }, () => openCertificate({ ...common, files: null, dataDir })),
    )
    assert.equal(new Set(opened.map((certificate) => certificate.current().cert)).size, 1)
    assert.deepEqual(await readdir(join(dataDir, 'tls')), ['self-signed.pem'])
  })

  test('production does not start', async () => {
    const options = { ...common, environment: 'production' as const, files: null, dataDir: folder }
    await assert.rejects(openCertificate(options), /TLS_CERT_FILE/)
  })
})
