import { browserTest, type Visit, type VisitOptions } from '../lib/browser.ts'

/**
 * Rules that are shown on one page, one after the other: to load it anew for each of them costs more than all they do.
 * Each begins where the one before it ended.
 */
export const journey = (
  name: string,
  rules: Record<string, (visit: Visit) => Promise<void>>,
  options: VisitOptions = {},
): void =>
  browserTest(name, options, async (visit) => {
    for (const [rule, show] of Object.entries(rules))
      await show(visit).catch((error: unknown) => {
        throw new Error(`${rule}: ${error}`, { cause: error })
      })
  })
