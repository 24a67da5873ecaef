import { element, elementWith, xmlDocument } from '../../xml-write.ts'
import {
  type Credentials,
  hostOf,
  type OpenZone,
  RECORD_TTL,
  type RecordChange,
  type Zone,
  type ZoneRecord,
} from '../adapter.ts'
import { type Api, elementsOf, oneByOne, ProviderFailed } from '../api.ts'
import { fromZoneData, toZoneData } from '../data.ts'
import { absolute } from '../text.ts'
import { signAws } from './route53-signature.ts'

const NAMESPACE = 'https://route53.amazonaws.com/doc/2013-04-01/'
const MAX_PAGES = 100

/** https://docs.aws.amazon.com/Route53/latest/APIReference/ */
export const route53: OpenZone = async (api, credentials, candidates) => {
  for (const name of candidates) {
    const answer = await ask(api, credentials, {
      method: 'GET',
      path: `/hostedzonesbyname?dnsname=${name}&maxitems=10`,
    })
    const id = findZone(answer, name)
    if (id) return openedZone(api, credentials, { id, name })
  }
  return null
}

const openedZone = (api: Api, credentials: Credentials, { id, name }: { id: string; name: string }): Zone => {
  const path = `/hostedzone/${id}/rrset`
  return {
    name,
    async records() {
      const all: ZoneRecord[] = []
      let next = ''
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const found = readSets(await ask(api, credentials, { method: 'GET', path: `${path}?maxitems=300${next}` }))
        all.push(...found.records)
        if (found.next === null) break
        next = found.next
      }
      return all
    },
    write: (changes) =>
      oneByOne(changes, async (change) => {
        await ask(api, credentials, { method: 'POST', path, body: changeDocument(change) })
      }),
  }
}

const ask = async (
  api: Api,
  { access_key_id = '', secret_access_key = '', session_token }: Credentials,
  { method, path, body = '' }: { method: 'GET' | 'POST'; path: string; body?: string },
): Promise<string> => {
  const keys = { accessKeyId: access_key_id, secretAccessKey: secret_access_key, sessionToken: session_token }
  const url = new URL(`${api.base.href.replace(/\/$/, '')}${path}`)
  const headers = signAws(keys, { method, url, body, now: new Date() })
  const type = { accept: 'application/xml', ...(body !== '' && { 'content-type': 'application/xml' }) }
  const request = { method, path, headers: { ...headers, ...type }, ...(body !== '' && { body }) }
  const { status, text } = await api.send(request)
  if (status !== 200) throw new ProviderFailed(`The DNS provider returned ${status}.`)
  return text
}

/** The public zone of that name. */
const findZone = (xml: string, name: string): string | null => {
  let zone: Record<string, string> = {}
  for (const { path, text } of elementsOf(xml)) {
    const member = path.split('/HostedZones/HostedZone').at(1)
    if (member === undefined) continue
    if (member !== '') zone[member] = text
    else {
      if (hostOf(zone['/Name'] ?? '') === name && zone['/Config/PrivateZone'] !== 'true')
        return (zone['/Id'] ?? '').replace(/^\/hostedzone\//, '')
      zone = {}
    }
  }
  return null
}

const readSets = (xml: string): { records: ZoneRecord[]; next: string | null } => {
  const records: ZoneRecord[] = []
  const facts = new Map<string, string>()
  let values: string[] = []
  for (const { path, text } of elementsOf(xml)) {
    const member = path.split('/').at(-1) ?? ''
    if (path.endsWith('/ResourceRecord/Value')) values.push(text)
    else if (member === 'ResourceRecordSet') {
      const type = facts.get('Type') ?? ''
      const fqdn = hostOf(unescapeName(facts.get('Name') ?? ''))
      // An alias has no values, and still is there.
      for (const value of values.length === 0 ? [''] : values)
        records.push({ ...fromZoneData(type, value), id: '', type, fqdn })
      values = []
    } else facts.set(member, text)
  }
  const name = facts.get('NextRecordName')
  const next = facts.get('IsTruncated') === 'true' && name !== undefined
  return {
    records,
    next: next
      ? `&name=${encodeURIComponent(name)}&type=${encodeURIComponent(facts.get('NextRecordType') ?? '')}`
      : null,
  }
}

/** Characters besides letters, digits, `-` and `_` come as `\052`, in octal. */
const unescapeName = (name: string): string =>
  name.replace(/\\([0-7]{3})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 8)))

const changeDocument = ({ fqdn, type, after }: RecordChange): string => {
  const values = after.map((data) => element('ResourceRecord', element('Value', toZoneData(type, data))))
  const set = element(
    'ResourceRecordSet',
    element('Name', absolute(fqdn)),
    element('Type', type),
    element('TTL', RECORD_TTL),
    element('ResourceRecords', ...values),
  )
  const change = element('Change', element('Action', 'UPSERT'), set)
  const batch = element('ChangeBatch', element('Changes', change))
  return xmlDocument(elementWith('ChangeResourceRecordSetsRequest', { xmlns: NAMESPACE }, batch))
}
