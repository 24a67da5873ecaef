import { z } from 'zod'
import { dnsRecord, domainStatuses, recordStatuses } from './dns.ts'
import { listOf, listQuery } from './list.ts'
import { label, moment } from './text.ts'

const MAX_GIVEN_NAME = 1024
const MAX_NOTE = 2000

const tlsModes = ['opportunistic', 'enforced'] as const
const dmarcPolicies = ['none', 'quarantine', 'reject'] as const
const mtaStsModes = ['none', 'testing', 'enforce'] as const

const capability = z.enum(['enabled', 'disabled'])

export const domain = z.object({
  object: z.literal('domain'),
  id: z.uuid(),
  /** In ASCII. */
  name: z.string(),
  unicode_name: z.string(),
  status: z.enum(domainStatuses),
  /** When the Ownership record was first seen: from then on mail for it is accepted. */
  verified_at: moment.nullable(),
  capabilities: z.object({ sending: capability, receiving: capability }),
  fallback_domain_id: z.uuid().nullable(),
  catch_all_address_id: z.uuid().nullable(),
  tls: z.enum(tlsModes),
  dmarc_policy: z.enum(dmarcPolicies),
  mta_sts_mode: z.enum(mtaStsModes),
  open_tracking: z.boolean(),
  click_tracking: z.boolean(),
  note: z.string().nullable(),
  dns_provider: z.string().nullable(),
  addresses_count: z.int(),
  storage_used_bytes: z.int(),
  /** The selector of the DKIM key that signs. */
  active_selector: z.string().nullable(),
  checked_at: moment.nullable(),
  created_at: moment,
  updated_at: moment,
})
export type Domain = z.infer<typeof domain>

/** A domain that is read by itself also shows its records. */
export const domainWithRecords = domain.extend({ records: z.array(dnsRecord) })
export type DomainWithRecords = z.infer<typeof domainWithRecords>

export const domainList = listOf(domain)
export const domainListQuery = listQuery({
  sort: ['name', 'created_at', 'status', 'addresses_count'],
  direction: 'asc',
})

export const domainInput = z.object({
  name: z.string({ error: 'must be text' }).max(MAX_GIVEN_NAME, { error: 'is too long' }),
})

export const domainUpdateInput = z.object({
  catch_all_address_id: z.uuid({ error: 'must be an ID' }).nullable().optional(),
  tls: z.enum(tlsModes).optional(),
  dmarc_policy: z.enum(dmarcPolicies).optional(),
  mta_sts_mode: z.enum(mtaStsModes).optional(),
  open_tracking: z.boolean().optional(),
  click_tracking: z.boolean().optional(),
  note: label({ max: MAX_NOTE }).optional(),
})
export type DomainUpdateInput = z.infer<typeof domainUpdateInput>

export const fallbackInput = z.object({ fallback_domain_id: z.uuid({ error: 'must be an ID' }).nullable() })

export const domainDeleted = z.object({ object: z.literal('domain'), id: z.uuid(), deleted: z.literal(true) })

export const dkimKey = z.object({
  object: z.literal('dkim_key'),
  id: z.uuid(),
  domain_id: z.uuid(),
  selector: z.string(),
  algorithm: z.enum(['rsa-sha256', 'ed25519-sha256']),
  key_bits: z.int(),
  active: z.boolean(),
  public_key: z.string(),
  record: z.object({ name: z.string(), type: z.literal('TXT'), value: z.string() }),
  status: z.enum(recordStatuses),
  created_at: moment,
  activated_at: moment.nullable(),
})
export type DkimKey = z.infer<typeof dkimKey>

export const dkimKeyDeleted = z.object({ object: z.literal('dkim_key'), id: z.uuid(), deleted: z.literal(true) })

export const dkimKeyList = listOf(dkimKey)
export const dkimKeyListQuery = listQuery({ sort: ['created_at', 'selector'], direction: 'desc' })

const reportTypes = ['dmarc', 'tls'] as const

/** What a receiver of a domain's mail reported about it. */
export const report = z.object({
  object: z.literal('report'),
  id: z.uuid(),
  type: z.enum(reportTypes),
  org: z.string(),
  begin: moment,
  end: moment,
  pass: z.int(),
  fail: z.int(),
  rows: z.array(z.record(z.string(), z.unknown())),
})
export type Report = z.infer<typeof report>

export const reportList = listOf(report)
export const reportListQuery = listQuery({ sort: ['begin', 'end', 'org'], direction: 'desc' }).extend({
  type: z.enum(reportTypes).optional(),
})
