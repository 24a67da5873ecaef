export { createTrackingTokens, type TrackedEmail } from './tokens.ts'
export { track } from './track.ts'
