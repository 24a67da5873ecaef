import type { CmsDb, CmsTx } from '../../context.ts'
import type { StoredProposal } from './record.ts'

const COLUMNS = `id, conversation_id as "conversationId", message_id as "messageId", account_id as "accountId", tool, title,
  reason, permission, risk, verb, warning, target, requests, base, changes, status, is_edited as "isEdited", error,
  created_at as "createdAt", applied_at as "appliedAt", expires_at as "expiresAt"`

export type NewProposal = Omit<StoredProposal, 'status' | 'isEdited' | 'error' | 'appliedAt'> & {
  readonly callId: string
  readonly args: unknown
}

/** A model's text may hold characters that PostgreSQL cannot store. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '')
const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? storable(member) : member))

export const insertProposal = async (tx: CmsTx, proposal: NewProposal): Promise<StoredProposal> => {
  const [row] = await tx.query<StoredProposal>({
    name: 'insert-assistant-proposal',
    text: `insert into assistant_proposal (id, conversation_id, message_id, call_id, account_id, tool, args, title, reason,
        permission, risk, verb, warning, target, requests, base, changes, status, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 'proposed', $18, $19)
      returning ${COLUMNS}`,
    values: [
      proposal.id,
      proposal.conversationId,
      proposal.messageId,
      proposal.callId,
      proposal.accountId,
      proposal.tool,
      toJson(proposal.args),
      storable(proposal.title),
      storable(proposal.reason),
      proposal.permission,
      proposal.risk,
      proposal.verb,
      proposal.warning,
      toJson(proposal.target),
      toJson(proposal.requests),
      toJson(proposal.base),
      toJson(proposal.changes),
      proposal.createdAt,
      proposal.expiresAt,
    ],
  })
  if (!row) throw new Error('an inserted proposal is not there')
  return row
}

/** Open ones of a conversation, which nobody applies before the transaction ends. */
export const lockOpenOf = (tx: CmsTx, conversationId: string): Promise<StoredProposal[]> =>
  tx.query({
    name: 'lock-open-proposals',
    text: `select ${COLUMNS} from assistant_proposal
      where conversation_id = $1 and status = 'proposed' order by created_at, id for update`,
    values: [conversationId],
  })

export const supersede = async (tx: CmsTx, ids: readonly string[]): Promise<void> => {
  await tx.query({
    name: 'supersede-proposals',
    text: `update assistant_proposal set status = 'superseded' where id = any($1::uuid[])`,
    values: [ids],
  })
}

type Own = { readonly id: string; readonly accountId: string }

/** Somebody else's is not there. */
export const findProposal = async (db: CmsDb, { id, accountId }: Own): Promise<StoredProposal | null> => {
  const [row] = await db.query<StoredProposal>({
    name: 'find-assistant-proposal',
    text: `select ${COLUMNS} from assistant_proposal where id = $1 and account_id = $2`,
    values: [id, accountId],
  })
  return row ?? null
}

export const lockProposal = async (tx: CmsTx, { id, accountId }: Own): Promise<StoredProposal | null> => {
  const [row] = await tx.query<StoredProposal>({
    name: 'lock-assistant-proposal',
    text: `select ${COLUMNS} from assistant_proposal where id = $1 and account_id = $2 for update`,
    values: [id, accountId],
  })
  return row ?? null
}

/** The newest first. */
export const listOwn = (
  db: CmsDb,
  { accountId, openAt, limit }: { accountId: string; openAt: Date | null; limit: number },
): Promise<StoredProposal[]> =>
  db.query({
    name: openAt === null ? 'list-own-proposals' : 'list-open-proposals',
    text: `select ${COLUMNS} from assistant_proposal
      where account_id = $1 ${openAt === null ? '' : "and status = 'proposed' and expires_at > $3"}
      order by created_at desc, id desc limit $2`,
    values: [accountId, limit, ...(openAt === null ? [] : [openAt])],
  })

/** In the order in which they were made. */
export const listOfConversation = (db: CmsDb, conversationId: string): Promise<StoredProposal[]> =>
  db.query({
    name: 'list-conversation-proposals',
    text: `select ${COLUMNS} from assistant_proposal where conversation_id = $1 order by created_at, id`,
    values: [conversationId],
  })

export type ProposalState = Pick<StoredProposal, 'status' | 'requests' | 'isEdited' | 'error' | 'appliedAt'>

export const updateProposal = async (tx: CmsTx, id: string, state: ProposalState): Promise<void> => {
  await tx.query({
    name: 'update-assistant-proposal',
    text: `update assistant_proposal set status = $2, requests = $3, is_edited = $4, error = $5, applied_at = $6
      where id = $1`,
    values: [
      id,
      state.status,
      JSON.stringify(state.requests),
      state.isEdited,
      state.error && JSON.stringify(state.error),
      state.appliedAt,
    ],
  })
}
