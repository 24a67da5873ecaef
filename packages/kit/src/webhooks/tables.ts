import type { ColumnType } from 'kysely'

export const endpointStatuses = ['enabled', 'disabled'] as const
export type EndpointStatus = (typeof endpointStatuses)[number]

/** Why an endpoint is off: its owner switched it off, it answered 410, or it failed for too long. */
export type DisabledReason = 'owner' | 'gone' | 'failing'

export const deliveryStatuses = ['pending', 'attempting', 'success', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** A value with a default in the table. */
type Defaulted<T> = ColumnType<T, T | undefined, T>

/** Row types of `tables.sql`, to be joined into a service's own table types. */
export type WebhookTables = {
  webhook_endpoint: {
    id: string
    owner: string
    url: string
    events: string[]
    details: ColumnType<Record<string, unknown>, string | undefined, string>
    secret_sealed: string
    secret_hint: string
    status: Defaulted<EndpointStatus>
    disabled_reason: DisabledReason | null
    failing_since: Date | null
    consecutive_failures: Defaulted<number>
    last_success_at: Date | null
    version: Defaulted<number>
    created_at: Date
    updated_at: Date
  }
  webhook_delivery: {
    id: string
    endpoint_id: string
    owner: string
    type: string
    payload: string
    status: DeliveryStatus
    is_test: Defaulted<boolean>
    attempts: Defaulted<number>
    retries: Defaulted<number>
    next_attempt_at: Date | null
    last_attempt_at: Date | null
    response_status: number | null
    response_body: string | null
    error: string | null
    duration_ms: number | null
    created_at: Date
  }
  webhook_attempt: {
    id: string
    delivery_id: string
    attempt: number
    sent_at: Date
    duration_ms: number
    response_status: number | null
    response_body: string | null
    error: string | null
  }
}
