import type { Submission } from '@stoa/mail-model/compose.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL } from '../../api.ts'
import { sendMailbox } from '../api.ts'

/** Mail that waits for its moment. */
export const pendingQuery = queryOptions({
  queryKey: ['webmail', 'submissions', 'pending'],
  queryFn: ({ signal }) =>
    sendMailbox<List<Submission>>('GET', `/api/mail/submissions?status=pending&direction=asc&${ALL}`, { signal }),
})

/** Takes mail back before its moment: it is a draft again. */
export const cancelSubmission = (id: string): Promise<Submission> =>
  sendMailbox<Submission>('POST', `/api/mail/submissions/${id}/cancel`)
