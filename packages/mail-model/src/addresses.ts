import { z } from 'zod'
import { digestChoice } from './digest.ts'
import { MAX_EMAIL } from './email.ts'
import { listOf, listQuery } from './list.ts'
import { byteCount, deletedOf, flag } from './objects.ts'
import { newPassword } from './password.ts'
import { line, moment } from './text.ts'

export const address = z.object({
  object: z.literal('address'),
  id: z.uuid(),
  domain_id: z.uuid(),
  email: z.string(),
  local_part: z.string(),
  name: z.string().nullable(),
  enabled: z.boolean(),
  send_enabled: z.boolean(),
  /** Null: as much as the plan has. */
  quota_bytes: z.int().nullable(),
  used_bytes: z.int(),
  messages_count: z.int(),
  /** Whole addresses; one `*` makes it a pattern. */
  aliases: z.array(z.string()),
  forward_to: z.array(z.string()),
  /** Whether forwarded mail stays here too. */
  keep_copy: z.boolean(),
  recovery_email: z.string().nullable(),
  spam_threshold: z.number(),
  /** How often the mailbox gets a mail that lists what was put in Junk. */
  digest: digestChoice,
  /** Mail programs need an app password; webmail takes the mailbox password. */
  require_app_password: z.boolean(),
  last_login_at: moment.nullable(),
  created_at: moment,
  updated_at: moment,
})
export type Address = z.infer<typeof address>

export const addressList = listOf(address)
export const addressListQuery = listQuery({
  sort: ['email', 'created_at', 'used_bytes', 'last_login_at'],
  direction: 'asc',
})
export type AddressListRequest = z.output<typeof addressListQuery>

export const addressDeleted = deletedOf('address')

const MAX_NAME = 200
/** More than the service takes; it says how many that are. */
const MAX_GIVEN = 5_000

const displayName = line({ max: MAX_NAME })
  .nullable()
  .transform((text) => text || null)
const texts = z.array(line({ max: MAX_EMAIL }), { error: 'must be a list' }).max(MAX_GIVEN, { error: 'is too long' })

const settings = {
  name: displayName.optional(),
  quota_bytes: byteCount.nullable().optional(),
  aliases: texts.optional(),
  forward_to: texts.optional(),
  keep_copy: flag.optional(),
  enabled: flag.optional(),
  require_app_password: flag.optional(),
}

export const addressInput = z.object({
  local_part: line({ max: 64 }),
  password: newPassword,
  recovery_email: line({ max: MAX_EMAIL }).nullish(),
  ...settings,
})
export type AddressInput = z.output<typeof addressInput>

/** The scale of the spam filter: 0 takes all mail for spam. */
const MAX_THRESHOLD = 100

export const addressUpdate = z.object({
  ...settings,
  send_enabled: flag.optional(),
  spam_threshold: z
    .number({ error: 'must be a number' })
    .min(0, { error: 'must not be negative' })
    .max(MAX_THRESHOLD, { error: `must be at most ${MAX_THRESHOLD}` })
    .optional(),
  digest: digestChoice.optional(),
})
export type AddressUpdate = z.output<typeof addressUpdate>

export const addressPasswordInput = z.object({ password: newPassword })
export const recoveryInput = z.object({ recovery_email: line({ max: MAX_EMAIL }).nullable() })

/** A folder as the panel counts it. */
export const addressFolder = z.object({
  object: z.literal('folder'),
  id: z.uuid(),
  name: z.string(),
  path: z.string(),
  role: z.string().nullable(),
  total: z.int(),
  unread: z.int(),
  size_bytes: z.int(),
})
export type AddressFolder = z.infer<typeof addressFolder>

export const addressFolderList = listOf(addressFolder)
export const addressFolderListQuery = listQuery({ sort: ['name', 'total', 'unread'], direction: 'asc' })
export type AddressFolderListRequest = z.output<typeof addressFolderListQuery>
