import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { reference } from './objects.ts'
import { line, moment } from './text.ts'

export const transferStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
export type TransferStatus = (typeof transferStatuses)[number]

/** `none` only where the operator allows private hosts. */
export const transferSecurities = ['tls', 'starttls', 'none'] as const
export type TransferSecurity = (typeof transferSecurities)[number]

/** A mailbox that is copied from another server. The password of the source is never part of it. */
export const transfer = z.object({
  object: z.literal('transfer'),
  id: z.uuid(),
  address_id: z.uuid(),
  /** The mailbox that the mail is copied to. */
  address: z.string(),
  host: z.string(),
  port: z.int(),
  security: z.enum(transferSecurities),
  username: z.string(),
  status: z.enum(transferStatuses),
  /** Null until the source has reported it. */
  folders_total: z.int().nullable(),
  folders_done: z.int(),
  /** Null until the source has reported it. */
  messages_total: z.int().nullable(),
  messages_copied: z.int(),
  /** Messages that the mailbox had already, or that left the source meanwhile. */
  messages_skipped: z.int(),
  /** Messages that are too large, or that the source refused to send. */
  messages_failed: z.int(),
  bytes_copied: z.int(),
  current_folder: z.string().nullable(),
  /** Why it failed and what to do; while it runs, why it is being tried again. */
  error: z.string().nullable(),
  created_at: moment,
  started_at: moment.nullable(),
  finished_at: moment.nullable(),
})
export type Transfer = z.infer<typeof transfer>

export const transferList = listOf(transfer)
export const transferListQuery = listQuery({ sort: ['created_at', 'status', 'finished_at'], direction: 'desc' })
export type TransferListRequest = z.output<typeof transferListQuery>

const TRANSFER_PORT = 993
/** Longest user name or password; IMAP servers accept less. */
const MAX_CREDENTIAL = 1_024
const MAX_PATH = 1_000
const MAX_PATHS = 1_000

const paths = z
  .array(line({ min: 1, max: MAX_PATH }), { error: 'must be a list' })
  .max(MAX_PATHS, { error: 'is too long' })

/** A day, or a moment of it. */
const day = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: 'must be a date like 2026-01-31' })
  .transform((text) => new Date(text))

export const transferInput = z.object({
  address_id: reference,
  host: line({ min: 1, max: 253 }),
  port: z
    .int({ error: 'must be a whole number' })
    .min(1, { error: 'must be at least 1' })
    .max(65_535, { error: 'must be at most 65535' })
    .default(TRANSFER_PORT),
  security: z.enum(transferSecurities, { error: 'must be tls or starttls' }).default('tls'),
  username: line({ min: 1, max: MAX_CREDENTIAL }),
  // Spaces around it may be part of it.
  password: z
    .string({ error: 'must be text' })
    .min(1, { error: 'must not be empty' })
    .max(MAX_CREDENTIAL, { error: `must have at most ${MAX_CREDENTIAL} characters` })
    .refine((text) => !/[\0\r\n]/.test(text) && text.isWellFormed(), { error: 'must be one line of text' }),
  /** Paths on the source, each with what is below it. */
  folders: paths.min(1, { error: 'must not be empty' }).nullish(),
  exclude_folders: paths.nullish(),
  since: day.nullish(),
})
export type TransferInput = z.output<typeof transferInput>

/** An address that mail can be copied into now. */
export const destination = z.object({
  object: z.literal('destination'),
  id: z.uuid(),
  email: z.string(),
  used_bytes: z.int(),
  quota_bytes: z.int().nullable(),
})
export type Destination = z.infer<typeof destination>

export const destinationList = listOf(destination)
export const destinationListQuery = listQuery({ sort: ['email'], direction: 'asc' })
export type DestinationListRequest = z.output<typeof destinationListQuery>
