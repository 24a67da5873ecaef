import { z } from 'zod'

/** A field that had another key before this moment. */
export type Rename = { at: string; from: string; to: string }
export const renameRecords = z.array(z.object({ at: z.string(), from: z.string(), to: z.string() }))
