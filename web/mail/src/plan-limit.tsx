import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { LinkButton, TextLink } from '@stoa/ui/navigation/link.tsx'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { useState } from 'react'
import { hasName } from './api.ts'
import { useSellsPlans } from './billing/queries.ts'

/** Whether the plan is the reason: it lacks the feature, or its limit is reached. Other limits hold for all plans. */
const isPlanLimit = (error: unknown): boolean =>
  hasName(error, 'plan_required') || (hasName(error, 'quota_exceeded') && /\bplan\b/.test(messageOf(error)))

export type PlanLimit = {
  /** Set while the last try was refused by the plan. */
  message: string | undefined
  /** Runs an action; a refusal by the plan is remembered, with the name of the feature, and thrown on for the form. */
  guard: <T>(feature: string, action: () => Promise<T>) => Promise<T>
}

/** Turns refusals of the plan into words that say which feature is meant and where plans are. */
export const usePlanLimit = (): PlanLimit => {
  const [message, setMessage] = useState<string>()
  return {
    message,
    guard: async (feature, action) => {
      setMessage(undefined)
      try {
        return await action()
      } catch (error) {
        if (!isPlanLimit(error)) throw error
        const words = hasName(error, 'plan_required') ? `Your plan doesn't include ${feature}.` : messageOf(error)
        setMessage(words)
        throw new ProblemError(words, [], { cause: error })
      }
    },
  }
}

/** The way to the plans, where there are any to choose from. */
export const ComparePlans = () => (useSellsPlans() ? <TextLink to="/billing/plans">Compare plans</TextLink> : null)

/** Offers an upgrade beside a refusal, where plans are sold. */
export const PlanLimitHint = ({ limit }: { limit: PlanLimit }) => {
  const sellsPlans = useSellsPlans()
  if (limit.message === undefined || !sellsPlans) return null
  return (
    <Notice
      tone="info"
      action={
        <LinkButton to="/billing/plans" size="sm">
          Compare plans
        </LinkButton>
      }
    >
      Upgrade to get this.
    </Notice>
  )
}
