import {
  cancelledEmail,
  email,
  emailBatchInput,
  emailInput,
  emailList,
  emailListQuery,
  emailRescheduleInput,
  rescheduledEmail,
  sentEmail,
  sentEmails,
} from '@stoa/mail-model/emails.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import { cancelEmail, rescheduleEmail } from './changing.ts'
import { getEmails, loadEmail, readEmail, viewEmail } from './reading.ts'
import { loadSender, sendBatch, sendEmail } from './sending.ts'

const MIB = 1_048_576
/** Clients that give attachments as lists of bytes; base64 is one item whatever its length. */
const MAX_LISTED_BYTES = 5_000_000

const params = z.object({ id: z.uuid() })
const sending = { auth: ['key'], access: 'sending' } as const
const sent = { auth: ['key', 'session'], access: 'sent' } as const
const one = { ...sent, params, load: loadEmail } as const

export const emailRoutes = [
  route({
    ...sending,
    method: 'POST',
    path: '/api/emails',
    summary: 'Send an email',
    load: loadSender,
    body: emailInput,
    bodyLimit: 56 * MIB,
    jsonLimits: { maxDepth: 64, maxKeys: 10_000, maxItems: MAX_LISTED_BYTES },
    output: sentEmail,
    run: (ctx, { loaded, body, request }) => sendEmail(ctx, { principal: loaded, body, request }),
  }),
  route({
    ...sending,
    method: 'POST',
    path: '/api/emails/batch',
    summary: 'Send up to 100 emails, all or nothing',
    load: loadSender,
    body: emailBatchInput,
    bodyLimit: 40 * MIB,
    output: sentEmails,
    run: (ctx, { loaded, body, request }) => sendBatch(ctx, { principal: loaded, body, request }),
  }),
  route({
    ...sent,
    method: 'GET',
    path: '/api/emails',
    summary: 'List emails, newest first',
    query: emailListQuery,
    output: emailList,
    run: (ctx, { query }) => getEmails(ctx, query),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/api/emails/:id',
    summary: 'Read an email with its events',
    output: email,
    run: (ctx, { loaded }) => readEmail(ctx, loaded),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/api/emails/:id/view',
    summary: 'An email as an HTML page',
    output: 'raw',
    run: (_ctx, { loaded }) => viewEmail(loaded),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/api/emails/:id',
    summary: 'Reschedule an email',
    body: emailRescheduleInput,
    output: rescheduledEmail,
    run: (ctx, { loaded, body }) => rescheduleEmail(ctx, loaded, body.scheduled_at),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/api/emails/:id/cancel',
    summary: 'Cancel a scheduled email',
    output: cancelledEmail,
    run: (ctx, { loaded }) => cancelEmail(ctx, loaded),
  }),
]
