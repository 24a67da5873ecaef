import { z } from 'zod'

/** There is one demo, and nothing to choose. */
export const demoInput = z.strictObject({}).prefault({})

/** How much the demo has brought. */
export const demoResult = z.object({
  types: z.int(),
  entries: z.int(),
  media: z.int(),
  terms: z.int(),
  menus: z.int(),
})
export type DemoResult = z.infer<typeof demoResult>
