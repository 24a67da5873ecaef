import type { List } from '@stoa/mail-model/list.ts'
import type { Sender, SenderInput } from '@stoa/mail-model/senders.ts'
import type { Send } from '@stoa/ui/request/request.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

const PER_PAGE = 25

/** One list of senders: that of a mailbox, of a domain, or of the instance. */
export const sendersApi = (send: Send, path: string) => ({
  key: ['senders', path] as const,
  page: (page: number) =>
    queryOptions({
      queryKey: ['senders', path, page],
      queryFn: ({ signal }) =>
        send<List<Sender>>('GET', `${path}?page=${page}&per_page=${PER_PAGE}&sort=pattern&direction=asc`, { signal }),
      placeholderData: keepPreviousData,
    }),
  find: (pattern: string) => send<List<Sender>>('GET', `${path}?${new URLSearchParams({ search: pattern })}`),
  add: (body: SenderInput) => send<Sender>('POST', path, { body }),
  remove: (id: string) => send<unknown>('DELETE', `${path}/${encodeURIComponent(id)}`),
})
export type SendersApi = ReturnType<typeof sendersApi>
