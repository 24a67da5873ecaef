import { z } from 'zod'

/** How often a mailbox gets a mail that lists what was put in Junk. */
export const digests = ['off', 'daily', 'weekly'] as const
export type Digest = (typeof digests)[number]

export const digestChoice = z.enum(digests, { error: 'must be off, daily or weekly' })
