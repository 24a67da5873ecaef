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
import { route } from '../../context.ts'
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
    summary: 'Save a draft; with an id it takes the place of that one',
    body: draftInput,
    output: messageItem,
    bodyLimit: BODY_LIMIT,
    run: (ctx, { body }) => saveDraft(ctx, body),
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/send',
    summary: 'Send a message now, after a while in which it can be taken back, or at a moment',
    body: sendInput,
    output: sentMessage,
    bodyLimit: BODY_LIMIT,
    run: (ctx, { body }) => sendMail(ctx, body),
  }),
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/submissions',
    summary: 'What was sent, and what is still to be sent',
    query: submissionListQuery,
    output: submissionList,
    run: (ctx, { query }) => getSubmissionList(ctx, query),
  }),
  route({
    ...own,
    method: 'GET',
    path: '/api/mail/submissions/:submission_id',
    summary: 'What became of a message',
    params: one,
    output: submission,
    load: loadSubmission,
    run: (_ctx, { loaded }) => loaded,
  }),
  route({
    ...own,
    method: 'POST',
    path: '/api/mail/submissions/:submission_id/cancel',
    summary: 'Take a message back that was not sent yet: it is a draft again',
    params: one,
    output: submission,
    load: loadSubmission,
    run: (ctx, { loaded }) => cancelSend(ctx, loaded),
  }),
]
