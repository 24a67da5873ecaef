import { ProviderError, type ProviderProblem } from '../provider.ts'

/** What is read of the SDK's errors. Their other members may hold secrets of a payment. */
type SdkError = {
  type: string
  message: string
  statusCode?: number
  code?: string
  decline_code?: string
  requestId?: string
}

/** Our own errors, and faults in our code, stay what they are. */
export const toProviderError = (error: unknown): unknown => {
  if (!isSdkError(error)) return error
  const problem = problemOf(error)
  return new ProviderError(problem, messageOf(problem, error))
}

/** Whether the provider refused with this problem. */
export const isProblem = (error: unknown, ...problems: ProviderProblem[]): boolean =>
  error instanceof ProviderError && problems.includes(error.problem)

const isSdkError = (error: unknown): error is SdkError =>
  error instanceof Error && 'type' in error && typeof error.type === 'string' && error.type.startsWith('Stripe')

/** Errors that do not prove a refusal are `unavailable`: the request may have succeeded. */
const problemOf = ({ statusCode = 0, code = '', decline_code = '' }: SdkError): ProviderProblem => {
  if (statusCode === 402) return WANTS_CONFIRMATION.test(`${code} ${decline_code}`) ? 'needs_action' : 'declined'
  if (statusCode === 404 || code === 'resource_missing') return 'not_found'
  if (statusCode === 429) return 'rate_limited'
  return statusCode === 400 ? 'invalid' : 'unavailable'
}

const WANTS_CONFIRMATION = /requires_action|authentication_required/

/** Stripe's card errors are meant for the cardholder. Its error about a wrong key contains a part of the key. */
const messageOf = (problem: ProviderProblem, { message, type, code, statusCode, requestId }: SdkError): string => {
  if (problem === 'declined' || problem === 'needs_action') return message
  const facts = [type, statusCode, code, requestId].filter((fact) => fact !== undefined && fact !== '').join(' ')
  return problem === 'invalid' || problem === 'not_found' ? `${message} (${facts})` : `Stripe did not do it (${facts})`
}
