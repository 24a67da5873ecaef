import { type Reply, reply } from '@stoa/kit/http/route.ts'
import type { Message, Unsubscribe as UnsubscribeJson } from '@stoa/mail-model/messages.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { readingFrame } from '../../../formats/html/html.ts'
import { senderWarnings, type Unsubscribe, type Warning } from '../../../formats/trust/trust.ts'
import { signInOf } from '../../../principal.ts'
import { getWholeMessages, type WholeMessage } from '../../../store/store.ts'
import { correspondentJson, messageJson } from '../message-json.ts'
import { withStore } from '../refusals.ts'
import { type MessageContent, readMessageContent } from './content.ts'
import type { Findings } from './findings.ts'
import { invitationJson } from './invitation.ts'
import { findCircle } from './trust-queries.ts'

/** The message that a path names, in the mailbox of the signed-in user. What is marked as deleted everywhere is not there. */
export const loadMessage = async (ctx: Ctx, { params }: { params: { message_id: string } }): Promise<WholeMessage> => {
  const [found] = await getWholeMessages(ctx.db, signInOf(ctx).address.id, [params.message_id])
  return found && found.folderIds.length > 0 ? found : fail('not_found')
}

/** A message as it is read. Reading does not mark it as seen. */
export const getMessage = async (ctx: Ctx, found: WholeMessage, withImages: boolean): Promise<Message> => {
  const content = await contentOf(ctx, found, withImages)
  const { envelope } = found
  const { results, unsubscribe, invitation } = content.findings
  return {
    ...messageJson(found),
    bcc: envelope.bcc.map(correspondentJson),
    reply_to: envelope.replyTo.map(correspondentJson),
    message_id: envelope.messageId[0] ?? null,
    in_reply_to: envelope.inReplyTo[0] ?? null,
    references: [...envelope.references],
    headers: [...content.headers],
    html: content.hasHtml ? content.html : null,
    text: content.text,
    remote_content_blocked: content.hasRemote && !withImages,
    attachments: [...content.attachments],
    authentication: {
      result: results?.dmarc.result ?? 'none',
      domain: results?.dmarc.domain ?? null,
      checked_by: results?.by ?? null,
    },
    warnings: await warningsOf(ctx, found, content.findings),
    unsubscribe: unsubscribe && unsubscribeJson(unsubscribe, found.keywords),
    invitation: invitation && (await invitationJson(ctx, invitation, found.keywords)),
  }
}

/** RFC 8058 has no answer that could be asked for later: this remembers that it was done. */
export const UNSUBSCRIBED = '$unsubscribed'

const unsubscribeJson = (unsubscribe: Unsubscribe, keywords: readonly string[]): UnsubscribeJson => {
  const done = keywords.includes(UNSUBSCRIBED)
  switch (unsubscribe.kind) {
    case 'one_click':
      return { method: 'one_click', target: new URL(unsubscribe.url).host, done }
    case 'mail':
      return { method: 'mail', target: unsubscribe.mailto, done }
    case 'page':
      return { method: 'page', target: unsubscribe.url, done }
  }
}

/** The message as an HTML page for the reading frame. */
export const viewMessage = async (ctx: Ctx, found: WholeMessage, withImages: boolean): Promise<Reply<string>> => {
  const { html, options } = readingFrame((await contentOf(ctx, found, withImages)).html)
  return reply(html, options)
}

export const contentOf = (ctx: Ctx, found: WholeMessage, withImages: boolean): Promise<MessageContent> =>
  withStore(() => readMessageContent(ctx.parts, found, { addressId: signInOf(ctx).address.id, withImages }))

/** Reasons to look twice at a message: who claims to have sent it, and where its links lead. */
const warningsOf = async (
  ctx: Ctx,
  { envelope: { from }, keywords }: WholeMessage,
  { results, links, isList }: Findings,
): Promise<Warning[]> => {
  const [sender] = from
  const { id: addressId, accountId, email } = signInOf(ctx).address
  const isOwn = keywords.includes('$draft') || sender?.email.toLowerCase() === email
  if (!sender || isOwn) return [...links]
  const isVerifiedList = isList && results?.dmarc.result === 'pass'
  const circle = await findCircle(ctx.db, { addressId, accountId })
  return [...senderWarnings({ from: sender, isVerifiedList }, circle), ...links]
}
