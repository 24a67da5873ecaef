import type { Ctx } from '../../context.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { type ConversationRecord, lockConversation, type Own } from './queries.ts'
import { failTurn } from './queries-turn.ts'
import { INTERRUPTED } from './stored.ts'

export const ownOf = ({ bootId, principal }: Pick<Ctx<SessionPrincipal>, 'bootId' | 'principal'>): Own => ({
  bootId,
  accountId: principal.account.id,
})

/** Frees a conversation whose turn nobody works on any more: its process was killed, or lost the database. */
export const endDeadTurn = (ctx: Ctx<SessionPrincipal>, conversationId: string): Promise<ConversationRecord | null> =>
  ctx.tx(async (tx) => {
    const conversation = await lockConversation(tx, conversationId, ownOf(ctx))
    if (conversation?.turnMessageId == null || conversation.isRunning) return conversation
    await failTurn(tx, { conversationId, messageId: conversation.turnMessageId, error: INTERRUPTED })
    return { ...conversation, turnMessageId: null }
  })
