export { findSubscription, findUnpaidSubscription, updatePlans } from './queries.ts'
export { closeBilling, subscriptionJson } from './subscriptions.ts'
