export { lockPlan, refuseOver, requireFeature, requirePaid } from './check-limits.ts'
export {
  currencyOf,
  featuresJson,
  findPlan,
  findVisiblePlan,
  limitsJson,
  type PlanPrices,
  PRICE_OFFERS,
  type Price,
  type PriceOffer,
  planIdOf,
  planJson,
  priceOf,
  startingPlan,
  UNPAID_PLANS,
  visiblePlans,
} from './offers.ts'
export { daysAfter, limitsLoweredAt, loweredSince, sendingStopsAt, UNPAID } from './past-due.ts'
export {
  limitsOfAccount,
  PLANS,
  type Plan,
  type PlanName,
  planNameOf,
  planOf,
  planOfAccount,
} from './plan-limits.ts'
export { findAccountPlan } from './queries.ts'
export { returnSendingVolume, takeSendingVolume, type VolumeAnswer } from './sending-limits.ts'
export { quotaOf } from './storage.ts'
export { resumeAccount, suspendAccount } from './suspension.ts'
