import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Polling } from '@stoa/kit/queue/worker.ts'
import { createWebhookWorker } from '@stoa/kit/webhooks/worker.ts'
import { DUE } from '../../hosting/webhook-events/webhook-events.ts'
import { createSender, type WebhookParts } from './sender.ts'

/** Delivers what waits for endpoints; any number of processes may. */
export const startWebhooks = (
  parts: WebhookParts & { readonly bus: Bus },
  polling: Polling = {},
): { stop(): Promise<void> } => {
  const worker = createWebhookWorker(createSender(parts), polling)
  const leave = parts.bus.subscribe(({ topic, event }) => {
    if (topic === 'webhook' && event === DUE) worker.wake()
  }, worker.wake)
  worker.start()
  return {
    async stop() {
      leave()
      await worker.stop()
    },
  }
}
