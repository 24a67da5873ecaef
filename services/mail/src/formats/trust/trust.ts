export { type Unsubscribe, unsubscribeOf } from './unsubscribe.ts'
export { type Circle, linkWarnings, type Person, senderWarnings, type Warning } from './warnings.ts'
