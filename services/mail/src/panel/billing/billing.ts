export { findSubscription, findUnpaidSubscription } from './queries.ts'
export { closeBilling, subscriptionJson } from './subscriptions.ts'
