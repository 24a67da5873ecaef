import { z } from 'zod'
import { line, moment } from './text.ts'

/** What a DNS record is for. */
export const recordKinds = [
  'MX',
  'SPF',
  'DKIM',
  'DMARC',
  'Ownership',
  'MTA-STS',
  'TLS-RPT',
  'Autoconfig',
  'Autodiscover',
  'SRV',
  'JMAP',
  'BIMI',
] as const
export type RecordKind = (typeof recordKinds)[number]

export const recordTypes = ['MX', 'TXT', 'CNAME', 'SRV'] as const
export type RecordType = (typeof recordTypes)[number]

export const recordStatuses = ['not_started', 'pending', 'verified', 'failed', 'temporary_failure'] as const
export type RecordStatus = (typeof recordStatuses)[number]

export const domainStatuses = [
  'not_started',
  'pending',
  'verified',
  'partially_verified',
  'partially_failed',
  'failed',
] as const
export type DomainStatus = (typeof domainStatuses)[number]

export const dnsRecord = z.object({
  object: z.literal('dns_record'),
  record: z.enum(recordKinds),
  /** Relative to the domain; `@` is the domain itself. */
  name: z.string(),
  fqdn: z.string(),
  type: z.enum(recordTypes),
  ttl: z.int(),
  value: z.string(),
  priority: z.int().nullable(),
  weight: z.int().nullable(),
  port: z.int().nullable(),
  /** Whether the domain's status depends on it. */
  required: z.boolean(),
  status: z.enum(recordStatuses),
  /** What DNS says at this name. */
  found: z.array(z.string()),
  message: z.string().nullable(),
  checked_at: moment.nullable(),
})
export type DnsRecord = z.infer<typeof dnsRecord>

export const dnsRecordSet = z.object({
  object: z.literal('dns_record_set'),
  domain_id: z.uuid(),
  domain: z.string(),
  status: z.enum(domainStatuses),
  checked_at: moment.nullable(),
  next_check_at: moment.nullable(),
  records: z.array(dnsRecord),
})
export type DnsRecordSet = z.infer<typeof dnsRecordSet>

export const credentialField = z.object({ name: z.string(), label: z.string(), secret: z.boolean() })
export type CredentialField = z.infer<typeof credentialField>

export const dnsProvider = z.object({
  object: z.literal('dns_provider'),
  domain: z.string(),
  /** Null: nobody we know. */
  provider: z.string().nullable(),
  name: z.string().nullable(),
  nameservers: z.array(z.string()),
  publish_supported: z.boolean(),
  credential_fields: z.array(credentialField),
  docs_url: z.string().nullable(),
})
export type DnsProvider = z.infer<typeof dnsProvider>

const MAX_CREDENTIAL = 4096
const MAX_CREDENTIALS = 8

/** A token or keys are used for this one call and kept nowhere. */
export const publishInput = z.object({
  token: line({ min: 1, max: MAX_CREDENTIAL }).optional(),
  credentials: z
    .record(z.string().max(64), line({ min: 1, max: MAX_CREDENTIAL }))
    .refine((given) => Object.keys(given).length <= MAX_CREDENTIALS, { error: 'has too many fields' })
    .optional(),
  /** Defaults to the detected provider. */
  provider: line({ min: 1, max: 64 }).optional(),
  /** Defaults to all required records. */
  records: z
    .array(z.enum(recordKinds))
    .min(1, { error: 'must not be empty' })
    .max(recordKinds.length, { error: 'has too many items' })
    .optional(),
  /** Conflicting records are replaced. */
  overwrite: z.boolean().default(false),
  /** Only say what would be done. */
  dry_run: z.boolean().default(false),
  /** Asked for where the provider can only replace all records of the zone at once. */
  confirm_replace: z.boolean().default(false),
})
export type PublishInput = z.infer<typeof publishInput>

export const publishActions = ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const
export type PublishAction = (typeof publishActions)[number]

export const dnsPublish = z.object({
  object: z.literal('dns_publish'),
  provider: z.string(),
  dry_run: z.boolean(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  results: z.array(
    z.object({
      record: z.enum(recordKinds),
      name: z.string(),
      type: z.enum(recordTypes),
      action: z.enum(publishActions),
      message: z.string().nullable(),
    }),
  ),
})
export type DnsPublish = z.infer<typeof dnsPublish>
