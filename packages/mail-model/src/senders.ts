import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { parseNamedAddress } from './named-address.ts'
import { parseNetwork } from './networks.ts'
import { moment } from './text.ts'

const senderActions = ['allow', 'block'] as const

/** A sender that is allowed or blocked: in a mailbox, in a domain, or with neither on the whole instance. */
export const sender = z.object({
  object: z.literal('sender'),
  id: z.uuid(),
  address_id: z.uuid().nullable(),
  domain_id: z.uuid().nullable(),
  /** An address, `@` and a domain, or an IP address or network; in lower case. */
  pattern: z.string(),
  action: z.enum(senderActions),
  created_at: moment,
})
export type Sender = z.infer<typeof sender>

export const senderList = listOf(sender)
export const senderListQuery = listQuery({ sort: ['created_at', 'pattern'], direction: 'desc' })
export type SenderListRequest = z.output<typeof senderListQuery>

const WRONG_PATTERN =
  'must be an address like news@example.com, a domain like @example.com, or an IP address or network like 192.0.2.0/24'

export const senderInput = z.object({
  pattern: z
    .string({ error: 'must be text' })
    .trim()
    .max(320, { error: WRONG_PATTERN })
    .transform((given, context) => {
      const network = parseNetwork(given)
      if (network !== null) return network
      const isDomain = given.startsWith('@')
      const email = parseNamedAddress(isDomain ? `x${given}` : given)?.email.toLowerCase()
      if (email !== undefined && !given.includes('<')) return isDomain ? email.slice(1) : email
      context.addIssue({ code: 'custom', message: WRONG_PATTERN })
      return z.NEVER
    }),
  action: z.enum(senderActions, { error: 'must be allow or block' }),
})
export type SenderInput = z.output<typeof senderInput>

export const senderDeleted = z.object({ object: z.literal('sender'), id: z.uuid(), deleted: z.literal(true) })
