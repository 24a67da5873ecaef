import { z } from 'zod'
import { email } from './email.ts'
import { listOf, listQuery } from './list.ts'
import { deletedOf, flag } from './objects.ts'
import { line } from './text.ts'

const MAX_SIGNATURE = 100_000
const MAX_REPLY_TO = 10

const mailbox = z.object({ name: z.string().nullable(), email: z.string() })
const signature = z
  .string({ error: 'must be text' })
  .max(MAX_SIGNATURE, { error: `must have at most ${MAX_SIGNATURE} characters` })
  .refine((text) => !text.includes('\u0000') && text.isWellFormed(), { error: 'must be text' })

/** Whom a mailbox writes as. */
export const identity = z.object({
  object: z.literal('identity'),
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  reply_to: z.array(mailbox),
  signature_html: z.string(),
  signature_text: z.string(),
  is_default: z.boolean(),
  /** That of the mailbox's own address, which stays. */
  is_own: z.boolean(),
})
export type Identity = z.infer<typeof identity>

export const identityList = listOf(identity)
export const identityListQuery = listQuery({ sort: ['email', 'name'], direction: 'asc' })
export type IdentityListRequest = z.output<typeof identityListQuery>
export const identityDeleted = deletedOf('identity')

const named = z.object({
  name: line({ max: 200 })
    .nullish()
    .transform((text) => text || null),
  email,
})
/** Accepts `{name, email}`, or the address alone. */
const replyTo = z.union([named, email.transform((alone) => ({ name: null, email: alone }))], {
  error: 'must be an email address, or {name, email}',
})

const members = {
  name: line({ max: 200 }).optional(),
  reply_to: z
    .union(
      [
        z.array(replyTo).max(MAX_REPLY_TO, { error: `must have at most ${MAX_REPLY_TO} addresses` }),
        replyTo.transform((one) => [one]),
      ],
      { error: `must be at most ${MAX_REPLY_TO} email addresses, or {name, email}` },
    )
    .nullish(),
  signature_html: signature.optional(),
  signature_text: signature.optional(),
  is_default: flag.optional(),
}

export const identityInput = z.object({ email, ...members })
export type IdentityInput = z.output<typeof identityInput>

/** The address of an identity stays what it is. */
export const identityUpdate = z.object({ email: email.optional(), ...members })
export type IdentityUpdate = z.output<typeof identityUpdate>
