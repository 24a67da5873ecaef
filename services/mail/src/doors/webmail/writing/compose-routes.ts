import {
  draftInput,
  sendInput,
  sentMessage,
  submission,
  submissionList,
  submissionListQuery,
} from '@stoa/mail-model/compose.ts'
import { messageItem } from '@stoa/mail-model/messages.ts'
import { z } from 'zod'
import { route } from '../../../context.ts'
import { saveDraft } from './drafts.ts'
import { sendMail } from './send.ts'
import { cancelSend, getSubmissionList, loadSubmission } from './submissions.ts'

const own = { auth: ['webmail'], access: 'mailbox' } as const
const one = z.object({ submission_id: z.uuid() })
/** A message of the largest size does not fit with its files in base64; those are uploaded before. */
const BODY_LIMIT = 56 * 1024 * 1024

/** Writing and sending. */
export const composeRoutes = [
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/drafts',
    summary: 'Save a draft; with an id, replace that draft',
    body: draftInput,
    output: messageItem,
    bodyLimit: BODY_LIMIT,
    run: (ctx, { body }) => saveDraft(ctx, body),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/send',
    summary: 'Send a message now, with an undo delay, or at a scheduled time',
    body: sendInput,
    output: sentMessage,
    bodyLimit: BODY_LIMIT,
    run: (ctx, { body }) => sendMail(ctx, body),
  }),
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/submissions',
    summary: 'List sent and scheduled messages',
    query: submissionListQuery,
    output: submissionList,
    run: (ctx, { query }) => getSubmissionList(ctx, query),
  }),
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/submissions/:submission_id',
    summary: 'Read the delivery status of a message',
    params: one,
    output: submission,
    load: loadSubmission,
    run: (_ctx, { loaded }) => loaded,
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/submissions/:submission_id/cancel',
    summary: "Cancel a message that wasn't sent yet; it becomes a draft again",
    params: one,
    output: submission,
    load: loadSubmission,
    run: (ctx, { loaded }) => cancelSend(ctx, loaded),
  }),
]
