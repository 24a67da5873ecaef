export type StripeErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  charge?: string
  payment_intent?: unknown
  payment_method?: unknown
  setup_intent?: unknown
}

/** An answer that is an error, in Stripe's shape. */
export class StripeFault extends Error {
  readonly status: number
  readonly body: StripeErrorBody
  constructor(status: number, body: StripeErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

export const invalid = (message: string, more: { code?: string; param?: string } = {}): StripeFault =>
  new StripeFault(400, { type: 'invalid_request_error', message, ...more })

/** An object of the path is 404; one that a parameter names is 400. */
export const missing = (kind: string, id: string, param = 'id'): StripeFault =>
  new StripeFault(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  })
