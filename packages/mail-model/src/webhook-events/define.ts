import type { z } from 'zod'

/** The groups in which people choose events, in the order of the screen. */
export const webhookEventGroups = [
  'Sending',
  'Engagement',
  'Receiving',
  'Domains',
  'Addresses',
  'Suppressions',
  'Transfers',
] as const

/** What a sample is about: the webhook that it is sent to, and the time. */
export type SampleContext = { webhookId: string; at: string }

export type WebhookEventDefinition<Data = unknown> = {
  /** Null: it cannot be chosen, only sent as a test. */
  readonly group: (typeof webhookEventGroups)[number] | null
  /** What the screen calls it inside its group. */
  readonly label: string
  /** When it is sent, as the documentation says it. */
  readonly when: string
  readonly data: z.ZodType<Data>
  /** `data` as it looks when the event happens, about things that do not exist. */
  sample(context: SampleContext): NoInfer<Data>
}

/** Infers what the data is from its schema, and holds the sample to it. */
export const defineEvent = <Data>(definition: WebhookEventDefinition<Data>): WebhookEventDefinition<Data> => definition

/** The id of everything in samples: a version 7 UUID of the year 1970, which nothing has. */
export const SAMPLE_ID = '00000000-0000-7000-8000-000000000000'
