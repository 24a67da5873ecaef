import { z } from 'zod'

/** The answer to a deletion. */
export const deletedOf = <const Kind extends string>(object: Kind) =>
  z.object({ object: z.literal(object), id: z.uuid(), deleted: z.literal(true) })

/** The id of another object in a body. */
export const reference = z.uuid({ error: 'must be an ID' })

export const flag = z.boolean({ error: 'must be true or false' })

/** A count of bytes that a database column can keep. */
export const byteCount = z
  .int({ error: 'must be a whole number' })
  .min(0, { error: 'must not be negative' })
  .max(2 ** 50, { error: 'is too large' })
