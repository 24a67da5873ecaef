import { z } from 'zod'
import { allowlists, blocklists } from './dns-lists.ts'
import { flag } from './objects.ts'

const MAX_WAIT_MINUTES = 60

/** What the owner decides for everybody. */
export const instance = z.object({
  object: z.literal('instance'),
  signups: z.enum(['open', 'closed']),
  /** DNS lists of servers whose mail is not wanted, as Postfix writes them: `zone=127.0.0.[2..11]*4`. */
  dnsbl: z.array(z.string()),
  /** DNS lists of servers whose mail is wanted. */
  dnswl: z.array(z.string()),
  /** DNS blocklists of domains: of the sender, of the author and of links. */
  domain_dnsbl: z.array(z.string()),
  /** Whether mail that looks suspicious is asked to come back later. */
  greylisting: z.boolean(),
  greylisting_minutes: z.int(),
})
export type Instance = z.infer<typeof instance>

export const instanceInput = z.object({
  signups: z.enum(['open', 'closed'], { error: 'must be open or closed' }).optional(),
  dnsbl: blocklists.optional(),
  dnswl: allowlists.optional(),
  domain_dnsbl: blocklists.optional(),
  greylisting: flag.optional(),
  greylisting_minutes: z
    .int({ error: 'must be a whole number' })
    .min(1, { error: 'must be at least 1' })
    .max(MAX_WAIT_MINUTES, { error: `must be at most ${MAX_WAIT_MINUTES}` })
    .optional(),
})
export type InstanceInput = z.output<typeof instanceInput>
