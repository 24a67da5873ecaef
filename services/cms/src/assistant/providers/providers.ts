export { checkBaseUrl, DEFAULT_BASE_URL } from './base-url.ts'
export type { AiPort } from './port.ts'
export { estimateInput, estimateTokens, runStep } from './run-step.ts'
export * from './terms.ts'
