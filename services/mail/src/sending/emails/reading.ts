import { type Reply, reply } from '@stoa/kit/http/route.ts'
import type { Email, EmailList, EmailListRequest } from '@stoa/mail-model/emails.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { readingFrame, sanitizeHtmlAsync, textToHtml } from '../../formats/html/html.ts'
import { accountOf } from '../../principal.ts'
import { findEmail, listEmails, listEvents, type WholeEmailRow } from './read-queries.ts'
import { emailItemJson, emailJson } from './schema.ts'

/** A mail to 150 recipients that is opened as often as is counted has fewer. */
const MAX_EVENTS = 1_000

/** The mail that a path names, if it is in the caller's account. */
export const loadEmail = async (ctx: Ctx, { params }: { params: { id: string } }): Promise<WholeEmailRow> =>
  (await findEmail(ctx.db, accountOf(ctx).id, params.id)) ?? fail('not_found')

export const getEmails = async (ctx: Ctx, list: EmailListRequest): Promise<EmailList> => {
  const page = await listEmails(ctx.db, accountOf(ctx).id, list)
  if (!page) {
    const name = list.after === undefined ? 'before' : 'after'
    return fail('invalid_parameter', { message: `Invalid \`${name}\` parameter: this email doesn't exist.` })
  }
  const { limit } = list
  return {
    object: 'list',
    has_more: page.hasMore,
    data: page.rows.map(emailItemJson),
    page: Math.floor(page.newer / limit) + 1,
    per_page: limit,
    total: page.total,
    pages: Math.max(1, Math.ceil(page.total / limit)),
  }
}

export const readEmail = async (ctx: Ctx, row: WholeEmailRow): Promise<Email> => {
  const events = await listEvents(ctx.db, { accountId: row.account_id, id: row.id, limit: MAX_EVENTS })
  return emailJson(row, events)
}

/** For a frame of the panel: the mail's HTML, or its text when it has none. Pictures are not loaded. */
export const viewEmail = async (row: WholeEmailRow): Promise<Reply<string>> => {
  const clean =
    row.html === null
      ? textToHtml(row.text ?? '')
      : (await sanitizeHtmlAsync(row.html, { parts: new Map(), proxy: null })).html
  const { html, options } = readingFrame(clean)
  return reply(html, options)
}
