import type { Webhook } from '@stoa/mail-model/webhooks.ts'
import { useQueryClient } from '@tanstack/react-query'
import { deleteWebhook, webhookQuery, webhooksQuery } from './queries.ts'

export const useDeleteWebhook = (): ((webhook: Pick<Webhook, 'id'>) => Promise<void>) => {
  const queryClient = useQueryClient()
  return async ({ id }) => {
    await deleteWebhook(id)
    queryClient.removeQueries(webhookQuery(id))
    // Not what is of this one: its screen still shows it until the next one is there
    void queryClient.invalidateQueries(webhooksQuery)
  }
}
