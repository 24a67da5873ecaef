import type { Plan } from '@stoa/mail-model/plans.ts'
import { useQuery } from '@tanstack/react-query'
import { entitlementQuery, plansQuery } from '../../billing/queries.ts'

/** The plans that an account can be on: those that are listed, and the owner's own, which may be hidden. */
export const useAllPlans = (): readonly Plan[] => {
  const { data: plans } = useQuery(plansQuery)
  const { data: own } = useQuery(entitlementQuery)
  const listed = plans?.data ?? []
  return own && !listed.some(({ id }) => id === own.plan.id) ? [...listed, own.plan] : listed
}

export const usePlanNames = (): ((id: string) => string) => {
  const plans = useAllPlans()
  return (id) => plans.find((plan) => plan.id === id)?.name ?? '–'
}
