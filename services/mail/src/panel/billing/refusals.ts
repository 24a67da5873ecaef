import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { type PaymentProvider, ProviderError, type ProviderProblem } from './provider.ts'

type Refusals = Partial<Record<ProviderProblem, (error: ProviderError) => never>>

type Outage = ProviderError & { problem: 'unavailable' | 'rate_limited' }

/** Whether the provider may have done it nevertheless, or does it when it is asked again. */
export const isOutage = (error: unknown): error is Outage =>
  error instanceof ProviderError && (error.problem === 'unavailable' || error.problem === 'rate_limited')

/** Turns errors of the provider into our own responses; `refusals` has those for the call at hand. */
export const atProvider = async <R>(call: () => Promise<R>, refusals: Refusals = {}): Promise<R> => {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (isOutage(error)) return failOutage(error)
    throw refusals[error.problem]?.(error) ?? error
  }
}

export const failOutage = (cause: ProviderError): never =>
  fail('service_unavailable', {
    message: "The payment provider isn't answering. Try again in a minute: you won't be charged twice.",
    headers: { 'retry-after': '30' },
    cause,
  })

export const requirePayments = (ctx: Ctx): PaymentProvider =>
  ctx.parts.payments ?? fail('validation_error', { message: 'This instance has no payment provider.' })

export const failUnknown = (what: 'plan' | 'payment method' | 'checkout' | 'transaction'): never =>
  fail('not_found', { message: `This ${what} doesn't exist.` })
