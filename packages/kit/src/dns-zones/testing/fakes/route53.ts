import { createHash, createHmac } from 'node:crypto'
import { expect, type FakeProvider, type FakeRequest, strictZoneData } from '../fake-provider.ts'
import { escapeXml, setsOf, unescapeXml } from './parts.ts'

const ACCESS_KEY = 'AKIAOFTESTS'
const SECRET_KEY = 'secret-access-key-of-tests'

/** Signs again from the documentation's steps, with the headers that came. */
const isSigned = ({ method, path, query, headers, text }: FakeRequest): boolean => {
  const [, date = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=AKIAOFTESTS\/(\d{8})\/us-east-1\/route53\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  const sorted = [...query].map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).sort()
  const head = names.split(';').map((name) => `${name}:${headers[name]}\n`)
  const hash = (of: string) => createHash('sha256').update(of).digest('hex')
  const canonical = [method, `/base${path}`, sorted.join('&'), head.join(''), names, hash(text)].join('\n')
  const toSign = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    `${date}/us-east-1/route53/aws4_request`,
    hash(canonical),
  ].join('\n')
  let key: Buffer = Buffer.from(`AWS4${SECRET_KEY}`)
  for (const part of [date, 'us-east-1', 'route53', 'aws4_request'])
    key = createHmac('sha256', key).update(part).digest()
  return names.startsWith('host;x-amz-date') && createHmac('sha256', key).update(toSign).digest('hex') === signature
}

export const route53: FakeProvider = {
  id: 'route53',
  good: { credentials: { access_key_id: ACCESS_KEY, secret_access_key: SECRET_KEY } },
  bad: { credentials: { access_key_id: ACCESS_KEY, secret_access_key: 'wrong-key-of-tests' } },
  hasSrv: true,
  handle(request, zone) {
    if (!isSigned(request)) return { status: 403, text: '<ErrorResponse/>' }
    const { method, path, text } = request
    if (path === '/hostedzonesbyname')
      return {
        text: `<?xml version="1.0"?><ListHostedZonesByNameResponse><HostedZones><HostedZone><Id>/hostedzone/ZPRIVATE</Id><Name>${zone.name}.</Name><Config><PrivateZone>true</PrivateZone></Config></HostedZone><HostedZone><Id>/hostedzone/Z1</Id><Name>${zone.name}.</Name><Config><PrivateZone>false</PrivateZone></Config></HostedZone></HostedZones></ListHostedZonesByNameResponse>`,
      }
    expect(path === '/hostedzone/Z1/rrset', path)
    if (method === 'GET') {
      const sets = setsOf(zone.rows).map(
        ({ fqdn, type, values }) =>
          `<ResourceRecordSet><Name>${fqdn}.</Name><Type>${type}</Type><TTL>3600</TTL><ResourceRecords>${values.map((value) => `<ResourceRecord><Value>${escapeXml(value)}</Value></ResourceRecord>`).join('')}</ResourceRecords></ResourceRecordSet>`,
      )
      return {
        text: `<R><ResourceRecordSets>${sets.join('')}</ResourceRecordSets><IsTruncated>false</IsTruncated></R>`,
      }
    }
    const [, name = '', type = ''] =
      /<ChangeResourceRecordSetsRequest xmlns="https:\/\/route53\.amazonaws\.com\/doc\/2013-04-01\/"><ChangeBatch><Changes><Change><Action>UPSERT<\/Action><ResourceRecordSet><Name>([^<]+)\.<\/Name><Type>(\w+)<\/Type><TTL>3600<\/TTL>/.exec(
        text,
      ) ?? []
    expect(name !== '', 'body')
    const values = [...text.matchAll(/<Value>([^<]*)<\/Value>/g)].map(([, value = '']) =>
      strictZoneData(type, unescapeXml(value)),
    )
    zone.replace(name, type, values)
    return { text: '<ChangeResourceRecordSetsResponse/>' }
  },
}
