import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { newId } from '@stoa/kit/ids.ts'
import { workMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import type { Authenticity } from '../../formats/authenticity/authenticate.ts'
import { mailBytes, SEED } from '../../formats/mime/testing/arbitrary.ts'
import { type StoreGround, startStore } from '../../store/testing/ground.ts'
import { parseDmarcReport } from './dmarc-report.ts'
import { forgetReports, readReports, takeReports } from './reports.ts'
import { parseTlsReports } from './tls-report.ts'

const NOW = new Date('2026-03-02T12:00:00Z')
const record = (count: string, dkim: string, spf: string) =>
  `<record><row><source_ip>192.0.2.1</source_ip><count>${count}</count><policy_evaluated>` +
  `<disposition>none</disposition><dkim>${dkim}</dkim><spf>${spf}</spf></policy_evaluated></row>` +
  '<identifiers><header_from>example.org</header_from></identifiers>' +
  '<auth_results><dkim><domain>example.org</domain><result>pass</result></dkim></auth_results></record>'
const dmarc = (members: { domain?: string; id?: string; records?: string; before?: string; org?: string } = {}) =>
  `<?xml version="1.0" encoding="UTF-8"?>${members.before ?? ''}<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0">` +
  `<version>1.0</version><report_metadata><org_name>${members.org ?? 'Receiver &amp; Co'}</org_name>` +
  `<email>dmarc@receiver.example</email><report_id>${members.id ?? 'r-1'}</report_id>` +
  '<date_range><begin>1772323200</begin><end>1772409599</end></date_range></report_metadata>' +
  `<policy_published><domain>${members.domain ?? 'Example.org'}</domain><p>none</p></policy_published>` +
  `${members.records ?? record('7', 'pass', 'fail') + record('2', 'fail', 'fail')}</feedback>`
const tls = (domain = 'example.org') =>
  JSON.stringify({
    'organization-name': 'Receiver',
    'date-range': { 'start-datetime': '2026-03-01T00:00:00Z', 'end-datetime': '2026-03-01T23:59:59Z' },
    'contact-info': 'tls@receiver.example',
    'report-id': 't-1',
    policies: [
      {
        policy: { 'policy-type': 'sts', 'policy-string': ['version: STSv1'], 'policy-domain': domain },
        summary: { 'total-successful-session-count': 5326, 'total-failure-session-count': 3 },
        'failure-details': [
          {
            'result-type': 'certificate-expired',
            'sending-mta-ip': '192.0.2.1',
            'receiving-mx-hostname': 'mx.example.org',
            'failed-session-count': 3,
          },
        ],
      },
    ],
  })
const mail = (content: Buffer | Uint8Array | string, type = 'application/octet-stream') =>
  Buffer.from(
    'From: dmarc@receiver.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee attached.\r\n' +
      `--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n` +
      `${Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n--b--\r\n`,
  )

describe('an aggregate report', () => {
  test('is read from gzip, zip and plain XML', async () => {
    const xml = dmarc()
    for (const bytes of [
      mail(gzipSync(xml), 'application/gzip'),
      mail(zipSync({ 'report.xml': Buffer.from(xml) }), 'application/zip'),
      mail(xml, 'text/xml'),
    ]) {
      const [report, ...others] = await readReports(bytes)
      assert.deepEqual(others, [])
      assert.deepEqual(
        { ...report, rows: report?.rows.length },
        {
          type: 'dmarc',
          org: 'Receiver & Co',
          reportId: 'r-1',
          domain: 'example.org',
          begin: new Date('2026-03-01T00:00:00Z'),
          end: new Date('2026-03-01T23:59:59Z'),
          pass: 7,
          fail: 2,
          rows: 2,
        },
      )
      assert.deepEqual(report?.rows[1], {
        source_ip: '192.0.2.1',
        count: 2,
        disposition: 'none',
        dkim: 'fail',
        spf: 'fail',
        header_from: 'example.org',
        envelope_from: '',
      })
    }
  })

  test('with one record, none, or strange numbers is read as far as it makes sense', async () => {
    assert.deepEqual((await parseDmarcReport(dmarc({ records: '' })))?.rows, [])
    const odd = await parseDmarcReport(
      dmarc({ records: record('-5', 'pass', '') + record('9e99', 'fail', '') + record('x', '', '') }),
    )
    assert.deepEqual([odd?.pass, odd?.fail], [0, 2_147_483_647])
    const many = await parseDmarcReport(dmarc({ records: record('1', 'pass', 'pass').repeat(3_000) }))
    assert.deepEqual([many?.pass, many?.rows.length], [3_000, 2_000])
  })

  test('with a document type or entities is refused', async () => {
    for (const before of [
      '<!DOCTYPE feedback [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
      '<!doctype feedback>',
      `<!DOCTYPE f [<!ENTITY a "${'x'.repeat(100)}"><!ENTITY b "&a;&a;&a;&a;">]>`,
    ])
      assert.equal(await parseDmarcReport(dmarc({ before, org: '&x;' })), null)
    assert.equal((await parseDmarcReport(dmarc({ org: '&x;&lt;b&gt;' })))?.org, '&x;<b>')
  })

  test('that is nested without end, cut off or something else is refused', async () => {
    const xml = dmarc()
    assert.equal(await parseDmarcReport(`${xml.slice(0, -11)}${'<a>'.repeat(200_000)}`), null)
    for (const text of ['', '<feedback', '<feedback/>', '<feedback></feedback>', '<html><feedback/></html>'])
      assert.equal(await parseDmarcReport(text), null)
    assert.equal(await parseDmarcReport(xml.replace('1772323200', 'soon')), null)
    assert.equal(await parseDmarcReport(xml.replace('<report_id>r-1', '<report_id>')), null)
  })

  test('that unpacks to more than ten megabytes is refused', async () => {
    const bomb = Buffer.alloc(11_000_000, ' ')
    bomb.write(dmarc())
    assert.deepEqual(await readReports(mail(gzipSync(bomb))), [])
    assert.deepEqual(await readReports(mail(zipSync({ 'a.xml': bomb }))), [])
    const fits = Buffer.from(dmarc())
    const crowd = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.xml`, fits]))
    assert.deepEqual(await readReports(mail(zipSync(crowd))), [])
    const liar = Buffer.from(zipSync({ 'a.xml': fits }))
    liar.writeUInt32LE(0xffff_fff0, liar.lastIndexOf('PK\x01\x02') + 20)
    assert.deepEqual(await readReports(mail(liar)), [])
    const crowded = Buffer.from(zipSync({ 'a.xml': fits }))
    crowded.writeUInt16LE(65_535, crowded.lastIndexOf('PK\x05\x06') + 10)
    assert.deepEqual(await readReports(mail(crowded)), [])
  })
})

describe('a TLS report', () => {
  test('is read for each domain that it is about', async () => {
    const [report] = await readReports(mail(gzipSync(tls()), 'application/tlsrpt+gzip'))
    assert.deepEqual(report, {
      type: 'tls',
      org: 'Receiver',
      reportId: 't-1',
      domain: 'example.org',
      begin: new Date('2026-03-01T00:00:00Z'),
      end: new Date('2026-03-01T23:59:59Z'),
      pass: 5326,
      fail: 3,
      rows: [
        {
          policy_type: 'sts',
          successful: 5326,
          failed: 3,
          failures: [
            { result_type: 'certificate-expired', sending_ip: '192.0.2.1', receiving_host: 'mx.example.org', count: 3 },
          ],
        },
      ],
    })
    assert.equal((await readReports(mail(tls(), 'application/tlsrpt+json'))).length, 1)
  })

  test('that is none is refused', () => {
    for (const json of ['{}', '{', '[]', '{"report-id":1}', tls().replace('2026-03-01T00:00:00Z', 'x')])
      assert.deepEqual(parseTlsReports(json), [])
  })
})

describe('storing', () => {
  let ground: StoreGround
  const domains = { hosted: `${newId()}.example`, unverified: `${newId()}.example` }
  before(async () => {
    ground = await startStore()
    const { addressId } = await ground.mailbox()
    for (const [kind, name] of Object.entries(domains))
      await ground.database.pool.query(
        `insert into domain (id, account_id, name, ownership_token, verified_at, created_at, updated_at)
         select $1, account_id, $2, 'x', $3, $4, $4 from address where id = $5`,
        [newId(), name, kind === 'hosted' ? NOW : null, NOW, addressId],
      )
  })
  after(() => ground.close())

  const authentic: Authenticity = {
    spf: { result: 'pass', domain: 'receiver.example' },
    dkim: [],
    dmarc: { result: 'pass', policy: 'none', disposition: 'none', domain: 'receiver.example' },
    arc: { result: 'none', sealers: [], authenticated: [] },
    author: { domain: 'receiver.example', isAuthentic: true },
    fromAddress: 'dmarc@receiver.example',
    ambiguousFrom: false,
    header: '',
  }
  const store = (text: string, authenticity = authentic) =>
    takeReports(ground.database, { bytes: mail(text), authenticity, now: NOW })
  const stored = () =>
    ground.database.db.query({ text: 'select type, org, report_id, pass, fail from report order by id' })

  test('keeps a report about a hosted domain once, and none about others', async () => {
    assert.equal(await store(dmarc({ domain: domains.hosted.toUpperCase() })), 1)
    assert.equal(await store(dmarc({ domain: domains.hosted })), 0)
    assert.equal(await store(tls(domains.hosted)), 1)
    assert.equal(await store(dmarc({ domain: domains.unverified })), 0)
    assert.equal(await store(dmarc({ domain: 'example.org' })), 0)
    assert.deepEqual(await stored(), [
      { type: 'dmarc', org: 'Receiver & Co (receiver.example)', report_id: 'r-1', pass: 7, fail: 2 },
      { type: 'tls', org: 'Receiver (receiver.example)', report_id: 't-1', pass: 5326, fail: 3 },
    ])
  })

  test('believes nobody whose domain does not answer for the message', async () => {
    const before = await stored()
    const forged: Authenticity[] = [
      { ...authentic, dmarc: { ...authentic.dmarc, result: 'fail' } },
      { ...authentic, dmarc: { ...authentic.dmarc, result: 'temperror' } },
      { ...authentic, dmarc: { ...authentic.dmarc, result: 'none' }, spf: { result: 'softfail', domain: 'x.example' } },
    ]
    for (const authenticity of forged)
      assert.equal(await store(dmarc({ domain: domains.hosted, id: 'x' }), authenticity), 0)
    assert.deepEqual(await stored(), before)
  })

  test('ends for a day when a thousand came, and forgets what is older than a year', async () => {
    await ground.database.pool.query(
      `insert into report (domain_id, id, type, org, report_id, begins_at, ends_at, pass, fail, rows, created_at)
       select id, gen_random_uuid(), 'dmarc', 'x', n::text, $2, $2, 0, 0, '[]', $2 from domain, generate_series(1, 1000) n
       where name = $1`,
      [domains.hosted, NOW],
    )
    assert.equal(await store(dmarc({ domain: domains.hosted, id: 'late' })), 0)
    await ground.database.pool.query(`update report set created_at = $1 where org = 'x'`, [new Date('2025-01-01')])
    assert.equal(await store(dmarc({ domain: domains.hosted, id: 'late' })), 1)
    await forgetReports(ground.database, NOW)
    assert.deepEqual(
      (await stored()).filter(({ org }) => org === 'x'),
      [],
    )
    assert.ok((await stored()).some(({ report_id }) => report_id === 'late'))
  })

  test('calls a reporter by its name when it is that of the sender', async () => {
    await store(dmarc({ domain: domains.hosted, id: 'named', org: 'receiver.example' }))
    assert.equal((await stored()).at(-1)?.org, 'receiver.example')
  })
})

test('a huge report is read without keeping others waiting', async () => {
  let longest = 0
  let last = workMs()
  const timer = setInterval(() => {
    longest = Math.max(longest, workMs() - last)
    last = workMs()
  }, 1)
  const report = await parseDmarcReport(dmarc({ records: record('1', 'pass', 'pass').repeat(6_000) }))
  clearInterval(timer)
  assert.equal(report?.pass, 6_000)
  assert.ok(longest < 1_000, `${longest} ms`)
  for (const piece of ['<a/>', '<a>', '<a b="c">', '&lt;', '<![CDATA[', '<!--', "<a b='>", '<feedback>x', '<a b="'])
    assert.equal(await parseDmarcReport(`<feedback>${piece.repeat(100_000)}`), null)
})

test('any bytes are read without an error', async () => {
  const xml = dmarc()
  await fc.assert(
    fc.asyncProperty(
      mailBytes,
      fc.nat(xml.length),
      fc.string({ unit: 'binary', maxLength: 30 }),
      async (bytes, at, text) => {
        await readReports(bytes)
        const damaged = xml.slice(0, at) + text + xml.slice(at + text.length)
        await parseDmarcReport(damaged)
        parseTlsReports(tls().slice(0, at) + text)
        const zip = Buffer.from(zipSync({ 'a.xml': Buffer.from(damaged) }))
        zip[at % zip.length] = bytes[0] ?? 0
        await readReports(mail(zip))
        await readReports(mail(gzipSync(damaged).subarray(0, at)))
      },
    ),
    { seed: SEED, numRuns: 300 },
  )
})
