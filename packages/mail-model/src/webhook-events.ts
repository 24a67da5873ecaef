import type { z } from 'zod'
import { addressEvents } from './webhook-events/address.ts'
import { domainEvents } from './webhook-events/domain.ts'
import { emailEvents } from './webhook-events/email.ts'
import { receivedEvents } from './webhook-events/received.ts'
import { suppressionEvents } from './webhook-events/suppression.ts'
import { testEvents } from './webhook-events/test.ts'
import { transferEvents } from './webhook-events/transfer.ts'

export { webhookEventGroups } from './webhook-events/define.ts'
export type { DomainEventData } from './webhook-events/domain.ts'
export type { EmailEventData } from './webhook-events/email.ts'
export type { ReceivedEmailData } from './webhook-events/received.ts'

/** Every event: what the routes accept, the settings offer, tests send and the documentation lists comes from here. */
export const webhookEvents = {
  ...emailEvents,
  ...receivedEvents,
  ...domainEvents,
  ...suppressionEvents,
  ...addressEvents,
  ...transferEvents,
  ...testEvents,
}

export type WebhookEventType = keyof typeof webhookEvents

type Data<Type extends WebhookEventType> = z.output<(typeof webhookEvents)[Type]['data']>

/** An event, as it is sent to the endpoints that subscribe to it. */
export type WebhookEvent = { [Type in WebhookEventType]: { type: Type; data: Data<Type> } }[WebhookEventType]

// Keys of what was written down above, and nothing else.
export const webhookEventTypes = Object.keys(webhookEvents) as WebhookEventType[]
