import type { Plan } from './plan.ts'

/** A handler lives ten seconds: a caller that claimed a plan a minute ago is gone. */
export const CLAIM_MS = 60_000

export type Step = 'done' | 'choose-accounts' | 'wait' | 'claim'

/** The next step of handing over a plan in this state. */
export const nextStep = (
  { publishPostId, accountIds, claim }: Pick<Plan, 'publishPostId' | 'accountIds' | 'claim'>,
  now: string,
): Step => {
  if (publishPostId !== null) return 'done'
  if (claim !== null && Date.parse(now) - Date.parse(claim.at) < CLAIM_MS) return 'wait'
  return accountIds.length === 0 ? 'choose-accounts' : 'claim'
}

const markOf = (id: string): string => `[plan ${id}]`

/** The note of the core post. It names the plan, so that a post can be found whose making nobody noted down. */
export const noteFor = (id: string, title: string): string => `Social plan: ${title}\n${markOf(id)}`

export const isNoteOf = (id: string, note: string | null): boolean => note?.includes(markOf(id)) ?? false
