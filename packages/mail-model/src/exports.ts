import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { deletedOf, reference } from './objects.ts'
import { moment } from './text.ts'

const exportFormats = ['mbox', 'maildir'] as const
const exportStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
export type ExportStatus = (typeof exportStatuses)[number]

/** The mail of an account, or of some of its addresses, as a zip file. */
export const mailExport = z.object({
  object: z.literal('export'),
  id: z.uuid(),
  status: z.enum(exportStatuses),
  format: z.enum(exportFormats),
  /** Null: all addresses of the account. */
  address_ids: z.array(z.uuid()).nullable(),
  /** Null until they are counted. */
  messages_total: z.int().nullable(),
  messages_done: z.int(),
  /** The size of the finished zip file; null until then. */
  size_bytes: z.int().nullable(),
  /** When the file, and this record, are deleted; null while it is being made. */
  expires_at: moment.nullable(),
  /** Why it ended, or which messages are missing. */
  error: z.string().nullable(),
  created_at: moment,
})
export type MailExport = z.infer<typeof mailExport>

export const exportList = listOf(mailExport)
export const exportListQuery = listQuery({ sort: ['created_at'], direction: 'desc' })
export type ExportListRequest = z.output<typeof exportListQuery>

const MAX_ADDRESSES = 10_000

export const exportInput = z.object({
  address_ids: z
    .array(reference, { error: 'must be a list of IDs' })
    .min(1, { error: 'must have at least one ID' })
    .max(MAX_ADDRESSES, { error: `must have at most ${MAX_ADDRESSES} IDs` })
    .nullish(),
  format: z.enum(exportFormats, { error: `must be one of ${exportFormats.join(', ')}` }),
  /** The account's password: a session alone does not give access to all of its mail. */
  password: z.string({ error: 'must be text' }),
})
export type ExportInput = z.output<typeof exportInput>

export const exportDeleted = deletedOf('export')
