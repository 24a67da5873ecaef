import { domainToUnicode } from 'node:url'
import type { DnsRecord, DnsRecordSet } from '@stoa/mail-model/dns.ts'
import type { DkimKey as DkimKeyJson, Domain as DomainJson, DomainWithRecords } from '@stoa/mail-model/domains.ts'
import type { Config } from '../../config.ts'
import type { DkimKey, DomainView } from '../domains/domains.ts'
import { isTrusted } from './check.ts'
import {
  dkimValue,
  type RecordSetConfig,
  type RecordSetDomain,
  recordKey,
  recordSet,
  TTL,
  type WantedRecord,
} from './record-set.ts'
import { canSend, type RecordStates } from './statuses.ts'

export type DomainConfig = RecordSetConfig & Pick<Config, 'environment'>

export const domainJson = (config: DomainConfig, view: DomainView): DomainJson => ({
  object: 'domain',
  id: view.id,
  name: view.name,
  unicode_name: domainToUnicode(view.name) || view.name,
  status: view.status ?? 'not_started',
  verified_at: view.verified_at?.toISOString() ?? null,
  capabilities: {
    sending: ability(maySend(config, view)),
    receiving: ability(view.verified_at !== null),
  },
  fallback_domain_id: view.fallback_domain_id,
  catch_all_address_id: view.catch_all_address_id,
  tls: view.tls,
  dmarc_policy: view.dmarc_policy,
  mta_sts_mode: view.mta_sts_mode,
  open_tracking: view.open_tracking,
  click_tracking: view.click_tracking,
  note: view.note,
  dns_provider: view.provider,
  addresses_count: view.addresses_count ?? 0,
  storage_used_bytes: Number(view.storage_used_bytes ?? 0),
  active_selector: view.active_selector,
  checked_at: view.checked_at?.toISOString() ?? null,
  created_at: view.created_at.toISOString(),
  updated_at: view.updated_at.toISOString(),
})

export const domainWithRecordsJson = (
  config: DomainConfig,
  view: DomainView,
  keys: readonly DkimKey[],
): DomainWithRecords => ({
  ...domainJson(config, view),
  records: recordsJson(recordSet(config, view, keys), view.records ?? {}),
})

export const recordSetJson = (config: DomainConfig, view: DomainView, keys: readonly DkimKey[]): DnsRecordSet => ({
  object: 'dns_record_set',
  domain_id: view.id,
  domain: view.name,
  status: view.status ?? 'not_started',
  checked_at: view.checked_at?.toISOString() ?? null,
  next_check_at: view.next_check_at?.toISOString() ?? null,
  records: recordsJson(recordSet(config, view, keys), view.records ?? {}),
})

export const keyJson = (key: DkimKey, states: RecordStates): DkimKeyJson => ({
  object: 'dkim_key',
  id: key.id,
  domain_id: key.domain_id,
  selector: key.selector,
  algorithm: key.algorithm,
  key_bits: key.key_bits,
  active: key.active,
  public_key: key.public_key,
  record: { name: `${key.selector}._domainkey`, type: 'TXT', value: dkimValue(key) },
  status: states[`DKIM TXT ${key.selector}._domainkey`]?.status ?? 'not_started',
  created_at: key.created_at.toISOString(),
  activated_at: key.activated_at?.toISOString() ?? null,
})

const recordsJson = (records: readonly WantedRecord[], states: RecordStates): DnsRecord[] =>
  records.map((wanted) => {
    const state = states[recordKey(wanted)]
    return {
      object: 'dns_record',
      ...wanted,
      ttl: TTL,
      status: state?.status ?? 'not_started',
      found: state?.found ?? [],
      message: state?.message ?? null,
      checked_at: state?.checkedAt ?? null,
    }
  })

/** Whether mail of a domain may be sent. Only the names and states of records are looked at, so the key does not matter. */
export const maySend = (
  config: DomainConfig,
  view: RecordSetDomain & Pick<DomainView, 'active_selector' | 'records'>,
): boolean => {
  if (isTrusted(config, view.name)) return true
  if (view.active_selector === null) return false
  const signing = { selector: view.active_selector, algorithm: 'rsa-sha256', public_key: '', active: true } as const
  return canSend(recordSet(config, view, [signing]), view.records ?? {})
}

const ability = (isEnabled: boolean): 'enabled' | 'disabled' => (isEnabled ? 'enabled' : 'disabled')
